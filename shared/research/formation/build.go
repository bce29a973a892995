package formation

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Job is the input of the machine.
type Job struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Formation string `json:"formation"`
}

// Build does the next piece of a build and tells whether there is no more to do:
// nothing was there, it was another job's, or it is settled. Every piece commits
// with the mark of how far the build has come, so that one which was cut off is
// done again and one which was not is passed over. The principal is the owner of
// the Audience.
func (s *Service) Build(ctx context.Context, j Job) (done bool, err error) {
	r, err := s.get(ctx, account.From(ctx).Workspace, j.Formation)
	if errors.Is(err, records.ErrNotFound) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if r.Status != Building || r.Job == nil || r.Job.ID != j.Job || !r.DeletedAt.IsZero() {
		return true, nil
	}
	if s.d.Clock.Now().Sub(r.StartedAt) >= buildTime {
		return true, s.fail(ctx, r, tookTooLong)
	}
	w, err := s.worked(ctx, r)
	if errors.Is(err, records.ErrNotFound) || err == nil && w.Build != r.Build {
		return s.open(ctx, r, w.version)
	}
	if err != nil {
		return false, err
	}
	switch {
	case w.Settled:
		return s.settle(ctx, r, w)
	case w.Phase == Classify:
		err = s.classify(ctx, r, &w)
	case w.Phase == Reconcile:
		w.reconcile()
	default:
		err = s.ask(ctx, r, &w)
	}
	if errors.Is(err, errAudienceGone) {
		return true, s.fail(ctx, r, notCompleted)
	}
	if err != nil {
		return false, err
	}
	return false, s.keep(ctx, r, w)
}

// errAudienceGone ends a build whose Audience was deleted.
var errAudienceGone = errors.New("formation: the Audience is gone")

func (s *Service) worked(ctx context.Context, r record) (work, error) {
	it, err := s.d.Records.Get(ctx, workKey(r.Workspace, r.ID))
	if err != nil {
		return work{}, err
	}
	w := work{version: it.Version}
	return w, json.Unmarshal(it.Body, &w)
}

// open takes down whom the build will sort.
func (s *Service) open(ctx context.Context, r record, stale int64) (bool, error) {
	a, err := s.d.Audiences.Get(ctx, r.AudienceID)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) {
		return true, s.fail(ctx, r, notCompleted)
	}
	if err != nil {
		return false, err
	}
	if len(a.MemberIDs) == 0 || len(a.MemberIDs) > MaxMembers {
		return true, s.fail(ctx, r, notCompleted)
	}
	axes, err := s.axesOf(ctx, a)
	if err != nil {
		return false, err
	}
	w := work{Build: r.Build, Members: a.MemberIDs, Places: places(r.Hypothesis, axes), Phase: Classify, version: stale}
	for range a.MemberIDs {
		w.Best, w.Score = append(w.Best, -1), append(w.Score, 0)
	}
	return false, s.keep(ctx, r, w)
}

// keep stores how far a build has come, in its work row and in what the caller
// sees, and marks that somebody is at it.
func (s *Service) keep(ctx context.Context, r record, w work) error {
	body, err := json.Marshal(w)
	if err != nil {
		return err
	}
	cond := records.NotExists()
	if w.version > 0 {
		cond = records.VersionIs(w.version)
	}
	was := r
	r.BeatAt = s.d.Clock.Now()
	r.Progress = w.progress()
	actions, err := s.saved(r, was)
	if err != nil {
		return err
	}
	err = s.d.Records.Transact(ctx, "", append(actions, records.PutItem(records.Item{Key: workKey(r.Workspace, r.ID), Body: body}, cond))...)
	return raced(err)
}

// raced makes a lost race a conflict, after which the task is tried again and
// finds what the other one has done.
func raced(err error) error {
	var c *records.CanceledError
	if errors.As(err, &c) {
		return records.ErrConflict
	}
	return err
}

func (w work) progress() *Progress {
	p := &Progress{Phase: w.Phase, Done: w.Done, Total: len(w.Members)}
	if w.Phase == Ask {
		p.Total = len(w.Open)
	}
	return p
}

// settle commits the new set in one write with the state (M-155). A split that a
// person made and that has fewer than two buckets with members has failed, and
// what was completed before stays.
func (s *Service) settle(ctx context.Context, r record, w work) (done bool, err error) {
	a, err := s.d.Audiences.Get(ctx, r.AudienceID)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) {
		return true, s.fail(ctx, r, notCompleted)
	}
	if err != nil {
		return false, err
	}
	if len(a.MemberIDs) > MaxMembers {
		return true, s.fail(ctx, r, notCompleted)
	}
	if w.join(a.MemberIDs) { // members came while it was built
		return false, s.keep(ctx, r, w)
	}
	set := r.sorted(w, a.MemberIDs)
	populated := 0
	for _, b := range set {
		if !b.IsAuxiliary && len(b.Memberships) > 0 {
			populated++
		}
	}
	if populated < minBuckets && r.Source == Manual {
		r.Progress = w.progress()
		return true, s.fail(ctx, r, tooFewBuckets)
	}
	was := r
	r.Status, r.UpdatedAt, r.Progress = Ready, s.d.Clock.Now(), nil
	r.Counts = nil
	for _, b := range set {
		r.Counts = append(r.Counts, CountedSubgroup{b.ID, b.Label, b.IsAuxiliary, b.Position, Count{len(b.Memberships)}})
	}
	build := r.Build
	r.Build, r.Job = "", nil
	body, err := json.Marshal(buckets{Build: build, Subgroups: set})
	if err != nil {
		return false, err
	}
	actions, err := s.saved(r, was)
	if err != nil {
		return false, err
	}
	return true, raced(s.d.Records.Transact(ctx, "", append(actions,
		records.PutItem(records.Item{Key: bucketsKey(r.Workspace, r.ID), Body: body}),
		records.DeleteItem(workKey(r.Workspace, r.ID)))...))
}

// join takes down members that were not there when the build began; they are
// sorted as well before it settles.
func (w *work) join(members []string) bool {
	known := make(map[string]bool, len(w.Members))
	for _, id := range w.Members {
		known[id] = true
	}
	from := len(w.Members)
	for _, id := range members {
		if !known[id] {
			w.Members, w.Best, w.Score = append(w.Members, id), append(w.Best, -1), append(w.Score, 0)
		}
	}
	if len(w.Members) == from {
		return false
	}
	w.Phase, w.Done, w.From, w.Settled = Classify, from, from, false
	return true
}

// sorted puts every member that is still one into exactly one bucket.
func (r record) sorted(w work, members []string) []Subgroup {
	still := make(map[string]bool, len(members))
	for _, id := range members {
		still[id] = true
	}
	out := make([]Subgroup, len(r.Hypothesis.Subgroups))
	for i, b := range r.Hypothesis.Subgroups {
		def := b.Definition
		out[i] = Subgroup{ID: r.BucketIDs[i], Label: b.Label, Definition: &def, Position: i, Memberships: []Membership{}}
	}
	other := Subgroup{ID: r.BucketIDs[len(r.BucketIDs)-1], Label: otherName(r.Hypothesis), IsAuxiliary: true, Position: len(out), Memberships: []Membership{}}
	for i, id := range w.Members {
		if !still[id] {
			continue
		}
		if w.Best[i] < 0 {
			other.Memberships = append(other.Memberships, Membership{MindID: id})
			continue
		}
		m := Membership{MindID: id}
		if w.Score[i] >= 0 {
			m.Confidence = &w.Score[i]
		}
		out[w.Best[i]].Memberships = append(out[w.Best[i]].Memberships, m)
	}
	if len(other.Memberships) > 0 {
		out = append(out, other)
	}
	return out
}

// otherName keeps the auxiliary bucket apart from one that is called Other.
func otherName(h Hypothesis) string {
	if slices.ContainsFunc(h.Subgroups, func(b Bucket) bool { return caseless(b.Label) == caseless(otherLabel) }) {
		return otherLabel + " (not in any subgroup)"
	}
	return otherLabel
}

// fail ends a build with a reason that may be shown.
func (s *Service) fail(ctx context.Context, r record, reason string) error {
	was := r
	r.Status, r.UpdatedAt = Failed, s.d.Clock.Now()
	if r.Progress == nil {
		r.Progress = &Progress{Phase: Classify}
	}
	p := *r.Progress
	p.FailureReason = reason
	r.Progress = &p
	r.Build, r.Job = "", nil
	actions, err := s.saved(r, was)
	if err != nil {
		return err
	}
	return raced(s.d.Records.Transact(ctx, "", append(actions, records.DeleteItem(workKey(r.Workspace, r.ID)))...))
}

// Fail ends the build of a job that gave up, if it is still its own.
func (s *Service) Fail(ctx context.Context, j Job, late bool) error {
	reason := notCompleted
	if late {
		reason = tookTooLong
	}
	return s.end(ctx, j.Workspace, j.Formation, j.Job, reason)
}

// Expire ends the build of a job that is past its deadline.
func (s *Service) Expire(ctx context.Context, j jobs.Job) error {
	var in Job
	if err := jobs.Input(j, &in); err != nil {
		return err
	}
	if err := s.end(ctx, j.Workspace, in.Formation, j.ID, tookTooLong); err != nil {
		return err
	}
	return s.d.Records.Transact(ctx, "", s.d.Jobs.Discard(j)) // of a build that is another job's by now
}

func (s *Service) end(ctx context.Context, workspace, id, job, reason string) error {
	for range attempts {
		r, err := s.get(ctx, workspace, id)
		if errors.Is(err, records.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if r.Status != Building || r.Job == nil || r.Job.ID != job || !r.DeletedAt.IsZero() {
			return nil
		}
		if err := s.fail(ctx, r, reason); !errors.Is(err, records.ErrConflict) {
			return err
		}
	}
	return records.ErrConflict
}

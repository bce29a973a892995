package plandraft

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/planner"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// Preview makes, revises, edits or re-reads a draft; it never starts research. The
// same key, or without one the same arguments, give the revision that was saved
// then, whatever the arguments are now. VALIDATION, INVALID_ASK_IF,
// INVALID_METHOD_CONFIGURATION, UNSAFE_URL, NOT_FOUND, FORBIDDEN, STALE_REVISION,
// DRAFT_ALREADY_CONFIRMED.
func (s *Service) Preview(ctx context.Context, r Request) (Draft, error) {
	if err := r.check(); err != nil {
		return Draft{}, err
	}
	st, err := s.d.Studies.Resolve(ctx, r.StudyID, r.StudyName)
	if err != nil {
		return Draft{}, err
	}
	if r.LoadLatest {
		row, err := s.load(ctx, st.ID, r.DraftID)
		if err != nil {
			return Draft{}, err
		}
		return s.show(ctx, st, row, row.current())
	}
	call, err := r.call(account.From(ctx).Workspace, st.ID)
	if err != nil {
		return Draft{}, err
	}
	if earlier, found, err := s.once.Lookup(ctx, call); found || err != nil {
		return s.replayed(ctx, st, earlier, err)
	}
	if err := s.addresses(ctx, r); err != nil {
		return Draft{}, err
	}
	if r.DraftID == "" {
		return s.create(ctx, st, r, call)
	}
	return s.change(ctx, st, r, call)
}

// check holds the mode of a call to M-80.
func (r Request) check() error {
	given := func(path string, on bool, why string) error {
		if on {
			return fault.New(fault.Validation, "%s", why).With("path", path)
		}
		return nil
	}
	named := r.Request != "" || len(r.Questions) > 0 || r.Methods != nil || r.Refinement != "" || r.Answers != nil || r.Reformats != nil ||
		r.Locale != "" || r.SourcePolicy != "" || r.Overrides != nil || r.Source != nil || r.Attachments != nil || r.Assignments != nil || r.Suggest != nil
	switch n := utf8.RuneCountInString(r.IdempotencyKey); {
	case n > maxKey:
		return given("/idempotencyKey", true, fmt.Sprintf("idempotencyKey has %d characters; at most %d are allowed.", n, maxKey))
	case r.LoadLatest && (named || r.Edits != nil || r.Revision != 0):
		return given("/loadLatest", true, "loadLatest reads the newest revision and takes nothing but draftPlanId.")
	case r.LoadLatest && r.DraftID == "":
		return given("/draftPlanId", true, "loadLatest needs the draftPlanId that it shall read.")
	case r.Edits != nil && named:
		return given("/edits", true, "edits change a draft exactly and stand alone with draftPlanId and revision.")
	case r.DraftID == "" && (r.Edits != nil || r.Revision != 0 || r.Refinement != "" || r.Answers != nil || r.Reformats != nil):
		return given("/draftPlanId", true, "To change a draft name it: draftPlanId and its current revision.")
	case r.DraftID != "" && !r.LoadLatest && r.Revision < 1:
		return given("/revision", true, "revision is missing. Send the current revision of the draft; loadLatest reads it.")
	case r.DraftID != "" && !r.LoadLatest && r.Edits == nil && !named:
		return given("", true, "Nothing is to be changed. Send refinement, answers, edits or another change, or loadLatest to read.")
	case r.Request != "" && len(r.Questions) > 0:
		return given("/questions", true, "request and questions are two ways to plan; send one of them.")
	case len(r.Questions) > 0 && (r.Refinement != "" || r.Answers != nil || r.Reformats != nil):
		return given("/questions", true, "questions replace the whole instrument and take no refinement, answers or questionResponses.")
	}
	return nil
}

// call is the idempotent call, within the Study and without an end.
func (r Request) call(ws, studyID string) (idempotency.Call, error) {
	scope := idempotency.Scope{Workspace: ws, Operation: "plan_study_questions", Within: studyID}
	key := strings.TrimSpace(r.IdempotencyKey)
	if key == "" {
		return idempotency.Derived(scope, r.arguments(), idempotency.Forever)
	}
	c, err := idempotency.Keyed(scope, key, r.arguments(), idempotency.Forever)
	c.AnyInput = true
	return c, err
}

// arguments are what tells two calls apart: not how the Study was named.
func (r Request) arguments() any {
	r.StudyID, r.StudyName = "", ""
	return r
}

// input is the part of a call that the planner reads.
func (r Request) input(st study.Study) planner.Input {
	minds := 0
	for _, a := range st.Audiences {
		minds += a.MindCount
	}
	return planner.Input{Request: r.Request, Questions: r.Questions, Methods: r.Methods, Locale: r.Locale, SourcePolicy: r.SourcePolicy, Overrides: r.Overrides,
		Source: r.Source, Attachments: r.Attachments, Assignments: r.Assignments, Suggest: r.Suggest, Refinement: r.Refinement, Answers: r.Answers, Reformats: r.Reformats, Minds: minds}
}

// addresses holds every address of a call to the guard; nothing is fetched here.
func (s *Service) addresses(ctx context.Context, r Request) error {
	check := func(path, address string) error {
		if address == "" || ours(address) {
			return nil
		}
		if s.d.Guard == nil {
			return fault.New(fault.UnsafeURL, "Addresses are not fetched here. Upload the file and give its path.").With("path", path)
		}
		return s.d.Guard.CheckAddress(ctx, address)
	}
	if r.Source != nil {
		if err := check("/source/url", r.Source.URL); err != nil {
			return err
		}
	}
	for i, a := range r.Attachments {
		if err := check("/attachments/"+strconv.Itoa(i)+"/url", a.URL); err != nil {
			return err
		}
	}
	return nil
}

// ours is an address of an upload, without a host.
func ours(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(u.Path, "/uploads/")
}

func (s *Service) create(ctx context.Context, st study.Study, r Request, call idempotency.Call) (Draft, error) {
	p, err := s.planned(ctx, st, r.input(st))
	if err != nil {
		return Draft{}, err
	}
	rev, err := s.keep(ctx, p, 1)
	if err != nil {
		return Draft{}, err
	}
	row := draftRow{ID: s.d.IDs.NewID(), Status: Open, Created: rev.At, Revisions: []revisionRow{rev}}
	for range attempts {
		done, err := s.once.Once(ctx, call, ref(row.ID, 1), func(key records.Action) error { return s.insert(ctx, st.ID, row, key) })
		if errors.Is(err, errMoved) {
			continue
		}
		if err != nil || done.Replayed {
			return s.replayed(ctx, st, done, err)
		}
		return s.view(st, row, rev, p), nil
	}
	return Draft{}, records.ErrConflict
}

// planned makes a new plan by rules. The questions that a request leaves open are
// written by a model where there is one; a request's own questions never are, since
// they are asked word for word (M-75).
func (s *Service) planned(ctx context.Context, st study.Study, in planner.Input) (planner.Plan, error) {
	p, err := planner.New(in)
	if err != nil || s.d.Writer == nil || !planner.Unwritten(p) {
		return p, err
	}
	drafted, err := s.d.Writer.Draft(ctx, in)
	if err == nil {
		return drafted, nil
	}
	if ctx.Err() != nil {
		return planner.Plan{}, ctx.Err()
	}
	s.d.Log.WarnContext(ctx, "the model wrote no questions for a plan", "workspace", account.From(ctx).Workspace, "study", st.ID, "error", err)
	return p, nil
}

// attempts to write where other calls write the same rows.
const attempts = 8

var errMoved = errors.New("plandraft: another call wrote first")

// insert writes a new draft, the list of drafts and the key in one transaction. The
// oldest draft beyond those that are kept goes.
func (s *Service) insert(ctx context.Context, studyID string, row draftRow, key records.Action) error {
	ws := account.From(ctx).Workspace
	index, version, err := s.index(ctx, ws, studyID)
	if err != nil {
		return err
	}
	index.Drafts = append(index.Drafts, row.ID)
	actions := []records.Action{key, put(draftKey(ws, studyID, row.ID), row, records.NotExists())}
	for len(index.Drafts) > KeptDrafts {
		actions = append(actions, records.DeleteItem(draftKey(ws, studyID, index.Drafts[0])))
		index.Drafts = index.Drafts[1:]
	}
	at := len(actions)
	cond := records.NotExists()
	if version > 0 {
		cond = records.VersionIs(version)
	}
	actions = append(actions, put(indexKey(ws, studyID), index, cond))
	err = s.d.Records.Transact(ctx, "", actions...)
	var cancelled *records.CanceledError
	if errors.As(err, &cancelled) && !cancelled.Failed(0) && cancelled.Failed(at) {
		return errMoved
	}
	return err
}

func (s *Service) change(ctx context.Context, st study.Study, r Request, call idempotency.Call) (Draft, error) {
	row, err := s.load(ctx, st.ID, r.DraftID)
	if err != nil {
		return Draft{}, err
	}
	if err := changeable(row, r.Revision); err != nil {
		return Draft{}, err
	}
	now, err := s.plan(ctx, row.current())
	if err != nil {
		return Draft{}, err
	}
	var p planner.Plan
	if r.Edits != nil {
		p, err = planner.Edit(now, *r.Edits)
	} else {
		p, err = planner.Revise(now, r.input(st))
	}
	if err != nil {
		return Draft{}, err
	}
	rev, err := s.keep(ctx, p, r.Revision+1)
	if err != nil {
		return Draft{}, err
	}
	next := row
	next.Revisions = append(append([]revisionRow(nil), row.Revisions...), rev)
	if n := len(next.Revisions); n > KeptRevisions {
		next.Revisions = next.Revisions[n-KeptRevisions:]
	}
	ws := account.From(ctx).Workspace
	done, err := s.once.Once(ctx, call, ref(row.ID, rev.N), func(key records.Action) error {
		return s.d.Records.Transact(ctx, "", key, put(draftKey(ws, st.ID, row.ID), next, records.VersionIs(row.version)))
	})
	var cancelled *records.CanceledError
	if errors.As(err, &cancelled) { // somebody changed or confirmed it meanwhile
		again, e := s.load(ctx, st.ID, row.ID)
		if e != nil {
			return Draft{}, e
		}
		if e := changeable(again, r.Revision); e != nil {
			return Draft{}, e
		}
		return Draft{}, records.ErrConflict
	}
	if err != nil || done.Replayed {
		return s.replayed(ctx, st, done, err)
	}
	return s.view(st, next, rev, p), nil
}

// changeable refuses a draft that was confirmed, or another revision than the last.
func changeable(row draftRow, revision int) error {
	if row.Status == Confirmed {
		return fault.New(fault.DraftAlreadyConfirmed, "This draft was confirmed for run %s and is closed. Plan the changes as a new draft; loadLatest still reads this one.", row.RunID).
			With("currentRevision", row.current().N).With("runId", row.RunID)
	}
	if n := row.current().N; n != revision {
		return fault.New(fault.StaleRevision, "The draft stands at revision %d, and revision %d was given. Read it with loadLatest, show the person what changed, and send the change again with revision %d.", n, revision, n).
			With("currentRevision", n)
	}
	return nil
}

func ref(draft string, revision int) string { return draft + "/" + strconv.Itoa(revision) }

// replayed shows the revision that an earlier call saved.
func (s *Service) replayed(ctx context.Context, st study.Study, earlier idempotency.Result, err error) (Draft, error) {
	if err != nil {
		return Draft{}, err
	}
	id, number, _ := strings.Cut(earlier.Ref, "/")
	n, _ := strconv.Atoi(number)
	row, err := s.load(ctx, st.ID, id)
	if err != nil {
		return Draft{}, err
	}
	rev, ok := row.revision(n)
	if !ok {
		return Draft{}, fault.New(fault.NotFound, "That call made revision %d of draft %s, which is no longer kept; the draft stands at revision %d. Read it with loadLatest, or plan anew with another idempotencyKey.", n, id, row.current().N)
	}
	d, err := s.show(ctx, st, row, rev)
	d.Replayed = true
	return d, err
}

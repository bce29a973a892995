package audience

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// briefWindow is how long equal arguments, or a key, give the same operation.
const briefWindow = 6 * time.Hour

// admitAttempts bounds how often an admission meets a faster one.
const admitAttempts = 16

// Admitted is an operation, new or the one that an earlier equal call began.
type Admitted struct {
	Operation Operation
	Replayed  bool
}

// FromBrief admits a preview or a creation as a durable operation (M-41). Equal
// arguments within six hours are one operation (M-92); one that failed in a way
// that another try may mend is taken up again, with the Audience it had made
// (M-56). VALIDATION, NO_PERSONAS, UNSAFE_URL, NOT_FOUND for a file that is not
// the caller's, MODE_CAP, PLAN_LIMIT, IDEMPOTENCY_CONFLICT,
// GROUNDING_CHECKSUM_MISMATCH, GROUNDING_INPUT_MISMATCH; then nothing was admitted.
func (s *Service) FromBrief(ctx context.Context, r BriefRequest) (Admitted, error) {
	r, said, err := r.checked()
	if err != nil {
		return Admitted{}, err
	}
	p := account.From(ctx)
	after := ""
	for range admitAttempts {
		call, err := briefCall(p, r, after)
		if err != nil {
			return Admitted{}, err
		}
		earlier, found, err := s.once.Lookup(ctx, call)
		if err != nil {
			return Admitted{}, err
		}
		if found {
			o, gone, err := s.again(ctx, earlier.Ref)
			switch {
			case errors.Is(err, errMoved):
				continue
			case gone && r.Key == "" && after != earlier.Ref:
				after = earlier.Ref // its Audience was deleted: who asks again wants a new one
				continue
			}
			return Admitted{Operation: s.view(o), Replayed: true}, err
		}
		o, err := s.admit(ctx, p, r, said, call)
		if errors.Is(err, errMoved) {
			continue
		}
		return Admitted{Operation: s.view(o)}, err
	}
	return Admitted{}, records.ErrConflict
}

// briefCall names the call in the idempotency table.
func briefCall(p account.Principal, r BriefRequest, after string) (idempotency.Call, error) {
	kind := KindCreation
	if r.Preview {
		kind = KindPreview
	}
	scope := idempotency.Scope{Workspace: p.Workspace, Account: p.Account, Operation: "audience_" + kind}
	if r.Key == "" {
		return idempotency.Derived(scope, struct {
			BriefRequest
			After string `json:"after,omitempty"`
		}{r, after}, briefWindow)
	}
	call, err := idempotency.Keyed(scope, r.Key, r, briefWindow)
	call.Field = "Idempotency-Key"
	return call, err
}

// CheckBriefKey holds an explicit key to its length; blank is none.
func CheckBriefKey(key string) (string, error) {
	key = strings.TrimSpace(key)
	if n := utf8.RuneCountInString(key); n > maxBriefKey {
		return "", invalid("idempotencyKey", "the idempotency key has %d characters; at most %d are taken.", n, maxBriefKey)
	}
	return key, nil
}

// again is what an equal call finds: the operation, taken up anew when it failed
// in a way that may pass. gone: it completed, and its Audience was deleted since.
func (s *Service) again(ctx context.Context, id string) (o operation, gone bool, err error) {
	o, err = s.operation(ctx, "operationId", id)
	if err != nil {
		return o, fault.Is(err, fault.NotFound), err
	}
	if o.Kind == KindCreation && (o.Status == OperationCompleted || o.HasRow) {
		if _, err := s.Get(ctx, o.AudienceID); fault.Is(err, fault.NotFound) {
			return o, true, err
		} else if err != nil {
			return o, false, err
		}
	}
	if o.Status != OperationFailed || !o.Error.Retryable {
		return o, false, nil
	}
	return s.restart(ctx, o)
}

// restart queues a failed operation again under a new execution. What it counts
// is held again; what it had made stays made.
func (s *Service) restart(ctx context.Context, o operation) (operation, bool, error) {
	o.Status, o.Error, o.Execution = OperationQueued, nil, s.d.IDs.NewID()
	minds, err := s.wanted(ctx, o)
	if err != nil {
		return o, false, err
	}
	hold, err := s.hold(ctx, &o, minds)
	if err != nil {
		return o, false, err
	}
	extra := hold
	if o.HasRow {
		a, err := s.Get(ctx, o.AudienceID)
		if err != nil {
			return o, false, err
		}
		was := a
		a.State, a.Failure, a.MemberIDs = Creating, nil, nil
		rows, err := rewritten(was, a)
		if err != nil {
			return o, false, err
		}
		extra = append(extra, rows...)
	}
	now := s.d.Clock.Now()
	j := o.job(now)
	extra = append(extra, s.d.Jobs.Open(j))
	if o.Kind == KindCreation && !o.HasRow {
		extra = append(extra, o.drafted())
	}
	if err := s.step(ctx, &o, extra...); err != nil {
		return o, false, s.overPlan(ctx, err, 1, o)
	}
	_ = s.d.Jobs.Start(ctx, j)
	return o, false, nil
}

// wanted is how many Minds the operation counts before they are made. Until
// automatic sizing has decided it is the most that it gives, as far as there is
// room, and never less than it gives at least.
func (s *Service) wanted(ctx context.Context, o operation) (int, error) {
	switch {
	case o.Kind == KindPreview:
		return 0, nil
	case o.Planned > 0:
		return o.Planned - o.Made, nil
	case o.Stated > 0:
		return o.Stated, nil
	}
	limits, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return 0, err
	}
	room, err := s.d.Accounts.Room(ctx, account.Minds)
	if err != nil {
		return 0, err
	}
	least, most := automatic(o.Mode, memberCeiling(limits))
	if room != nil {
		most = min(most, max(int(*room), least))
	}
	return most, nil
}

// automatic gives the least and the most that automatic sizing gives (M-61).
func automatic(mode string, ceiling int) (least, most int) {
	switch mode {
	case allocate.SegmentCoverage:
		return min(10, ceiling), min(50, ceiling)
	case allocate.BenchmarkDepth:
		return min(20, ceiling), ceiling
	}
	return min(6, ceiling), min(20, ceiling)
}

// hold counts an Audience that is not there and minds that are to be made.
func (s *Service) hold(ctx context.Context, o *operation, minds int) ([]records.Action, error) {
	if o.Kind == KindPreview {
		return nil, nil
	}
	p := account.From(ctx)
	var actions []records.Action
	if !o.HasRow && !o.HeldOne {
		a, err := s.d.Accounts.Hold(p, account.Audiences, 1)
		if err != nil {
			return nil, err
		}
		actions, o.HeldOne = append(actions, a...), true
	}
	if by := minds - o.HeldMinds; by != 0 {
		a, err := s.d.Accounts.Hold(p, account.Minds, int64(by))
		if err != nil {
			return nil, err
		}
		actions, o.HeldMinds = append(actions, a...), minds
	}
	return actions, nil
}

// overPlan turns the refusal of a count that hold made, whose actions stand from
// position at, into PLAN_LIMIT.
func (s *Service) overPlan(ctx context.Context, err error, at int, o operation) error {
	var lost *records.CanceledError
	if !errors.As(err, &lost) {
		return err
	}
	minds := at
	if o.HeldOne {
		if lost.Failed(at) {
			return s.d.Accounts.PlanLimit(ctx, account.Audiences, 1)
		}
		minds = at + 2
	}
	if lost.Failed(minds) {
		f := s.d.Accounts.PlanLimit(ctx, account.Minds, int64(o.HeldMinds))
		if o.Stated == 0 {
			f.Message += " State a memberCount that fits, or delete Minds that are no longer needed."
		}
		return f
	}
	return err
}

// admit commits a new operation: its row, what it counts, the key of the call and
// the job are one transaction.
func (s *Service) admit(ctx context.Context, p account.Principal, r BriefRequest, said brief.Brief, call idempotency.Call) (operation, error) {
	now := s.d.Clock.Now()
	o := operation{
		ID: s.d.IDs.NewID(), Workspace: p.Workspace, Owner: p.Account, Kind: KindCreation, Status: OperationQueued,
		Execution: s.d.IDs.NewID(), Name: r.Name, CreatedAt: now, ExpiresAt: now.Add(OperationLife),
	}
	if r.Preview {
		o.Kind = KindPreview
	} else {
		o.AudienceID = s.d.IDs.NewID()
	}
	if o.Name == "" {
		o.Name = nameOf(said)
	}
	if err := s.sized(ctx, r, said, &o); err != nil {
		return o, err
	}
	in := admitted{Request: r}
	var err error
	if in.Inputs, in.Allocation, err = r.hashes(); err != nil {
		return o, err
	}
	if err := s.agrees(ctx, in, o); err != nil {
		return o, err
	}
	if err := s.safe(ctx, r); err != nil {
		return o, err
	}
	if o.Request, err = s.putJSON(ctx, p.Workspace, in); err != nil {
		return o, err
	}
	minds, err := s.wanted(ctx, o)
	if err != nil {
		return o, err
	}
	hold, err := s.hold(ctx, &o, minds)
	if err != nil {
		return o, err
	}
	row, err := o.put(records.NotExists())
	if err != nil {
		return o, err
	}
	once, err := s.once.Row(call, o.ID)
	if err != nil {
		return o, err
	}
	j := o.job(now)
	actions := append([]records.Action{row}, hold...)
	if o.Kind == KindCreation {
		actions = append(actions, o.drafted())
	}
	actions = append(actions, s.d.Jobs.Open(j), once)
	err = s.d.Records.Transact(ctx, "", actions...)
	var lost *records.CanceledError
	if errors.As(err, &lost) && lost.Failed(len(actions)-1) {
		return o, errMoved // an equal call was quicker
	}
	if err != nil {
		return o, s.overPlan(ctx, err, 1, o)
	}
	o.version = 1
	s.told(ctx, o)
	_ = s.d.Jobs.Start(ctx, j) // committed: the sweeper starts what could not be started
	return o, nil
}

// nameOf is a name for an Audience out of its brief.
func nameOf(said brief.Brief) string {
	name := strings.Join(strings.Fields(said.Name), " ")
	if r := []rune(name); len(r) > maxName {
		name = strings.TrimSpace(string(r[:maxName-1])) + "…"
	}
	if name == "" {
		return "Audience"
	}
	return name
}

// sized decides the mode and the stated size, and refuses what the plan or the
// mode do not allow (M-48, M-60).
func (s *Service) sized(ctx context.Context, r BriefRequest, said brief.Brief, o *operation) error {
	limits, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return err
	}
	if r.Dataset != nil && !limits.DatasetSegmentation {
		return s.d.Accounts.PlanLimit(ctx, account.DatasetSegmentation, 0)
	}
	o.Mode = r.Mode
	if o.Mode == allocate.SegmentCoverage && !limits.SegmentCoverage || o.Mode == allocate.BenchmarkDepth && !limits.BenchmarkDepth {
		o.Mode = allocate.Balanced
	}
	o.Stated = r.statedSize(said)
	ceiling := memberCeiling(limits)
	from := "memberCount"
	if r.MemberCount == 0 {
		from = "the size in the brief"
	}
	switch {
	case ceiling == 0:
		return s.d.Accounts.PlanLimit(ctx, account.AudienceMembers, int64(max(o.Stated, 1)))
	case o.Stated > 0 && o.Mode == allocate.Balanced && o.Stated > balancedLimit:
		lowered := ""
		if r.Mode != o.Mode {
			lowered = fmt.Sprintf(" (your plan has no %s, so the mode is balanced)", r.Mode)
		}
		return fault.New(fault.ModeCap, "%s is %d, and an Audience in mode balanced has at most %d members%s. Ask for %d or fewer, or for audienceCreationMode segment_coverage or benchmark_depth where your plan has them.", from, o.Stated, balancedLimit, lowered, balancedLimit).
			With("limit", balancedLimit).With("requested", o.Stated).With("audienceCreationMode", o.Mode)
	case o.Stated > ceiling:
		f := s.d.Accounts.PlanLimit(ctx, account.AudienceMembers, int64(o.Stated))
		if limits.AudienceMembers == nil || *limits.AudienceMembers > systemLimit {
			f = fault.New(fault.PlanLimit, "An Audience has at most %d members. Ask for fewer.", systemLimit).
				With("limitType", string(account.AudienceMembers)).With("currentPlan", string(account.From(ctx).Plan)).With("limit", int64(systemLimit)).With("requested", int64(o.Stated))
		}
		return f
	}
	return nil
}

// memberCeiling is the most members of one Audience: the plan's, and never more
// than the system's.
func memberCeiling(l account.Limits) int {
	if l.AudienceMembers == nil {
		return systemLimit
	}
	return int(min(*l.AudienceMembers, systemLimit))
}

// agrees holds a reviewed snapshot to its checksum, to what a preview of this
// account returned, and to the inputs that it was made for (M-52, M-58). A checksum
// alone proves nothing: whoever changes a figure can compute the next one.
func (s *Service) agrees(ctx context.Context, in admitted, o operation) error {
	r := in.Request
	if r.ReviewedJSON == "" {
		return nil
	}
	if sum := grounding.Checksum([]byte(r.ReviewedJSON)); sum != r.ReviewedSHA256 {
		return fault.New(fault.GroundingChecksumMismatch, "reviewedGroundingSha256 is not the checksum of reviewedGroundingJson: one of them was changed. Send both exactly as the preview returned them.").With("sha256", sum)
	}
	snap, err := grounding.ParseSnapshot(r.ReviewedJSON)
	if err != nil {
		return err
	}
	differs := []string{}
	switch snap.Kind {
	case "import":
		for _, f := range snap.Files {
			if !slices.ContainsFunc(r.Files, func(have FileArg) bool { return have.Name == f.Name && have.URL == f.URL }) {
				differs = append(differs, "files")
				break
			}
		}
	default:
		_, shown, err := s.accepted(ctx, o, r.ReviewedSHA256)
		if err != nil {
			return err
		}
		if !shown {
			return fault.New(fault.GroundingChecksumMismatch, "No preview of yours returned this reviewedGroundingJson in the last seven days, so nobody has seen it as it is. Make a preview again and send back what it returns, unchanged; to bring figures of your own use import_audience_sources.")
		}
		if snap.InputsSHA256 == nil || *snap.InputsSHA256 != in.Inputs {
			differs = append(differs, "inputs")
		}
		if !r.Preview {
			if snap.AllocationSHA256 == nil || *snap.AllocationSHA256 != in.Allocation {
				differs = append(differs, "allocation")
			}
			if snap.MemberCount == nil || o.Stated > 0 && o.Stated != *snap.MemberCount {
				differs = append(differs, "memberCount")
			}
		}
	}
	if len(differs) > 0 {
		return fault.New(fault.GroundingInputMismatch, "The reviewed grounding was made for another call: %s differ. Repeat the arguments of that preview, or make a new preview with these.", strings.Join(differs, ", ")).With("differs", differs)
	}
	return nil
}

// maxBody bounds a blob of an operation.
const maxBody = 64 << 20

// putJSON keeps a value as a blob of the workspace.
func (s *Service) putJSON(ctx context.Context, workspace string, v any) (blobs.Ref, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return blobs.Ref{}, err
	}
	return s.d.Blobs.Put(ctx, "w/"+workspace, "application/json", bytes.NewReader(raw), maxBody)
}

// getJSON reads a blob back.
func (s *Service) getJSON(ctx context.Context, ref blobs.Ref, v any) error {
	in, err := s.d.Blobs.Open(ctx, ref, 0, -1)
	if err != nil {
		return err
	}
	defer in.Close()
	return json.NewDecoder(io.LimitReader(in, maxBody)).Decode(v)
}

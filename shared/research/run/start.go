package run

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// StartRequest confirms exactly one revision of a draft and runs it.
type StartRequest struct {
	StudyID         string                 `json:"-"`
	DraftID         string                 `json:"draftPlanId"`
	Revision        int                    `json:"revision"`
	Confirmed       bool                   `json:"confirmed"`
	AdvancedOptIn   bool                   `json:"advancedMethodOptIn"`
	AudienceIDs     []string               `json:"audienceIds,omitempty"` // empty: all attached
	ModelConnection *study.ModelConnection `json:"modelConnection,omitempty"`
	// IdempotencyKey is the caller's; empty: the same confirmation replays.
	IdempotencyKey string `json:"-"`
}

// Started is the answer of Start.
type Started struct {
	StudyID            string            `json:"studyId"`
	RunID              string            `json:"runId"`
	DraftPlanID        string            `json:"draftPlanId"`
	Revision           int               `json:"revision"`
	Status             string            `json:"status"`
	ExecutionStarted   bool              `json:"executionStarted"`
	Replayed           bool              `json:"replayed"`
	QuestionCount      int               `json:"questionCount"`
	Audiences          []StartedAudience `json:"audiences"`
	EstimatedResponses *int              `json:"estimatedResponses"`
	WorkspaceURL       string            `json:"workspaceUrl"`
	ConfirmedPlan      json.RawMessage   `json:"confirmedPlan"`
	Key                string            `json:"-"` // the key used, also when it followed from the arguments (M-91)
}

// StartedAudience is one Audience of a run.
type StartedAudience struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	MindCount int    `json:"mindCount"`
}

// A run has an hour, and as long for every three items.
const (
	deadline    = time.Hour
	deadlineFor = 20 * time.Minute
)

// Start confirms a draft and starts its run. The first check that fails answers,
// and nothing is written before all have passed (M-89). The same key with the same
// draft and selection gives the same run.
func (s *Service) Start(ctx context.Context, r StartRequest) (Started, error) {
	ws := account.From(ctx).Workspace
	studyID, err := s.d.Studies.Visible(ctx, r.StudyID)
	if err != nil {
		return Started{}, err
	}
	r.StudyID = studyID
	r.DraftID = strings.ToLower(strings.TrimSpace(r.DraftID))
	d, err := s.d.Drafts.Latest(ctx, studyID, r.DraftID)
	if err != nil {
		return Started{}, err
	}
	call, err := r.call(ws)
	if err != nil {
		return Started{}, err
	}
	switch {
	case r.Revision != d.Revision:
		return Started{}, stale(r.Revision, d.Revision)
	case d.RunID != "":
		return s.again(ctx, call)
	case !r.Confirmed:
		return Started{}, fault.New(fault.ConfirmationRequired, "Nothing started: confirmed is not true. Show revision %d to the person, and pass confirmed true once this exact revision was confirmed.", d.Revision)
	}
	var p Plan
	if err := json.Unmarshal(d.Plan, &p); err != nil {
		return Started{}, err
	}
	if err := p.check(r.AdvancedOptIn); err != nil {
		return Started{}, err
	}
	roll, err := s.d.Studies.Enrol(ctx, studyID, r.AudienceIDs)
	if err != nil {
		return Started{}, err
	}
	by, err := s.d.Studies.Answerer(ctx, r.ModelConnection)
	if err != nil {
		return Started{}, err
	}
	shown, err := s.look(ctx, p)
	if err != nil {
		return Started{}, err
	}
	now := s.d.Clock.Now().Truncate(time.Millisecond)
	info := by.Info()
	row := runRow{
		ID: s.d.IDs.NewID(), StudyID: studyID, DraftID: d.ID, Revision: d.Revision, Owner: account.From(ctx).Account,
		Engine: study.Engine{Name: info.Name, Version: info.Version, Simulated: true, Embeddings: info.Embeddings, ModelConnection: r.ModelConnection},
		Shown:  shown, Minds: len(roll.Minds), Chunks: (len(roll.Minds) + ChunkSize - 1) / ChunkSize,
		Status: Queued, CreatedAt: now,
	}
	// Prepared now and not in a job, what cannot be written is refused before anybody
	// confirmed it; the machine prepares the same again.
	items, _, _, err := p.prepare(row.seed())
	if err != nil {
		return Started{}, err
	}
	if len(items) == 0 {
		return Started{}, fault.New(fault.PlanIncomplete, "The plan asks nothing. Add a question or a method to the draft, and confirm that revision.").With("missing", []string{"questions"})
	}
	row.Total = len(items)
	row.Progress.Total = row.Total
	row.Deadline = now.Add(deadline + time.Duration(row.Total)*deadlineFor)
	row.Stages = stages(p, items)
	if err := s.afford(ctx, items[0], roll); err != nil {
		return Started{}, err
	}
	done, err := s.once.Once(ctx, call, row.ID, func(key records.Action) error { return s.submit(ctx, row, d, roll, key) })
	if err != nil {
		return Started{}, err
	}
	if !done.Replayed {
		_ = s.d.Jobs.Start(ctx, row.job(ws)) // what could not be started is started by the sweeper
	}
	return s.started(ctx, done)
}

// call is the idempotent call: the caller's key, or what follows from the
// confirmation itself, since a draft confirms one run.
func (r StartRequest) call(ws string) (idempotency.Call, error) {
	scope := idempotency.Scope{Workspace: ws, Operation: "run_study_questions", Within: r.DraftID}
	if r.IdempotencyKey == "" {
		return idempotency.Derived(scope, r, idempotency.Forever)
	}
	k := strings.ToLower(strings.TrimSpace(r.IdempotencyKey))
	if uuid.Validate(k) != nil {
		return idempotency.Call{}, fault.New(fault.Validation, "idempotencyKey is not a UUID; pick a new one before the first attempt, and repeat it on every retry.").With("field", "idempotencyKey")
	}
	return idempotency.Keyed(scope, k, r, idempotency.Forever)
}

// again answers a confirmation of a draft that was confirmed before.
func (s *Service) again(ctx context.Context, call idempotency.Call) (Started, error) {
	done, found, err := s.once.Lookup(ctx, call)
	if err != nil {
		return Started{}, err
	}
	if !found {
		return Started{}, alreadyConfirmed()
	}
	return s.started(ctx, done)
}

func alreadyConfirmed() *fault.Error {
	return fault.New(fault.DraftAlreadyConfirmed, "This draft was confirmed for another run. Read that run with get_study_run, or plan a new draft for another one: the same request once more, with an idempotencyKey of its own.")
}

func stale(got, newest int) *fault.Error {
	return fault.New(fault.StaleRevision, "revision is %d, and the draft is at %d. Show the newest revision to the person and confirm that.", got, newest).With("currentRevision", newest)
}

// check holds the plan to what a run needs.
func (p Plan) check(optIn bool) error {
	for _, m := range p.Methods {
		if m.RequiresAdvancedMethodOptIn && !optIn {
			return fault.New(fault.AdvancedOptInRequired, "%s is an advanced method. Tell the person what it needs and gives, and pass advancedMethodOptIn true with the confirmation.", m.MethodID).With("methodId", m.MethodID)
		}
	}
	for _, m := range p.Methods {
		if !m.Executable {
			return fault.New(fault.MethodNotExecutable, "%s cannot run. Take it out of the draft, or choose its fallback from list_research_methods.", m.MethodID).With("methodId", m.MethodID)
		}
	}
	if open := p.open(optIn); len(open) > 0 {
		return fault.New(fault.PlanIncomplete, "The plan is not complete: %s. Answer what is open in the draft, and confirm that revision.", strings.Join(open, ", ")).With("missing", open)
	}
	return nil
}

// look reads every picture that an item shows (M-77).
func (s *Service) look(ctx context.Context, p Plan) ([]study.Shown, error) {
	used := map[string]bool{}
	for _, m := range p.Modules {
		for _, q := range m.Questions {
			for _, id := range q.AttachmentIDs {
				used[id] = true
			}
		}
	}
	var assets []study.Asset
	for _, a := range p.Attachments {
		if !used[a.ID] {
			continue
		}
		delete(used, a.ID)
		if a.Kind == "website" {
			return nil, fault.New(fault.StimulusUnavailable, "The attachment %s is a website, and websites are not shown yet, so nobody was asked. Attach a picture of it.", a.ID).With("attachmentId", a.ID)
		}
		assets = append(assets, study.Asset{ID: a.ID, Name: a.Name, URL: a.URL, Path: a.Path, Type: a.Type})
	}
	for id := range used {
		return nil, fault.New(fault.StimulusUnavailable, "An item shows the attachment %s, and the plan holds none of that id; nobody was asked.", id).With("attachmentId", id)
	}
	return s.d.Studies.Look(ctx, assets)
}

// afford refuses a run whose first item cannot be asked of everybody (M-72).
func (s *Service) afford(ctx context.Context, first Item, roll study.Roll) error {
	left, err := s.d.Accounts.ResponsesLeft(ctx)
	if err != nil || left == nil || *left >= int64(len(roll.Minds)) {
		return err
	}
	return s.limited(ctx, len(roll.Minds))
}

func (s *Service) limited(ctx context.Context, n int) error {
	return s.d.Accounts.PlanLimit(ctx, account.Responses, int64(n)).
		With("status", PlanLimited).With("executionStarted", false).With("upgradeRequired", true).With("runId", nil)
}

// submit commits the confirmed draft, the run, who it asks, its first event, its
// job and its key in one transaction.
func (s *Service) submit(ctx context.Context, row runRow, d Draft, roll study.Roll, once records.Action) error {
	ws := account.From(ctx).Workspace
	confirm, err := s.d.Drafts.Confirm(ctx, d, row.ID)
	if err != nil {
		return err
	}
	plan, err := s.document(ctx, ws, row.ID, skPlan, d.Plan)
	if err != nil {
		return err
	}
	who, err := s.document(ctx, ws, row.ID, skRoll, roll)
	if err != nil {
		return err
	}
	queued := row.note(ws, "run.queued", row.CreatedAt, EventPayload{Status: Queued})
	actions := []records.Action{
		once,
		study.Stands(ws, row.StudyID),
		records.PutItem(row.item(ws), records.NotExists()),
		records.PutItem(plan, records.NotExists()),
		records.PutItem(who, records.NotExists()),
		records.PutItem(records.Item{Key: listKey(ws, row.StudyID, row.ID, row.CreatedAt), Fields: map[string]string{fieldRun: row.ID}}, records.NotExists()),
		queued,
		s.d.Jobs.Open(row.job(ws)),
	}
	fixed := len(actions)
	err = s.d.Records.Transact(ctx, row.ID, append(actions, confirm...)...)
	var refused *records.CanceledError
	if !errors.As(err, &refused) || refused.Failed(0) {
		return err
	}
	if refused.Failed(1) {
		return study.ErrNoStudy()
	}
	for i := range confirm {
		if refused.Failed(fixed + i) {
			return s.changedMeanwhile(ctx, d)
		}
	}
	return err
}

// changedMeanwhile says what happened to a draft between its check and its
// confirmation.
func (s *Service) changedMeanwhile(ctx context.Context, d Draft) error {
	now, err := s.d.Drafts.Latest(ctx, d.StudyID, d.ID)
	switch {
	case err != nil:
		return err
	case now.RunID != "":
		return alreadyConfirmed()
	}
	return stale(d.Revision, now.Revision)
}

// started shows the run that a call started, now or earlier.
func (s *Service) started(ctx context.Context, done idempotency.Result) (Started, error) {
	ws := account.From(ctx).Workspace
	row, _, err := s.load(ctx, done.Ref)
	if err != nil {
		return Started{}, err
	}
	var roll study.Roll
	if _, err := s.read(ctx, ws, row.ID, skRoll, &roll); err != nil {
		return Started{}, err
	}
	out := Started{StudyID: row.StudyID, RunID: row.ID, DraftPlanID: row.DraftID, Revision: row.Revision, Status: Queued, ExecutionStarted: true,
		Replayed: done.Replayed, QuestionCount: row.Total, Audiences: []StartedAudience{}, WorkspaceURL: s.url(row.StudyID), Key: done.Key}
	if row.Status != Queued {
		out.Status = Running // a replay says what the call did; the run itself tells the rest
	}
	for _, a := range roll.Audiences {
		out.Audiences = append(out.Audiences, StartedAudience{ID: a.ID, Name: a.Name, MindCount: len(a.Members)})
	}
	most := row.Total * row.Minds
	out.EstimatedResponses = &most
	it, err := s.d.Records.Get(ctx, key(ws, row.ID, skPlan))
	if err != nil {
		return Started{}, err
	}
	out.ConfirmedPlan, err = s.unwrap(ctx, it)
	return out, err
}

func (s *Service) url(studyID string) string { return s.d.PublicURL + "/api/v1/studies/" + studyID }

// seed is what designs and resampling of a run follow from.
func (r runRow) seed() string { return "run:" + r.ID }

// stages are the steps of a run before it begins.
func stages(p Plan, items []Item) []Stage {
	all := make([]string, len(items))
	of := map[string][]string{}
	for i, q := range items {
		all[i] = q.ID
		of[q.MethodID] = append(of[q.MethodID], q.ID)
	}
	out := []Stage{
		{StageID: stagePrepare, Kind: "prepare", Status: "pending", ItemIDs: []string{}},
		{StageID: stageAsk, Kind: "ask", Status: "pending", ItemIDs: all},
	}
	seen := map[string]bool{}
	for _, m := range p.Methods {
		if _, known := method.Lookup(m.MethodID); !known || !calculates(m.MethodID) || seen[m.MethodID] {
			continue
		}
		seen[m.MethodID] = true
		id, ids := m.MethodID, of[m.MethodID]
		if ids == nil {
			ids = []string{}
		}
		out = append(out, Stage{StageID: id + ".calculate", MethodID: &id, Kind: "calculate", Status: "pending", ItemIDs: ids})
	}
	return append(out, Stage{StageID: stageCheck, Kind: "check_consistency", Status: "pending", ItemIDs: all})
}

const (
	stagePrepare = "prepare"
	stageAsk     = "ask"
	stageCheck   = "check_consistency"
)

// calculates tells the methods that compute something of their own from those that
// report per item.
func calculates(id string) bool {
	switch id {
	case method.GuidedResearch, method.SingleQuestion, method.Questionnaire, method.GuidedExploring, method.VisualAsset, method.Recommendation:
		return false
	}
	return true
}

package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/consistency"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// Summary is a run as lists and status reads show it: what study.Run is for one
// question.
type Summary = study.Run

// StudyRun is a run whole; JSON StudyRun of the contract.
type StudyRun struct {
	StudyID           string                 `json:"studyId"`
	RunID             string                 `json:"runId"`
	DraftPlanID       string                 `json:"draftPlanId"`
	Revision          int                    `json:"revision"`
	Status            string                 `json:"status"`
	Progress          Progress               `json:"progress"`
	ConfirmedPlan     json.RawMessage        `json:"confirmedPlan"`
	ExecutionPlan     *ExecutionPlan         `json:"executionPlan"`
	QuestionAudit     []AuditEntry           `json:"questionAudit"`
	MethodStages      []Stage                `json:"methodStages"`
	Artifacts         []Artifact             `json:"artifacts"`
	Calculations      []method.Calculation   `json:"calculations"`
	AnswerConsistency *consistency.Report    `json:"answerConsistency"`
	Evidence          *study.EvidenceSummary `json:"evidence"`
	AnswersURL        *string                `json:"answersUrl"`
	UpgradeRequired   bool                   `json:"upgradeRequired"`
	Failure           *Failure               `json:"failure"`
	CreatedAt         string                 `json:"createdAt"`
	StartedAt         *string                `json:"startedAt"`
	CompletedAt       *string                `json:"completedAt"`
	WorkspaceURL      string                 `json:"workspaceUrl"`
	// What respondents are shown; absent where the plan has no assets.
	QuestionAttachments        []questionAssets `json:"questionAttachments,omitempty"`
	RespondentStimulusDelivery *delivery        `json:"respondentStimulusDelivery,omitempty"`
	RespondentMediaEvidence    *mediaEvidence   `json:"respondentMediaEvidence,omitempty"`
}

// questionAssets are the assets that one item shows.
type questionAssets struct {
	ItemID        string   `json:"itemId"`
	AttachmentIDs []string `json:"attachmentIds"`
}

// mediaEvidence names the assets that were read, once, before anybody was asked.
type mediaEvidence struct {
	Read []readAsset `json:"read"`
}

type readAsset struct {
	AttachmentID string `json:"attachmentId"`
	Name         string `json:"name"`
}

// assets says in a run what its items show.
func (r *StudyRun) assets(row runRow, items []Item) {
	for _, q := range items {
		if len(q.AttachmentIDs) > 0 {
			r.QuestionAttachments = append(r.QuestionAttachments, questionAssets{q.ID, q.AttachmentIDs})
		}
	}
	if len(row.Shown) == 0 {
		return
	}
	r.RespondentStimulusDelivery = &r.ExecutionPlan.StimulusDelivery
	r.RespondentMediaEvidence = &mediaEvidence{}
	for _, a := range row.Shown {
		r.RespondentMediaEvidence.Read = append(r.RespondentMediaEvidence.Read, readAsset{a.ID, a.Name})
	}
}

// ExecutionPlan is what is really asked, separate from the confirmed plan.
type ExecutionPlan struct {
	Version           int             `json:"version"`
	PreparedAt        string          `json:"preparedAt"`
	Seed              string          `json:"seed"`
	Engine            Engine          `json:"engine"`
	AudienceIDs       []string        `json:"audienceIds"`
	MindIDs           []string        `json:"mindIds"`
	Items             []Item          `json:"items"`
	Versions          []methodVersion `json:"versions"`
	Designs           []design        `json:"designs"`
	StimulusDelivery  delivery        `json:"respondentStimulusDelivery"`
	ResponsesReserved int             `json:"responsesReserved"`
}

// Engine is who answered; simulated is always true (M-340).
type Engine struct {
	Name            string                 `json:"name"`
	Version         string                 `json:"version"`
	Simulated       bool                   `json:"simulated"`
	ModelConnection *study.ModelConnection `json:"modelConnection"`
}

type delivery struct {
	Channel                    string `json:"channel"`
	MindProfileIncludesStimuli bool   `json:"mindProfileIncludesStimulus"`
	Verification               string `json:"verification"`
}

// AuditEntry is the exact respondent-visible text of one item and version.
type AuditEntry struct {
	ItemID        string          `json:"itemId"`
	Position      int             `json:"position"`
	VersionID     *string         `json:"versionId"`
	Text          string          `json:"text"`
	Response      method.Response `json:"response"`
	AttachmentIDs []string        `json:"attachmentIds"`
	AskIf         *AskIf          `json:"askIf,omitempty"`
	Origin        string          `json:"origin"`
	TextSHA256    string          `json:"textSha256"`
}

// visible reads a run whose Study the caller may open.
func (s *Service) visible(ctx context.Context, runID string) (runRow, error) {
	row, _, err := s.load(ctx, runID)
	if err != nil {
		return runRow{}, err
	}
	_, err = s.d.Studies.Visible(ctx, row.StudyID)
	return row, err
}

func (r runRow) summary() Summary {
	draft := r.DraftID
	return Summary{RunID: r.ID, StudyID: r.StudyID, DraftPlanID: &draft, Status: r.Status, Progress: r.Progress,
		CreatedAt: clock.Stamp(r.CreatedAt), CompletedAt: stamp(r.CompletedAt), Engine: r.Engine}
}

// Summary reads one run without its results. NOT_FOUND for what is no planned run.
func (s *Service) Summary(ctx context.Context, runID string) (Summary, error) {
	row, err := s.visible(ctx, runID)
	return row.summary(), err
}

// List pages through the planned runs of a Study, newest first. limit is 1..100;
// next is empty on the last page.
func (s *Service) List(ctx context.Context, studyID string, limit int, cursor string) (runs []Summary, next string, err error) {
	studyID, err = s.d.Studies.Visible(ctx, studyID)
	if err != nil {
		return nil, "", err
	}
	if limit < 1 || limit > 100 {
		return nil, "", fault.New(fault.Validation, "limit is %d; it must be 1 to 100.", limit)
	}
	ws := account.From(ctx).Workspace
	page, err := s.d.Records.Query(ctx, records.Query{PK: listPK(ws, studyID), Prefix: prefixList, Limit: limit, Cursor: cursor})
	if errors.Is(err, records.ErrBadCursor) {
		return nil, "", fault.New(fault.Validation, "cursor is none of ours; pass the nextCursor of the page before, unchanged, or leave it out.")
	}
	if err != nil {
		return nil, "", err
	}
	runs = []Summary{}
	var keys []records.Key
	for _, it := range page.Items {
		keys = append(keys, key(ws, it.Fields[fieldRun], skRun))
	}
	if len(keys) == 0 {
		return runs, page.Cursor, nil
	}
	items, err := s.d.Records.BatchGet(ctx, keys)
	if err != nil {
		return nil, "", err
	}
	if len(items) != len(keys) {
		return nil, "", fault.New(fault.MalformedResponse, "The list of runs could not be read whole; read it again.")
	}
	for _, it := range items {
		row, err := decode[runRow](it.Body)
		if err != nil {
			return nil, "", err
		}
		runs = append(runs, row.summary())
	}
	return runs, page.Cursor, nil
}

// Newest gives the id of the newest planned run of a Study (M-326); NOT_FOUND when
// there is none.
func (s *Service) Newest(ctx context.Context, studyID string) (string, error) {
	runs, _, err := s.List(ctx, studyID, 1, "")
	if err != nil {
		return "", err
	}
	if len(runs) == 0 {
		return "", fault.New(fault.NotFound, "This Study has no planned run. Plan questions and run the confirmed draft, or read direct questions with get_study_status.")
	}
	return runs[0].RunID, nil
}

// Events replays the events of a run after a sequence number; next is nil on the
// last page. limit is 1..500.
func (s *Service) Events(ctx context.Context, runID string, after, limit int) (events []Event, next *int, err error) {
	if limit < 1 || limit > 500 {
		return nil, nil, fault.New(fault.Validation, "limit is %d; it must be 1 to 500.", limit)
	}
	row, err := s.visible(ctx, runID)
	if err != nil {
		return nil, nil, err
	}
	events = []Event{}
	if after = max(after, 0); after >= row.Sequence {
		return events, nil, nil
	}
	page, err := s.d.Records.Query(ctx, records.Query{PK: runPK(account.From(ctx).Workspace, row.ID), From: eventSK(after + 1), To: eventSK(row.Sequence), Limit: limit})
	if err != nil {
		return nil, nil, err
	}
	for _, it := range page.Items {
		e, err := decode[Event](it.Body)
		if err != nil {
			return nil, nil, err
		}
		events = append(events, e)
	}
	if n := len(events); n > 0 && events[n-1].Sequence < row.Sequence {
		next = &events[n-1].Sequence
	}
	return events, next, nil
}

// Get reads a run whole. Answers that would make the reply larger than it may be are
// left out; a settled run then has a link to all of them, and figures stay (M-326).
func (s *Service) Get(ctx context.Context, runID string) (StudyRun, error) {
	row, err := s.visible(ctx, runID)
	if err != nil {
		return StudyRun{}, err
	}
	ws := account.From(ctx).Workspace
	out := StudyRun{StudyID: row.StudyID, RunID: row.ID, DraftPlanID: row.DraftID, Revision: row.Revision, Status: row.Status, Progress: row.Progress,
		QuestionAudit: []AuditEntry{}, MethodStages: row.Stages, Artifacts: []Artifact{}, Calculations: []method.Calculation{},
		Evidence: row.Evidence, UpgradeRequired: row.Status == PlanLimited, Failure: row.Failure,
		CreatedAt: clock.Stamp(row.CreatedAt), StartedAt: stamp(row.StartedAt), CompletedAt: stamp(row.CompletedAt), WorkspaceURL: s.url(row.StudyID)}
	it, err := s.d.Records.Get(ctx, key(ws, row.ID, skPlan))
	if err != nil {
		return StudyRun{}, err
	}
	if out.ConfirmedPlan, err = s.unwrap(ctx, it); err != nil {
		return StudyRun{}, err
	}
	if row.StartedAt.IsZero() {
		return out, nil
	}
	k, err := s.fixed(ctx, ws, row.ID)
	if err != nil {
		return StudyRun{}, err
	}
	out.ExecutionPlan, out.QuestionAudit = executionPlan(row, k), audit(k.exec.Items)
	out.assets(row, k.exec.Items)
	var done outcome
	if _, err := s.read(ctx, ws, row.ID, skOutcome, &done); err != nil {
		return StudyRun{}, err
	}
	if done.Calculations != nil {
		out.Calculations = done.Calculations
	}
	out.AnswerConsistency = done.Consistency
	if err := s.artifacts(ctx, ws, row, k, done.Flags, &out); err != nil {
		return StudyRun{}, err
	}
	if row.Bytes <= s.d.ReplyBytes && row.Bytes+frame(out) <= s.d.ReplyBytes {
		return out, s.withAnswers(ctx, ws, row, &out)
	}
	if row.Answers != nil && row.Answers.Blob != nil {
		link, err := s.d.Blobs.SignedURL(ctx, *row.Answers.Blob, blobs.Link{Filename: "answers-" + row.ID + ".json", TTL: 5 * time.Minute})
		if err != nil {
			return StudyRun{}, err
		}
		out.AnswersURL = &link
	}
	return out, nil
}

// frame is the size of a run without its answers.
func frame(r StudyRun) int64 {
	raw, _ := encode(r)
	return int64(len(raw))
}

func executionPlan(row runRow, k known) *ExecutionPlan {
	e := row.Engine
	x := &ExecutionPlan{Version: 1, PreparedAt: k.exec.PreparedAt, Seed: row.seed(), AudienceIDs: audienceIDs(k.roll), Items: k.exec.Items,
		Engine:   Engine{Name: e.Name, Version: e.Version, Simulated: true, ModelConnection: e.ModelConnection},
		Versions: k.exec.Versions, Designs: k.exec.Designs, ResponsesReserved: row.Asked,
		StimulusDelivery: delivery{Channel: "none", Verification: "configuration_only"}}
	if len(row.Shown) > 0 {
		x.StimulusDelivery.Channel = "file_analysis"
	}
	if x.Versions == nil {
		x.Versions = []methodVersion{}
	}
	if x.Designs == nil {
		x.Designs = []design{}
	}
	for _, m := range k.roll.Minds {
		x.MindIDs = append(x.MindIDs, m.ID)
	}
	return x
}

// audit lists the exact texts. Where a method puts a Mind's own price into one, it
// is the template (M-206).
func audit(items []Item) []AuditEntry {
	out := []AuditEntry{}
	for _, q := range items {
		n := max(1, len(q.Variants))
		for v := range n {
			if len(q.Variants) == 0 {
				v = -1
			}
			text, r, version := q.variant(v)
			sum := sha256.Sum256([]byte(text))
			e := AuditEntry{ItemID: q.ID, Position: q.Position, Text: text, Response: r, AttachmentIDs: q.AttachmentIDs, AskIf: q.AskIf,
				Origin: q.Origin, TextSHA256: hex.EncodeToString(sum[:])}
			if version != "" {
				e.VersionID = &version
			}
			out = append(out, e)
		}
	}
	return out
}

// artifacts reads the items that have started, in their order.
func (s *Service) artifacts(ctx context.Context, ws string, row runRow, k known, flags []consistency.Flag, out *StudyRun) error {
	byItem := map[string][]itemFlag{}
	for _, f := range flags {
		byItem[f.Item] = append(byItem[f.Item], itemFlag{MindID: f.MindID, WithItem: f.WithItem, Reason: f.Reason, RuleID: f.RuleID})
	}
	query := records.Query{PK: runPK(ws, row.ID), Prefix: prefixItem}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return err
		}
		for _, rec := range page.Items {
			it, err := decode[itemRow](rec.Body)
			if err != nil {
				return err
			}
			a, err := s.artifactOf(ctx, k, it)
			if err != nil {
				return err
			}
			if f := byItem[it.ID]; f != nil {
				a.Flags = &Flags{Flags: f}
			}
			out.Artifacts = append(out.Artifacts, a)
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			return nil
		}
	}
}

// artifactOf is a settled item as it was written, and one that is being answered
// without figures.
func (s *Service) artifactOf(ctx context.Context, k known, it itemRow) (Artifact, error) {
	if it.Result.Inline != nil || it.Result.Blob != nil {
		raw, err := s.open(ctx, it.Result)
		if err != nil {
			return Artifact{}, err
		}
		return decode[Artifact](raw)
	}
	q := k.exec.Items[it.Position-1]
	a := artifact(k.roll, q, it, nil)
	a.Base.Failed, a.Audiences, a.Warnings = 0, []AudienceFigures{}, []string{}
	a.Evidence.Sufficient, a.Evidence.Headline = false, "Answers are still coming in."
	return a, nil
}

// withAnswers puts the stored answers into the artifacts, as they were written.
func (s *Service) withAnswers(ctx context.Context, ws string, row runRow, out *StudyRun) error {
	for i := range out.Artifacts {
		a := &out.Artifacts[i]
		var b bytes.Buffer
		b.WriteByte('[')
		if err := s.eachAnswers(ctx, ws, row.ID, a.Position, func(part []byte) error {
			if b.Len() > 1 {
				b.WriteByte(',')
			}
			b.Write(part)
			return nil
		}); err != nil {
			return err
		}
		b.WriteByte(']')
		a.Answers = b.Bytes()
	}
	return nil
}

// eachAnswers gives the answers to an item chunk by chunk, as the inside of a list.
func (s *Service) eachAnswers(ctx context.Context, ws, run string, position int, use func([]byte) error) error {
	prefix := answersSK(position, 0)
	query := records.Query{PK: runPK(ws, run), Prefix: prefix[:len(prefix)-5]}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return err
		}
		for _, it := range page.Items {
			raw, err := s.unwrap(ctx, it)
			if err != nil {
				return err
			}
			if inside := bytes.TrimSuffix(bytes.TrimPrefix(raw, []byte("[")), []byte("]")); len(inside) > 0 {
				if err := use(inside); err != nil {
					return err
				}
			}
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			return nil
		}
	}
}

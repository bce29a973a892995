package study

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/plan"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

const (
	// Machine is the state machine that answers a question.
	Machine = "question"
	// ChunkSize is how many Minds one task answers for.
	ChunkSize = 50

	maxQuestion   = 20000
	askArgsWindow = 5 * time.Minute
	deadline      = 30 * time.Minute
)

// How much of a Mind's own earlier answers a question carries.
const (
	historyNone     = "none"
	historyLast5    = "last5"
	historyFollowup = "followup_only" // the answer to the question before this one
)

// derivedRequest is the name space of request ids that follow from arguments.
var derivedRequest = uuid.MustParse("7d1c6a52-4a0d-4f0b-9d5e-3a3b0f4f6c11")

// JobInput is what the question machine is started with; ids only.
type JobInput struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Study     string `json:"study"`
	Question  string `json:"question"`
}

// Ask accepts one question as a durable run, or declines it with
// PlanningRequired. Nothing is written before every check has passed (M-89):
// the Study, an earlier call with the key, the Audiences, who of them is ready
// (M-47), model and stimulus, the form of the answer, the allowance (M-72).
func (s *Service) Ask(ctx context.Context, r AskRequest) (Asked, error) {
	row, err := s.load(ctx, r.StudyID)
	if err != nil {
		return Asked{}, err
	}
	if r, err = r.checked(); err != nil {
		return Asked{}, err
	}
	call, err := r.call(account.From(ctx).Workspace, row.ID)
	if err != nil {
		return Asked{}, err
	}
	if call != nil {
		if earlier, found, err := s.once.Lookup(ctx, *call); found || err != nil {
			return s.asked(ctx, row, earlier, err)
		}
	}
	who, known, err := s.panelOf(asOwner(ctx, row), row, r)
	if err != nil {
		return Asked{}, err
	}
	by, err := s.model(ctx, r)
	if err != nil {
		return Asked{}, err
	}
	if err := s.stimuli(ctx, r); err != nil {
		return Asked{}, err
	}
	read := plan.Open(r.Question)
	if !r.Unread {
		read = plan.Classify(r.Question, known)
	}
	if read.Objective && r.RouteResearchBrief {
		v, err := s.viewOf(ctx, row)
		return Asked{PlanningRequired: true, ProposedQuestions: []string{proposal(r.Question)}, Study: v, Question: r.Question}, err
	}
	// The engine says now, not in a job, that a question has no answer form.
	if _, err := by.Ask(ctx, read.Question, r.policy()); err != nil {
		return Asked{}, err
	}
	pictures, err := s.look(ctx, account.From(ctx).Workspace, r.Attachments)
	if err != nil {
		return Asked{}, err
	}
	if len(pictures) > 0 {
		read.Question.StimulusKinds = []string{simulate.StimulusImage}
	}
	q, err := s.newQuestion(ctx, row, r, by.Info(), read, who)
	q.Stimuli = pictures
	if err != nil {
		return Asked{}, err
	}
	job := q.job(account.From(ctx).Workspace)
	done := idempotency.Result{Ref: q.ID}
	if call == nil {
		err = s.submit(ctx, q, who, job, nil)
	} else {
		done, err = s.once.Once(ctx, *call, q.ID, func(key records.Action) error { return s.submit(ctx, q, who, job, &key) })
	}
	if err == nil && !done.Replayed {
		_ = s.d.Jobs.Start(ctx, job) // what could not be started is started by the sweeper
	}
	return s.asked(ctx, row, done, err)
}

// checked gives the request with its defaults, or the rule that it breaks.
func (r AskRequest) checked() (AskRequest, error) {
	r.Question = strings.TrimSpace(r.Question)
	if r.Question == "" {
		return r, fault.New(fault.Validation, "question is blank; pass the one question that the Minds are to answer.")
	}
	if n := utf8.RuneCountInString(r.Question); n > maxQuestion {
		return r, fault.New(fault.Validation, "question has %d characters; at most %d are allowed.", n, maxQuestion)
	}
	for _, f := range []struct {
		name  string
		value *string
		fall  string
		ok    []string
	}{
		{"sourcePolicy", &r.SourcePolicy, "auto", []string{"auto", "knowledge_only"}},
		{"responseForm", &r.ResponseForm, "standard", []string{"concise", "standard", "expanded"}},
		{"historyMode", &r.HistoryMode, historyNone, []string{historyNone, historyLast5, historyFollowup}},
	} {
		if *f.value == "" {
			*f.value = f.fall
		}
		if !slices.Contains(f.ok, *f.value) {
			return r, fault.New(fault.Validation, "%s is %q; it must be one of %s.", f.name, shortened(*f.value, 40), strings.Join(f.ok, ", "))
		}
	}
	for i, id := range r.AudienceIDs {
		if !isUUID(canonical(id)) {
			return r, fault.New(fault.Validation, "audienceIds[%d] is not a UUID; take the ids from the Study's audiences.", i)
		}
	}
	r.AudienceIDs = unique(r.AudienceIDs)
	if r.ClientRequestID != "" && !isUUID(canonical(r.ClientRequestID)) {
		return r, fault.New(fault.Validation, "clientRequestId is not a UUID; make a new one for each question.")
	}
	return r, nil
}

// call is the idempotent call; nil when every call asks anew. The caller's key
// never expires; what follows from the arguments lasts 5 minutes.
func (r AskRequest) call(ws, study string) (*idempotency.Call, error) {
	key, derive := canonical(r.ClientRequestID), r.Derive
	r.StudyID, r.ClientRequestID, r.Derive, r.RouteResearchBrief = study, "", false, false
	scope := idempotency.Scope{Workspace: ws, Operation: "ask_study", Within: study}
	var c idempotency.Call
	var err error
	switch {
	case key != "":
		c, err = idempotency.Keyed(scope, key, r, idempotency.Forever)
		c.Field = "clientRequestId"
	case derive:
		c, err = idempotency.Derived(scope, r, askArgsWindow)
	default:
		return nil, nil
	}
	return &c, err
}

// asked shows the question that a call submitted, now or earlier.
func (s *Service) asked(ctx context.Context, row studyRow, done idempotency.Result, err error) (Asked, error) {
	if err != nil {
		return Asked{}, err
	}
	q, _, err := s.question(ctx, row.ID, done.Ref)
	if err != nil {
		return Asked{}, err
	}
	v, err := s.viewOf(ctx, row)
	run := q.run()
	a := Asked{Study: v, Run: &run, MessageID: q.MessageID, Question: q.Text, Classification: &q.Classification, Replayed: done.Replayed, ClientRequestID: done.Key}
	if done.Key != "" && !isUUID(done.Key) {
		a.ClientRequestID = uuid.NewSHA1(derivedRequest, []byte(done.Key)).String()
	}
	return a, err
}

// proposal makes one open question of a text that is an objective and asks
// nothing.
func proposal(objective string) string {
	return fmt.Sprintf("What is your view on this: %s?", strings.TrimRight(objective, ".!? "))
}

func (r AskRequest) policy() simulate.Policy {
	return simulate.Policy{KnowledgeOnly: r.SourcePolicy == "knowledge_only", ResponseForm: r.ResponseForm}
}

func (s *Service) newQuestion(ctx context.Context, row studyRow, r AskRequest, info simulate.Info, read plan.Classified, who panel) (questionRow, error) {
	now := s.d.Clock.Now().Truncate(time.Millisecond)
	q := questionRow{
		ID: s.d.IDs.NewID(), StudyID: row.ID, MessageID: s.d.IDs.NewID(), RunID: s.d.IDs.NewID(), Owner: row.Owner,
		Text: read.Question.Text, Asked: read.Question, Classification: classification(read),
		SourcePolicy: r.SourcePolicy, ResponseForm: r.ResponseForm, HistoryMode: r.HistoryMode,
		Engine: Engine{Name: info.Name, Version: info.Version, Simulated: true, Embeddings: info.Embeddings, ModelConnection: r.ModelConnection},
		Minds:  len(who.Minds), Chunks: (len(who.Minds) + ChunkSize - 1) / ChunkSize,
		Status: Queued, CreatedAt: now, ReservedAt: now, Deadline: now.Add(deadline),
	}
	q.JobID = q.RunID // one execution a run, named after it (M-81)
	q.event("run.queued", now, EventPayload{Status: Queued})
	if r.HistoryMode != historyNone {
		var err error
		if q.History, err = s.settledBefore(ctx, row.ID, r.HistoryMode); err != nil {
			return questionRow{}, err
		}
	}
	return q, nil
}

func (q questionRow) job(ws string) jobs.Job {
	input, _ := json.Marshal(JobInput{Job: q.JobID, Workspace: ws, Account: q.Owner, Study: q.StudyID, Question: q.ID})
	return jobs.Job{ID: q.JobID, Machine: Machine, Workspace: ws, Account: q.Owner, Input: input, QueuedAt: q.CreatedAt, Deadline: q.Deadline}
}

// submit commits the question with its run, its message, its job, its key and
// the responses it may use, in one transaction.
func (s *Service) submit(ctx context.Context, q questionRow, who panel, job jobs.Job, key *records.Action) error {
	ws := account.From(ctx).Workspace
	members, err := s.pack(ctx, ws, who, inlineLimit)
	if err != nil {
		return err
	}
	memberBody, err := json.Marshal(members)
	if err != nil {
		return err
	}
	reserve, err := s.d.Accounts.ReserveResponses(ctx, int64(q.Minds), q.ReservedAt)
	if err != nil {
		return err
	}
	var steps []step
	if key != nil {
		steps = append(steps, step{*key, nil})
	}
	pointer := map[string]string{fieldStudy: q.StudyID, fieldQuestion: q.ID}
	steps = append(steps,
		step{reserve, func() error { return s.d.Accounts.PlanLimit(ctx, account.Responses, int64(q.Minds)) }},
		step{records.Check(studyKey(ws, q.StudyID), records.Exists()), func() error { return noStudy() }},
		step{records.PutItem(q.item(ws), records.NotExists()), nil},
		step{records.PutItem(records.Item{Key: panelKey(ws, q.ID), Body: memberBody}, records.NotExists()), nil},
		step{records.PutItem(records.Item{Key: messageKey(ws, q.StudyID, q.MessageID), Fields: pointer}, records.NotExists()), nil},
		step{records.PutItem(records.Item{Key: runKey(ws, q.RunID), Fields: pointer}, records.NotExists()), nil},
		step{records.PutItem(records.Item{Key: runListKey(ws, q.StudyID, q.RunID, q.CreatedAt), Fields: pointer}, records.NotExists()), nil},
		step{records.AddTo(askedKey(ws, q.StudyID), records.Delta{By: 1}), nil},
		step{touch(ws, q.StudyID, q.CreatedAt), nil},
		step{s.d.Jobs.Open(job), nil},
	)
	return s.commit(ctx, q.ID, steps)
}

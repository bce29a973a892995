package study

import (
	"encoding/json"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// studyRow is the stored form of a Study; the list row has the same body.
type studyRow struct {
	ID          string        `json:"id"`
	Owner       string        `json:"owner"`
	Name        string        `json:"name"`
	Audiences   []AudienceRef `json:"audiences"` // without members
	LinkSharing bool          `json:"linkSharing,omitempty"`
	ShareID     string        `json:"shareId,omitempty"`
	Team        Role          `json:"team,omitempty"` // of every account of the workspace
	CreatedAt   time.Time     `json:"createdAt"`

	version int64 // of the stored record, where it was read for a change
}

// questionRow is one question with its run and its outcome.
type questionRow struct {
	ID        string `json:"id"`
	StudyID   string `json:"studyId"`
	MessageID string `json:"messageId"`
	RunID     string `json:"runId"`
	JobID     string `json:"jobId"`
	Owner     string `json:"owner"`

	Text           string            `json:"text"`
	Asked          simulate.Question `json:"asked"`
	Stimuli        []stimulus        `json:"stimuli,omitempty"`
	Classification Classification    `json:"classification"`
	SourcePolicy   string            `json:"sourcePolicy,omitempty"`
	ResponseForm   string            `json:"responseForm,omitempty"`
	HistoryMode    string            `json:"historyMode,omitempty"`
	History        []string          `json:"history,omitempty"` // earlier questions whose answers are carried, newest first
	Engine         Engine            `json:"engine"`

	Minds      int       `json:"minds"`  // Minds asked, each once
	Chunks     int       `json:"chunks"` // of ChunkSize Minds
	ReservedAt time.Time `json:"reservedAt"`

	Status   string           `json:"status"`
	Settling *settling        `json:"settling,omitempty"` // set once no answer is taken any more
	Answered int              `json:"answered,omitempty"`
	Failed   int              `json:"failed,omitempty"`
	Evidence *EvidenceSummary `json:"evidence,omitempty"`
	Result   packed           `json:"result,omitzero"` // figures, once settled
	Bytes    int              `json:"bytes,omitempty"` // of the answers as results show them, JSON
	Error    string           `json:"error,omitempty"` // safe text

	Events      []RunEvent `json:"events"`
	CreatedAt   time.Time  `json:"createdAt"`
	CompletedAt time.Time  `json:"completedAt,omitzero"`
	Deadline    time.Time  `json:"deadline"`
}

// settling says when the taking of answers ended and, if the question is to be
// settled before all were in, why.
type settling struct {
	At      time.Time `json:"at"`
	Failure string    `json:"failure,omitempty"` // safe text
	Stopped bool      `json:"stopped,omitempty"` // by a person
}

// closed reports whether the question takes no answers any more: it is settled,
// or about to be.
func (q questionRow) closed() bool { return q.Settling != nil || q.settled() }

func (q questionRow) settled() bool {
	switch q.Status {
	case Queued, Running:
		return false
	}
	return true
}

// panel is who was asked, as it stood when the question was put. A Mind that is
// in several of the Audiences stands once in Minds: it is asked once, costs one
// response (M-73) and counts in each of its Audiences.
type panel struct {
	Minds     []panelMind     `json:"minds"`
	Audiences []panelAudience `json:"audiences"`
}

type panelMind struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Discipline string `json:"discipline,omitempty"`
	// KnowledgeOnly is the Mind's own saved policy, which no question loosens (M-27).
	KnowledgeOnly bool `json:"knowledgeOnly,omitempty"`
}

type panelAudience struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Members []int  `json:"members"` // places in Minds, in member order
	// Weights are those of Members; none where all count alike (M-127).
	Weights  []float64 `json:"weights,omitempty"`
	NotReady int       `json:"notReady,omitempty"` // members without a working prompt, not asked (M-47)
}

// answerChunk holds the answers of one chunk of Minds, in the order of the panel.
type answerChunk struct {
	At      time.Time `json:"at"`
	Answers packed    `json:"answers"` // []mindAnswer
	Count   int       `json:"count"`
}

// mindAnswer is one Mind's answer as stored. Status is simulate's, or Failed
// when the engine could not be asked.
type mindAnswer struct {
	MindID string          `json:"mindId"`
	Answer simulate.Answer `json:"answer"`
}

func (q questionRow) run() Run {
	p := Progress{Total: 1}
	var done *string
	if q.settled() {
		p.Settled, p.Pct = 1, 100
		switch q.Status {
		case Failed:
			p.Failed = 1
		case Partial:
			p.Partial = 1
		}
		at := clock.Stamp(q.CompletedAt)
		done = &at
	}
	id := q.ID
	return Run{RunID: q.RunID, StudyID: q.StudyID, QuestionID: &id, Status: q.Status, Progress: p,
		CreatedAt: clock.Stamp(q.CreatedAt), CompletedAt: done, Engine: q.Engine}
}

func (q questionRow) message() Message {
	var done *string
	if q.settled() {
		at := clock.Stamp(q.CompletedAt)
		done = &at
	}
	return Message{ID: q.MessageID, QuestionID: q.ID, RunID: q.RunID, Role: "question", Text: q.Text,
		Type: q.Classification.Type, Status: q.Status, Classification: q.Classification,
		CreatedAt: clock.Stamp(q.CreatedAt), CompletedAt: done}
}

// event adds one step to the run's events; sequences rise by one.
func (q *questionRow) event(kind string, at time.Time, payload EventPayload) {
	q.Events = append(q.Events, RunEvent{Sequence: len(q.Events) + 1, Type: kind, At: clock.Stamp(at), Payload: payload})
}

// item is the row's record. Its field lets an answer be stored only while the
// question runs, and a settled one stay settled.
func (q questionRow) item(ws string) records.Item {
	// A text of 20,000 characters may bring options as long as itself: what
	// follows from the rest is not stored twice, so the row always fits.
	q.Asked.Text, q.Classification.Response = "", ResponseContract{}
	body, _ := json.Marshal(q) // plain data always encodes
	state := q.Status
	if q.Settling != nil && !q.settled() {
		state = stateSettling
	}
	return records.Item{Key: questionKey(ws, q.StudyID, q.ID), Fields: map[string]string{fieldState: state}, Body: body}
}

// stateSettling is the state of a row that takes no answers any more and whose
// answers are being added up. To callers the question still runs.
const stateSettling = "settling"

func readQuestion(it records.Item) (questionRow, error) {
	var q questionRow
	err := json.Unmarshal(it.Body, &q)
	q.Asked.Text, q.Classification.Response = q.Text, contract(q.Asked)
	return q, err
}

func (r studyRow) body() []byte {
	b, _ := json.Marshal(r)
	return b
}

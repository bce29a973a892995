// Package run carries a confirmed plan out: every item in order, every Mind on its
// own, each answer durable before it counts. A run is one execution of one state
// machine, named after the run (M-81). Its plan, who is asked and what they were at
// the start never change; an item that is settled never changes; a chunk of Minds
// that has answered an item is never asked it again.
package run

import (
	"encoding/json"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/consistency"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Machine is the state machine of a run.
const Machine = "study-run"

// ChunkSize is how many Minds answer an item in one unit of work.
const ChunkSize = 50

// The states of runs and items (M-70, M-71).
const (
	Queued      = "queued"
	Running     = "running"
	Completed   = "completed"
	Partial     = "partial"
	Failed      = "failed"
	Cancelled   = "cancelled"
	NotAsked    = "not_asked"
	PlanLimited = "plan_limited"

	closing = "closing" // takes no answers any more; to callers it still runs
)

// JobInput is what the machine hands to every task: ids only.
type JobInput struct {
	Job       string `json:"job"` // the run's id
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Study     string `json:"study"`
}

// Progress counts the items of a run (M-71).
type Progress = study.Progress

// Event is one step of a run; the run itself is the authority.
type Event struct {
	Sequence int          `json:"sequence"`
	Type     string       `json:"type"`
	At       string       `json:"at"`
	Payload  EventPayload `json:"payload"`
}

// EventPayload names what an event is about.
type EventPayload struct {
	ItemID   string    `json:"itemId,omitempty"`
	StageID  string    `json:"stageId,omitempty"`
	Status   string    `json:"status,omitempty"`
	Progress *Progress `json:"progress,omitempty"`
	Reason   string    `json:"reason,omitempty"`
}

// Stage is one step of a run with its readiness; JSON MethodStage.
type Stage struct {
	StageID     string   `json:"stageId"`
	MethodID    *string  `json:"methodId"`
	Kind        string   `json:"kind"`   // prepare, ask, calculate, summarise or check_consistency
	Status      string   `json:"status"` // pending, running, completed, failed or skipped
	ItemIDs     []string `json:"itemIds"`
	Reason      string   `json:"reason,omitempty"`
	StartedAt   *string  `json:"startedAt"`
	CompletedAt *string  `json:"completedAt"`
}

// Failure says why a run ended early.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// runRow is a run as stored. It stays small, whatever the run asks.
type runRow struct {
	ID       string `json:"id"`
	StudyID  string `json:"studyId"`
	DraftID  string `json:"draftId"`
	Revision int    `json:"revision"`
	Owner    string `json:"owner"`

	Engine study.Engine  `json:"engine"`
	Shown  []study.Shown `json:"shown,omitempty"` // pictures, read before the start
	Minds  int           `json:"minds"`
	Chunks int           `json:"chunks"`

	Status   string   `json:"status"`
	Ending   *ending  `json:"ending,omitempty"` // set once no answer is taken any more
	Current  int      `json:"current"`          // position of the item that is being answered; 0: none
	Total    int      `json:"total"`            // items of the execution plan; before it, of the plan
	Progress Progress `json:"progress"`
	Answered int      `json:"answered"` // answers of settled items
	Asked    int      `json:"asked"`    // of settled items
	Sequence int      `json:"sequence"` // of the last event
	Bytes    int64    `json:"bytes"`    // of all answers as results show them

	Evidence *simulate.EvidenceSummary `json:"evidence,omitempty"`
	Answers  *packed                   `json:"answers,omitempty"` // all of them, once settled, where they fit no reply
	Failure  *Failure                  `json:"failure,omitempty"`
	Stages   []Stage                   `json:"stages"`

	CreatedAt   time.Time `json:"createdAt"`
	StartedAt   time.Time `json:"startedAt,omitzero"`
	CompletedAt time.Time `json:"completedAt,omitzero"`
	Deadline    time.Time `json:"deadline"`
}

// ending says when the taking of answers ended and, if that was early, how.
type ending struct {
	At      time.Time `json:"at"`
	Status  string    `json:"status,omitempty"` // cancelled or plan_limited; empty: what the items add up to
	Failure *Failure  `json:"failure,omitempty"`
}

func (r runRow) settled() bool { return r.Status != Queued && r.Status != Running }

func (r runRow) closed() bool { return r.Ending != nil || r.settled() }

// itemRow is one item of a run that has started.
type itemRow struct {
	ID       string `json:"id"`
	Position int    `json:"position"`
	Status   string `json:"status"`
	// Asked has one letter for each Mind of the roll, in its order.
	Asked string `json:"asked"`
	// Shown is the variant that each asked Mind sees, where a method chooses it; a
	// design gives the Mind at slot s version s mod count.
	Shown      []int8    `json:"shown,omitempty"`
	Reserved   int       `json:"reserved"`
	ReservedAt time.Time `json:"reservedAt"`
	Answered   int       `json:"answered"`
	Failed     int       `json:"failed"`
	Bytes      int64     `json:"bytes"`
	Result     packed    `json:"result,omitzero"` // the Artifact without its answers
}

// The letters of itemRow.Asked.
const (
	ask           = 'q'
	bySource      = 's' // its source answer failed
	byCondition   = 'c'
	byMethod      = 'm'
	reasonSource  = "source_missing"
	reasonCond    = "condition"
	reasonMethod  = "method"
	stateAnswered = 'a'
	stateFailed   = 'f'
	stateCannot   = 'n'
)

// own is one Mind's answer to one item, as later items and figures need it.
type own struct {
	S string   `json:"s"`           // a: answered, f: failed, n: cannot answer; empty: not asked
	E string   `json:"e,omitempty"` // evidence state
	V int      `json:"v,omitempty"` // variant shown
	O []int    `json:"o,omitempty"` // places among the options: one, several, ranked, or best and worst
	N *float64 `json:"n,omitempty"`
	T string   `json:"t,omitempty"`
	W []string `json:"w,omitempty"` // what the sources leave in doubt
}

// execution is what is really asked; frozen with the run.
type execution struct {
	PreparedAt string          `json:"preparedAt"`
	Items      []Item          `json:"items"`
	Designs    []design        `json:"designs"`
	Versions   []methodVersion `json:"versions"`
	Slots      []int64         `json:"slots"` // home slots of the Minds of the roll
	Locale     string          `json:"locale"`
	Methods    []Method        `json:"methods"`
	Source     *Source         `json:"source,omitempty"` // with a content only
}

type design struct {
	MethodID    string         `json:"methodId"`
	Diagnostics map[string]any `json:"diagnostics"`
}

type methodVersion struct {
	MethodID  string   `json:"methodId"`
	VersionID string   `json:"versionId"`
	MindIDs   []string `json:"mindIds"`
}

// outcome is what is computed from all answers.
type outcome struct {
	Calculations []method.Calculation `json:"calculations"`
	Consistency  *consistency.Report  `json:"consistency,omitempty"`
	Flags        []consistency.Flag   `json:"flags,omitempty"`
}

// item is the row's record; its state lets an answer be stored only while its item
// is the current one.
func (r runRow) item(ws string) records.Item {
	body, _ := json.Marshal(r) // plain data always encodes
	return records.Item{Key: key(ws, r.ID, skRun), Fields: map[string]string{fieldState: r.state()}, Body: body}
}

func (r runRow) state() string {
	switch {
	case r.settled():
		return r.Status
	case r.Ending != nil:
		return closing
	case r.Status == Running:
		return answering(r.Current)
	}
	return r.Status
}

// answering is the state of a run whose Minds answer the item at a position.
func answering(position int) string { return itemSK(position) }

func (r runRow) job(ws string) jobs.Job {
	input, _ := json.Marshal(JobInput{Job: r.ID, Workspace: ws, Account: r.Owner, Study: r.StudyID})
	return jobs.Job{ID: r.ID, Machine: Machine, Workspace: ws, Account: r.Owner, Input: input, QueuedAt: r.CreatedAt, Deadline: r.Deadline}
}

// note adds an event to the run and gives the action that writes it.
func (r *runRow) note(ws, kind string, at time.Time, p EventPayload) records.Action {
	r.Sequence++
	body, _ := json.Marshal(Event{Sequence: r.Sequence, Type: kind, At: clock.Stamp(at), Payload: p})
	return records.PutItem(records.Item{Key: key(ws, r.ID, eventSK(r.Sequence)), Body: body})
}

// counted is the run with one more item settled.
func (r *runRow) counted(status string) {
	p := &r.Progress
	p.Total = r.Total
	p.Settled++
	switch status {
	case Failed:
		p.Failed++
	case Partial:
		p.Partial++
	case NotAsked:
		p.Skipped++
	}
	if p.Total > 0 {
		p.Pct = 100 * p.Settled / p.Total
	}
}

// stage finds a stage by its id.
func (r *runRow) stage(id string) *Stage {
	for i := range r.Stages {
		if r.Stages[i].StageID == id {
			return &r.Stages[i]
		}
	}
	return &Stage{}
}

func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := clock.Stamp(t)
	return &s
}

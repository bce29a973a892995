package method

import "encoding/json"

// MemberSampling is what every interval of a calculation means.
const MemberSampling = "Answers are synthetic. Intervals say how far a figure would move with other members of the same kind, not how near it is to real people."

// The states of a calculation.
const (
	StatusOK                   = "ok"
	StatusInsufficientBase     = "insufficient_base"
	StatusInsufficientEvidence = "insufficient_evidence"
	StatusRefused              = "refused"
)

// Answers are what a method is computed from.
type Answers struct {
	Members  []Member           // participating Minds, in member order
	Items    []Item             // of this method, as Items wrote them; for segment-comparison the items compared
	Values   map[string][]Value // by item id, aligned to Members; a missing item was not asked
	Segments []Segment          // segment-comparison only
	Seed     string             // of the run: all resampling follows from it
}

// Member is one participating Mind.
type Member struct {
	ID     string
	Weight float64 // M-127; all 0 means without weights
	Slot   int64   // design version = slot mod versions
}

// Segment is one group of members to compare, by index into Members.
type Segment struct {
	ID, Label string
	Members   []int
}

// Value is one Mind's answer to one item. Only the field of the item's type counts.
type Value struct {
	Asked    bool
	Answered bool // false: failed, cannot_answer, or not asked
	Evidence string
	Version  string // variant shown; empty: by slot

	Number      float64  // scale, numeric
	Option      string   // categorical
	Options     []string // multiselect
	Ranking     []string // best first
	Best, Worst string   // best_worst
}

// Calculation is the deterministic result of one method; its JSON is
// Calculation of the contract. Results fit MethodResult.<methodId> when Status is
// ok, and are null otherwise.
type Calculation struct {
	CalculationID   string          `json:"calculationId"`
	MethodID        string          `json:"methodId"`
	MethodVersion   int             `json:"methodVersion"`
	Status          string          `json:"status"`
	ItemIDs         []string        `json:"itemIds"`
	AudienceID      *string         `json:"audienceId"` // null: all asked Minds of the run
	Base            Base            `json:"base"`
	Excluded        map[string]int  `json:"excluded"`
	UncertaintyKind string          `json:"uncertaintyKind"` // always member-sampling
	Results         json.RawMessage `json:"results"`
	Reason          string          `json:"reason,omitempty"`
	Warnings        []string        `json:"warnings"`
}

// Base says on whom a calculation rests.
type Base struct {
	Participating int      `json:"participating"`
	Asked         int      `json:"asked"`
	Answered      int      `json:"answered"` // every item of the method they were asked
	Failed        int      `json:"failed"`
	NotAsked      int      `json:"notAsked"`
	EffectiveN    *float64 `json:"effectiveN"`
}

// Package consistency compares each Mind's answers with its own other answers,
// and with its profile, and flags what cannot both be true (M-190 to M-193). It
// never changes an answer. The rules are deterministic; a model may look after
// them through Judge. Cost is linear in answers: which items may contradict each
// other is found once per study.
package consistency

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// The rules, as they stand in Flag.RuleID.
const (
	RuleConstruct  = "same_construct"   // one construct asked twice, answers too far apart or opposite
	RuleRouting    = "routing"          // says there is none, later counts or describes it
	RulePriceOrder = "price_order"      // prices of a battery out of order
	RuleArithmetic = "arithmetic"       // parts that do not make the whole
	RuleExclusive  = "exclusive_option" // an option that stands alone, with others
	RuleProfile    = "profile"          // at odds with what the profile says
	RuleJudge      = "model_judge"      // found by a model
)

// WithProfile stands in Flag.WithItem for the Mind's profile.
const WithProfile = "profile"

// MaxReason bounds a reason, in characters.
const MaxReason = 300

// Item is one question of a study, in the order in which they are asked.
type Item struct {
	ID       string
	Question simulate.Question
	Gate     *Gate // its condition, where it has one
}

// Gate is a condition on an earlier item (M-180): one of AnswerIn and AnswerNotIn.
type Gate struct {
	Item                  string
	AnswerIn, AnswerNotIn []string
}

// Mind is one Mind with its answers, aligned to the items. A nil answer was not
// asked for, or failed.
type Mind struct {
	ID      string
	Profile simulate.Profile
	Answers []*simulate.Earlier
}

// Flag is one contradiction. It belongs to the later of two items; WithItem is
// the earlier one, the item itself where an answer contradicts itself, or
// WithProfile.
type Flag struct {
	MindID   string `json:"mindId"`
	Item     string `json:"item"`
	WithItem string `json:"withItem"`
	Reason   string `json:"reason"`
	RuleID   string `json:"ruleId"`
}

// Judge looks at one Mind's answers after the rules, such as with a model. Found
// holds what the rules flagged. A judge that fails is asked twice more, then the
// Mind counts as unchecked.
type Judge interface {
	Look(ctx context.Context, items []Item, m Mind, found []Flag) ([]Flag, error)
}

// The states of a check (M-191, M-192).
const (
	StatusChecked    = "checked"
	StatusIncomplete = "incomplete"
	StatusFailed     = "failed"
)

// Report is AnswerConsistency of the contract.
type Report struct {
	Status         string `json:"status"`
	CheckedMinds   int    `json:"checkedMinds"`
	FlaggedMinds   int    `json:"flaggedMinds"`
	FlagCount      int    `json:"flagCount"`
	UncheckedMinds int    `json:"uncheckedMinds"`
	UnsavedItems   int    `json:"unsavedItems,omitempty"`
}

// Count adds one Mind to a report.
func (r *Report) Count(flags int, checked bool) {
	if !checked {
		r.UncheckedMinds++
		return
	}
	r.CheckedMinds++
	r.FlagCount += flags
	if flags > 0 {
		r.FlaggedMinds++
	}
}

// Settle sets the status: checked when all Minds are checked and all flags saved,
// failed when none is checked of some, else incomplete.
func (r *Report) Settle(unsavedItems int) {
	r.UnsavedItems = unsavedItems
	switch {
	case r.CheckedMinds == 0 && r.UncheckedMinds > 0:
		r.Status = StatusFailed
	case r.UncheckedMinds > 0 || unsavedItems > 0:
		r.Status = StatusIncomplete
	default:
		r.Status = StatusChecked
	}
}

// attempts of a judge at one Mind.
const attempts = 3

// Run checks all Minds and gives their flags by item id. With a judge, each Mind
// gets one look of it; where ctx ends, the Minds left are unchecked. The flags
// of a Mind that a judge failed at are left out: it was not checked.
func (c *Checker) Run(ctx context.Context, minds []Mind, j Judge) (map[string][]Flag, Report) {
	var r Report
	byItem := map[string][]Flag{}
	for _, m := range minds {
		flags, err := c.Look(ctx, m, j)
		r.Count(len(flags), err == nil)
		for _, f := range flags {
			byItem[f.Item] = append(byItem[f.Item], f)
		}
	}
	r.Settle(0)
	return byItem, r
}

// Look checks one Mind by the rules and, where one is given, by a judge.
func (c *Checker) Look(ctx context.Context, m Mind, j Judge) ([]Flag, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	found := c.Check(m)
	if j == nil {
		return found, nil
	}
	var more []Flag
	var err error
	for range attempts {
		if more, err = j.Look(ctx, c.items, m, found); err == nil || ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	set := &flags{mind: m.ID, checker: c, list: found}
	for _, f := range more {
		set.take(f)
	}
	return set.list, nil
}

package run_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// M-190, M-193: of contradictions planted in the answers of a run nine in ten are
// found, each on a Mind that has one, and no answer is changed.
func TestPlantedContradictions_M193(t *testing.T) {
	w := open(t, setting{minds: 100})
	offline := simulate.NewOffline()
	// Every fifth Mind contradicts itself in one of three ways.
	kind := map[string]int{}
	for i, m := range w.minds {
		if i%5 == 0 {
			kind[m.ID] = i/5%3 + 1
		}
	}
	w.engine.answer = func(q simulate.Question, r simulate.Respondent) (simulate.Answer, error) {
		n, _ := strconv.Atoi(r.ID[len(r.ID)-1:])
		k := kind[r.ID]
		switch {
		case strings.Contains(q.Text, "service"):
			at := n % 5
			if k == 1 {
				at = map[bool]int{true: 4, false: 0}[strings.HasPrefix(q.Text, "How satisfied are you")]
			}
			return picks(q, at), nil
		case strings.Contains(q.Text, "own a car"):
			return picks(q, map[bool]int{true: 1, false: n % 2}[k == 2]), nil
		case strings.Contains(q.Text, "kind of car"):
			if k == 2 {
				return picks(q, 0), nil // a kind of what it does not own
			}
			return picks(q, map[bool]int{true: 2, false: 0}[n%2 == 1]), nil
		case q.Type == simulate.Multiselect && k == 3:
			return picks(q, 0, 2), nil // something, and none of these
		case q.Type == simulate.Multiselect:
			return picks(q, n%2), nil
		}
		a, err := offline.Ask(t.Context(), q, simulate.Policy{})
		if err != nil {
			return simulate.Answer{}, err
		}
		return a.Answer(t.Context(), r)
	}
	fruit := several("fruit", "Which of these do you eat?", "Apples", "Pears", "None of these")
	fruit.Response.ExclusiveOptions = []string{"None of these"}
	r := w.went(scale("s1", "How satisfied are you with the service of your bank?"), choice("car", "Do you own a car?", "Yes", "No"), fruit,
		scale("s2", "How satisfied would you say you are with the service of your bank?"),
		when(choice("which", "Which kind of car do you own?", "Small", "Large", "I own no car"), "car", []string{"Yes", "No"}, nil))
	found, wrong := map[string]bool{}, 0
	for _, a := range r.Artifacts {
		if a.Flags == nil {
			continue
		}
		for _, f := range a.Flags.Flags {
			if kind[f.MindID] == 0 {
				wrong++
				t.Logf("false: %s %s: %s", f.RuleID, f.WithItem, f.Reason)
			}
			found[f.MindID] = true
		}
	}
	missed := map[int]int{}
	for id, k := range kind {
		if !found[id] {
			missed[k]++
		}
	}
	t.Logf("%d of %d found, %d false; missed by kind %v; %+v", len(found), len(kind), wrong, missed, r.AnswerConsistency)
	if r.Status != run.Completed || 10*(len(kind)-missed[1]-missed[2]-missed[3]) < 9*len(kind) || wrong > 1 {
		t.Errorf("%s", r.Status)
	}
}

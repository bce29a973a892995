package simulate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
)

// M-344: with an index and embeddings too, the same Mind, question and knowledge
// give the same bytes in any order, beside any others; and Minds that share an
// index ask it once.
func TestSharedIndexIsAskedOnceAndRepeatsM344(t *testing.T) {
	c := readReport(t)
	e := hashed.New()
	x := newIndex(t, e, c.Passages)
	var minds []Respondent
	for i := range 24 {
		p := ParseProfile(fmt.Sprintf("Age: %d\nI take the ferry %d times a week.", 20+i, i%6))
		minds = append(minds, Respondent{ID: fmt.Sprint("m", i), Slot: int64(i), Profile: p, Passages: append(PersonaPassages(p, ""), c.Passages...), Recall: x})
	}
	questions := []Question{
		cat("Do you get seasick?", yesNo...),
		{Text: "How often do you take the ferry?", Type: Categorical, Ordinal: true, Options: []string{"Never", "Rarely", "Sometimes", "Often", "Always"}},
		{Text: "How satisfied are you with the ferry?", Type: Scale, Min: 1, Max: 5},
		{Text: "What do customers complain about most?", Type: Qualitative},
	}
	all := func(seed uint64) map[string]string {
		o := NewOffline(WithEmbedder(e))
		out := map[string]string{}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for n, q := range questions {
			asked, err := o.Ask(t.Context(), q, Policy{})
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(len(minds)) {
				wg.Go(func() {
					a, err := asked.Answer(t.Context(), minds[i])
					if err != nil {
						t.Error(err)
					}
					b, _ := json.Marshal(a)
					mu.Lock()
					defer mu.Unlock()
					out[fmt.Sprint(n, " ", i)] = string(b)
				})
			}
		}
		wg.Wait()
		return out
	}
	first := all(1)
	x.asked = nil
	for k, v := range all(2) {
		if v != first[k] {
			t.Fatalf("%s:\n%s\n%s", k, first[k], v)
		}
	}
	if len(x.asked) > len(questions) {
		t.Errorf("the index was asked %d times for %d questions", len(x.asked), len(questions))
	}
	var a Answer
	if err := json.Unmarshal([]byte(first["3 0"]), &a); err != nil || a.State != Stated || a.Citations[0].Where != "page 9" || a.Citations[0].Source == "" {
		t.Errorf("%s %v", first["3 0"], err)
	}
	if err := json.Unmarshal([]byte(first["0 0"]), &a); err != nil || a.State != Stated || a.Option != "Yes" {
		t.Errorf("%s %v", first["0 0"], err)
	}
}

type broken struct{ err error }

func (b broken) Recall(context.Context, string, int) ([]Recalled, error) { return nil, b.err }

// listed is a Recaller that cannot be compared.
type listed []Recalled

func (l listed) Recall(context.Context, string, int) ([]Recalled, error) { return l, nil }

// What keeps an index from answering is told, and is no "nothing recorded".
func TestIndexThatFails(t *testing.T) {
	down := errors.New("down")
	r := Respondent{ID: "m", Recall: broken{down}}
	if _, err := NewOffline().Reply(t.Context(), r, "What about trains?", Policy{}); !errors.Is(err, down) {
		t.Error(err)
	}
	for _, q := range []Question{cat("Do you like trains?", yesNo...), {Text: "What about trains?", Type: Qualitative}} {
		if _, err := ask(t, q, Policy{}).Answer(t.Context(), r); !errors.Is(err, down) {
			t.Error(err)
		}
	}
	r.Recall = listed{{Passage: Passage{ID: "k", Text: "Trains are late on Mondays."}}}
	if a := answer(t, ask(t, Question{Text: "What about trains?", Type: Qualitative}, Policy{}), r); a.State != Stated {
		t.Errorf("%+v", a)
	}
}

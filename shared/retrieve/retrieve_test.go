package retrieve

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
)

func TestLexicalIsTheShareOfTheWords(t *testing.T) {
	c := must[*Corpus](t)(New(Part{Texts: []string{"Night trains sell out", "Day trains are slow", "Ferries"}}))
	for _, tc := range []struct {
		query string
		want  []float64 // by passage; -1: not given
	}{
		{"night trains", []float64{1, .3, -1}},
		{"the train", []float64{1, 1, -1}}, // "the" is no topic, and stems meet
		{"airships", []float64{-1, -1, -1}},
		{"night airships", []float64{.5, -1, -1}},
		{"are", []float64{-1, 1, -1}}, // nothing else is asked
		{"", []float64{-1, -1, -1}},
	} {
		got := []float64{-1, -1, -1}
		for _, h := range must[[]Hit](t)(c.Search(tc.query, embed.Vector{}, 10)) {
			got[h.Index] = h.Lexical
			if !math.IsNaN(h.Cosine) {
				t.Errorf("%q: a cosine without vectors: %v", tc.query, h.Cosine)
			}
		}
		for i := range got {
			if math.Abs(got[i]-tc.want[i]) > .05 {
				t.Errorf("%q: %.2f, not %.2f", tc.query, got, tc.want)
				break
			}
		}
	}
}

func TestSpacesDoNotMix(t *testing.T) {
	one, two := embed.Space{Model: "m", Revision: "1", Dim: 2}, embed.Space{Model: "m", Revision: "2", Dim: 2}
	packed := func(s embed.Space) *embed.Packed { return must[*embed.Packed](t)(embed.Pack(s, [][]float32{{1, 0}})) }
	if _, err := New(Part{[]string{"a"}, packed(one)}, Part{[]string{"b"}, packed(two)}); !errors.Is(err, embed.ErrSpace) {
		t.Errorf("two spaces in one corpus: %v", err)
	}
	if _, err := New(Part{[]string{"a", "b"}, packed(one)}); err == nil {
		t.Error("one vector for two passages")
	}
	c := must[*Corpus](t)(New(Part{[]string{"a"}, packed(one)}, Part{[]string{"b"}, nil}, Part{nil, packed(two)}))
	if s, ok := c.Space(); !ok || s != one || c.Len() != 2 {
		t.Errorf("%v %v, %d passages", s, ok, c.Len())
	}
	if _, err := c.Search("a", embed.Vector{Space: two, Values: []float32{1, 0}}, 1); !errors.Is(err, embed.ErrSpace) {
		t.Errorf("a query of another space: %v", err)
	}
	// A search that was refused leaves nothing behind for the next.
	for _, h := range must[[]Hit](t)(c.Search("b", embed.Vector{Space: one, Values: []float32{1, 0}}, 5)) {
		if want := map[int]float64{0: 0, 1: 1}[h.Index]; h.Lexical != want {
			t.Errorf("passage %d: lexical %v, not %v", h.Index, h.Lexical, want)
		}
		if h.Index == 1 != math.IsNaN(h.Cosine) {
			t.Errorf("passage %d: cosine %v", h.Index, h.Cosine)
		}
	}
}

// A search is the same whatever ran before and beside it, and its hits stand in
// order, ties by their place.
func TestSearchIsTheSameEveryTime(t *testing.T) {
	e := hashed.New()
	vocabulary := strings.Fields("alpha beta gamma delta epsilon zeta the of")
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 6).Draw(t, "words"), " ")
	})
	rapid.Check(t, func(rt *rapid.T) {
		texts := rapid.SliceOfN(text, 1, 300).Draw(rt, "texts")
		queries := rapid.SliceOfN(text, 1, 4).Draw(rt, "queries")
		k := rapid.IntRange(1, 40).Draw(rt, "k")
		c := corpusOf(t, e, texts)
		var wg sync.WaitGroup
		for _, q := range queries {
			v := must[embed.Vector](t)(embed.Query(t.Context(), e, q))
			fresh := must[[]Hit](t)(corpusOf(t, e, texts).Search(q, v, k))
			wg.Go(func() {
				used, err := c.Search(q, v, k)
				if err != nil {
					t.Error(err)
				}
				if fmt.Sprint(used) != fmt.Sprint(fresh) {
					t.Errorf("%q: %v, and in a new corpus %v", q, used, fresh)
				}
				for i := 1; i < len(used); i++ {
					if a, b := used[i-1], used[i]; a.Score < b.Score || a.Score == b.Score && a.Index > b.Index {
						t.Errorf("%q: %v stands before %v", q, a, b)
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestBestKeepsTheBestAndLosesNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		by := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 9), func(i int) float32 { return float32(i) }), 0, 200).Draw(t, "by")
		k := rapid.IntRange(1, 30).Draw(t, "k")
		found := make([]int32, len(by))
		for i := range found {
			found[i] = int32(i)
		}
		want := slices.Clone(found)
		slices.SortStableFunc(want, func(a, b int32) int { return int(by[b]) - int(by[a]) })
		got := slices.Clone(best(found, by, k))
		if !slices.Equal(got, want[:min(k, len(want))]) {
			t.Fatalf("%v, not %v", got, want)
		}
		slices.Sort(found)
		for i := range found {
			if found[i] != int32(i) {
				t.Fatalf("%d is lost", i)
			}
		}
	})
}

func TestRelevanceRises(t *testing.T) {
	for _, s := range []scale{lexicalScale, cosineScale("hashed"), cosineScale("all-MiniLM-L6-v2"), cosineScale("another")} {
		last := -1.0
		for x := -1.0; x <= 1; x += .01 {
			r := s.of(x)
			if r < last || r < 0 || r > 1 {
				t.Fatalf("%+v: %v at %v after %v", s, r, x, last)
			}
			last = r
		}
		if s.of(s.cut) != Relevant || s.of(math.NaN()) != 0 {
			t.Errorf("%+v: %v at the cut", s, s.of(s.cut))
		}
	}
}

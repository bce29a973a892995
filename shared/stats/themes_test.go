package stats

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

var topics = [][]string{
	strings.Fields("price expensive cheap cost discount money budget"),
	strings.Fields("taste flavour sweet bitter fresh delicious aroma"),
	strings.Fields("delivery shipping late courier parcel driver arrived"),
	strings.Fields("packaging plastic recycle box waste bottle wrapper"),
}

func planted(n int, seed uint64) (answers []OpenAnswer, truth []int) {
	rng := rand.New(rand.NewPCG(seed, 9))
	filler := strings.Fields("the is and I really think that this for me very")
	for i := range n {
		k := i % len(topics)
		var w []string
		for range 3 + rng.IntN(3) {
			w = append(w, topics[k][rng.IntN(len(topics[k]))], filler[rng.IntN(len(filler))])
		}
		answers = append(answers, OpenAnswer{ID: fmt.Sprint("m", i), Group: fmt.Sprint("g", i/4%2), Text: strings.Join(w, " ")})
		truth = append(truth, k)
	}
	return answers, truth
}

// ari is the adjusted Rand index (Hubert and Arabie 1985).
func ari(a, b []int) float64 {
	type pair struct{ x, y int }
	n, ra, rb := map[pair]float64{}, map[int]float64{}, map[int]float64{}
	for i := range a {
		n[pair{a[i], b[i]}]++
		ra[a[i]]++
		rb[b[i]]++
	}
	two := func(v float64) float64 { return v * (v - 1) / 2 }
	var sn, sa, sb float64
	for _, v := range n {
		sn += two(v)
	}
	for _, v := range ra {
		sa += two(v)
	}
	for _, v := range rb {
		sb += two(v)
	}
	want := sa * sb / two(float64(len(a)))
	return (sn - want) / ((sa+sb)/2 - want)
}

// Planted clusters are found (M-210: ARI at least .9), in small and in large sets.
func TestThemesFindPlantedClusters(t *testing.T) {
	for _, n := range []int{40, 200, 900} {
		for seed := uint64(1); seed <= 6; seed++ {
			answers, truth := planted(n, seed)
			th := FindThemes(answers, seed)
			got := make([]int, n)
			for i := range got {
				got[i] = 1000 + i
			}
			index := map[string]int{}
			for i, a := range answers {
				index[a.ID] = i
			}
			for k, x := range th.Themes {
				for _, id := range x.IDs {
					got[index[id]] = k
				}
			}
			if v := ari(got, truth); v < .9 {
				t.Errorf("n = %d seed %d: ARI %.3f, %d themes", n, seed, v, len(th.Themes))
			}
		}
	}
}

func TestThemesM210(t *testing.T) {
	answers, _ := planted(40, 5)
	th := FindThemes(answers, 1)
	if !reflect.DeepEqual(th, FindThemes(answers, 1)) {
		t.Error("equal input and seed must give equal themes")
	}
	for _, x := range th.Themes {
		if len(x.Quotes) < 1 || len(x.Quotes) > 3 || x.Count != len(x.IDs) || !x.Shared || len(x.Groups) != 2 {
			t.Errorf("%+v", x)
		}
	}
	if th.Diversity == nil || *th.Diversity < .95 || *th.Diversity > 1+1e-9 {
		t.Errorf("four equal themes have diversity 1, got %v", th.Diversity)
	}
	if few := FindThemes(answers[:4], 1); len(few.Themes) != 0 || few.Base != 4 {
		t.Error("below five answers there are no themes")
	}
	// 50 Minds without evidence make no theme of their frame words.
	var none []OpenAnswer
	for i := range 50 {
		none = append(none, OpenAnswer{ID: fmt.Sprint(i), Text: "I have no view recorded on this.", Unsupported: true})
	}
	if x := FindThemes(none, 1); len(x.Themes) != 0 || x.NoView != 50 || x.Base != 0 || x.Diversity != nil {
		t.Errorf("%+v", x)
	}
	mixed := FindThemes(append(none, answers...), 1)
	for _, x := range mixed.Themes {
		if strings.Contains(x.Label, "view") || strings.Contains(x.Label, "record") {
			t.Errorf("frame words made the theme %q", x.Label)
		}
	}
}

// Equal answers without a word of content are one theme, named by what they say.
func TestEqualAnswersOfFrameWordsAreATheme(t *testing.T) {
	var said []OpenAnswer
	for i := range 6 {
		said = append(said, OpenAnswer{ID: fmt.Sprint("a", i), Text: []string{"I like it very much.", "i like it very much"}[i%2]}, OpenAnswer{ID: fmt.Sprint("b", i), Text: "Too expensive for a small family."})
	}
	said = append(said, OpenAnswer{ID: "c", Text: "It is."}, OpenAnswer{ID: "d", Text: "???"}, OpenAnswer{ID: "e", Text: "???"})
	th := FindThemes(said, 1)
	if len(th.Themes) != 2 || th.Unthemed != 3 || th.Base != 15 {
		t.Fatalf("%+v", th)
	}
	for _, x := range th.Themes {
		if x.Count != 6 || x.Label == "" || strings.Contains(strings.ToLower(x.Label), "like") && x.Label != "I like it very much" {
			t.Errorf("%+v", x)
		}
	}
}

func TestThemesEdges(t *testing.T) {
	same := make([]OpenAnswer, 8)
	for i := range same {
		same[i] = OpenAnswer{ID: fmt.Sprint(i), Text: "Too expensive."}
	}
	th := FindThemes(same, 1)
	if len(th.Themes) != 1 || th.Themes[0].Count != 8 || len(th.Themes[0].Quotes) != 1 || *th.MeanDistance > 1e-9 {
		t.Errorf("%+v", th)
	}
	FindThemes([]OpenAnswer{{Text: "???"}, {Text: "!"}, {Text: "."}, {Text: "-"}, {Text: ","}, {Text: "a"}}, 1)
	zh := FindThemes([]OpenAnswer{{ID: "1", Text: "价格太高"}, {ID: "2", Text: "价格很高"}, {ID: "3", Text: "味道很好"}, {ID: "4", Text: "味道不错"}, {ID: "5", Text: "味道好"}}, 1)
	if len(zh.Themes) == 0 {
		t.Error("scripts without spaces have themes too")
	}
}

func BenchmarkThemes5000(b *testing.B) {
	answers, _ := planted(5000, 1)
	for b.Loop() {
		FindThemes(answers, 1)
	}
}

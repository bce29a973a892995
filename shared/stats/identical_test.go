package stats

import (
	"fmt"
	"testing"
)

// M-210: identical answers are one theme of all of them, at distance 0, whatever
// their number.
func TestThemesOfIdenticalAnswersM210(t *testing.T) {
	for n := 5; n <= 300; n++ {
		same := make([]OpenAnswer, n)
		for i := range same {
			same[i] = OpenAnswer{ID: fmt.Sprint(i), Text: "age: 34."}
		}
		th := FindThemes(same, 1)
		if len(th.Themes) != 1 || th.Themes[0].Count != n || th.Unthemed != 0 || *th.MeanDistance != 0 {
			t.Fatalf("n = %d: %d themes, unthemed %d, distance %g", n, len(th.Themes), th.Unthemed, *th.MeanDistance)
		}
	}
	empty := make([]OpenAnswer, 6)
	for i := range empty {
		empty[i] = OpenAnswer{ID: fmt.Sprint(i), Text: "???"}
	}
	if d := FindThemes(empty, 1).MeanDistance; *d != 0 {
		t.Errorf("six equal texts without a word are at distance %g", *d)
	}
}

// M-210: in a mixture the answers of one text stay together.
func TestThemesKeepIdenticalAnswersTogetherM210(t *testing.T) {
	texts := []string{"age: 34.", "Delivery was late again.", "Far too expensive for us.", "Sweet bitter taste."}
	for kinds := 2; kinds <= len(texts); kinds++ {
		for _, n := range []int{25, 64, 300, 2000} {
			var answers []OpenAnswer
			want := map[string]int{}
			for i := range n {
				x := texts[i%kinds]
				if kinds > 2 && i%5 == 0 {
					x = texts[0]
				}
				want[x]++
				answers = append(answers, OpenAnswer{ID: fmt.Sprint(i), Text: x})
			}
			th := FindThemes(answers, 3)
			if len(th.Themes) != kinds {
				t.Errorf("%d texts, n = %d: %d themes", kinds, n, len(th.Themes))
				continue
			}
			for _, x := range th.Themes {
				if len(x.Quotes) != 1 || x.Count != want[x.Quotes[0]] {
					t.Errorf("%d texts, n = %d: theme %q of %d, want %v", kinds, n, x.Quotes, x.Count, want)
				}
			}
		}
	}
	// One repeated text among answers that differ.
	answers, _ := planted(120, 4)
	for i := range 60 {
		answers = append(answers, OpenAnswer{ID: fmt.Sprint("same", i), Text: "age: 34."})
	}
	for _, x := range FindThemes(answers, 2).Themes {
		in := 0
		for _, id := range x.IDs {
			if len(id) > 4 && id[:4] == "same" {
				in++
			}
		}
		if in != 0 && in != 60 {
			t.Errorf("theme %q holds %d of 60 identical answers", x.Label, in)
		}
	}
}

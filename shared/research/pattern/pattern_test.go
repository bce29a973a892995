package pattern_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/research/pattern"
)

const diary = `# Saturday market

I live in a small town near Leeds. I always buy bread on Saturdays, and every week I walk to the market.
What matters most to me is knowing who baked it. I don't trust supermarket bread.
My favourite stall is the one with the sourdough. I can't stand the plastic bags.
We want to eat less sugar. The market had 42 stalls in 2023.
Honestly, I think the new car park was a mistake.

Goals: learn to bake
## Frustrations
- crowds after ten
- cash only stalls

It rained.`

func TestFind(t *testing.T) {
	found := pattern.Find([]pattern.Text{{Text: diary, Where: "page 1"}}, 60)
	got := map[string][]string{}
	for _, p := range found {
		got[p.Aspect] = append(got[p.Aspect], p.SubAspect+"|"+p.Quote)
		if !strings.Contains(diary, p.Quote) || p.Where != "page 1" {
			t.Errorf("not verbatim: %+v", p)
		}
	}
	for aspect, want := range map[string]string{
		pattern.Background:  "I live in a small town",
		pattern.Habits:      "every week I walk to the market",
		pattern.Values:      "What matters most to me",
		pattern.Dislikes:    "supermarket bread|I don't trust",
		pattern.Preferences: "My favourite stall",
		pattern.Pains:       "crowds after ten",
		pattern.Goals:       "learn to bake",
		pattern.Facts:       "42 stalls in 2023",
		pattern.Topics:      "Saturday market",
		pattern.Views:       "the new car park was a mistake",
	} {
		if !strings.Contains(strings.Join(got[aspect], "\n"), want) {
			t.Errorf("%s: %q is missing in %q", aspect, want, got[aspect])
		}
	}
	if all := fmt.Sprint(got); strings.Contains(all, "It rained") {
		t.Errorf("a sentence that says nothing was taken: %s", all)
	}
}

func BenchmarkFind(b *testing.B) {
	text := strings.Repeat(diary+"\n", 1)
	var texts []pattern.Text
	for i := range 1000 {
		texts = append(texts, pattern.Text{Text: strings.ReplaceAll(text, "I", fmt.Sprint("I", i, " and I"))})
	}
	b.SetBytes(int64(len(text) * 1000))
	for b.Loop() {
		pattern.Find(texts, 60)
	}
}

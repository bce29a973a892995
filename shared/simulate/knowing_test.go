package simulate

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
)

// Made-up reports of a company, a town, a pool, a cooperative and a museum, and a
// product page, each asked what it says and what it almost says: another attribute
// of the same thing, the same attribute of another, another year. The rules were
// written with the first file in view, and mended with the second; the third and
// the fourth were put once they stood.
func TestKnowingAnswersToThePointM341M27(t *testing.T) {
	for _, file := range []string{"knowing.json", "knowing2.json", "knowing3.json", "knowing4.json", "knowing5.json", "knowing6.json"} {
		t.Run(file, func(t *testing.T) { knowing(t, file) })
	}
}

func knowing(t *testing.T, file string) {
	b, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Passages            []Passage
		Answerable, Unknown []struct {
			Ask  string
			Want []string
		}
	}
	if err := json.Unmarshal(b, &c); err != nil {
		t.Fatal(err)
	}
	for i := range c.Passages {
		c.Passages[i].ID = c.Passages[i].Source
	}
	for _, k := range []struct {
		name     string
		embedder func(testing.TB) embed.Embedder
		recall   bool
	}{
		{"words, no index", func(testing.TB) embed.Embedder { return nil }, false},
		{"hashed", func(testing.TB) embed.Embedder { return hashed.New() }, true},
		{"MiniLM", miniLM, true},
	} {
		t.Run(k.name, func(t *testing.T) {
			e := k.embedder(t)
			r := Respondent{ID: "m1", Name: "Ada", Passages: c.Passages}
			if k.recall {
				r.Recall = newIndex(t, e, c.Passages)
			}
			o := NewOffline(WithEmbedder(e))
			var right, silent, refused, beside int
			say := func(ask string) Reply {
				rep, err := o.Reply(t.Context(), r, ask, Policy{KnowledgeOnly: true})
				if err != nil {
					t.Fatal(err)
				}
				return rep
			}
			for _, q := range c.Answerable {
				rep, holds := say(q.Ask), true
				for _, w := range q.Want {
					holds = holds && strings.Contains(rep.Text, w)
				}
				switch {
				case rep.State == Unsupported:
					silent++
					t.Logf("silent: %s", q.Ask)
				case holds:
					right++
				default:
					beside++
					t.Logf("beside: %s -> %s", q.Ask, rep.Text)
				}
			}
			for _, q := range c.Unknown {
				if rep := say(q.Ask); rep.State == Unsupported {
					refused++
				} else {
					beside++
					t.Logf("beside: %s -> %s", q.Ask, rep.Text)
				}
			}
			known, all := len(c.Answerable), len(c.Answerable)+len(c.Unknown)
			t.Logf("%d of %d answered right, %d wrongly refused (%.1f%%); %d of %d refused; %d beside the point (%.1f%% of all)", right, known, silent, 100*float64(silent)/float64(known), refused, len(c.Unknown), beside, 100*float64(beside)/float64(all))
			if 100*beside > 3*all || 100*silent > 15*known {
				t.Error("worse than it was")
			}
		})
	}
}

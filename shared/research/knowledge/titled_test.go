package knowledge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
)

// A page is cited by its own title, with its address beside it; the item keeps the
// name that M-272 gives it. A name that the caller gave stands before any title, and
// a page that has no title is named by its address.
func TestAPageIsCitedByItsTitle_M272(t *testing.T) {
	const html = "<!doctype html><html><head><title>%s</title></head><body><article><h1>Water</h1><svg><title>A drawing</title></svg><p>The reservoir of the town holds forty million litres of water, which is enough for three dry weeks of a summer without any rain at all.</p></article></body></html>"
	long := strings.Repeat("Étang ", 40)
	for _, c := range []struct{ name, title, given, described, want string }{
		{"a title", "Town of Larch: yearly report", "", "example.com/town.html", "Town of Larch: yearly report"},
		{"a title over several lines", "\n  Town of Larch:\n\t yearly   report ", "", "example.com/town.html", "Town of Larch: yearly report"},
		{"entities and marks", "Water &amp; power &lt;2025&gt;", "", "example.com/town.html", "Water & power <2025>"},
		{"a name of the caller's", "Town of Larch: yearly report", "What the town says", "What the town says", "What the town says"},
		{"no title", "", "", "example.com/town.html", ""},
		{"nothing but space", " \n ", "", "example.com/town.html", ""},
		{"a very long one", long, "", "example.com/town.html", string([]rune(long)[:60])},
	} {
		t.Run(c.name, func(t *testing.T) {
			const address = "https://example.com/town.html"
			w := watch(t)
			m := w.mind(t, "Ada")
			w.web.set(address, page{media: "text/html", body: fmt.Sprintf(html, c.title), etag: "v1"})
			it := w.add(t, knowledge.AddRequest{MindID: m.ID, Link: address, Description: c.given})
			w.Run(t)
			if it.Description != c.described {
				t.Errorf("described as %q", it.Description)
			}
			rs, err := w.Minds.Respondents(w.ctx, []string{m.ID})
			if err != nil || len(rs[0].Passages) == 0 {
				t.Fatalf("%+v %v", rs, err)
			}
			p := rs[0].Passages[0]
			if c.want == "" { // by the heading that stands for it, or by the address
				if strings.TrimSpace(p.Source) == "" || p.URL != address {
					t.Errorf("cited as %q, %q", p.Source, p.URL)
				}
				return
			}
			if p.Source != strings.TrimSpace(c.want) || p.URL != address {
				t.Errorf("cited as %q, %q", p.Source, p.URL)
			}
		})
	}
}

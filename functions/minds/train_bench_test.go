package minds_test

import (
	"fmt"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// BenchmarkTrain makes 100 Minds from keywords, without a search engine, and
// waits until the last is ready: real stores, real machines.
func BenchmarkTrain(b *testing.B) {
	g := open(b)
	ctx := account.With(b.Context(), g.principals[""])
	p := account.From(ctx)
	p.Plan = account.Enterprise
	ctx = account.With(ctx, p)
	n := 0
	for b.Loop() {
		ids := make([]string, 100)
		for i := range ids {
			n++
			c, err := g.research.Minds.Create(ctx, mind.CreateRequest{Name: fmt.Sprintf("Expert %d", n), Mode: mind.ModeKeywords, Keywords: []string{"tea"}})
			if err != nil {
				b.Fatal(err)
			}
			ids[i] = c.Mind.ID
		}
		for _, id := range ids {
			for {
				m, err := g.research.Minds.Get(ctx, id)
				if err != nil {
					b.Fatal(err)
				}
				if m.ReadyToChat() {
					break
				}
				tick(ctx)
			}
		}
	}
}

package chat_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/chat"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// BenchmarkTurn is one message and its reply, offline, over a Mind with about
// 1,000 passages of knowledge and a durable store.
func BenchmarkTurn(b *testing.B) {
	w := newWorld(b)
	w.deps.Answerers = answerers{simulate.NewOffline()}
	w.Service = chat.New(w.deps)
	ctx := w.As(b, "lab", account.Enterprise)
	id := w.mind(b, ctx, "Ada", "Age: 40\nA baker from Bremen who bakes rye bread.")
	if _, err := w.Knowledge.AddFile(ctx, knowledge.AddFileRequest{MindID: id, Filename: "reports.txt", Type: "text/plain", Body: bytes.NewReader(pages(2000))}); err != nil {
		b.Fatal(err)
	}
	w.World.Run(b)
	c, err := w.Create(ctx, chat.CreateRequest{MindID: id})
	if err != nil {
		b.Fatal(err)
	}
	took := make([]time.Duration, 0, b.N)
	for i := 0; b.Loop(); i++ {
		from := time.Now()
		w.say(b, ctx, c.ID, fmt.Sprintf("What does report %d say about the price of flour in winter?", i%2000))
		took = append(took, time.Since(from))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

func pages(n int) []byte {
	var doc bytes.Buffer
	for i := range n {
		fmt.Fprintf(&doc, "Report %d says that the price of flour rose by %d cents in the winter of the year, that bakers in district %d paid more for energy and for rent, and that customers bought %d loaves of rye bread a week, mostly on Fridays and in the early hours of the morning before work.\n\n", i, i%37, i%83, i*3)
	}
	return doc.Bytes()
}

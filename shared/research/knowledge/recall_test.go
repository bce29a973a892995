package knowledge_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

func recall(t testing.TB, w *researchtest.World, ctx context.Context, mindID, query string) []simulate.Recalled {
	t.Helper()
	rs, err := w.Minds.Respondents(ctx, []string{mindID})
	if err != nil {
		t.Fatal(err)
	}
	got, err := rs[0].Recall.Recall(ctx, query, 3)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestRecallNamesItsSource(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	m := manual(t, w, ctx, "Ada")
	a := give(t, w, ctx, m.ID, "milk.md", "# Milk\n\nI buy oat milk at the corner shop.\n\n# Bread\n\nI bake sourdough on Sundays.")
	give(t, w, ctx, m.ID, "cars.txt", "The station wagon needs new tyres before winter.")
	w.Run(t)
	got := recall(t, w, ctx, m.ID, "Where do you buy milk?")
	if len(got) == 0 || got[0].ID != a.ID || got[0].Source != "milk.md" || !strings.Contains(got[0].Text, "corner shop") {
		t.Fatalf("%+v", got)
	}
	if r := got[0]; r.Relevance <= 0 || r.Relevance > 1 || r.Lexical <= 0 || math.IsNaN(r.Cosine) {
		t.Errorf("%+v", r)
	}
	// Another Mind that was given the same names it as its own.
	other := manual(t, w, ctx, "Bob")
	it, err := w.Knowledge.AddFile(ctx, knowledge.AddFileRequest{MindID: other.ID, Filename: "x.md", Description: "Bob's notes", Body: strings.NewReader("# Milk\n\nI buy oat milk at the corner shop.\n\n# Bread\n\nI bake sourdough on Sundays.")})
	if err != nil {
		t.Fatal(err)
	}
	w.Run(t)
	if got := recall(t, w, ctx, other.ID, "milk"); len(got) == 0 || got[0].Source != "Bob's notes" || got[0].ID != it.ID {
		t.Errorf("%+v", got)
	}
}

// spaced is an embedder whose space changes; it counts what it embeds.
type spaced struct {
	embed.Embedder
	model string
	texts int
	fail  error
}

func (s *spaced) Space() embed.Space {
	sp := s.Embedder.Space()
	sp.Model = s.model
	return sp
}

func (s *spaced) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if s.fail != nil {
		return nil, s.fail
	}
	s.texts += len(texts)
	return s.Embedder.Embed(ctx, texts)
}

// Vectors of another space are never compared: until a content is embedded anew
// it is found by its words, and the old vectors go.
func TestAnotherSpace(t *testing.T) {
	e := &spaced{Embedder: hashed.New(), model: "one"}
	var rows *ledger
	var files *shelf
	w := researchtest.Open(t, researchtest.Options{
		Respondents: simulate.NewOffline(), Embedder: e,
		Wrap: func(s records.Store) records.Store { rows = &ledger{Store: s}; return rows },
		WrapBlobs: func(b blobs.Store) blobs.Store {
			files = &shelf{Store: b, l: rows, refs: map[string]bool{}}
			return files
		},
	})
	ctx := w.As(t, "lab", account.Team)
	m := manual(t, w, ctx, "Ada")
	give(t, w, ctx, m.ID, "a.txt", passages(40, 1))
	give(t, w, ctx, m.ID, "b.txt", "I buy oat milk at the corner shop.")
	w.Run(t)
	if got := recall(t, w, ctx, m.ID, "oat milk"); len(got) == 0 || math.IsNaN(got[0].Cosine) {
		t.Fatalf("%+v", got)
	}
	made := e.texts
	e.model = "two"
	w.Clock.Advance(time.Hour)
	library := knowledge.NewLibrary(knowledge.LibraryDeps{Records: w.Store, Blobs: w.Blobs, Embedder: e, Clock: w.Clock})
	now, _ := w.Minds.Get(ctx, m.ID)
	find := func() []simulate.Recalled {
		t.Helper()
		known, err := library.Load(ctx, now.Workspace, now.Knowledge)
		if err != nil {
			t.Fatal(err)
		}
		got, err := known.Recall.Recall(ctx, "oat milk", 3)
		if err != nil || len(got) == 0 {
			t.Fatalf("%+v %v", got, err)
		}
		return got
	}
	if got := find(); !math.IsNaN(got[0].Cosine) || got[0].Lexical == 0 {
		t.Errorf("vectors of two spaces were compared: %+v", got[0])
	}
	// In steps that have no time at all each still gets further.
	steps := 0
	for at, past := "", w.Clock.Now().Add(-time.Second); ; steps++ {
		var err error
		if at, err = w.Knowledge.Reembed(ctx, m.ID, at, past); err != nil {
			t.Fatal(err)
		}
		if at == "" {
			break
		}
		if steps == 3 {
			past = time.Time{}
		}
	}
	if again := e.texts - made; again < 21 || again > 22 {
		t.Errorf("%d texts embedded anew", again)
	}
	w.Clock.Advance(2 * time.Minute) // what was found without vectors is looked at again
	if got := find(); math.IsNaN(got[0].Cosine) {
		t.Errorf("still without vectors: %+v", got[0])
	}
	if left := strings.Join(rows.left(t), "\n"); strings.Count(left, "vectors#two") != 2 || strings.Contains(left, "vectors#one") {
		t.Errorf("%s", left)
	}
	before := e.texts
	if _, err := w.Knowledge.Reembed(ctx, m.ID, "", time.Time{}); err != nil || e.texts != before {
		t.Errorf("what is there is made again: %d texts, %v", e.texts-before, err)
	}
	if n := len(files.left()); n != 4 {
		t.Errorf("%d files", n)
	}
}

// A content that several items of a Mind hold counts once, and is found once.
func TestOneContentByTwoItems(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	w.web.set(report, page{media: "text/plain", body: "I buy oat milk."})
	link := w.add(t, knowledge.AddRequest{MindID: m.ID, Link: report})
	file := give(t, w.World, w.ctx, m.ID, "a.txt", "I buy oat milk.")
	w.Run(t)
	if got := passagesOf(t, w, m.ID); len(got) != 1 {
		t.Errorf("%q", got)
	}
	if err := w.Knowledge.Delete(w.ctx, m.ID, file.ID); err != nil {
		t.Fatal(err)
	}
	if got := recall(t, w.World, w.ctx, m.ID, "milk"); len(got) != 1 || got[0].ID != link.ID {
		t.Errorf("%+v", got)
	}
	if err := w.Knowledge.Delete(w.ctx, m.ID, link.ID); err != nil {
		t.Fatal(err)
	}
	w.clean(t, "after both")
}

// An embedder that fails fails the step, which is tried again.
func TestEmbedderDown(t *testing.T) {
	e := &spaced{Embedder: hashed.New(), model: "one", fail: context.DeadlineExceeded}
	w := researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Embedder: e})
	ctx := w.As(t, "lab", account.Team)
	m := manual(t, w, ctx, "Ada")
	it := give(t, w, ctx, m.ID, "a.txt", "I buy oat milk.")
	job := w.Engine.Take()[0]
	if err := w.Step(t.Context(), job); err == nil {
		t.Fatal("no error")
	}
	if s := status(t, w, ctx, m.ID, it.ID); s.Status != knowledge.Running || s.ReadyForRetrieval {
		t.Errorf("%+v", s)
	}
	e.fail = nil
	if err := w.Step(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if s := status(t, w, ctx, m.ID, it.ID); !s.ReadyForRetrieval || s.EmbeddingCount != 1 {
		t.Errorf("%+v", s)
	}
}

// BenchmarkRecall searches all that a Mind may know (5,000 passages).
func BenchmarkRecall(b *testing.B) {
	w := researchtest.New(b)
	ctx := w.As(b, "lab", account.Enterprise)
	m := manual(b, w, ctx, "Ada")
	var text strings.Builder
	words := strings.Fields("rice beans market winter tyres milk bread shop train ticket price quiet garden office doctor school river")
	for i := range 4_900 {
		fmt.Fprintf(&text, "Note %d. ", i)
		for j := range 70 {
			text.WriteString(words[(i*7+j*j)%len(words)] + " ")
		}
		text.WriteString(".\n\n")
	}
	give(b, w, ctx, m.ID, "full.txt", text.String())
	w.Run(b)
	rs, err := w.Minds.Respondents(ctx, []string{m.ID})
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d passages", len(rs[0].Passages))
	i := 0
	if _, err := rs[0].Recall.Recall(ctx, "warm", 8); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		i++
		if _, err := rs[0].Recall.Recall(ctx, fmt.Sprintf("what is the price of bread at the market in note %d", i), 8); err != nil {
			b.Fatal(err)
		}
	}
}

var _ = mind.Known{}

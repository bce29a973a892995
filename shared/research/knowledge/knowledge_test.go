package knowledge_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

const survey = `{"question":"How do you like your steak prepared?","options":[
 {"label":"Rare","share":0.06},{"label":"Medium rare","share":0.38},{"label":"Medium","share":0.31},
 {"label":"Medium Well","share":0.18},{"label":"Well","share":0.07}],
 "n":430,"source":"A survey of risk","dates":"2014","population":"US adults"}`

func manual(t testing.TB, w *researchtest.World, ctx context.Context, name string) mind.Mind {
	t.Helper()
	c, err := w.Minds.Create(ctx, mind.CreateRequest{Name: name, Mode: mind.ModeManual})
	if err != nil {
		t.Fatal(err)
	}
	return c.Mind
}

func give(t testing.TB, w *researchtest.World, ctx context.Context, mindID, name, content string) knowledge.Item {
	t.Helper()
	it, err := w.Knowledge.AddFile(ctx, knowledge.AddFileRequest{MindID: mindID, Filename: name, Body: strings.NewReader(content)})
	if err != nil {
		t.Fatal(err)
	}
	return it
}

func status(t testing.TB, w *researchtest.World, ctx context.Context, mindID, itemID string) knowledge.Status {
	t.Helper()
	s, err := w.Knowledge.Status(ctx, mindID, itemID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAPublishedDistribution_M271(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	m := manual(t, w, ctx, "Ada")
	it := give(t, w, ctx, m.ID, "dir/steak.json", survey)
	if it.Description != "steak.json" || it.Processing.Status != knowledge.Queued || it.Link != nil || !strings.HasSuffix(it.StatusURL, "/minds/"+m.ID+"/knowledge/"+it.ID+"/status") {
		t.Errorf("M-272: %+v", it)
	}
	if s := status(t, w, ctx, m.ID, it.ID); s.Status != knowledge.Queued || s.ReadyForRetrieval {
		t.Errorf("before it ran: %+v", s)
	}
	started := w.Engine.Take()
	for range 2 { // a repeated task changes nothing
		for _, s := range started {
			if err := w.Step(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
	}
	if s := status(t, w, ctx, m.ID, it.ID); s.Status != knowledge.Completed || !s.ReadyForRetrieval || s.PatternCount != 1 || s.EmbeddingCount != 0 {
		t.Errorf("after it ran: %+v", s)
	}
	after, _ := w.Minds.Get(ctx, m.ID)
	if after.KnowledgeVersion != 1 || after.KnowledgeItems != 1 || len(after.Knowledge) != 1 || after.ReadyToChat() {
		t.Errorf("the Mind: %+v", after)
	}
	rs, err := w.Minds.Respondents(ctx, []string{m.ID})
	if err != nil || len(rs[0].Evidence) != 1 {
		t.Fatal(rs, err)
	}
	if e := rs[0].Evidence[0]; e.ID != it.ID || e.Origin != "mind_knowledge" || len(e.Options) != 5 || *e.N != 430 {
		t.Errorf("evidence %+v", e)
	}
}

func TestContentIsParsedOnceForAllMinds(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	var ids []string
	for i := range 20 {
		m := manual(t, w, ctx, fmt.Sprintf("Mind %d", i))
		give(t, w, ctx, m.ID, "steak.json", survey)
		ids = append(ids, m.ID)
	}
	w.Run(t)
	rs, err := w.Minds.Respondents(ctx, ids)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rs {
		if r.ID != ids[i] || len(r.Evidence) != 1 || r.Evidence[0] != rs[0].Evidence[0] {
			t.Fatalf("Mind %d has evidence of its own", i)
		}
		if r.Slot != int64(i) {
			t.Errorf("Mind %d answers from slot %d", i, r.Slot)
		}
	}
}

func TestTextsOfAllKinds(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	m := manual(t, w, ctx, "Ada")
	for name, content := range map[string]string{
		"a.txt": "I buy oat milk every week. It costs more than it should.", "b.md": "# Milk\n\nOats first.",
		"c.csv": "brand,price\nAcme,3\nZorro,4\n", "d.json": `{"likes": ["oat milk"]}`,
	} {
		it := give(t, w, ctx, m.ID, name, content)
		w.Run(t)
		if s := status(t, w, ctx, m.ID, it.ID); s.Status != knowledge.Completed || s.EmbeddingCount == 0 || !s.ReadyForRetrieval {
			t.Errorf("%s: %+v", name, s)
		}
	}
	rs, err := w.Minds.Respondents(ctx, []string{m.ID})
	if err != nil || len(rs[0].Passages) != 4 {
		t.Fatalf("%d passages, %v", len(rs[0].Passages), err)
	}
	items, total, err := w.Knowledge.List(ctx, m.ID, 2, 1)
	if err != nil || total != 4 || len(items) != 2 {
		t.Errorf("M-270: %d of %d, %v", len(items), total, err)
	}
}

func TestWhatCannotBeKnownFailsWithItsReason(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	m := manual(t, w, ctx, "Ada")
	for name, tt := range map[string]struct{ file, content, says string }{
		"shares above one":  {"s.json", strings.Replace(survey, "0.38", "3.8", 1), "distribution"},
		"broken JSON":       {"s.json", `{"question": "x",` + "\n", "JSON"},
		"a page of nothing": {"s.html", "<html><body><script>x()</script></body></html>", "no text"},
	} {
		it := give(t, w, ctx, m.ID, tt.file, tt.content)
		w.Run(t)
		s := status(t, w, ctx, m.ID, it.ID)
		if s.Status != knowledge.Failed || s.ReadyForRetrieval || !strings.Contains(s.Error, tt.says) {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if after, _ := w.Minds.Get(ctx, m.ID); after.KnowledgeVersion != 0 || len(after.Knowledge) != 0 {
		t.Errorf("failed items changed what the Mind knows: %+v", after.Knowledge)
	}
}

func TestTheSameContentIsOneItem(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	m := manual(t, w, ctx, "Ada")
	a := give(t, w, ctx, m.ID, "a.txt", "I buy oat milk.")
	b := give(t, w, ctx, m.ID, "b.txt", "I buy oat milk.")
	w.Run(t)
	c := give(t, w, ctx, m.ID, "c.txt", "I buy oat milk.")
	if a.ID != b.ID || a.ID != c.ID || c.Processing.Status != knowledge.Completed || len(w.Engine.Take()) != 0 {
		t.Errorf("%+v, %+v, %+v", a, b, c)
	}
	if after, _ := w.Minds.Get(ctx, m.ID); after.KnowledgeItems != 1 || after.KnowledgeVersion != 1 {
		t.Errorf("%d items, version %d", after.KnowledgeItems, after.KnowledgeVersion)
	}
	other := w.As(t, "other", account.Team)
	if d := give(t, w, other, manual(t, w, other, "Bob").ID, "a.txt", "I buy oat milk."); d.ID == a.ID {
		t.Error("an item's id tells another tenant that we have the same file")
	}
}

// The same bytes read as another kind are other knowledge.
func TestTheSameBytesAsTwoKinds(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	m := manual(t, w, ctx, "Ada")
	const rows = "brand,price\nAcme,3\nZorro,4\n"
	for name, passages := range map[string]int{"a.csv": 1, "a.txt": 1} {
		it := give(t, w, ctx, m.ID, name, rows)
		w.Run(t)
		if s := status(t, w, ctx, m.ID, it.ID); s.EmbeddingCount != passages {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestRegeneratePromptWithTheFile(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	m := manual(t, w, ctx, "Ada")
	it, err := w.Knowledge.AddFile(ctx, knowledge.AddFileRequest{
		MindID: m.ID, Filename: "me.txt", Description: "About Ada", RegeneratePrompt: true, Body: strings.NewReader("I buy oat milk."),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Run(t)
	after, _ := w.Minds.Get(ctx, m.ID)
	if !after.ReadyToChat() || !strings.Contains(after.SystemPrompt, "oat milk") || !strings.Contains(after.SystemPrompt, "About Ada") {
		t.Errorf("%+v", after)
	}
	items, _, _ := w.Knowledge.List(ctx, m.ID, 100, 0)
	if items[0].ID != it.ID || !items[0].Processing.PromptRegenerated {
		t.Errorf("%+v", items[0])
	}
}

func TestRefusedUploads(t *testing.T) {
	w := researchtest.New(t)
	ctx, other := w.As(t, "lab", account.Team), w.As(t, "other", account.Team)
	m := manual(t, w, ctx, "Ada")
	add := func(ctx context.Context, id, name string, body io.Reader) error {
		_, err := w.Knowledge.AddFile(ctx, knowledge.AddFileRequest{MindID: id, Filename: name, Body: body})
		return err
	}
	if err := add(other, m.ID, "a.txt", strings.NewReader("x")); !fault.Is(err, fault.NotFound) {
		t.Errorf("M-3: %v", err)
	}
	if err := add(ctx, m.ID, "a.pdf", strings.NewReader("no PDF at all")); !fault.Is(err, fault.Validation) {
		t.Errorf("mislabelled: %v", err)
	}
	if err := add(ctx, m.ID, "a.xlsx", strings.NewReader("PK\x03\x04 and so on")); !fault.Is(err, fault.Validation) {
		t.Errorf("another kind: %v", err)
	}
	if err := add(ctx, m.ID, "a.txt", strings.NewReader(" \n")); !fault.Is(err, fault.Validation) {
		t.Errorf("empty: %v", err)
	}
	if err := add(ctx, m.ID, "a.txt", io.LimitReader(endless{}, knowledge.MaxFileBytes+1)); fault.From(err).Status() != 400 {
		t.Errorf("above 50 MB is 400 (section 24, 14): %v", err)
	}
	if _, err := w.Knowledge.Status(ctx, m.ID, "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"); !fault.Is(err, fault.NotFound) {
		t.Errorf("an item that is not there: %v", err)
	}
	if _, total, _ := w.Knowledge.List(ctx, m.ID, 100, 0); total != 0 {
		t.Errorf("%d items after refusals", total)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestIngestionPastItsDeadline(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	m := manual(t, w, ctx, "Ada")
	it := give(t, w, ctx, m.ID, "a.txt", "I buy oat milk.")
	w.Engine.Take() // and nobody runs it
	w.Clock.Advance(knowledge.IngestTime + time.Second)
	_, failed, err := w.Jobs.Sweep(t.Context(), map[string]func(context.Context, jobs.Job) error{knowledge.Machine: w.Knowledge.Expire})
	if failed != 1 || err != nil {
		t.Fatal(failed, err)
	}
	if s := status(t, w, ctx, m.ID, it.ID); s.Status != knowledge.Failed || s.Error == "" {
		t.Errorf("%+v", s)
	}
	// The same file again is tried again.
	if again := give(t, w, ctx, m.ID, "a.txt", "I buy oat milk."); again.ID != it.ID || again.Processing.Status != knowledge.Queued {
		t.Errorf("%+v", again)
	}
	w.Run(t)
	if s := status(t, w, ctx, m.ID, it.ID); s.Status != knowledge.Completed {
		t.Errorf("%+v", s)
	}
	if after, _ := w.Minds.Get(ctx, m.ID); after.KnowledgeItems != 1 {
		t.Errorf("%d items", after.KnowledgeItems)
	}
}

// flat embeds every text as the same two numbers.
type flat struct{}

func (flat) Space() embed.Space { return embed.Space{Model: "flat", Revision: "1", Dim: 2} }

func (flat) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = []float32{1, 0}
	}
	return out, nil
}

// passages gives a text of n passages of 400 characters.
func passages(n, seed int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d-%d %s\n\n", seed, i, strings.Repeat("I cook rice with beans on most days. ", 11)[:390])
	}
	return b.String()
}

// What a Mind knows is bounded, by file and over all of its files; the refusal
// says by how much and what to do, and nothing else of the Mind changes.
func TestKnowledgeIsBounded(t *testing.T) {
	w := researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Embedder: flat{}})
	ctx := w.As(t, "lab", account.Enterprise)
	m := manual(t, w, ctx, "Ada")
	for _, c := range []struct {
		name, text, says string
	}{
		{"whole", passages(12000, 1), "This source alone is more than one Mind can look through: 5000 passages"},
		{"wide", strings.Repeat("漢", 2<<20), "4 MB of text in all"},
		{"first", passages(6000, 2), ""},
		{"second", passages(6000, 3), "knows 3"},
		{"third", passages(1000, 4), ""},
	} {
		it := give(t, w, ctx, m.ID, c.name+".txt", c.text)
		w.Run(t)
		got := status(t, w, ctx, m.ID, it.ID)
		if c.says == "" {
			if got.Status != knowledge.Completed {
				t.Errorf("%s: %+v", c.name, got)
			}
			continue
		}
		if got.Status != knowledge.Failed || !strings.Contains(got.Error, c.says) || !strings.Contains(got.Error, "spread it over several Minds") {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	known, err := w.Minds.Get(ctx, m.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(known.Knowledge) != 2 {
		t.Errorf("%d contents known", len(known.Knowledge))
	}
}

// BenchmarkChatOfAFullMind is the slowest chat that there is: everything that a
// Mind may know, read from the store and looked through.
func BenchmarkChatOfAFullMind(b *testing.B) {
	w := researchtest.New(b)
	ctx := w.As(b, "lab", account.Enterprise)
	m := manual(b, w, ctx, "Ada")
	give(b, w, ctx, m.ID, "full.txt", passages(9800, 1))
	w.Run(b)
	if _, err := w.Minds.RegeneratePrompt(ctx, m.ID, "You are Ada."); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		w.Clock.Advance(time.Minute)
		if _, err := w.Minds.Chat(ctx, mind.ChatRequest{MindID: m.ID, Message: "What do you cook with your rice?"}); err != nil {
			b.Fatal(err)
		}
	}
}

// 300 Minds that were given the same distribution.
func BenchmarkRespondents(b *testing.B) {
	w := researchtest.New(b)
	ctx := w.As(b, "lab", account.Enterprise)
	var ids []string
	for i := range 300 {
		m := manual(b, w, ctx, fmt.Sprintf("Mind %d", i))
		give(b, w, ctx, m.ID, "steak.json", survey)
		ids = append(ids, m.ID)
	}
	w.Run(b)
	for b.Loop() {
		if _, err := w.Minds.Respondents(ctx, ids); err != nil {
			b.Fatal(err)
		}
	}
}

package retrieve

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
	"github.com/mindgate-dev/mindgate/shared/embed/minilm/minilmtest"
)

// questions is testdata/passages.json, whose origin its README tells.
type questions struct {
	Passages []struct{ ID, Text string }
	Queries  []struct{ Text, Relevant string }
	// Unrelated are questions that no passage answers.
	Unrelated []string
}

func readQuestions(t testing.TB) questions {
	t.Helper()
	b, err := os.ReadFile("testdata/passages.json")
	if err != nil {
		t.Fatal(err)
	}
	var q questions
	if err := json.Unmarshal(b, &q); err != nil {
		t.Fatal(err)
	}
	return q
}

func (q questions) texts() []string {
	out := make([]string, len(q.Passages))
	for i, p := range q.Passages {
		out[i] = p.Text
	}
	return out
}

// ndcg is the mean of nDCG@10 (Järvelin & Kekäläinen 2002) over all questions;
// with one relevant passage that is 1/log2(1+rank).
func (q questions) ndcg(t *testing.T, search func(query string) []Hit) float64 {
	t.Helper()
	var sum float64
	for _, query := range q.Queries {
		for rank, h := range search(query.Text) {
			if q.Passages[h.Index].ID == query.Relevant {
				sum += 1 / math.Log2(float64(rank+2))
			}
		}
	}
	return sum / float64(len(q.Queries))
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func corpusOf(t testing.TB, e embed.Embedder, texts []string) *Corpus {
	t.Helper()
	vs := must[[][]float32](t)(e.Embed(t.Context(), texts))
	return must[*Corpus](t)(New(Part{Texts: texts, Vectors: must[*embed.Packed](t)(embed.Pack(e.Space(), vs))}))
}

// figures are nDCG@10 by words, by vectors alone and fused.
func (q questions) figures(t *testing.T, c *Corpus, e embed.Embedder) (lexical, vectors, fused float64) {
	t.Helper()
	vector := func(text string) embed.Vector { return must[embed.Vector](t)(embed.Query(t.Context(), e, text)) }
	find := func(query string, v embed.Vector) []Hit { return must[[]Hit](t)(c.Search(query, v, 10)) }
	return q.ndcg(t, func(text string) []Hit { return find(text, embed.Vector{}) }),
		q.ndcg(t, func(text string) []Hit { return find("", vector(text)) }),
		q.ndcg(t, func(text string) []Hit { return find(text, vector(text)) })
}

func weights(t testing.TB) embed.Embedder { return minilmtest.Open(t, "../..") }

// figures of the questions that come with the package; docs tell how they were
// made. Whoever changes the search sees here whether it got better.
func TestQuality(t *testing.T) {
	q := readQuestions(t)
	for _, c := range []struct {
		name                    string
		embedder                func(testing.TB) embed.Embedder
		lexical, vectors, fused float64 // nDCG@10, give or take tolerance
		answered, refused       float64 // least shares
	}{
		{"hashed", func(testing.TB) embed.Embedder { return hashed.New() }, .655, .697, .711, .35, 1},
		{"MiniLM", weights, .655, .970, .979, .9, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			const tolerance = .02
			e := embed.Cached(c.embedder(t), 100)
			corpus := corpusOf(t, e, q.texts())
			lexical, vectors, fused := q.figures(t, corpus, e)
			answered, refused := q.cut(t, corpus, e)
			t.Logf("nDCG@10: BM25 %.3f, vectors %.3f, fused %.3f; %.2f answered, %.2f of the unrelated refused", lexical, vectors, fused, answered, refused)
			for _, f := range []struct{ got, want float64 }{{lexical, c.lexical}, {vectors, c.vectors}, {fused, c.fused}} {
				if math.Abs(f.got-f.want) > tolerance {
					t.Errorf("nDCG@10 %.3f, not %.3f", f.got, f.want)
				}
			}
			if fused < max(lexical, vectors)-tolerance {
				t.Error("fused is worse than one of the two alone")
			}
			if answered < c.answered || refused < c.refused {
				t.Errorf("%.2f answered and %.2f refused, not %.2f and %.2f at least", answered, refused, c.answered, c.refused)
			}
		})
	}
}

// cut gives the share of the questions whose own passage is Relevant, and the
// share of the unrelated ones for which no passage is.
func (q questions) cut(t *testing.T, c *Corpus, e embed.Embedder) (answered, refused float64) {
	t.Helper()
	find := func(text string) []Hit {
		return must[[]Hit](t)(c.Search(text, must[embed.Vector](t)(embed.Query(t.Context(), e, text)), c.Len()))
	}
	for _, query := range q.Queries {
		for _, h := range find(query.Text) {
			if q.Passages[h.Index].ID == query.Relevant && h.Relevance >= Relevant {
				answered += 1 / float64(len(q.Queries))
			}
		}
	}
	for _, text := range q.Unrelated {
		if !slices.ContainsFunc(find(text), func(h Hit) bool { return h.Relevance >= Relevant }) {
			refused += 1 / float64(len(q.Unrelated))
		}
	}
	return answered, refused + 1e-9
}

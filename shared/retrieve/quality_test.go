package retrieve

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
	"github.com/mindgate-dev/mindgate/shared/embed/minilm"
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
func (q questions) figures(t *testing.T, e embed.Embedder) (lexical, vectors, fused float64) {
	t.Helper()
	c := corpusOf(t, e, q.texts())
	vector := func(text string) embed.Vector { return must[embed.Vector](t)(embed.Query(t.Context(), e, text)) }
	find := func(query string, v embed.Vector) []Hit { return must[[]Hit](t)(c.Search(query, v, 10)) }
	return q.ndcg(t, func(text string) []Hit { return find(text, embed.Vector{}) }),
		q.ndcg(t, func(text string) []Hit { return find("", vector(text)) }),
		q.ndcg(t, func(text string) []Hit { return find(text, vector(text)) })
}

func weights(t testing.TB) embed.Embedder {
	t.Helper()
	e, err := minilm.Open("../../models/" + minilm.File)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the weights are not there: `make models` fetches them")
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestQualityHashed(t *testing.T) {
	q := readQuestions(t)
	lexical, vectors, fused := q.figures(t, hashed.New())
	t.Logf("nDCG@10: BM25 %.3f, hashed %.3f, fused %.3f", lexical, vectors, fused)
}

func TestQualityMiniLM(t *testing.T) {
	q := readQuestions(t)
	lexical, vectors, fused := q.figures(t, weights(t))
	t.Logf("nDCG@10: BM25 %.3f, MiniLM %.3f, fused %.3f", lexical, vectors, fused)
}

package retrieve

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
)

// passages are n texts of about 120 words with the frequencies of a language
// (Zipf): few words stand everywhere, most seldom.
func passages(n int) []string {
	random := rand.New(rand.NewPCG(3, 5))
	zipf := rand.NewZipf(random, 1.1, 4, 20000)
	out := make([]string, n)
	for i := range out {
		var b strings.Builder
		for range 120 {
			fmt.Fprintf(&b, "w%x ", zipf.Uint64()*2654435761%0xfffff)
		}
		out[i] = b.String()
	}
	return out
}

func BenchmarkSearch(b *testing.B) {
	texts := passages(5000)
	random := rand.New(rand.NewPCG(1, 1))
	dense := make([][]float32, len(texts))
	for i := range dense {
		dense[i] = make([]float32, 384)
		for j := range dense[i] {
			dense[i][j] = float32(random.NormFloat64())
		}
		embed.Normalise(dense[i])
	}
	space := embed.Space{Model: "dense", Revision: "1", Dim: 384}
	query := strings.Join(strings.Fields(texts[17])[:12], " ")
	b.Run("384", func(b *testing.B) {
		p, err := embed.Pack(space, dense)
		if err != nil {
			b.Fatal(err)
		}
		c := must[*Corpus](b)(New(Part{texts, p}))
		for b.Loop() {
			must[[]Hit](b)(c.Search(query, embed.Vector{Space: space, Values: dense[17]}, 10))
		}
	})
	b.Run("hashed", func(b *testing.B) {
		e := hashed.New()
		c := corpusOf(b, e, texts)
		for b.Loop() {
			v := must[embed.Vector](b)(embed.Query(b.Context(), e, query))
			must[[]Hit](b)(c.Search(query, v, 10))
		}
	})
}

func BenchmarkNew(b *testing.B) {
	texts := passages(5000)
	for b.Loop() {
		must[*Corpus](b)(New(Part{Texts: texts}))
	}
}

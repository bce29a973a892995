// Package hashed embeds texts without a model: their words and the trigrams of
// their words are hashed into a fixed number of buckets. It knows no meaning,
// only spelling, but every language, costs microseconds and is the same on every
// machine: all sums are of whole numbers.
package hashed

import (
	"context"
	"math"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/words"
)

// Model is the name of the built-in embeddings, in every vector's space.
const Model = "hashed"

// Dim is how many buckets there are.
const Dim = 2048

// Weights of a feature, in whole numbers. A word that carries no topic counts a
// tenth; the trigrams of a word count together about as much as the word, so
// that endings, compounds and slips of the pen still meet.
const (
	topicWeight  = 80
	stopWeight   = 8
	trigramShare = 80 // percent of the word's weight, over the root of their number
)

// roots are 10·√n: trigrams of one word are that many features of equal weight.
var roots = [...]int64{10, 10, 14, 17, 20, 22, 24, 26, 28, 30, 32, 33, 35, 36, 37, 39, 40}

// damped is 16·(1+ln n) for a word that stands n times, as whole numbers: the
// tenth mention says less than the first (sublinear term frequency).
var damped = [...]int64{0, 16, 27, 34, 38, 42, 45, 47, 49, 51, 53, 54, 56, 57, 58, 59, 60, 61, 62, 63, 64}

type embedder struct{}

// New gives the built-in embedder.
func New() embed.Embedder { return embedder{} }

func (embedder) Space() embed.Space {
	return embed.Space{Model: Model, Revision: "1", Dim: Dim}
}

func (embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	c := counter{seen: map[string]int{}}
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = c.vector(text)
	}
	return out, nil
}

// counter counts the words of one text after another.
type counter struct {
	seen   map[string]int // position in counts
	counts []count
	text   []byte // the words of counts, end to end
	padded []byte
	sums   [Dim]int64
}

type count struct{ from, to, n int }

func (c *counter) vector(text string) []float32 {
	clear(c.seen)
	clear(c.sums[:])
	c.counts, c.text = c.counts[:0], c.text[:0]
	words.Each(text, func(word []byte) {
		if i, ok := c.seen[string(word)]; ok {
			c.counts[i].n++
			return
		}
		c.seen[string(word)] = len(c.counts)
		c.counts = append(c.counts, count{len(c.text), len(c.text) + len(word), 1})
		c.text = append(c.text, word...)
	})
	for _, w := range c.counts {
		c.add(c.text[w.from:w.to], damped[min(w.n, len(damped)-1)])
	}
	return unit(&c.sums)
}

// add puts the features of a word into their buckets. A second bit of the hash
// is the sign, so that features that share a bucket cancel out on average
// (Weinberger et al. 2009).
func (c *counter) add(word []byte, times int64) {
	weight := int64(topicWeight)
	if words.Stop(string(word)) {
		weight = stopWeight
	}
	c.put(hash('w', word), times*weight)
	if weight == stopWeight {
		return
	}
	c.padded = append(append(append(c.padded[:0], '^'), word...), '$')
	n := utf8.RuneCount(c.padded) - 2
	each := times * weight * trigramShare / (10 * roots[min(n, len(roots)-1)])
	for a, b := 0, 1; ; {
		_, second := utf8.DecodeRune(c.padded[b:])
		end := b + second
		if end >= len(c.padded) {
			return
		}
		_, third := utf8.DecodeRune(c.padded[end:])
		c.put(hash('3', c.padded[a:end+third]), each)
		a, b = b, end
	}
}

func (c *counter) put(h uint64, v int64) {
	if h>>63 == 1 {
		v = -v
	}
	c.sums[h%Dim] += v
}

// hash is FNV-1a over a kind and the bytes, with a final mix (the finaliser of
// MurmurHash3), since the low bits choose the bucket.
func hash(kind byte, b []byte) uint64 {
	h := uint64(14695981039346656037)
	h = (h ^ uint64(kind)) * 1099511628211
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// unit scales the sums to length 1. Square root and division are exact to the
// last bit on every machine.
func unit(sums *[Dim]int64) []float32 {
	var squares int64
	for _, x := range sums {
		squares += x * x
	}
	out := make([]float32, Dim)
	if squares == 0 {
		return out
	}
	length := math.Sqrt(float64(squares))
	for i, x := range sums {
		if x != 0 {
			out[i] = float32(float64(x) / length)
		}
	}
	return out
}

package stats

import (
	"encoding/binary"
	"math"
	"sort"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// corpus is a set of short texts as unit TF-IDF vectors.
type corpus struct {
	terms   []string // stems, sorted
	surface []string // the commonest written form of each
	vec     []sparse
}

type entry struct {
	term int
	w    float64
}

// sparse is a vector of unit length (or empty), in order of term.
type sparse []entry

func (a sparse) cos(b sparse) float64 {
	s := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].term < b[j].term:
			i++
		case a[i].term > b[j].term:
			j++
		default:
			s += a[i].w * b[j].w
			i++
			j++
		}
	}
	return s
}

func (a sparse) dot(dense []float64) float64 {
	s := 0.0
	for _, e := range a {
		s += e.w * dense[e.term]
	}
	return s
}

func unitLength(v []float64) {
	s := 0.0
	for _, x := range v {
		s += x * x
	}
	if s = math.Sqrt(s); s > 0 {
		for i := range v {
			v[i] /= s
		}
	}
}

func newCorpus(texts []string) *corpus {
	c := &corpus{}
	counts := make([]map[string]int, len(texts))
	df := map[string]int{}
	forms := map[string]map[string]int{}
	for i, t := range texts {
		counts[i] = map[string]int{}
		for _, w := range contentWords(t) {
			st := lightStem(w)
			if counts[i][st] == 0 {
				df[st]++
			}
			counts[i][st]++
			if forms[st] == nil {
				forms[st] = map[string]int{}
			}
			forms[st][w]++
		}
	}
	for t := range df {
		c.terms = append(c.terms, t)
	}
	sort.Strings(c.terms)
	index := make(map[string]int, len(c.terms))
	c.surface = make([]string, len(c.terms))
	for i, t := range c.terms {
		index[t] = i
		best := 0
		var fs []string
		for f := range forms[t] {
			fs = append(fs, f)
		}
		sort.Strings(fs)
		for _, f := range fs {
			if forms[t][f] > best {
				best, c.surface[i] = forms[t][f], f
			}
		}
	}
	n := float64(len(texts))
	for _, m := range counts {
		v := make(sparse, 0, len(m))
		for t, k := range m {
			v = append(v, entry{index[t], (1 + math.Log(float64(k))) * (math.Log((1+n)/(1+float64(df[t]))) + 1)})
		}
		sort.Slice(v, func(a, b int) bool { return v[a].term < v[b].term })
		s := 0.0
		for _, e := range v {
			s += e.w * e.w
		}
		s = math.Sqrt(s)
		for i := range v {
			v[i].w /= s
		}
		c.vec = append(c.vec, v)
	}
	return c
}

// meanDistance is the mean cosine distance over all pairs, in one pass: the sum
// of all dot products is the squared length of the sum.
func (c *corpus) meanDistance() float64 {
	sum := make([]float64, len(c.terms))
	self := 0.0
	for _, v := range c.vec {
		for _, e := range v {
			sum[e.term] += e.w
			self += e.w * e.w
		}
	}
	total := 0.0
	for _, x := range sum {
		total += x * x
	}
	n := float64(len(c.vec))
	d := 1 - (total-self)/(n*(n-1))
	if d < rounding {
		return 0
	}
	return math.Min(1, d)
}

// rounding is what sums of floating point leave where the true distance is 0.
const rounding = 1e-12

// point is one content with the number of answers that have it.
type point struct {
	vec    sparse
	weight float64
}

// points groups texts of equal content, in order of first appearance; of gives
// each text its point. Equal words make bit-equal vectors, so bits are compared.
func (c *corpus) points() (list []point, of []int) {
	index := map[string]int{}
	of = make([]int, len(c.vec))
	var key []byte
	for j, v := range c.vec {
		key = key[:0]
		for _, e := range v {
			key = binary.AppendUvarint(key, uint64(e.term))
			key = binary.BigEndian.AppendUint64(key, math.Float64bits(e.w))
		}
		i, ok := index[string(key)]
		if !ok {
			i = len(list)
			index[string(key)] = i
			list = append(list, point{vec: v})
		}
		list[i].weight++
		of[j] = i
	}
	return list, of
}

// nearest orders members by their likeness to the middle of their cluster.
func (c *corpus) nearest(members []int) []int {
	mid := make([]float64, len(c.terms))
	for _, j := range members {
		for _, e := range c.vec[j] {
			mid[e.term] += e.w
		}
	}
	out := append([]int(nil), members...)
	score := make(map[int]float64, len(members))
	for _, j := range members {
		score[j] = math.Round(c.vec[j].dot(mid)*1e9) / 1e9
	}
	sort.SliceStable(out, func(a, b int) bool { return score[out[a]] > score[out[b]] })
	return out
}

// labels names clusters by class-wise TF-IDF: frequency in the cluster times
// log(1 + average size / frequency overall).
func (c *corpus) labels(members [][]int, order []int) []string {
	overall := make([]float64, len(c.terms))
	total := 0.0
	tf := make([][]float64, len(order))
	for n, l := range order {
		tf[n] = make([]float64, len(c.terms))
		for _, j := range members[l] {
			for _, e := range c.vec[j] {
				tf[n][e.term]++
				overall[e.term]++
				total++
			}
		}
	}
	avg := total / math.Max(1, float64(len(order)))
	out := make([]string, len(order))
	for n := range order {
		at := make([]int, 0, len(c.terms))
		score := make([]float64, len(c.terms))
		for t := range c.terms {
			if tf[n][t] > 0 {
				score[t] = math.Round(tf[n][t]*math.Log(1+avg/overall[t])*1e9) / 1e9
				at = append(at, t)
			}
		}
		sort.SliceStable(at, func(a, b int) bool { return score[at[a]] > score[at[b]] })
		var ws []string
		for _, t := range at[:min(labelWords, len(at))] {
			ws = append(ws, c.surface[t])
		}
		out[n] = strings.Join(ws, ", ")
		if out[n] == "" {
			out[n] = "other"
		}
	}
	return out
}

// contentWords are the lower-case words of a text without frame words. Runs of
// scripts written without spaces become pairs of characters.
func contentWords(s string) []string {
	var out []string
	s = strings.ToLower(norm.NFKC.String(s))
	s = strings.NewReplacer("’", "", "'", "").Replace(s)
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) }) {
		rs := []rune(w)
		if unicode.In(rs[0], unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			for i := 0; i+1 < len(rs); i++ {
				out = append(out, string(rs[i:i+2]))
			}
			continue
		}
		if len(rs) < 2 || frameWords[w] {
			continue
		}
		out = append(out, w)
	}
	return out
}

// lightStem joins plural and singular and the commonest verb endings.
func lightStem(w string) string {
	for _, r := range w {
		if r > unicode.MaxASCII {
			return w
		}
	}
	n := len(w)
	switch {
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:n-1]
	}
	n = len(w)
	switch {
	case n > 5 && strings.HasSuffix(w, "ing"):
		w = w[:n-3]
	case n > 4 && strings.HasSuffix(w, "ed"):
		w = w[:n-2]
	}
	if n = len(w); n > 4 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	return w
}

// frameWords say nothing of what an answer is about.
var frameWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`
a an the this that these those any some each every all of in on at to from by for with about into over as and or but if than so
because while when where which who whom whose what why how do does did done doing is are was were be been being am have has had
having will would can could shall should may might must not no nor i me my mine we us our you your he him his she her it its they
them their there here very really quite just also too more most less much many lot lots thing things something anything nothing
think thought feel like get got make made one two im ive id dont doesnt didnt cant wont isnt thats its well even still always never
record recorded view views speaks holds matter
el la los las un una de del en con por para que es son se su y o le les des du et ou dans sur pour avec est sont ce der die das den
dem ein eine und oder im mit für von zu ist sind nicht`) {
		m[w] = true
	}
	return m
}()

package retrieve

import (
	"math"

	"github.com/mindgate-dev/mindgate/shared/words"
)

// Parameters of BM25 at their usual values (Robertson & Zaragoza 2009, 3.5).
const (
	k1 = 1.2
	b  = 0.75
)

// index is the inverted index of the passages: for each word, in which it
// stands and what that is worth.
type index struct {
	terms  map[string]int32
	idf    []float32 // by term
	starts []int32   // by term; postings from starts[t] to starts[t+1]
	where  []int32   // passage of a posting
	worth  []float32 // idf × saturated term frequency of a posting
	rarest float32   // idf of a word that stands in one passage
}

// posting is a term in a passage, before the index is laid out.
type posting struct {
	term, passage int32
	times         int32
}

// build reads every passage once.
func build(passages int, text func(int) string) index {
	x := index{terms: map[string]int32{}}
	stems := map[string]int32{} // word as it stands -> term, so that each is stemmed once
	var postings []posting
	var df []int32
	lengths := make([]int32, passages)
	seen := []int32{} // by term: its last posting, plus 1
	for i := range passages {
		first := int32(len(postings))
		words.Each(text(i), func(word []byte) {
			lengths[i]++
			t, ok := stems[string(word)]
			if !ok {
				w := string(word)
				t = x.term(words.Stem(w))
				stems[w] = t
			}
			if int(t) == len(df) {
				df, seen = append(df, 0), append(seen, 0)
			}
			if at := seen[t] - 1; at >= first {
				postings[at].times++
				return
			}
			df[t]++
			postings = append(postings, posting{t, int32(i), 1})
			seen[t] = int32(len(postings))
		})
	}
	x.weigh(passages, df)
	x.layOut(postings, df, lengths)
	return x
}

func (x *index) term(stem string) int32 {
	t, ok := x.terms[stem]
	if !ok {
		t = int32(len(x.terms))
		x.terms[stem] = t
	}
	return t
}

// weigh computes ln(1 + (N-n+½)/(n+½)), the form of idf that is never negative.
func (x *index) weigh(passages int, df []int32) {
	idf := func(n int32) float32 {
		return float32(math.Log(1 + (float64(passages)-float64(n)+.5)/(float64(n)+.5)))
	}
	x.idf = make([]float32, len(df))
	for t, n := range df {
		x.idf[t] = idf(n)
	}
	x.rarest = idf(1)
}

// layOut sorts postings by term (a counting sort: they keep the order of the
// passages) and computes what each is worth.
func (x *index) layOut(postings []posting, df, lengths []int32) {
	x.starts = make([]int32, len(df)+1)
	for t, n := range df {
		x.starts[t+1] = x.starts[t] + n
	}
	var total float64
	for _, l := range lengths {
		total += float64(l)
	}
	mean := total / max(1, float64(len(lengths)))
	next := append([]int32(nil), x.starts[:len(df)]...)
	x.where, x.worth = make([]int32, len(postings)), make([]float32, len(postings))
	for _, p := range postings {
		tf := float64(p.times)
		saturated := tf * (k1 + 1) / (tf + k1*(1-b+b*float64(lengths[p.passage])/mean))
		at := next[p.term]
		next[p.term]++
		x.where[at], x.worth[at] = p.passage, x.idf[p.term]*float32(saturated)
	}
}

// maxQueryTerms bounds the work for a query that is a whole document.
const maxQueryTerms = 256

// query gives the terms of a query, each once; -1 is a word that stands nowhere.
// Words without a topic count only where there is nothing else.
func (x *index) query(text string) []int32 {
	var out, idle []int32
	seen := map[string]bool{}
	words.Each(text, func(word []byte) {
		if len(out) == maxQueryTerms {
			return
		}
		w := string(word)
		stem := words.Stem(w)
		if seen[stem] {
			return
		}
		seen[stem] = true
		t, ok := x.terms[stem]
		if !ok {
			t = -1
		}
		if words.Stop(w) {
			if len(idle) < maxQueryTerms {
				idle = append(idle, t)
			}
			return
		}
		out = append(out, t)
	})
	if len(out) == 0 {
		return idle
	}
	return out
}

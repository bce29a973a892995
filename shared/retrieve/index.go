package retrieve

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/words"
)

// Parameters of BM25 at their usual values (Robertson & Zaragoza 2009, 3.5).
const (
	k1 = 1.2
	b  = 0.75
)

// index is the inverted index of the passages: for each word, in which it
// stands and what that is worth. Words are kept by their hash: 400,000 of them
// collide with a chance of one in 200 million, and a text of nothing but rare
// words, such as codes, costs three times its size, not ten.
type index struct {
	seed   maphash.Seed
	hashes []uint64  // of the terms, in order
	idf    []float32 // by term
	starts []int32   // by term; postings from starts[t] to starts[t+1]
	where  []int32   // passage of a posting
	worth  []float32 // idf × saturated term frequency of a posting
	rarest float32   // idf of a word that stands in one passage
}

// bytes is what the index takes.
func (x *index) bytes() int {
	return 8*cap(x.hashes) + 4*(cap(x.idf)+cap(x.starts)+cap(x.where)+cap(x.worth))
}

// term finds a term by its stem.
func (x *index) term(stem string) (int32, bool) {
	t, ok := slices.BinarySearch(x.hashes, maphash.String(x.seed, stem))
	return int32(t), ok
}

// posting is a term in a passage, before the index is laid out.
type posting struct {
	term, passage int32
	times         int32
}

// known is a term while passages are read.
type known struct {
	hash uint64
	df   int32 // passages that hold it
	last int32 // its last posting, plus 1
}

// block is how many postings are allocated at once: nothing is copied as they
// grow in number.
const block = 1 << 14

// maxStems bounds the words whose stems are remembered while passages are read.
const maxStems = 1 << 16

// builder reads passages.
type builder struct {
	seed     maphash.Seed
	terms    map[uint64]int32 // by the hash of the stem
	stems    map[uint64]int32 // by the hash of the word, so that most are stemmed once
	known    []known
	postings [][]posting
	lengths  []int32
}

// build reads every passage once.
func build(passages int, text func(int) string) index {
	r := builder{seed: maphash.MakeSeed(), terms: map[uint64]int32{}, stems: map[uint64]int32{}, lengths: make([]int32, passages)}
	n := int32(0) // postings
	for i := range passages {
		first := n
		words.Each(text(i), func(word []byte) {
			r.lengths[i]++
			t := r.term(word)
			k := &r.known[t]
			if at := k.last - 1; at >= first {
				r.postings[at/block][at%block].times++
				return
			}
			if n%block == 0 {
				r.postings = append(r.postings, make([]posting, 0, block))
			}
			into := &r.postings[n/block]
			*into = append(*into, posting{t, int32(i), 1})
			n++
			k.df++
			k.last = n
		})
	}
	return r.layOut(int(n))
}

// term gives the term of a word.
func (r *builder) term(word []byte) int32 {
	h := maphash.Bytes(r.seed, word)
	if stems(word) {
		if t, ok := r.stems[h]; ok {
			return t
		}
		t := r.stem(maphash.String(r.seed, words.Stem(string(word))))
		if len(r.stems) < maxStems {
			r.stems[h] = t
		}
		return t
	}
	return r.stem(h)
}

func (r *builder) stem(hash uint64) int32 {
	t, ok := r.terms[hash]
	if !ok {
		t = int32(len(r.known))
		r.terms[hash] = t
		r.known = append(r.known, known{hash: hash})
	}
	return t
}

// maxStemmed is the longest word, in bytes, that is stemmed.
const maxStemmed = 32

// stems reports a word that is looked up by its stem: codes and numbers, which
// have as many forms as there are of them, have no endings.
func stems(word []byte) bool {
	if len(word) > maxStemmed {
		return false
	}
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// stemOf is the form in which a word of a query is looked up.
func stemOf(word string) string {
	if stems([]byte(word)) {
		return words.Stem(word)
	}
	return word
}

// weight is ln(1 + (N-n+½)/(n+½)), the form of idf that is never negative.
func weight(passages int, n int32) float32 {
	return float32(math.Log(1 + (float64(passages)-float64(n)+.5)/(float64(n)+.5)))
}

// layOut sorts the terms by their hashes and the postings by term (a counting
// sort: they keep the order of the passages), and computes what each is worth.
func (r *builder) layOut(postings int) index {
	r.terms, r.stems = nil, nil // what follows needs their room
	order := make([]int32, len(r.known))
	for t := range order {
		order[t] = int32(t)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(r.known[a].hash, r.known[b].hash) })
	passages := len(r.lengths)
	x := index{
		seed: r.seed, rarest: weight(passages, 1),
		hashes: make([]uint64, len(order)), idf: make([]float32, len(order)), starts: make([]int32, len(order)+1),
		where: make([]int32, postings), worth: make([]float32, postings),
	}
	for place, t := range order {
		k := &r.known[t]
		x.hashes[place], x.idf[place] = k.hash, weight(passages, k.df)
		x.starts[place+1] = x.starts[place] + k.df
	}
	next := order // by term as it was met: where its next posting goes
	place := make([]int32, len(order))
	for at, t := range order {
		place[t] = int32(at)
	}
	for t := range next {
		next[t] = x.starts[place[t]]
	}
	var total float64
	for _, l := range r.lengths {
		total += float64(l)
	}
	mean := total / max(1, float64(passages))
	for _, block := range r.postings {
		for _, p := range block {
			tf := float64(p.times)
			saturated := tf * (k1 + 1) / (tf + k1*(1-b+b*float64(r.lengths[p.passage])/mean))
			at := next[p.term]
			next[p.term]++
			x.where[at], x.worth[at] = p.passage, x.idf[place[p.term]]*float32(saturated)
		}
	}
	return x
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
		stem := stemOf(w)
		if seen[stem] {
			return
		}
		seen[stem] = true
		t, ok := x.term(stem)
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

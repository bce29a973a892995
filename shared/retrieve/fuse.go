package retrieve

import (
	"cmp"
	"slices"
)

// fusion is the constant of reciprocal rank fusion: how little the first ranks
// count for more than the next.
const fusion = 60

// scratch is what one search works in. Between two searches worth, mass and
// fused are 0 everywhere.
type scratch struct {
	worth, mass, fused []float32
	cosine             []float32
	byWords            []int32 // passages that hold a word of the query
	byVector           []int32 // passages whose cosine is above 0
}

func newScratch(passages int) *scratch {
	all := make([]float32, 4*passages)
	cut := func(i int) []float32 { return all[i*passages : (i+1)*passages : (i+1)*passages] }
	return &scratch{worth: cut(0), mass: cut(1), fused: cut(2), cosine: cut(3)}
}

func (s *scratch) reset() {
	for _, i := range s.byWords {
		s.worth[i], s.mass[i], s.fused[i] = 0, 0, 0
	}
	for _, i := range s.byVector {
		s.fused[i] = 0
	}
	s.byWords, s.byVector = s.byWords[:0], s.byVector[:0]
}

// fuse gives the k passages with the most of the sum, over both rankings, of
// evidence/(60+rank). Plain reciprocal ranks take the first of a ranking for
// good even where a ranking found next to nothing; here each counts as far as
// its own evidence goes: the words by the square of the share that the passage
// holds of them (two words of six say little), the vector by its cosine. Without
// vectors the words count whole, in the order of BM25. Of each ranking as many
// are read as matter: what stands below in one adds too little.
func (s *scratch) fuse(k int, total float32) []int32 {
	deep := max(100, 4*k)
	words := func(i int32) float32 { return s.mass[i] / total * (s.mass[i] / total) }
	if len(s.byVector) == 0 {
		words = func(int32) float32 { return 1 }
	}
	found := s.add(best(s.byWords, s.worth, deep), s.worth, words, nil)
	found = s.add(best(s.byVector, s.cosine, deep), s.cosine, func(i int32) float32 { return s.cosine[i] }, found)
	return best(found, s.fused, k)
}

// add gives a ranking's shares. Equal values share the better rank, so that
// their place in the corpus decides ties alone. Passages that are new go into
// found.
func (s *scratch) add(ranking []int32, by []float32, evidence func(int32) float32, found []int32) []int32 {
	place := 0
	for n, i := range ranking {
		if n == 0 || by[i] != by[ranking[n-1]] {
			place = n + 1
		}
		if s.fused[i] == 0 {
			found = append(found, i)
		}
		s.fused[i] += evidence(i) / float32(fusion+place)
	}
	return found
}

// best sorts the k passages with the greatest values to the front, equal ones in
// the order of the corpus, and gives those. It reads the others once each and
// loses none.
func best(found []int32, by []float32, k int) []int32 {
	order := func(a, b int32) int {
		if c := cmp.Compare(by[b], by[a]); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	}
	if k >= len(found) {
		slices.SortFunc(found, order)
		return found
	}
	// The first k are kept sorted in rounds: as many again are gathered that are
	// better than the worst kept, then sorted in.
	room := found[:min(2*k, len(found))]
	slices.SortFunc(room, order)
	filled := k
	for j := len(room); j < len(found); j++ {
		if order(found[j], room[k-1]) > 0 {
			continue
		}
		if filled == len(room) {
			slices.SortFunc(room, order)
			filled = k
		}
		found[filled], found[j] = found[j], found[filled]
		filled++
	}
	slices.SortFunc(room[:filled], order)
	return room[:k]
}

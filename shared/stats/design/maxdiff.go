package design

import (
	"fmt"
	"math/rand/v2"
)

// MaxDiff says what a best-worst design must hold: sets of Size items, so many
// that a member sees each item about Seen times.
type MaxDiff struct {
	Items, Size int // at most half of the items in a set, but three of five
	Seen        int // 3 or more
	Versions    int
	Seed        uint64
}

// MaxDiffDesign holds the sets of each version, items counted from 0 in the
// order in which they are shown.
type MaxDiffDesign struct {
	Versions [][][]int
	Report   MaxDiffReport
}

// MaxDiffReport says how even a design is over all its versions.
type MaxDiffReport struct {
	Exact                  bool    // every version is a balanced incomplete block design
	Shown                  []int   // times each item is shown
	Pairs                  [][]int // times two items are shown together
	Positions              [][]int // item, place in the set
	FewestShown, MostShown int     // in a version
	Connected              bool    // in every version all items can be compared, over others if not at once
}

// Sets is the number of sets that a member answers: ceil(Seen·Items/Size).
func (m MaxDiff) Sets() int { return (m.Seen*m.Items + m.Size - 1) / m.Size }

// Make draws a design: a balanced incomplete block design with its items
// relabelled for each version where one has exactly this many sets, otherwise
// sets exchanged towards equal counts of items and then of pairs.
func (m MaxDiff) Make() (MaxDiffDesign, error) {
	if m.Size < 2 || m.Items <= m.Size || m.Seen < 1 || m.Versions < 1 {
		return MaxDiffDesign{}, fmt.Errorf("design: %d versions of sets of %d of %d items, each seen %d times", m.Versions, m.Size, m.Items, m.Seen)
	}
	rng := rand.New(rand.NewPCG(m.Seed, 0x6d617864696666))
	blocks, exact := BIBD(m.Items, m.Size)
	exact = exact && m.Sets()%len(blocks) == 0
	var d MaxDiffDesign
	w := newWeaver(m, rng)
	for range m.Versions {
		var sets [][]int
		if exact {
			sets = w.relabel(blocks)
		} else {
			sets = w.weave()
		}
		d.Versions = append(d.Versions, sets)
	}
	w.place(d.Versions)
	d.Report = m.Measure(d.Versions)
	d.Report.Exact = exact
	return d, nil
}

// Measure counts what a design shows.
func (m MaxDiff) Measure(versions [][][]int) MaxDiffReport {
	r := MaxDiffReport{Shown: make([]int, m.Items), Pairs: square(m.Items), Positions: make([][]int, m.Items), Connected: len(versions) > 0}
	for i := range r.Positions {
		r.Positions[i] = make([]int, m.Size)
	}
	for v, sets := range versions {
		here := make([]int, m.Items)
		for _, set := range sets {
			for p, i := range set {
				here[i]++
				r.Positions[i][p]++
				for _, j := range set {
					if i != j {
						r.Pairs[i][j]++
					}
				}
			}
		}
		for i, n := range here {
			r.Shown[i] += n
			if v == 0 && i == 0 || n < r.FewestShown {
				r.FewestShown = n
			}
			r.MostShown = max(r.MostShown, n)
		}
		r.Connected = r.Connected && connected(m.Items, sets)
	}
	return r
}

func square(n int) [][]int {
	out := make([][]int, n)
	for i := range out {
		out[i] = make([]int, n)
	}
	return out
}

// connected says that every item can be reached from every other over sets.
func connected(items int, sets [][]int) bool {
	root := make([]int, items)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	left := items
	for _, set := range sets {
		for _, i := range set[1:] {
			if a, b := find(set[0]), find(i); a != b {
				root[a] = b
				left--
			}
		}
	}
	return left == 1
}

// weaver builds the sets of one version after the other. pairs counts over the
// versions before, so that a pair missed in one meets in another.
type weaver struct {
	m     MaxDiff
	rng   *rand.Rand
	pairs [][]int
	shown []int
}

func newWeaver(m MaxDiff, rng *rand.Rand) *weaver {
	return &weaver{m: m, rng: rng, pairs: square(m.Items), shown: make([]int, m.Items)}
}

func (w *weaver) relabel(blocks [][]int) [][]int {
	var sets [][]int
	for len(sets) < w.m.Sets() {
		label := w.rng.Perm(w.m.Items)
		for _, b := range w.rng.Perm(len(blocks)) {
			set := make([]int, 0, w.m.Size)
			for _, i := range blocks[b] {
				set = append(set, label[i])
			}
			sets = append(sets, set)
		}
	}
	return sets
}

// weave deals the items, each as often as the sets allow, and exchanges until
// no exchange of two items between two sets makes the pairs more even. It starts
// anew when some items could not be compared with the others.
func (w *weaver) weave() [][]int {
	var sets [][]int
	for range 20 {
		sets = w.deal()
		w.even(sets)
		if connected(w.m.Items, sets) {
			break
		}
	}
	for _, set := range sets {
		for _, i := range set {
			w.shown[i]++
			for _, j := range set {
				if i != j {
					w.pairs[i][j]++
				}
			}
		}
	}
	return sets
}

// deal fills the sets with the items that this version has shown least; items
// that earlier versions showed least come first among equals.
func (w *weaver) deal() [][]int {
	here := make([]int, w.m.Items)
	sets := make([][]int, w.m.Sets())
	for s := range sets {
		in := make([]bool, w.m.Items)
		for range w.m.Size {
			best, least := -1, [3]int{}
			for _, i := range w.rng.Perm(w.m.Items) {
				if in[i] {
					continue
				}
				met := 0
				for _, j := range sets[s] {
					met += w.pairs[i][j]
				}
				if cost := [3]int{here[i], w.shown[i], met}; best < 0 || less(cost, least) {
					best, least = i, cost
				}
			}
			in[best] = true
			here[best]++
			sets[s] = append(sets[s], best)
		}
	}
	return sets
}

func less(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// Pairs of this version weigh more than those of all versions together, since a
// member sees only one.
const versionWeight = 4

// even exchanges items between sets while that lowers the sum of squares of the
// pair counts, which for a fixed number of pairs is their variance.
func (w *weaver) even(sets [][]int) {
	n := w.m.Items
	here := square(n)
	in := make([][]bool, len(sets))
	for s, set := range sets {
		in[s] = make([]bool, n)
		for _, i := range set {
			in[s][i] = true
			for _, j := range set {
				if i != j {
					here[i][j]++
				}
			}
		}
	}
	// What it costs that i joins the company of j: the slope of the squares.
	weight := func(i, j int) int { return versionWeight*here[i][j] + w.pairs[i][j] + here[i][j] }
	move := func(set []int, at, by int) {
		for p, j := range set {
			if p != at {
				here[set[at]][j] += by
				here[j][set[at]] += by
			}
		}
	}
	for improved, rounds := true, 0; improved && rounds < 50; rounds++ {
		improved = false
		for s := range sets {
			for t := s + 1; t < len(sets); t++ {
				for a := range sets[s] {
					for b := range sets[t] {
						x, y := sets[s][a], sets[t][b]
						if x == y || in[s][y] || in[t][x] {
							continue
						}
						// Leaving saves 2w-step, joining costs 2w+step on each pair.
						const step = versionWeight + 1
						delta := 0
						for p, j := range sets[s] {
							if p != a {
								delta += 2*weight(y, j) + step - 2*weight(x, j) + step
							}
						}
						for p, j := range sets[t] {
							if p != b {
								delta += 2*weight(x, j) + step - 2*weight(y, j) + step
							}
						}
						if delta >= 0 {
							continue
						}
						move(sets[s], a, -1)
						move(sets[t], b, -1)
						sets[s][a], sets[t][b] = y, x
						move(sets[s], a, 1)
						move(sets[t], b, 1)
						in[s][x], in[s][y], in[t][y], in[t][x] = false, true, false, true
						improved = true
					}
				}
			}
		}
	}
}

// place orders each set so that every item stands in every place about equally
// often, first within its version and then over all: swaps of two places in a
// set until none helps.
func (w *weaver) place(versions [][][]int) {
	all := make([][]int, w.m.Items)
	for i := range all {
		all[i] = make([]int, w.m.Size)
	}
	for _, sets := range versions {
		here := make([][]int, w.m.Items)
		for i := range here {
			here[i] = make([]int, w.m.Size)
		}
		for _, set := range sets {
			w.rng.Shuffle(len(set), func(a, b int) { set[a], set[b] = set[b], set[a] })
			for p, i := range set {
				here[i][p]++
				all[i][p]++
			}
		}
		cost := func(i, p int) int { return versionWeight*here[i][p] + all[i][p] }
		for improved, rounds := true, 0; improved && rounds < 50; rounds++ {
			improved = false
			for _, set := range sets {
				for a := range set {
					for b := a + 1; b < len(set); b++ {
						x, y := set[a], set[b]
						// Moving one count from a to b changes the squares by 2(to-from)+2 each.
						if cost(x, b)-cost(x, a)+cost(y, a)-cost(y, b)+2*(versionWeight+1) >= 0 {
							continue
						}
						here[x][a]--
						all[x][a]--
						here[y][b]--
						all[y][b]--
						set[a], set[b] = y, x
						here[x][b]++
						all[x][b]++
						here[y][a]++
						all[y][a]++
						improved = true
					}
				}
			}
		}
		w.rng.Shuffle(len(sets), func(a, b int) { sets[a], sets[b] = sets[b], sets[a] })
	}
}

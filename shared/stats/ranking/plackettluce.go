package ranking

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// half is the weight of the win and of the loss against an imagined item that
// each item gets where worth has no finite maximum (Turner et al. 2020).
const half = .5

// drawTolerance is far below the error that the draws are to show.
const drawTolerance = 1e-5

// luce fits Plackett-Luce worths (Luce 1959, Plackett 1975): a ranking is a row
// of choices, each from the items still left, with chances in proportion to
// worth. Rankings of the top k stop after k; items of one rank are each taken
// from all that were left (Breslow 1974).
type luce struct {
	items int
	from  [][]int // the sets of items chosen from; stages from equal sets share one
	// Of each ranking: which sets it chose from, how often, and which items it took.
	sets  [][]visit
	taken [][]int
	ghost float64
}

type visit struct {
	set   int
	times float64
}

func newLuce(items int, answers []answer) *luce {
	l := &luce{items: items}
	known := map[uint64]int{}
	for _, an := range answers {
		left := make([]bool, items)
		for i := range left {
			left[i] = true
		}
		remain := items
		var visits []visit
		var taken []int
		for _, g := range an.groups {
			if remain == 1 {
				break // the last place is no choice
			}
			key := uint64(0)
			for i, in := range left {
				if in {
					key |= 1 << i
				}
			}
			at, ok := known[key]
			if !ok {
				at = len(l.from)
				known[key] = at
				var from []int
				for i, in := range left {
					if in {
						from = append(from, i)
					}
				}
				l.from = append(l.from, from)
			}
			visits = append(visits, visit{at, float64(len(g))})
			for _, i := range g {
				taken = append(taken, i)
				left[i] = false
			}
			remain -= len(g)
		}
		l.sets, l.taken = append(l.sets, visits), append(l.taken, taken)
	}
	return l
}

// fit maximises the likelihood by minorisation-maximisation (Hunter 2004):
// worth_i = times taken / sum over stages with i of 1/(worth left), until no worth
// moves by more than tolerance of itself. It sums to 1.
func (l *luce) fit(weights, start []float64, tolerance float64) (worth []float64, logLik float64) {
	wins := make([]float64, l.items)
	visits := make([]float64, len(l.from))
	for r, w := range weights {
		if w == 0 {
			continue
		}
		for _, i := range l.taken[r] {
			wins[i] += w
		}
		for _, v := range l.sets[r] {
			visits[v.set] += w * v.times
		}
	}
	worth = append([]float64(nil), start...)
	inverse := make([]float64, len(l.from))
	denominator := make([]float64, l.items)
	ghost := 1 / float64(l.items)
	for range 20000 {
		for s, from := range l.from {
			if visits[s] == 0 {
				continue
			}
			sum := 0.0
			for _, i := range from {
				sum += worth[i]
			}
			inverse[s] = visits[s] / sum
		}
		clear(denominator)
		for s, from := range l.from {
			if visits[s] == 0 {
				continue
			}
			for _, i := range from {
				denominator[i] += inverse[s]
			}
		}
		moved, total := 0.0, 0.0
		ghostDenominator := 0.0
		for i, w := range worth {
			d, n := denominator[i], wins[i]
			if l.ghost > 0 {
				d += 2 * l.ghost / (w + ghost)
				n += l.ghost
				ghostDenominator += 2 * l.ghost / (w + ghost)
			}
			next := 0.0
			if d > 0 {
				next = n / d
			}
			moved = math.Max(moved, math.Abs(next-w)/math.Max(w, 1e-12))
			worth[i] = next
			total += next
		}
		if l.ghost > 0 {
			ghost = float64(l.items) * l.ghost / ghostDenominator / total
		}
		for i := range worth {
			worth[i] /= total
		}
		if moved < tolerance {
			break
		}
	}
	for i, n := range wins {
		if n > 0 {
			logLik += n * math.Log(worth[i])
		}
	}
	for s, from := range l.from {
		if visits[s] > 0 {
			sum := 0.0
			for _, i := range from {
				sum += worth[i]
			}
			logLik -= visits[s] * math.Log(sum)
		}
	}
	return worth, logLik
}

// finite says that no group of items is ahead of the rest in every ranking that
// compares them: then and only then the maximum is finite (Ford 1957).
func (l *luce) finite(weights []float64) bool {
	ahead := make([][]bool, l.items)
	for i := range ahead {
		ahead[i] = make([]bool, l.items)
	}
	for r, visits := range l.sets {
		if weights[r] == 0 {
			continue
		}
		at := 0
		for _, v := range visits {
			for range int(v.times) {
				i := l.taken[r][at]
				at++
				for _, j := range l.from[v.set] {
					ahead[i][j] = true
				}
			}
		}
	}
	return reaches(ahead, false) && reaches(ahead, true)
}

// reaches says that every item is reached from the first, backwards if asked.
func reaches(edges [][]bool, back bool) bool {
	seen := make([]bool, len(edges))
	seen[0] = true
	queue, count := []int{0}, 1
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for j := range edges {
			if e := edges[i][j] && !back || back && edges[j][i]; e && !seen[j] {
				seen[j] = true
				count++
				queue = append(queue, j)
			}
		}
	}
	return count == len(edges)
}

func (a *Analysis) worth(s Study, answers []answer) {
	if s.Items > 64 {
		return
	}
	l := newLuce(s.Items, answers)
	weights := make([]float64, len(answers))
	for m, an := range answers {
		weights[m] = an.weight
	}
	if !l.finite(weights) {
		a.Separated, l.ghost = true, half
	}
	even := make([]float64, s.Items)
	for i := range even {
		even[i] = 1 / float64(s.Items)
	}
	worth, logLik := l.fit(weights, even, 1e-10)
	a.LogLik = &logLik
	for i := range a.Items {
		v, n := worth[i], a.EffectiveN
		a.Items[i].Worth = stats.Estimate{Estimate: &v, N: a.Members, EffectiveN: &n}
	}
	if a.Separated || a.Members < stats.FewAnswers {
		return
	}
	draws := s.Draws
	if draws <= 0 {
		draws = Draws
	}
	rng := rand.New(rand.NewPCG(s.Seed, 0x706c61636b657474))
	drawn := make([]float64, len(answers))
	all := make([][]float64, s.Items)
	for range draws {
		clear(drawn)
		for range answers {
			m := rng.IntN(len(answers))
			drawn[m] += answers[m].weight
		}
		l.ghost = 0
		if !l.finite(drawn) {
			l.ghost = half
		}
		one, _ := l.fit(drawn, worth, drawTolerance)
		for i, v := range one {
			all[i] = append(all[i], v)
		}
	}
	for i := range a.Items {
		if sd, ok := stats.SD(all[i], nil); ok {
			sort.Float64s(all[i])
			low, _ := stats.Quantile(all[i], .025)
			high, _ := stats.Quantile(all[i], .975)
			a.Items[i].Worth.SE, a.Items[i].Worth.CI95 = &sd, &[2]float64{low, high}
		}
	}
}

package consistency

import "math"

// Figure is a share or ratio with the answers that it rests on. Value is nil
// where nothing can be said of so few.
type Figure struct {
	Value *float64 `json:"value"`
	N     int      `json:"n"`
}

func figure(v float64, n int) Figure {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Figure{N: n}
	}
	return Figure{&v, n}
}

// LeastSpread is the ratio of entropies below which answers are too alike, the
// known failure of model respondents.
const LeastSpread = .8

// Entropy is the normalised entropy of counts or shares over all options offered:
// 0 when all answer alike, 1 when every option is as frequent (Shannon, divided
// by the logarithm of the number of options).
func Entropy(shares []float64) float64 {
	if len(shares) < 2 {
		return math.NaN()
	}
	sum, h := 0.0, 0.0
	for _, v := range shares {
		if v > 0 {
			sum += v
		}
	}
	if sum <= 0 {
		return math.NaN()
	}
	for _, v := range shares {
		if v > 0 {
			h -= float64(v / sum * math.Log(v/sum))
		}
	}
	return h / math.Log(float64(len(shares)))
}

// Spread is the ratio of the entropy of the answers to that of the grounded
// distribution: about 1 when answers vary as published, below LeastSpread when
// they are too alike. counts and grounded are aligned to the options. Without a
// grounded distribution, or where it has no spread itself, there is no figure.
func Spread(counts []int, grounded []float64) Figure {
	n := 0
	shares := make([]float64, len(counts))
	for i, c := range counts {
		n += c
		shares[i] = float64(c)
	}
	if len(grounded) != len(counts) || n == 0 {
		return Figure{N: n}
	}
	h := Entropy(grounded)
	if !(h > 0) {
		return Figure{N: n}
	}
	return figure(Entropy(shares)/h, n)
}

// Acquiescence is the tendency to say yes whatever is asked, from an item and its
// reverse: the mean of both places (0 low, 1 high) less one half, over Minds that
// answered both. Answers without it balance to 0; all agreeing with both gives
// .5. Pairs hold the place of the item and of the reversed one, as asked.
func Acquiescence(pairs [][2]float64) Figure {
	sum := 0.0
	for _, p := range pairs {
		sum += (p[0]+p[1])/2 - .5
	}
	return figure(sum/float64(len(pairs)), len(pairs))
}

// AgreesWithBoth is the share of such Minds on the agreeing side of both the item
// and its reverse.
func AgreesWithBoth(pairs [][2]float64) Figure {
	n := 0
	for _, p := range pairs {
		if p[0] > .5 && p[1] > .5 {
			n++
		}
	}
	return figure(float64(n)/float64(len(pairs)), len(pairs))
}

// LeastBattery is how many items a battery needs before giving the same point to
// all of them says anything.
const LeastBattery = 3

// StraightLining is the share of Minds that gave one and the same answer to every
// item of a battery. rows hold a Mind's answers in a row; those with fewer than
// LeastBattery answers are left out.
func StraightLining(rows [][]float64) Figure {
	same, n := 0, 0
	for _, row := range rows {
		if len(row) < LeastBattery {
			continue
		}
		n++
		alike := true
		for _, v := range row {
			alike = alike && v == row[0]
		}
		if alike {
			same++
		}
	}
	return figure(float64(same)/float64(n), n)
}

// OrderEffect is the largest difference, over the options, between the shares of
// Minds that saw the options in one order and in another: 0 when order changes
// nothing. N is the smaller group.
func OrderEffect(a, b []int) Figure {
	na, nb := 0, 0
	for _, c := range a {
		na += c
	}
	for _, c := range b {
		nb += c
	}
	if len(a) != len(b) || na == 0 || nb == 0 {
		return Figure{N: min(na, nb)}
	}
	most := 0.0
	for i := range a {
		most = math.Max(most, math.Abs(float64(a[i])/float64(na)-float64(b[i])/float64(nb)))
	}
	return figure(most, min(na, nb))
}

// Reversed finds the pairs of items that ask for the opposite of one another on
// a scale, by index, the earlier first.
func (c *Checker) Reversed() (out [][2]int) {
	for i, list := range c.same {
		for _, r := range list {
			if r.turned {
				out = append(out, [2]int{r.with, i})
			}
		}
	}
	return out
}

// Batteries finds runs of three and more items in a row that share their scale
// and belong to no method with prices or tasks: where one may answer in a
// straight line.
func (c *Checker) Batteries() (out [][]int) {
	var run []int
	end := func() {
		if len(run) >= LeastBattery {
			out = append(out, run)
		}
		run = nil
	}
	for i := range c.items {
		if !c.rateable(i) {
			end()
			continue
		}
		if len(run) > 0 && !c.alike(run[0], i) {
			end()
		}
		run = append(run, i)
	}
	end()
	return out
}

func (c *Checker) rateable(i int) bool {
	return c.items[i].Question.Battery == nil && c.read[i].Steps() > 2
}

func (c *Checker) alike(i, j int) bool {
	a, b := c.items[i].Question, c.items[j].Question
	if a.Type != b.Type || a.Min != b.Min || a.Max != b.Max || len(a.Options) != len(b.Options) {
		return false
	}
	for n := range a.Options {
		if a.Options[n] != b.Options[n] {
			return false
		}
	}
	return true
}

// Places are the answers of all Minds to some items, as places from 0 to 1, a row
// a Mind that answered all of them.
func (c *Checker) Places(minds []Mind, items []int) (rows [][]float64) {
	for _, m := range minds {
		row := make([]float64, 0, len(items))
		for _, i := range items {
			if i >= len(m.Answers) || m.Answers[i] == nil {
				break
			}
			at, ok := c.read[i].Place(*m.Answers[i])
			if !ok {
				break
			}
			row = append(row, at)
		}
		if len(row) == len(items) {
			rows = append(rows, row)
		}
	}
	return rows
}

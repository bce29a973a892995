package segment

import (
	"math"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

var (
	thousandsComma = regexp.MustCompile(`^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$`)
	thousandsDot   = regexp.MustCompile(`^[+-]?\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$|^[+-]?\d{1,3}(?:\.\d{3})+,\d+$`)
	thousandsSpace = regexp.MustCompile(`^[+-]?\d{1,3}(?:[ \x{a0}\x{202f}']\d{3})+(?:[.,]\d+)?$`)
	decimalComma   = regexp.MustCompile(`^[+-]?\d+,\d{1,6}$`)
)

// parseNumber reads a cell as a number: 1,234.5 and 1.234,5, a currency sign or
// a percent sign beside it. Nothing else counts as one.
func parseNumber(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 32 {
		return 0, false
	}
	if c := s[0]; (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' || s[len(s)-1] < '0' || s[len(s)-1] > '9' {
		s = strings.TrimSpace(strings.Trim(s, "$€£¥%"))
		if s == "" || strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("0123456789.,+-' \u00a0\u202f", r) }) >= 0 {
			return 0, false
		}
	}
	switch {
	case thousandsComma.MatchString(s):
		s = strings.ReplaceAll(s, ",", "")
	case thousandsDot.MatchString(s):
		s = strings.ReplaceAll(strings.ReplaceAll(s, ".", ""), ",", ".")
	case thousandsSpace.MatchString(s):
		s = strings.ReplaceAll(strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "").Replace(s), ",", ".")
	case decimalComma.MatchString(s):
		s = strings.ReplaceAll(s, ",", ".")
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// sketch keeps the quantiles of a stream in bounded memory: buffers of equal
// size are sorted and halved when full, keeping every other value, the odd and
// the even ones in turn (Munro and Paterson 1980). It draws nothing at random.
type sketch struct {
	levels [][]float64 // a value of level i stands for 2^i
	odd    []bool
}

const sketchSize = 1024

func (s *sketch) add(v float64) {
	if len(s.levels) == 0 {
		s.levels, s.odd = [][]float64{make([]float64, 0, 64)}, []bool{false}
	}
	s.levels[0] = append(s.levels[0], v)
	for i := 0; len(s.levels[i]) >= sketchSize; i++ {
		if i+1 == len(s.levels) {
			s.levels, s.odd = append(s.levels, nil), append(s.odd, false)
		}
		sort.Float64s(s.levels[i])
		from := 0
		if s.odd[i] {
			from = 1
		}
		s.odd[i] = !s.odd[i]
		for j := from; j < len(s.levels[i]); j += 2 {
			s.levels[i+1] = append(s.levels[i+1], s.levels[i][j])
		}
		s.levels[i] = s.levels[i][:0]
	}
}

// counted is a number and how often it stands.
type counted struct {
	v float64
	n int
}

func (s *sketch) counted() []counted {
	var out []counted
	for i, l := range s.levels {
		for _, v := range l {
			out = append(out, counted{v, 1 << i})
		}
	}
	return out
}

// quintiles are the upper ends of the first four fifths of the numbers (the
// smallest value with at least that share at or below it), each once.
func quintiles(in []counted) []float64 {
	sort.Slice(in, func(a, b int) bool { return in[a].v < in[b].v })
	total := 0
	for _, c := range in {
		total += c.n
	}
	var out []float64
	seen, next := 0, 1
	for i, c := range in {
		seen += c.n
		hit := false
		for next < 5 && seen*5 >= total*next {
			hit = true
			next++
		}
		if hit && i+1 < len(in) && (len(out) == 0 || out[len(out)-1] != c.v) {
			out = append(out, c.v)
		}
	}
	return out
}

// bandLabels name the bands below and between the bounds: "18-29" for whole
// numbers, "0.5 to 0.8" for others.
func bandLabels(bounds []float64, lo, hi float64, whole bool) []string {
	num := func(v float64) string {
		if whole {
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	dash := "-"
	if lo < 0 || !whole {
		dash = " to "
	}
	var out []string
	from := lo
	for i := 0; i <= len(bounds); i++ {
		to := hi
		if i < len(bounds) {
			to = bounds[i]
		}
		label := num(from) + dash + num(to)
		if whole && from == to {
			label = num(to)
		}
		if !whole && i > 0 {
			label = "above " + num(from) + dash + num(to)
		}
		out = append(out, label)
		from = to
		if whole {
			from = to + 1
		}
	}
	return out
}

func bandOf(bounds []float64, v float64) int {
	return sort.SearchFloat64s(bounds, v) // first bound that is not below v
}

// distinctSketch estimates how many different cells a stream held (HyperLogLog,
// Flajolet et al. 2007, 2^12 registers, error about 1.6 %).
type distinctSketch struct{ reg []uint8 }

func (d *distinctSketch) add(s string) {
	if d.reg == nil {
		d.reg = make([]uint8, 1<<12)
	}
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	at, rest := h>>52, h<<12|1<<11
	rank := uint8(1)
	for rest&(1<<63) == 0 {
		rank++
		rest <<= 1
	}
	if rank > d.reg[at] {
		d.reg[at] = rank
	}
}

func (d *distinctSketch) count() int {
	if d.reg == nil {
		return 0
	}
	m := float64(len(d.reg))
	sum, zero := 0.0, 0
	for _, r := range d.reg {
		sum += math.Ldexp(1, -int(r))
		if r == 0 {
			zero++
		}
	}
	est := .7213 / (1 + 1.079/m) * m * m / sum
	if est <= 2.5*m && zero > 0 {
		est = m * math.Log(m/float64(zero))
	}
	return int(est + .5)
}

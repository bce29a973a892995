package embed

import "math"

// sparse is the share of a query's numbers that may differ from 0 for it to be
// compared number by number: a hashed question fills a few buckets only.
const sparse = 0.25

// Cosines writes the cosine of a unit vector and each packed vector into dst,
// which has Len() places. A vector of another space is ErrSpace.
func (p *Packed) Cosines(v Vector, dst []float32) error {
	if v.Space != p.space || len(v.Values) != p.space.Dim {
		return Mixed(v.Space, p.space)
	}
	q, scale := widen(v.Values)
	if filled := nonZero(q); float64(len(filled)) <= sparse*float64(len(q)) {
		for i := range p.scales {
			row := p.row(i)
			var sum int32
			for _, j := range filled {
				sum += q[j] * int32(row[j])
			}
			dst[i] = float32(sum) * p.scales[i] * scale
		}
		return nil
	}
	for i := range p.scales {
		dst[i] = float32(dot(q, p.row(i))) * p.scales[i] * scale
	}
	return nil
}

// widen quantises a query as finely as sums of int32 bear: with all numbers at
// their most, dim·top·127 stays below 2³¹.
func widen(v []float32) ([]int32, float32) {
	var largest float64
	for _, x := range v {
		largest = max(largest, math.Abs(float64(x)))
	}
	q := make([]int32, len(v))
	if largest == 0 {
		return q, 0
	}
	top := float64(min(math.MaxInt16, math.MaxInt32/(127*len(v))))
	for i, x := range v {
		q[i] = int32(math.RoundToEven(float64(x) / largest * top))
	}
	return q, float32(largest / top)
}

func nonZero(q []int32) []int {
	var at []int
	for i, x := range q {
		if x != 0 {
			at = append(at, i)
		}
	}
	return at
}

// dot has four sums, so that the processor adds them side by side.
func dot(q []int32, row []int8) int32 {
	row = row[:len(q)]
	var s0, s1, s2, s3 int32
	i := 0
	for ; i+4 <= len(q); i += 4 {
		s0 += q[i] * int32(row[i])
		s1 += q[i+1] * int32(row[i+1])
		s2 += q[i+2] * int32(row[i+2])
		s3 += q[i+3] * int32(row[i+3])
	}
	for ; i < len(q); i++ {
		s0 += q[i] * int32(row[i])
	}
	return s0 + s1 + s2 + s3
}

package segments

import "sort"

// Holm corrects p values for the chance of any false finding among them (Holm
// 1979): the i-th smallest times the number of those not smaller.
func Holm(p []float64) []float64 {
	at := order(p)
	out := make([]float64, len(p))
	most := 0.0
	for i, j := range at {
		most = max(most, min(1, p[j]*float64(len(p)-i)))
		out[j] = most
	}
	return out
}

// BenjaminiHochberg corrects p values for the share of false findings among all
// (Benjamini and Hochberg 1995): the i-th smallest times n/i.
func BenjaminiHochberg(p []float64) []float64 {
	at := order(p)
	out := make([]float64, len(p))
	least := 1.0
	for i := len(at) - 1; i >= 0; i-- {
		least = min(least, p[at[i]]*float64(len(p))/float64(i+1))
		out[at[i]] = least
	}
	return out
}

func order(p []float64) []int {
	at := make([]int, len(p))
	for i := range at {
		at[i] = i
	}
	sort.SliceStable(at, func(a, b int) bool { return p[at[a]] < p[at[b]] })
	return at
}

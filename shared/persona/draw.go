package persona

// drawer gives the numbers that one person is drawn by. Each stream has a name,
// so that what is drawn for one trait says nothing of another.
type drawer struct {
	seed  string
	index int
}

// hash is FNV-1a over the parts, finished by the mixer of SplitMix64 (Steele,
// Lea and Flood 2014), since FNV alone leaves the low bits of near keys alike.
func hash(n uint64, parts ...string) uint64 {
	h := uint64(14695981039346656037)
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint64(p[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	return mix(h + n*0x9e3779b97f4a7c15)
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func unit(h uint64) float64 { return float64(h>>11) / (1 << 53) }

// at is a number in [0, 1) of the person's own for a stream.
func (d drawer) at(stream string) float64 {
	return unit(hash(uint64(d.index), d.seed, stream)) //nolint:gosec // only its bits matter
}

// strata is how many people in a row share out the range evenly among them.
const strata = 16

// even is like at, but every block of 16 people covers the range evenly: each has
// a sixteenth of it to itself. Only the index decides which, so that nobody
// depends on others.
func (d drawer) even(stream string) float64 {
	block := uint64(d.index / strata) //nolint:gosec // an index is not negative
	var place [strata]int
	for i := range place {
		j := int(hash(block*strata+uint64(i), d.seed, stream, "block") % uint64(i+1)) //nolint:gosec // below 16
		place[i] = place[j]
		place[j] = i
	}
	return (float64(place[d.index%strata]) + d.at(stream)) / strata
}

// weighted chooses among weights by at.
func (d drawer) weighted(stream string, weights []int) int { return choose(d.at(stream), weights) }

// choose gives the place of u among weights; 0 when all are 0.
func choose(u float64, weights []int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	left := u * float64(total)
	for i, w := range weights {
		if left -= float64(w); left < 0 {
			return i
		}
	}
	return 0
}

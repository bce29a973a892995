package simulate

import "math"

// How a Mind's uniform is drawn (respondents.md 3.4, deepened).
//
// Independent draws would add noise that no reader wants, so uniforms are
// stratified over slots, without any Mind looking at another's answers:
//
//   - Eight neighbouring slots are an octet. The octet's latent responses z are
//     functions of question and slot alone; the slot's rank among them is its
//     eighth of the unit interval. Ranking keeps the correlation that shared
//     factors put into z, and keeps the margin exact.
//   - Three more bits come from the octet's number modulo 8, scrambled per
//     question and eighth. So any 8 neighbouring octets (64 slots) hold exactly
//     one slot in each 64th of the interval, any 4 one in each 32nd, any 2 one
//     in each 16th.
//   - Inside its 64th the place is the Mind's own hash.
//
// With fixed shares p, 64 such slots therefore miss p by less than 2/64 in each
// option.
const (
	octet    = 8
	fineBits = 3
)

// latent gives the latent response of one slot to one question.
type latent func(slot int64) float64

// stratified gives the uniform of a slot: key fixes the question, z its latent
// responses, jitter in (0,1) is the Mind's own.
func stratified(key seed, slot int64, z latent, jitter float64) float64 {
	group := floorDiv(slot, octet)
	base := group * octet
	mine := z(slot)
	rank := 0
	for s := base; s < base+octet; s++ {
		if s == slot {
			continue
		}
		if v := z(s); v < mine || (v == mine && s < slot) {
			rank++
		}
	}
	stratum := uint64(rank)
	cell := uint64(group-floorDiv(group, 1<<fineBits)*(1<<fineBits)) & (1<<fineBits - 1)
	for b := 0; b < fineBits; b++ {
		flip := key.at(int64(stratum), 0xF1<<8|uint64(b)) & 1
		stratum = stratum<<1 | (flip ^ (cell >> b & 1))
	}
	return (float64(stratum) + jitter) / (octet << fineBits)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// pick gives the index whose cumulative interval holds u. order is the canonical
// order of p's indexes.
func pick(p []float64, order []int, u float64) int {
	sum, last := 0.0, order[0]
	for _, i := range order {
		if p[i] <= 0 {
			continue
		}
		last = i
		sum += p[i]
		if u < sum {
			return i
		}
	}
	return last
}

// shift moves an ordered distribution by delta on its latent scale (ordered
// probit): positive delta moves mass to the end of order. Options outside the
// scale keep their share.
func shift(p []float64, order []int, scale []bool, delta float64) {
	total := 0.0
	for _, i := range order {
		if scale[i] {
			total += p[i]
		}
	}
	if total <= 0 || delta == 0 {
		return
	}
	cum, prev := 0.0, 0.0
	for _, i := range order {
		if !scale[i] {
			continue
		}
		cum += p[i] / total
		next := 1.0
		if cum < 1-1e-12 {
			next = phi(quantile(math.Max(cum, 1e-12)) - delta)
		}
		p[i] = total * (next - prev)
		prev = next
	}
}

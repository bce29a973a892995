package simulate

import "math"

// How a Mind's uniform is drawn.
//
// Independent draws would add noise that no reader wants, so uniforms are
// stratified over slots, without any Mind looking at another's answers:
//
//   - Four neighbouring slots are a quad, two quads an octet. The slots' latent
//     responses z are functions of question and slot alone. The slot's rank in
//     its quad is its quarter of the unit interval; of the two slots of an octet
//     that share a quarter, the one with the higher z takes the upper eighth.
//     Ranking keeps the margin exact and most of the correlation that shared
//     factors put into z (about five sixths: ranks of few are flatter).
//   - Three more bits come from the octet's number modulo 8, scrambled per
//     question and eighth. So any 8 neighbouring octets (64 slots) hold exactly
//     one slot in each 64th of the interval, any 4 one in each 32nd, any 2 one
//     in each 16th.
//   - Inside its 64th the place is the Mind's own hash.
//
// With fixed shares p, 64 such slots therefore miss p by less than 2/64 in each
// option.
const (
	quad     = 4
	octet    = 2 * quad
	fineBits = 3
)

// latent gives the latent response of one slot to one question.
type latent func(slot int64) float64

// stratified gives the uniform of a slot: key fixes the question, z its latent
// responses, jitter in (0,1) is the Mind's own.
func stratified(key seed, slot int64, z latent, jitter float64) float64 {
	group := floorDiv(slot, octet)
	var zs [octet]float64
	for i := range zs {
		zs[i] = z(group*octet + int64(i))
	}
	me := int(slot - group*octet)
	quarter := rankInQuad(&zs, me)
	stratum := uint64(quarter) << 1
	for other := (me/quad ^ 1) * quad; ; other++ { // the slot of the other quad with the same quarter
		if rankInQuad(&zs, other) == quarter {
			if zs[me] > zs[other] || (zs[me] == zs[other] && me > other) {
				stratum |= 1
			}
			break
		}
	}
	cell := uint64(group-floorDiv(group, 1<<fineBits)*(1<<fineBits)) & (1<<fineBits - 1)
	for b := 0; b < fineBits; b++ {
		flip := key.at(int64(stratum), 0xF1<<8|uint64(b)) & 1
		stratum = stratum<<1 | (flip ^ (cell >> b & 1))
	}
	return (float64(stratum) + jitter) / (octet << fineBits)
}

// rankInQuad is the place of slot i among the four of its quad; equal responses
// rank in order of slot, so that ranks are always 0 to 3, each once.
func rankInQuad(zs *[octet]float64, i int) int {
	first := i / quad * quad
	rank := 0
	for j := first; j < first+quad; j++ {
		if zs[j] < zs[i] || (zs[j] == zs[i] && j < i) {
			rank++
		}
	}
	return rank
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

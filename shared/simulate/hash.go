package simulate

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// seed is a SHA-256 over length-prefixed fields: two lists of fields never run
// into each other ("ab","c" and "a","bc" differ).
type seed [sha256.Size]byte

func seedOf(fields ...string) seed {
	h := sha256.New()
	var n [8]byte
	for _, f := range fields {
		binary.LittleEndian.PutUint64(n[:], uint64(len(f)))
		h.Write(n[:])
		h.Write([]byte(f))
	}
	var s seed
	h.Sum(s[:0])
	return s
}

func (s seed) hex() string { return hex.EncodeToString(s[:]) }

// at derives 64 bits for one place (slot, level, index …).
func (s seed) at(place int64, lane uint64) uint64 {
	var b [sha256.Size + 16]byte
	copy(b[:], s[:])
	binary.LittleEndian.PutUint64(b[sha256.Size:], uint64(place))
	binary.LittleEndian.PutUint64(b[sha256.Size+8:], lane)
	sum := sha256.Sum256(b[:])
	return binary.LittleEndian.Uint64(sum[:8])
}

// unit turns 64 bits into a number inside (0,1): 53 bits, moved by half a step
// so that neither end is reached.
func unit(x uint64) float64 { return (float64(x>>11) + .5) / (1 << 53) }

// normal turns 64 bits into a draw from N(0,1).
func normal(x uint64) float64 { return quantile(unit(x)) }

// quantile is the inverse of the normal distribution function.
func quantile(u float64) float64 { return math.Sqrt2 * math.Erfinv(float64(2*u)-1) }

// phi is the normal distribution function.
func phi(z float64) float64 { return .5 * math.Erfc(-z/math.Sqrt2) }

// settle rounds probabilities to a millionth and gives what is left over to the
// largest, so that they sum to 1 exactly in millionths. Rounding keeps answers
// equal on machines whose exponentials differ in the last bit.
func settle(p []float64) {
	sum := 0.0
	for _, v := range p {
		if v > 0 && !math.IsInf(v, 0) {
			sum += v
		}
	}
	if sum <= 0 {
		for i := range p {
			p[i] = 1
		}
		sum = float64(len(p))
	}
	left, top := 1_000_000, 0
	parts := make([]int, len(p))
	for i, v := range p {
		if v > 0 && !math.IsInf(v, 0) {
			parts[i] = int(math.Round(1e6 * v / sum))
		}
		left -= parts[i]
		if parts[i] > parts[top] {
			top = i
		}
	}
	parts[top] += left
	for i := range p {
		p[i] = float64(parts[i]) / 1e6
	}
}

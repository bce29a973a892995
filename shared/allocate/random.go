package allocate

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// dice is the seeded source of a run: ties and proposals come from it alone.
// PCG's stream is fixed by its definition; the reduction to a range is our own,
// so that no library version changes a cohort.
type dice struct {
	pcg  *rand.PCG
	salt uint64
}

func newDice(seed string, salt uint64) *dice {
	h := sha256.New()
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], salt)
	h.Write([]byte("cohort/1\x00"))
	h.Write(b[:])
	h.Write([]byte(seed))
	s := h.Sum(nil)
	return &dice{pcg: rand.NewPCG(binary.BigEndian.Uint64(s), binary.BigEndian.Uint64(s[8:])), salt: binary.BigEndian.Uint64(s[16:])}
}

// below is a number from 0 to n-1 (Lemire's multiplication, without rejection:
// its bias is below n/2^64).
func (d *dice) below(n int) int {
	hi, _ := bits.Mul64(d.pcg.Uint64(), uint64(n))
	return int(hi)
}

func (d *dice) shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, d.below(i+1))
	}
}

// jitter breaks ties between the cells of a table: 0 to 999, fixed by seed,
// table and cell.
func (d *dice) jitter(table int) func(i, j int) int64 {
	return func(i, j int) int64 {
		x := d.salt ^ uint64(table)*0x9e3779b97f4a7c15 ^ uint64(i)*0xbf58476d1ce4e5b9 ^ uint64(j)*0x94d049bb133111eb
		x ^= x >> 30 // splitmix64's finisher (Steele, Lea and Flood 2014)
		x *= 0xbf58476d1ce4e5b9
		x ^= x >> 27
		x *= 0x94d049bb133111eb
		x ^= x >> 31
		return int64(x % 1000)
	}
}

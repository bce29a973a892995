package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// Packed holds vectors of one space with eight bits a number and one scale a
// vector: value = scale × int8. It is immutable and safe for concurrent use.
type Packed struct {
	space  Space
	scales []float32
	values []int8 // row after row
}

// Pack quantises unit vectors: the largest number of each becomes ±127. The
// error of one number is at most half a scale, so cosines are off by about 0.001.
func Pack(s Space, vectors [][]float32) (*Packed, error) {
	if !s.Valid() {
		return nil, fmt.Errorf("%s is no space that vectors can be kept in", s)
	}
	if err := Check(s, len(vectors), vectors); err != nil {
		return nil, err
	}
	p := &Packed{space: s, scales: make([]float32, len(vectors)), values: make([]int8, len(vectors)*s.Dim)}
	for i, v := range vectors {
		p.scales[i] = quantise(v, p.row(i))
	}
	return p, nil
}

// quantise fills q and gives the scale.
func quantise(v []float32, q []int8) float32 {
	var top float64
	for _, x := range v {
		top = max(top, math.Abs(float64(x)))
	}
	scale := float32(top / 127)
	if scale == 0 || math.IsInf(float64(scale), 0) {
		return 0
	}
	for i, x := range v {
		q[i] = int8(max(-127, min(127, math.RoundToEven(float64(x)/float64(scale)))))
	}
	return scale
}

// Space is what made the vectors.
func (p *Packed) Space() Space { return p.space }

// Len is how many vectors there are.
func (p *Packed) Len() int { return len(p.scales) }

func (p *Packed) row(i int) []int8 { return p.values[i*p.space.Dim : (i+1)*p.space.Dim] }

// At gives vector i in full width.
func (p *Packed) At(i int) []float32 {
	out := make([]float32, p.space.Dim)
	for j, x := range p.row(i) {
		out[j] = p.scales[i] * float32(x)
	}
	return out
}

// Slice gives vectors from to to; it shares their memory.
func (p *Packed) Slice(from, to int) *Packed {
	return &Packed{space: p.space, scales: p.scales[from:to:to], values: p.values[from*p.space.Dim : to*p.space.Dim : to*p.space.Dim]}
}

// The packed form, all numbers little-endian: magic, version, length of model,
// length of revision (uint16 each after the magic), dim, count (uint32 each),
// model, revision, count scales (float32), count×dim values (int8), CRC-32C of
// everything before it.
const (
	magic      = "MGPV"
	version    = 1
	headerSize = 4 + 3*2 + 2*4
	maxName    = 200
	maxCount   = 1 << 22
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encode gives the bytes to store. The same vectors give the same bytes.
func (p *Packed) Encode() []byte {
	out := make([]byte, 0, headerSize+len(p.space.Model)+len(p.space.Revision)+4*len(p.scales)+len(p.values)+4)
	out = append(out, magic...)
	out = binary.LittleEndian.AppendUint16(out, version)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(p.space.Model)))
	out = binary.LittleEndian.AppendUint16(out, uint16(len(p.space.Revision)))
	out = binary.LittleEndian.AppendUint32(out, uint32(p.space.Dim))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(p.scales)))
	out = append(out, p.space.Model...)
	out = append(out, p.space.Revision...)
	for _, s := range p.scales {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(s))
	}
	for _, v := range p.values {
		out = append(out, byte(v))
	}
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
}

// ErrPacked marks bytes that are no packed vectors, or damaged ones.
var ErrPacked = errors.New("these are no packed vectors")

// Decode reads what Encode gave. Anything else, cut short or changed, is
// ErrPacked. It allocates no more than the bytes that it was given.
func Decode(b []byte) (*Packed, error) {
	if len(b) < headerSize+4 || string(b[:4]) != magic {
		return nil, fmt.Errorf("%w: no header", ErrPacked)
	}
	if v := binary.LittleEndian.Uint16(b[4:]); v != version {
		return nil, fmt.Errorf("%w: version %d, this release reads %d", ErrPacked, v, version)
	}
	model, revision := int(binary.LittleEndian.Uint16(b[6:])), int(binary.LittleEndian.Uint16(b[8:]))
	dim, count := int64(binary.LittleEndian.Uint32(b[10:])), int64(binary.LittleEndian.Uint32(b[14:]))
	if dim > MaxDim || count > maxCount {
		return nil, fmt.Errorf("%w: %d vectors of %d dimensions", ErrPacked, count, dim)
	}
	if want := headerSize + int64(model) + int64(revision) + 4*count + count*dim + 4; int64(len(b)) != want {
		return nil, fmt.Errorf("%w: %d bytes, the header speaks of %d", ErrPacked, len(b), want)
	}
	body := b[:len(b)-4]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(b[len(body):]) {
		return nil, fmt.Errorf("%w: the checksum is another", ErrPacked)
	}
	rest := body[headerSize:]
	p := &Packed{
		space:  Space{Model: string(rest[:model]), Revision: string(rest[model : model+revision]), Dim: int(dim)},
		scales: make([]float32, count), values: make([]int8, count*dim),
	}
	if !p.space.Valid() {
		return nil, fmt.Errorf("%w: the space %s cannot be", ErrPacked, p.space)
	}
	rest = rest[model+revision:]
	for i := range p.scales {
		s := math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:]))
		if !(s >= 0 && s <= math.MaxFloat32) {
			return nil, fmt.Errorf("%w: scale %d is %v", ErrPacked, i, s)
		}
		p.scales[i] = s
	}
	for i, x := range rest[4*count:] {
		p.values[i] = int8(x)
	}
	return p, nil
}

package portrait

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/draw"
	"image/png"

	"golang.org/x/image/vector"
)

// shape is a path filled with one colour.
type shape struct {
	path
	fill  color
	alpha int   // percent
	clip  *path // only inside of it, or nil
}

// canvas paints shapes on pixels. The rasteriser works in fixed-point numbers up
// to 512 pixels; beyond that it would use floating-point ones, which machines
// may round in their own ways.
type canvas struct {
	image *image.RGBA
	z     *vector.Rasterizer
	mask  []byte
	clips map[*path]*image.Alpha
}

func newCanvas() *canvas {
	return &canvas{
		image: image.NewRGBA(image.Rect(0, 0, Size, Size)), z: vector.NewRasterizer(Size, Size),
		mask: make([]byte, Size*Size), clips: map[*path]*image.Alpha{},
	}
}

// cover gives how much of each pixel lies inside of p, 0 to 255, over the part
// of the picture that p touches.
func (c *canvas) cover(p path, into []byte) *image.Alpha {
	const whole = grain * unit
	box := image.Rectangle{Min: image.Point{Size, Size}}
	p.flat(func(_ bool, x, y int) {
		box.Min.X, box.Min.Y = min(box.Min.X, floor(x, whole)), min(box.Min.Y, floor(y, whole))
		box.Max.X, box.Max.Y = max(box.Max.X, floor(x, whole)+1), max(box.Max.Y, floor(y, whole)+1)
	})
	box = box.Intersect(c.image.Rect)
	a := &image.Alpha{Pix: into[:box.Dx()*box.Dy()], Stride: box.Dx(), Rect: image.Rect(0, 0, box.Dx(), box.Dy())}
	if !box.Empty() {
		c.z.Reset(box.Dx(), box.Dy())
		c.z.DrawOp = draw.Src
		opened := false
		p.flat(func(start bool, x, y int) {
			fx, fy := float32(x-box.Min.X*whole)/whole, float32(y-box.Min.Y*whole)/whole
			if !start {
				c.z.LineTo(fx, fy)
				return
			}
			if opened {
				c.z.ClosePath()
			}
			opened = true
			c.z.MoveTo(fx, fy)
		})
		c.z.ClosePath()
		c.z.Draw(a, a.Rect, image.Opaque, image.Point{})
	}
	a.Rect = box
	return a
}

func floor(n, by int) int {
	if n < 0 {
		return -((-n + by - 1) / by)
	}
	return n / by
}

func (c *canvas) paint(s shape) {
	m := c.cover(s.path, c.mask)
	var clip *image.Alpha
	if s.clip != nil {
		if clip = c.clips[s.clip]; clip == nil {
			clip = c.cover(*s.clip, make([]byte, Size*Size))
			c.clips[s.clip] = clip
		}
	}
	box := m.Rect
	if clip != nil {
		box = box.Intersect(clip.Rect)
	}
	top := [3]uint32{uint32(s.fill.r), uint32(s.fill.g), uint32(s.fill.b)}
	solid := [4]byte{byte(s.fill.r), byte(s.fill.g), byte(s.fill.b), 255}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		row := m.Pix[m.PixOffset(box.Min.X, y):][:box.Dx()]
		at := c.image.Pix[c.image.PixOffset(box.Min.X, y):][:4*box.Dx()]
		var through []byte
		if clip != nil {
			through = clip.Pix[clip.PixOffset(box.Min.X, y):][:box.Dx()]
		}
		for i, cover := range row {
			a := uint32(cover)
			if a == 0 {
				continue
			}
			if through != nil {
				a = a * uint32(through[i]) / 255
			}
			px := at[4*i : 4*i+4 : 4*i+4]
			if a *= uint32(s.alpha); a == opaque {
				copy(px, solid[:])
				continue
			}
			px[0], px[1], px[2], px[3] = over(px[0], top[0], a), over(px[1], top[1], a), over(px[2], top[2], a), 255
		}
	}
}

// opaque is full cover by a full colour.
const opaque = 255 * 100

func over(under byte, top, a uint32) byte {
	return byte((uint32(under)*(opaque-a) + top*a + opaque/2) / opaque)
}

// encode writes the PNG, with the version in it.
func (c *canvas) encode(version string) ([]byte, error) {
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := enc.Encode(&b, c.image); err != nil {
		return nil, err
	}
	const head = 8 + 25 // signature and IHDR
	raw := b.Bytes()
	text := "Software\x00Mindgate " + version
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	chunk = append(append(chunk, "tEXt"...), text...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return append(append(append(make([]byte, 0, len(raw)+len(chunk)), raw[:head]...), chunk...), raw[head:]...), nil
}

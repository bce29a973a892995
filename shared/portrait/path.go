package portrait

// All coordinates are whole tenths of a pixel, and all arithmetic is whole
// numbers, so that every machine draws the same picture.

// unit is one pixel.
const unit = 10

// middle is the axis of the picture.
const middle = Size * unit / 2

type point struct{ x, y int }

// step is one part of a path: move (m), line (l), cubic curve (c) or close (z).
type step struct {
	kind byte
	to   [3]point // the last of them is the end
}

// path is one or more closed outlines; where two of opposite direction overlap
// there is a hole.
type path []step

func start(x, y int) path { return path{{kind: 'm', to: [3]point{2: {x, y}}}} }

func (p path) line(x, y int) path { return append(p, step{kind: 'l', to: [3]point{2: {x, y}}}) }

func (p path) curve(x1, y1, x2, y2, x, y int) path {
	return append(p, step{kind: 'c', to: [3]point{{x1, y1}, {x2, y2}, {x, y}}})
}

func (p path) close() path { return append(p, step{kind: 'z'}) }

// and joins two paths.
func (p path) and(q path) path { return append(p[:len(p):len(p)], q...) }

// symmetric closes a right half, which runs from the axis to the axis, with its
// mirror image in one outline.
func (p path) symmetric() path {
	m := p.mirrored()
	out := p[:len(p):len(p)]
	for i := len(m) - 1; i > 0; i-- {
		s := m[i]
		out = append(out, step{kind: s.kind, to: [3]point{s.to[1], s.to[0], m[i-1].to[2]}})
	}
	return out.close()
}

// mirrored is the path on the other side of the axis.
func (p path) mirrored() path {
	return p.mapped(func(q point) point { return point{2*middle - q.x, q.y} })
}

// moved is the path at another place.
func (p path) moved(dx, dy int) path {
	return p.mapped(func(q point) point { return point{q.x + dx, q.y + dy} })
}

func (p path) mapped(f func(point) point) path {
	out := make(path, len(p))
	for i, s := range p {
		out[i].kind = s.kind
		if s.kind != 'z' {
			for j, q := range s.to {
				out[i].to[j] = f(q)
			}
		}
	}
	return out
}

// ellipse goes clockwise; with a negative rx it goes the other way, for holes.
func ellipse(cx, cy, rx, ry int) path {
	kx, ky := rx*5523/10000, ry*5523/10000 // the control points of a quarter of a circle
	return start(cx-rx, cy).
		curve(cx-rx, cy-ky, cx-kx, cy-ry, cx, cy-ry).curve(cx+kx, cy-ry, cx+rx, cy-ky, cx+rx, cy).
		curve(cx+rx, cy+ky, cx+kx, cy+ry, cx, cy+ry).curve(cx-kx, cy+ry, cx-rx, cy+ky, cx-rx, cy).close()
}

func circle(cx, cy, r int) path { return ellipse(cx, cy, r, r) }

func rectangle(x, y, w, h int) path {
	return start(x, y).line(x+w, y).line(x+w, y+h).line(x, y+h).close()
}

// rounded is a rectangle with round corners of radius r; back goes the other way.
func rounded(x, y, w, h, r int, back bool) path {
	k := r * 4477 / 10000
	p := start(x+r, y).line(x+w-r, y).curve(x+w-k, y, x+w, y+k, x+w, y+r).
		line(x+w, y+h-r).curve(x+w, y+h-k, x+w-k, y+h, x+w-r, y+h).
		line(x+r, y+h).curve(x+k, y+h, x, y+h-k, x, y+h-r).
		line(x, y+r).curve(x, y+k, x+k, y, x+r, y).close()
	if !back {
		return p
	}
	return p.mapped(func(q point) point { return point{2*x + w - q.x, q.y} })
}

// smooth is a closed outline through the points, given as x, y, x, y, … (a
// Catmull-Rom spline). A point given twice is a corner.
func smooth(xy ...int) path {
	n := len(xy) / 2
	at := func(i int) point { i = (i + n) % n; return point{xy[2*i], xy[2*i+1]} }
	p := start(at(0).x, at(0).y)
	for i := range n {
		a, b, c, d := at(i-1), at(i), at(i+1), at(i+2)
		if b == c {
			continue
		}
		p = p.curve(b.x+(c.x-a.x)/6, b.y+(c.y-a.y)/6, c.x-(d.x-b.x)/6, c.y-(d.y-b.y)/6, c.x, c.y)
	}
	return p.close()
}

// arc is a bent stroke from a to b, thick in its middle and pointed at its ends;
// bend is how far the middle lies below the straight line.
func arc(ax, ay, bx, by, bend, thick int) path {
	x1, x2 := ax+(bx-ax)/3, ax+(bx-ax)*2/3
	y1, y2 := ay+(by-ay)/3+bend*4/3, ay+(by-ay)*2/3+bend*4/3
	return start(ax, ay).curve(x1, y1-thick*2/3, x2, y2-thick*2/3, bx, by).curve(x2, y2+thick*2/3, x1, y1+thick*2/3, ax, ay).close()
}

// stroke is a bent line of even thickness with round ends.
func stroke(ax, ay, bx, by, bend, thick int) path {
	h := thick / 2
	x1, x2 := ax+(bx-ax)/3, ax+(bx-ax)*2/3
	y1, y2 := ay+(by-ay)/3+bend*4/3, ay+(by-ay)*2/3+bend*4/3
	return start(ax, ay-h).curve(x1, y1-h, x2, y2-h, bx, by-h).curve(bx+h, by-h, bx+h, by+h, bx, by+h).
		curve(x2, y2+h, x1, y1+h, ax, ay+h).curve(ax-h, ay+h, ax-h, ay-h, ax, ay-h).close()
}

// grain is how many parts of a unit the flattened points are counted in.
const grain = 16

// flat gives the outlines as straight lines, in 1/grain of a unit.
func (p path) flat(emit func(start bool, x, y int)) {
	var pen point
	for _, s := range p {
		end := s.to[2]
		switch s.kind {
		case 'm', 'l':
			emit(s.kind == 'm', end.x*grain, end.y*grain)
			pen = end
		case 'c':
			b, c := s.to[0], s.to[1]
			n := 4 + (span(pen, b)+span(b, c)+span(c, end))/(8*unit)
			n = min(n, 40)
			for i := 1; i <= n; i++ {
				emit(false, bezier(pen.x, b.x, c.x, end.x, i, n), bezier(pen.y, b.y, c.y, end.y, i, n))
			}
			pen = end
		}
	}
}

// bezier is the cubic curve at i of n parts, in 1/grain; its numbers pass 32
// bits.
func bezier(a, b, c, d, i, n int) int {
	t, u := int64(i), int64(n-i)
	return int((u*u*u*int64(a) + 3*u*u*t*int64(b) + 3*u*t*t*int64(c) + t*t*t*int64(d)) * grain / (int64(n) * int64(n) * int64(n)))
}

func span(a, b point) int { return max(a.x-b.x, b.x-a.x) + max(a.y-b.y, b.y-a.y) }

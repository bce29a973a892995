package portrait

// scene lists the shapes from the back to the front.
func (l *look) scene() []shape {
	d := &drawing{}
	l.drawSetting(d)
	behind := len(d.shapes)
	l.drawHairBehind(d)
	l.drawBody(d)
	l.drawHairOverShoulders(d)
	l.drawNeck(d)
	l.drawCollar(d)
	l.drawHead(d)
	l.drawBeard(d)
	l.drawFace(d)
	l.drawHairInFront(d)
	l.drawGlasses(d)
	closer(d.shapes[behind:])
	return d.shapes
}

// closer moves the person towards whoever looks.
func closer(shapes []shape) {
	near := func(p point) point {
		return point{middle + (p.x-middle)*116/100, 2780 + (p.y-2720)*116/100}
	}
	moved := map[*path]*path{}
	for i := range shapes {
		s := &shapes[i]
		s.path = s.path.mapped(near)
		if s.clip != nil {
			if moved[s.clip] == nil {
				p := s.clip.mapped(near)
				moved[s.clip] = &p
			}
			s.clip = moved[s.clip]
		}
	}
}

// drawing collects shapes.
type drawing struct {
	shapes []shape
	clip   *path
}

func (d *drawing) fill(c color, p path) { d.tint(c, 100, p) }

func (d *drawing) tint(c color, alpha int, p path) {
	d.shapes = append(d.shapes, shape{path: p, fill: c, alpha: alpha, clip: d.clip})
}

// inside draws what f draws within p only.
func (d *drawing) inside(p path, f func()) {
	d.clip = &p
	f()
	d.clip = nil
}

// both draws a path and its mirror image.
func (d *drawing) both(c color, p path) {
	d.fill(c, p)
	d.fill(c, p.mirrored())
}

// at turns x, y pairs with x from the axis into points of the picture.
func at(xy ...int) []int {
	out := make([]int, len(xy))
	for i, v := range xy {
		if i%2 == 0 {
			v += middle
		}
		out[i] = v
	}
	return out
}

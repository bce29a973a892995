package portrait

const collarY = 3520 // where the neck meets the clothes

func (l *look) bodyPath() path {
	s, n := l.shoulders, l.neck
	return start(middle, 3420).line(middle+n+90, 3420).
		curve(middle+n+200, 3640, middle+s*48/100, 3700, middle+s*66/100, 3810).
		curve(middle+s*92/100, 3940, middle+s, 4250, middle+s+60, 5300).line(middle, 5300).symmetric()
}

func (l *look) drawBody(d *drawing) {
	body := l.bodyPath()
	c := l.cloth.color
	if l.garment == "hoodie" {
		d.fill(c.darker(16), ellipse(middle, 3560, l.neck+560, 430))
	}
	d.fill(c, body)
	d.inside(body, func() {
		if l.garment == "stripes" {
			for y := 3900; y < whole; y += 300 {
				d.fill(l.accent.color, start(middle-2300, y+160).curve(middle-1000, y, middle+1000, y, middle+2300, y+160).
					line(middle+2300, y+290).curve(middle+1000, y+130, middle-1000, y+130, middle-2300, y+290).close())
			}
		}
		// The arms, and a shade on the side away from the light.
		arm := l.shoulders * 68 / 100
		d.tint(c.darker(45), 35, arc(middle+arm, 4480, middle+arm-60, 5300, 30, 46))
		d.tint(c.darker(45), 35, arc(middle-arm, 4480, middle-arm+60, 5300, 30, 46))
		d.tint(c.darker(60), 14, start(middle+arm, 3500).curve(middle+arm-350, 4300, middle+arm-250, 4800, middle+arm-120, 5400).line(5400, 5400).line(5400, 3500).close())
	})
}

// neckline is how wide and deep the clothes are cut, and whether to a point.
func (l *look) neckline() (wide, deep int, pointed bool) {
	switch l.garment {
	case "vneck", "blazer", "shirt":
		return l.neck + 120, 3950, true
	case "cardigan":
		return l.neck + 110, 3880, false
	case "hoodie":
		return l.neck + 110, 3720, false
	case "roll":
		return l.neck, 3500, false
	}
	return l.neck + 110, 3770, false
}

// cut continues a path, which is at the right end of a neckline, to the left end.
func cut(p path, wide, y, deep int, pointed bool) path {
	if pointed {
		return p.curve(middle+wide-160, y+180, middle+120, deep-90, middle, deep+120).curve(middle-120, deep-90, middle-wide+160, y+180, middle-wide, y)
	}
	return p.curve(middle+wide-60, deep+60, middle-wide+60, deep+60, middle-wide, y)
}

// neckPath is the skin between chin and clothes.
func (l *look) neckPath() path {
	n := l.neck
	wide, deep, pointed := l.neckline()
	p := start(middle-n, 2800).line(middle+n, 2800).curve(middle+n, 3350, middle+n+40, 3440, middle+wide, collarY)
	return cut(p, wide, collarY, deep, pointed).curve(middle-n-40, 3440, middle-n, 3350, middle-n, 2800).close()
}

func (l *look) drawNeck(d *drawing) {
	wide, deep, pointed := l.neckline()
	trim, band := l.cloth.color.darker(18), 75
	switch l.garment {
	case "cardigan", "blazer":
		l.openFront(d)
		trim = l.accent.color.darker(14)
	}
	switch l.garment {
	case "tee", "stripes", "cardigan", "vneck":
		d.fill(trim, cut(start(middle-wide-20, collarY-20).line(middle+wide+20, collarY-20), wide+20, collarY-20, deep+band+40, pointed).close())
	}
	neck := l.neckPath()
	d.fill(l.skin.color, neck)
	d.inside(neck, func() {
		d.fill(l.shade(), l.head.outline().moved(40, 210))
	})
}

// openFront is what is worn below a jacket or cardigan.
func (l *look) openFront(d *drawing) {
	n := l.neck
	c := l.accent.color
	if l.garment == "blazer" {
		c = shirtWhite
	}
	d.fill(c, start(middle-n-230, 3480).line(middle+n+230, 3480).curve(middle+n+120, 4100, middle+330, 4700, middle+180, 5300).
		line(middle-180, 5300).curve(middle-330, 4700, middle-n-120, 4100, middle-n-230, 3480).close())
}

var shirtWhite = rgb(0xfbf6ee)

// drawCollar draws what lies over the neck.
func (l *look) drawCollar(d *drawing) {
	n := l.neck
	c := l.cloth.color
	switch l.garment {
	case "roll":
		d.fill(c.lighter(9), smooth(at(-n-50, 3130, -n-50, 3130, 0, 3230, n+50, 3130, n+50, 3130, n+110, 3560, n+110, 3560, 0, 3720, -n-110, 3560, -n-110, 3560)...))
		d.tint(c.darker(50), 30, arc(middle-n-110, 3565, middle+n+110, 3565, 150, 50))
		d.tint(c.darker(50), 20, arc(middle-n-80, 3330, middle+n+80, 3330, 120, 30))
	case "shirt":
		l.flaps(d, c.lighter(14), c.darker(30))
		d.tint(c.darker(40), 45, stroke(middle, 4080, middle, 5300, 0, 26).and(rectangle(middle-13, 4080, 26, 1200)))
		for y := 4330; y < whole; y += 420 {
			d.fill(c.darker(40), circle(middle, y, 42))
		}
	case "blazer":
		l.flaps(d, shirtWhite, rgb(0xc9bfb2))
		lapel := smooth(at(n+150, 3450, n+150, 3450, n+330, 3640, n+560, 4020, n+560, 4020, n+330, 4080, n+330, 4080, n+420, 4260, n+420, 4260, 150, 5300, 150, 5300, n-60, 4400)...)
		d.both(c.lighter(10), lapel)
		for _, y := range []int{4250, 4600, 4950} {
			d.fill(rgb(0xc9bfb2), circle(middle, y, 30))
		}
	case "hoodie":
		hood := smooth(at(-n-160, 3420, -n-160, 3420, -n-330, 3560, -n-180, 3800, 0, 3930, n+180, 3800, n+330, 3560, n+160, 3420, n+160, 3420, n+60, 3600, 0, 3730, -n-60, 3600)...)
		d.fill(c.lighter(9), hood)
		d.both(l.trim(), stroke(middle+190, 3840, middle+230, 4420, 0, 44).and(ellipse(middle+230, 4440, 36, 60)))
	case "cardigan":
		d.both(c.darker(20), smooth(at(n+200, 3440, n+200, 3440, n+330, 3620, n+230, 4200, 330, 5300, 330, 5300, 190, 5300, 190, 5300, n+70, 4200, n+150, 3700)...))
	}
}

func (l *look) trim() color {
	if contrast(l.cloth.color, shirtWhite) >= 160 {
		return shirtWhite.darker(6)
	}
	return l.cloth.color.darker(45)
}

// flaps are the two points of a shirt's collar.
func (l *look) flaps(d *drawing, c, edge color) {
	n := l.neck
	flap := smooth(at(n+40, 3330, n+40, 3330, n+230, 3520, n+330, 3640, n+330, 3640, 300, 4130, 300, 4130, 10, 3960, 10, 3960, n-90, 3700)...)
	d.both(edge, flap.moved(0, 45).and(path{}))
	d.both(c, flap)
}

package portrait

// head is the form of a face; heights are from the top of the picture, widths
// from the axis.
type head struct{ top, temple, chin, half, jaw, drop int }

func (h head) outline() path {
	return start(middle, h.top).
		curve(middle+h.half*62/100, h.top, middle+h.half, h.top+(h.temple-h.top)*45/100, middle+h.half, h.temple).
		curve(middle+h.half, h.temple+h.drop, middle+h.jaw, h.chin, middle, h.chin).symmetric()
}

// shade is the skin away from the light.
func (l *look) shade() color { return l.skin.color.mix(rgb(0x7a2f26), 17).darker(6) }

// ink is for lines of the face: it stands out from every tone.
func (l *look) ink() color { return l.skin.color.mix(rgb(0x4a1d18), 55).against(l.skin.color, 200) }

func (l *look) drawHead(d *drawing) {
	h := l.head
	skin := l.skin.color
	ear := ellipse(middle+h.half+10, 2290, 125, 190)
	d.fill(skin, ear.mirrored())
	d.fill(skin.mix(l.shade(), 35), ear)
	d.both(l.shade(), ellipse(middle+h.half+30, 2300, 62, 105))
	if l.earrings {
		d.both(rgb(0xe9b44c).against(skin, 130), circle(middle+h.half+60, 2500, 52))
	}
	face := h.outline()
	d.fill(skin, face)
	d.inside(face, func() {
		d.tint(l.shade(), 55, rectangle(0, 0, whole, whole).and(ellipse(middle-330, 2150, -h.half-230, 1500)))
		blush := skin.mix(rgb(0xe0483f), 45)
		d.tint(blush, 22, ellipse(middle-430, 2610, 190, 130))
		d.tint(blush, 22, ellipse(middle+430, 2610, 190, 130))
		if l.freckles {
			for i, p := range []point{{-470, 2530}, {-380, 2580}, {-300, 2520}, {-420, 2640}, {-330, 2660}, {-250, 2590}} {
				r := 17 + i%3*3
				d.tint(l.ink(), 38, circle(middle+p.x, p.y, r))
				d.tint(l.ink(), 38, circle(middle-p.x+15, p.y+i%2*20, r))
			}
		}
	})
}

const (
	eyeY  = 2270
	eyeX  = 330 // from the axis
	browY = 2055
)

func (l *look) drawFace(d *drawing) {
	l.drawLines(d)
	for _, side := range []int{-1, 1} {
		l.drawEye(d, side)
	}
	// The nose is its lower edge and a little of its side.
	d.fill(l.shade().mix(l.ink(), 18), smooth(at(-15, 2330, -15, 2330, 40, 2480, 115, 2590, 60, 2650, -70, 2645, -70, 2645, 20, 2600, 30, 2560, -10, 2450)...))
	l.drawMouth(d)
}

func (l *look) drawEye(d *drawing, side int) {
	x := middle + side*eyeX
	tall := l.pick.between("eye", 84, 104)
	if l.child {
		tall += 14
	}
	eye := start(x-150, eyeY+18).curve(x-90, eyeY-tall, x+80, eyeY-tall-6, x+150, eyeY+8).curve(x+90, eyeY+tall-14, x-80, eyeY+tall-12, x-150, eyeY+18).close()
	if side < 0 {
		eye = eye.mapped(func(p point) point { return point{2*x - p.x, p.y} })
	}
	d.fill(rgb(0xfffaf3), eye)
	d.inside(eye, func() {
		d.fill(l.iris, circle(x, eyeY-4, 82))
		d.fill(l.iris.darker(70), circle(x, eyeY-4, 46))
		d.fill(rgb(0xffffff), circle(x-28, eyeY-34, 23))
		d.tint(rgb(0x2a1a1a), 22, rectangle(x-200, eyeY-140, 400, 105))
	})
	dark := l.ink().darker(45)
	lid := start(x-168, eyeY+26).curve(x-100, eyeY-tall-14, x+80, eyeY-tall-24, x+172, eyeY+2).
		curve(x+80, eyeY-tall+26, x-85, eyeY-tall+30, x-168, eyeY+26).close()
	if l.lashes {
		lid = start(x-165, eyeY+22).curve(x-100, eyeY-tall-22, x+90, eyeY-tall-34, x+170, eyeY-14).line(x+228, eyeY-62).
			curve(x+205, eyeY-20, x+190, eyeY+2, x+162, eyeY+16).curve(x+80, eyeY-tall+32, x-85, eyeY-tall+34, x-165, eyeY+22).close()
	}
	brow := l.hair.color.darker(22)
	if l.hair.name == "grey" || l.hair.name == "white" {
		brow = l.hair.color.darker(40)
	}
	brow = brow.against(l.skin.color, 170)
	thick := l.pick.between("brow", 62, 92)
	if l.lashes {
		thick -= 18
	}
	rise := l.pick.between("brow rise", 0, 50)
	b := start(x-190, browY+8).curve(x-110, browY-62-rise/2, x+70, browY-82-rise, x+215, browY+44).
		curve(x+80, browY-82-rise+thick, x-90, browY-62-rise/2+thick, x-180, browY+8+thick*60/100).curve(x-205, browY+8+thick*60/100, x-212, browY+12, x-190, browY+8).close()
	if side < 0 {
		flip := func(p point) point { return point{2*x - p.x, p.y} }
		lid, b = lid.mapped(flip), b.mapped(flip)
	}
	d.fill(dark, lid)
	d.fill(brow, b)
}

func (l *look) drawMouth(d *drawing) {
	const y = 2850
	lip := l.skin.color.mix(rgb(0xb8323c), 48).against(l.skin.color, 150)
	if l.skin.color.light() < 12_000 { // on dark skin a rose is seen, a darker red is not
		lip = l.skin.color.mix(rgb(0xc8605f), 52).above(l.skin.color, 135)
	}
	line := l.ink()
	switch l.mouth {
	case "laugh":
		open := start(middle-255, y-45).curve(middle-120, y-5, middle+120, y-5, middle+255, y-45).curve(middle+210, y+195, middle-210, y+195, middle-255, y-45).close()
		d.fill(rgb(0x6e2128), open)
		d.inside(open, func() {
			d.fill(rgb(0xfffaf3), start(middle-240, y-70).line(middle+240, y-70).line(middle+215, y+18).curve(middle+100, y+48, middle-100, y+48, middle-215, y+18).close())
			d.fill(rgb(0xd9626a), ellipse(middle, y+165, 130, 70))
		})
	case "lips":
		d.fill(lip, start(middle-225, y-40).curve(middle-140, y-62, middle-70, y-74, middle, y-50).curve(middle+70, y-74, middle+140, y-62, middle+225, y-40).
			curve(middle+130, y+122, middle-130, y+122, middle-225, y-40).close())
		d.fill(line, start(middle-250, y-58).curve(middle-120, y+36, middle+120, y+36, middle+250, y-58).curve(middle+120, y+2, middle-120, y+2, middle-250, y-58).close())
	case "calm":
		d.fill(line, stroke(middle-170, y, middle+170, y-8, 34, 40))
		d.tint(l.shade(), 90, arc(middle-90, y+120, middle+90, y+120, 16, 34))
	default:
		d.fill(line, start(middle-235, y-50).curve(middle-120, y+70, middle+120, y+70, middle+235, y-50).curve(middle+125, y+118, middle-125, y+118, middle-235, y-50).close())
	}
}

// drawLines hints at age: beside the mouth, then around the eyes and on the brow.
func (l *look) drawLines(d *drawing) {
	c := l.shade().mix(l.ink(), 20)
	if l.lines > 0 {
		for _, s := range []int{-1, 1} {
			x := middle + s*300
			d.tint(c, 75, start(x-s*70, 2610).curve(x+s*10, 2680, x+s*40, 2770, x+s*25, 2870).curve(x+s*8, 2780, x-s*20, 2700, x-s*70, 2610).close())
			d.tint(c, 70, arc(middle+s*220, eyeY+150, middle+s*450, eyeY+135, 42, 22))
		}
	}
	if l.lines > 1 {
		for _, s := range []int{-1, 1} {
			x := middle + s*560
			d.tint(c, 70, arc(x, eyeY+5, x+s*90, eyeY-25, 12, 20))
			d.tint(c, 70, arc(x, eyeY+45, x+s*90, eyeY+60, 8, 20))
		}
		d.tint(c, 60, arc(middle-260, 1790, middle+260, 1790, -34, 24))
		d.tint(c, 50, arc(middle-200, 1690, middle+200, 1690, -28, 22))
	}
}

func (l *look) drawBeard(d *drawing) {
	h := l.head
	c := l.hair.color.mix(l.skin.color, 12)
	moustache := smooth(at(0, 2690, -150, 2680, -330, 2830, -330, 2830, -180, 2800, 0, 2775, 180, 2800, 330, 2830, 330, 2830, 150, 2680)...)
	face := h.outline()
	switch l.beard {
	case "moustache":
		d.fill(c, moustache)
	case "full", "short":
		low := 0
		if l.beard == "full" {
			low = 130
			face = face.mapped(func(p point) point {
				if p.y > 2900 {
					return point{p.x, p.y + low}
				}
				return p
			})
		}
		alpha := 100
		if l.beard == "short" {
			alpha = 62
		}
		w := h.half
		d.inside(face, func() {
			// From ear to ear below the cheeks, around the mouth.
			hole := ellipse(middle, 2860, -270, 150)
			cheeks := smooth(at(-w-80, 2250, -w-80, 2250, -w+60, 2420, -w+130, 2600, -430, 2760, -250, 2690, 0, 2680, 250, 2690, 430, 2760, w-130, 2600, w-60, 2420, w+80, 2250, w+80, 2250, w+80, 3600, w+80, 3600, -w-80, 3600, -w-80, 3600)...)
			d.tint(c, alpha, cheeks.and(hole))
		})
	}
}

func (l *look) drawGlasses(d *drawing) {
	if l.glasses == "" {
		return
	}
	frame := pickOf(l.pick, "frame", []color{rgb(0x2b2530), rgb(0x5b3a29), rgb(0x7a2e3a), rgb(0x2f4858), rgb(0xa77b35)}).against(l.skin.color, 220)
	thick := 44
	if l.glasses == "thin" {
		thick = 26
	}
	var out, in path
	x := middle + eyeX
	switch l.glasses {
	case "square":
		out, in = rounded(x-255, 2080, 520, 420, 110, false), rounded(x-255+thick, 2080+thick, 520-2*thick, 420-2*thick, 75, true)
	default:
		out, in = ellipse(x+5, 2285, 255, 240), ellipse(x+5, 2285, -255+thick, 240-thick)
	}
	glass := in.mapped(func(p point) point { return point{2*x - p.x, p.y} })
	for _, side := range []bool{false, true} {
		turn := func(p path) path {
			if side {
				return p.mirrored()
			}
			return p
		}
		d.tint(rgb(0xffffff), 15, turn(glass))
		d.fill(frame, turn(out.and(in)))
		d.fill(frame, turn(start(x+240, 2190).line(middle+l.head.half+40, 2170).line(middle+l.head.half+40, 2170+thick).line(x+240, 2190+thick+6).close()))
	}
	d.fill(frame, arc(middle-95, 2230, middle+95, 2230, -46, thick+8))
}

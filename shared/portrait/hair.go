package portrait

// strand is the darker colour between strands, shine the lighter one.
func (l *look) strand() color { return l.hair.color.darker(26) }
func (l *look) shine() color  { return l.hair.color.lighter(13) }

// skullcap is hair that lies on the skull: rise is how far it stands off, side
// where it ends before the ears, line the height of the hairline, and part how
// far from the axis it is highest.
func (l *look) skullcap(rise, side, line, part int) path {
	w, t := l.head.half, l.head.top
	return smooth(at(
		-w-25, side, -w-25, side, -w-40-rise/4, 1850, -w*80/100-rise/3, t+260-rise/2, -w*42/100, t+25-rise*85/100, 0, t-45-rise,
		w*42/100, t+25-rise*85/100, w*80/100+rise/3, t+260-rise/2, w+40+rise/4, 1850, w+25, side, w+25, side,
		w-50, 2060, w-95, 1860, w-180, line+170, part+(w-part)*45/100, line+20, part, line-20,
		part-(w+part)*45/100, line+30, -w+180, line+170, -w+95, 1860, -w+50, 2060)...)
}

func (l *look) drawHairBehind(d *drawing) {
	w := l.head.half
	back := l.strand()
	switch l.hairStyle {
	case "bob", "fringe":
		low := 3080
		if l.hairStyle == "fringe" {
			low = 3900
		}
		d.fill(back, smooth(at(0, 1000, -w-60, 1350, -w-210, 2200, -w-200, low-200, -w-40, low, -300, low-60, 300, low-60, w+40, low, w+200, low-200, w+210, 2200, w+60, 1350)...))
	case "long", "waves":
		d.fill(back, smooth(at(0, 1000, -w-40, 1400, -w-190, 2300, -w-240, 3300, -w-160, 4100, 0, 4000, w+160, 4100, w+240, 3300, w+190, 2300, w+40, 1400)...))
	case "afro":
		d.fill(l.hair.color, l.cloud(1760, w+240, 860, 330))
	case "bun":
		d.fill(l.hair.color, circle(middle+l.pick.between("bun", -60, 60), 830, 360))
		d.tint(l.strand(), 60, arc(middle-230, 860, middle+230, 860, 120, 44))
	case "ponytail":
		d.fill(back, smooth(at(420, 1150, 900, 1250, 1240, 1800, 1260, 2700, 1040, 3500, 860, 3700, 860, 3700, 900, 3100, 800, 2300, 560, 1700)...))
	case "locs":
		for i := range 10 {
			x := -w + 20 + i*(2*w-40)/9
			long := 3500 + l.pick.upTo("loc"+string(rune('a'+i)), 420)
			d.fill(back.mix(l.hair.color, i%2*45), rounded(middle+x-115, 1900, 230, long-1900, 110, false))
		}
	}
}

// cloud is an outline of bumps around an ellipse, all in one direction.
func (l *look) cloud(cy, rx, ry, bump int) path {
	p := ellipse(middle, cy, rx, ry)
	// sixteen places around, in thousandths
	for i, c := range []point{{1000, 0}, {924, 383}, {707, 707}, {383, 924}, {0, 1000}, {-383, 924}, {-707, 707}, {-924, 383}, {-1000, 0}, {-924, -383}, {-707, -707}, {-383, -924}, {0, -1000}, {383, -924}, {707, -707}, {924, -383}} {
		r := bump + l.pick.upTo("bump"+string(rune('a'+i)), 60)
		p = p.and(circle(middle+c.x*rx/1000, cy+c.y*ry/1000, r))
	}
	return p
}

// drawHairOverShoulders is long hair that falls to the front.
func (l *look) drawHairOverShoulders(d *drawing) {
	w := l.head.half
	c := l.hair.color
	switch l.hairStyle {
	case "long":
		lock := smooth(at(w-40, 2100, w+150, 2300, w+230, 3200, w+190, 4200, w+40, 4620, w-200, 4500, w-260, 4200, w-120, 3500, w-90, 2800)...)
		d.both(c, lock)
		d.both(l.strand(), arc(middle+w+40, 2900, middle+w+20, 4300, 0, 8).and(arc(middle+w+120, 3000, middle+w+90, 4200, 0, 8)))
	case "waves":
		lock := smooth(at(w-60, 2000, w+200, 2250, w+120, 2650, w+300, 3050, w+170, 3450, w+320, 3850, w+170, 4250, w-40, 4420, w-240, 4300, w-100, 3900, w-260, 3500, w-120, 3050, w-200, 2700)...)
		d.both(c, lock)
		d.both(l.strand(), smooth(at(w+60, 2500, w+60, 2500, w+10, 2750, w+130, 3100, w+20, 3500, w+120, 3900, w+40, 4250, w+40, 4250, w+80, 3900, w-20, 3500, w+90, 3100, w-20, 2750)...))
	case "fringe":
		d.both(c, smooth(at(w-60, 2100, w+160, 2300, w+210, 3200, w+120, 3960, w-80, 3980, w-200, 3700, w-110, 3000)...))
	}
}

func (l *look) drawHairInFront(d *drawing) {
	w, t := l.head.half, l.head.top
	c := l.hair.color
	part := l.pick.between("part", -320, 320)
	line := l.pick.between("line", 1500, 1580)
	switch l.hairStyle {
	case "bald":
		d.inside(l.head.outline(), func() { d.tint(c, 12, l.skullcap(0, 2250, 1560, 0)) })
		d.tint(rgb(0xffffff), 16, ellipse(middle-260, 1400, 190, 80))
	case "receding":
		sides := smooth(at(w+25, 2320, w+25, 2320, w+75, 2050, w+30, 1620, w-130, 1380, w-130, 1380, w-110, 1700, w-95, 1900, w-50, 2080)...)
		d.both(c, sides)
		d.inside(l.head.outline(), func() { d.tint(c, 35, l.skullcap(0, 1500, 1400, 0)) })
	case "buzz":
		d.tint(c, 88, l.skullcap(-25, 2230, line+40, 0))
	case "crop":
		d.fill(c, l.skullcap(70, 2330, line+20, part/3))
		d.fill(l.shine(), arc(middle-w+170, 1420, middle+60, 1180, -60, 50))
	case "part":
		d.fill(c, l.skullcap(60, 2340, line+10, 0))
		// The larger side is swept across the brow.
		side := 1
		if part < 0 {
			side = -1
		}
		sweep := smooth(at(-380, 1080, -380, 1080, 150, 950, 600, 1130, w+60, 1560, w+60, 1560, w-60, 1900, w-60, 1900, w-230, 1660, 200, 1590, -250, 1640, -250, 1640, -420, 1480)...)
		if side < 0 {
			sweep = sweep.mirrored()
		}
		d.fill(l.shine(), sweep)
		d.tint(l.strand(), 60, arc(middle-side*300, 1250, middle+side*560, 1500, -80, 26))
	case "quiff":
		d.fill(l.strand(), l.skullcap(30, 2340, line+20, 0))
		d.fill(c, smooth(at(-w+30, 1800, -w+30, 1800, -w-40, 1350, -w+120, 980, -200, 790, 320, 800, 640, 960, w+20, 1300, w-30, 1800, w-30, 1800, w-190, 1580, 200, 1500, -150, 1530, -w+190, 1600)...))
		d.fill(l.shine(), arc(middle-430, 1330, middle+420, 1180, -190, 50))
		d.fill(l.shine(), arc(middle-330, 1470, middle+460, 1370, -130, 36))
	case "tousled":
		d.fill(c, l.skullcap(110, 2400, line, part/2))
		d.fill(c, smooth(at(-w-50, 1750, -w+40, 1380, -300, 1180, 300, 1180, w-40, 1380, w+50, 1750, w+50, 1750, w-150, 1640, w-150, 1640, w-260, 1840, w-260, 1840, 260, 1620, 260, 1620, 120, 1790, 120, 1790, -110, 1620, -110, 1620, -290, 1820, -290, 1820, -w+230, 1640, -w+230, 1640, -w+90, 1900, -w+90, 1900)...))
		for _, x := range []int{-420, -60, 330} {
			d.fill(l.shine(), arc(middle+x, 1150, middle+x+150, 1500, 0, 8).and(arc(middle+x, 1180, middle+x+190, 1420, 40, 34)))
		}
	case "curls", "afro":
		d.fill(c, l.skullcap(60, 2300, line, 0))
		if l.hairStyle == "curls" {
			for i, q := range []point{{-w - 30, 2080}, {-w - 70, 1860}, {-w - 50, 1620}, {-w + 70, 1400}, {-w + 230, 1220}, {-360, 1090}, {-140, 1010}, {100, 1000}, {330, 1060}, {540, 1180}, {w - 60, 1370}, {w + 50, 1600}, {w + 70, 1850}, {w + 30, 2080}, {-w + 190, 1600}, {-350, 1500}, {-110, 1460}, {150, 1470}, {380, 1510}, {w - 170, 1620}} {
				d.fill(c, circle(middle+q.x, q.y, 150+l.pick.upTo("curl"+string(rune('a'+i)), 50)))
			}
			for _, q := range []point{{-420, 1240}, {-60, 1160}, {300, 1240}, {-240, 1430}, {180, 1400}, {520, 1450}, {-570, 1500}} {
				d.tint(l.shine(), 80, arc(middle+q.x-75, q.y, middle+q.x+75, q.y, -70, 34))
			}
			return
		}
		for i, q := range []point{{-w + 120, 1700}, {-470, 1560}, {-230, 1500}, {0, 1485}, {230, 1500}, {470, 1560}, {w - 120, 1700}} {
			d.fill(c, circle(middle+q.x, q.y, 120+l.pick.upTo("edge"+string(rune('a'+i)), 30)))
		}
		for _, q := range []point{{-700, 1250}, {-350, 1000}, {80, 940}, {500, 1070}, {820, 1400}, {-900, 1650}, {-150, 1270}, {320, 1300}} {
			d.tint(l.shine(), 70, arc(middle+q.x-80, q.y, middle+q.x+80, q.y, -70, 30))
		}
	case "bun", "ponytail":
		d.fill(c, l.skullcap(45, 2250, line, part/2))
		for _, x := range []int{-430, -150, 150, 430} {
			d.tint(l.strand(), 55, arc(middle+x, line-90, middle+x*55/100, t+40, -10, 16))
		}
		if l.hairStyle == "ponytail" {
			d.fill(l.accent.color.against(c, 150), ellipse(middle+560, 1210, 90, 130))
		}
	case "locs":
		d.both(l.strand(), smooth(at(w-240, 1420, w-30, 1560, w+110, 1950, w+200, 2900, w+190, 3560, w+110, 3600, w+30, 3500, w+20, 2600, w-20, 1900)...))
		d.both(c, smooth(at(w-240, 1440, w-60, 1600, w+50, 2000, w+110, 2900, w+80, 3380, w+10, 3450, w-70, 3360, w-70, 2700, w-90, 2000)...))
		d.fill(c, l.skullcap(110, 2200, line, part/2))
		for i := range 7 {
			x := -540 + i*180
			d.tint(l.strand(), 70, arc(middle+x, line-60, middle+x*70/100, t-40, 0, 10).and(rounded(middle+x*85/100-12, t+20, 24, line-t-120, 12, false)))
		}
	case "bob", "fringe":
		d.fill(c, smooth(at(-w+20, 2950, -w+20, 2950, -w-190, 2850, -w-200, 2100, -w-60, 1350, 0, 990, w+60, 1350, w+200, 2100, w+190, 2850, w-20, 2950, w-20, 2950,
			w+10, 2400, w-70, 1960, w-70, 1960, w-200, 1880, 0, 1900, -w+200, 1880, -w+70, 1960, -w+70, 1960, -w-10, 2400)...))
		if l.hairStyle == "bob" && part > 60 { // no fringe: the hair is drawn aside
			d.fill(l.skin.color, smooth(at(-w+90, 1960, -w+90, 1960, -300, 1700, 100, 1560, 100, 1560, 420, 1700, w-90, 1960, w-90, 1960, 0, 2040)...))
		}
		d.fill(l.shine(), arc(middle-480, 1480, middle+480, 1480, -150, 60))
	default: // long, waves
		d.fill(c, smooth(at(-w+40, 2700, -w+40, 2700, -w-120, 2600, -w-160, 2000, -w-20, 1350, 0, 1000, w+20, 1350, w+160, 2000, w+120, 2600, w-40, 2700, w-40, 2700,
			w-40, 2250, w-110, 1900, part+(w-part)*50/100, 1640, part, 1440, part, 1440, part-(w+part)*50/100, 1640, -w+110, 1900, -w+40, 2250)...))
		d.fill(l.strand(), arc(middle+part, 1440, middle+part*60/100, 1060, 0, 14))
		d.tint(l.shine(), 85, arc(middle-560, 1560, middle-120, 1220, -90, 54))
		d.tint(l.shine(), 85, arc(middle+200, 1240, middle+580, 1580, -90, 44))
	}
}

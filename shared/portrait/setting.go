package portrait

const whole = Size * unit

// drawSetting draws the wall and what stands before it, always calm in the
// middle, where the head is.
func (l *look) drawSetting(d *drawing) {
	g := l.ground
	d.fill(g.wall, rectangle(0, 0, whole, whole))
	flip := l.pick.percent("flip", 50)
	side := func(p path) path {
		if flip {
			return p.mirrored()
		}
		return p
	}
	soft := g.near.mix(g.far, 55)
	disc := circle(middle, 2250, 1980)
	switch l.setting {
	case "sun":
		d.fill(g.far, disc)
		d.tint(g.near, 35, side(circle(4350, 1000, 330)))
	case "waves":
		d.fill(g.far, circle(middle, 2150, 1950))
		d.tint(g.lighter(), 90, side(circle(4250, 950, 300)))
		for i, c := range []color{soft, g.near, g.near.darker(14)} {
			y := 3050 + i*380
			d.fill(c, start(-200, y).curve(500, y-260, 900, y+220, 1600, y).curve(2300, y-260, 2700, y+220, 3400, y).
				curve(4100, y-260, 4600, y+220, 5400, y).line(5400, 5400).line(-200, 5400).close())
		}
	case "hills":
		d.tint(g.lighter(), 90, side(circle(4100, 1250, 420)))
		d.fill(g.far, side(smooth(-300, 5400, -300, 5400, -300, 3000, 500, 2100, 1500, 1500, 2600, 2300, 3600, 1950, 4600, 2500, 5500, 2900, 5500, 5400, 5500, 5400)))
		d.fill(soft, side(smooth(-300, 5400, -300, 5400, -300, 3800, 700, 3100, 1900, 3300, 3200, 2900, 4300, 3250, 5500, 3050, 5500, 5400, 5500, 5400)))
		d.fill(g.near, side(smooth(-300, 5400, -300, 5400, -300, 4300, 900, 4000, 2500, 4150, 4200, 3900, 5500, 4200, 5500, 5400, 5500, 5400)))
	case "leaves":
		d.fill(g.far, disc)
		for _, at := range []struct{ x, y, size int }{{300, 3900, 1900}, {4850, 3700, 1700}} {
			for i := -2; i <= 2; i++ {
				c := g.near
				if i%2 != 0 {
					c = soft
				}
				d.fill(c, leaf(at.x, at.y+900, at.x+i*520, at.y-at.size+i*i*330))
			}
		}
	case "skyline":
		d.fill(g.far, circle(middle, 2200, 1950))
		x := 0
		for i := 0; x < whole; i++ {
			w := l.pick.between("house"+string(rune('a'+i)), 420, 720)
			h := l.pick.between("storeys"+string(rune('a'+i)), 1500, 3300)
			c := soft
			if i%2 == 1 {
				c = g.near
			}
			d.fill(c, rectangle(x, whole-h, w, h))
			for y := whole - h + 220; y < whole-200; y += 420 {
				for wx := x + 110; wx+110 < x+w; wx += 210 {
					d.tint(g.lighter(), 55, rectangle(wx, y, 100, 170))
				}
			}
			x += w
		}
	case "shelves":
		d.fill(g.far, rectangle(0, 0, whole, whole))
		for row := range 4 {
			y := 300 + row*1250
			x := -100
			for i := 0; x < whole; i++ {
				label := "book" + string(rune('a'+row)) + string(rune('a'+i))
				w, h := l.pick.between(label, 150, 330), l.pick.between(label+"h", 640, 930)
				c := pickOf(l.pick, label+"c", []color{soft, g.near, g.wall, g.near.mix(g.wall, 50)})
				d.tint(c, 80, rectangle(x, y+1000-h, w-30, h))
				x += w
				if l.pick.percent(label+"gap", 12) {
					x += 260
				}
			}
			d.fill(g.near.darker(18), rectangle(0, y+1000, whole, 70))
		}
		d.tint(g.far, 62, circle(middle, 2250, 1850))
	case "window":
		d.fill(g.far, rounded(700, 350, 3720, 5400, 1800, false))
		d.fill(g.lighter(), rounded(900, 550, 3320, 5400, 1600, false))
		d.tint(g.far, 60, rounded(900, 550, 3320, 5400, 1600, false))
		d.fill(g.far, rectangle(900, 3350, 3320, 90))
		for i := -1; i <= 1; i++ {
			d.fill(soft, side(leaf(4500, 4500, 4500+i*420, 3100+i*i*240)))
		}
		d.fill(g.near.darker(10), side(smooth(4180, 4400, 4180, 4400, 4820, 4400, 4820, 4400, 4720, 5300, 4720, 5300, 4280, 5300, 4280, 5300)))
	default:
		d.fill(g.far, side(smooth(700, 900, 2500, 350, 4300, 900, 4700, 2600, 4000, 4300, 2200, 4500, 600, 3600, 350, 2200)))
		d.tint(g.near, 45, side(circle(700, 900, 420)))
		d.tint(g.near, 70, side(smooth(4300, 3900, 4900, 3500, 5400, 3900, 5400, 5300, 4200, 5300, 3900, 4600)))
		d.tint(soft, 80, side(circle(4650, 1150, 190)))
	}
}

func (g ground) lighter() color { return g.wall.lighter(60) }

// leaf grows from a stem to a tip, widest in the middle.
func leaf(x, y, tipX, tipY int) path {
	dx, dy := tipX-x, tipY-y
	// a quarter of the length to either side
	wx, wy := -dy*22/100, dx*22/100
	return start(x, y).curve(x+dx*30/100+wx, y+dy*30/100+wy, x+dx*75/100+wx, y+dy*75/100+wy, tipX, tipY).
		curve(x+dx*75/100-wx, y+dy*75/100-wy, x+dx*30/100-wx, y+dy*30/100-wy, x, y).close()
}

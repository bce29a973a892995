package portrait

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
)

// look is everything that was chosen for one picture.
type look struct {
	skin, hair, cloth, accent named
	ground                    ground
	setting                   string
	hairStyle                 string
	garment                   string
	mouth                     string
	beard                     string // "" is none
	glasses                   string // "" is none
	earrings, freckles        bool
	lashes                    bool
	lines                     int // of age: 0 to 2
	child                     bool
	head                      head
	shoulders, neck           int // half widths
	iris                      color
	pick                      picker
}

// picker chooses by the seed. Each choice has its own label, so that a new one
// leaves all others as they are.
type picker string

func (p picker) upTo(label string, n int) int {
	sum := sha256.Sum256([]byte(Version + "\x00" + string(p) + "\x00" + label))
	return int(binary.BigEndian.Uint64(sum[:]) % uint64(n))
}

func (p picker) between(label string, low, high int) int { return low + p.upTo(label, high-low+1) }

// percent is true for so many seeds of a hundred.
func (p picker) percent(label string, n int) bool { return p.upTo(label, 100) < n }

func pickOf[T any](p picker, label string, list []T) T { return list[p.upTo(label, len(list))] }

// Styles of hair by presentation; they overlap, as they do among people.
var (
	anyHair       = []string{"curls", "crop", "part", "afro", "bun", "bob", "tousled", "locs", "waves", "buzz"}
	feminineHair  = []string{"bob", "long", "waves", "bun", "ponytail", "curls", "afro", "tousled", "locs", "long", "fringe", "waves"}
	masculineHair = []string{"part", "crop", "quiff", "curls", "buzz", "tousled", "bald", "part", "afro", "locs", "quiff", "bun"}
	olderMen      = []string{"part", "crop", "bald", "receding", "receding", "quiff"}
	olderWomen    = []string{"bob", "waves", "curls", "bun", "tousled", "part"}
)

func lookOf(s Spec) *look {
	p := picker(s.Seed)
	s.Age = min(max(s.Age, 0), 120)
	l := &look{pick: p}
	presentation := s.Presentation
	if presentation != "feminine" && presentation != "masculine" {
		presentation = ""
	}
	l.child = s.Age > 0 && s.Age < 13
	old := s.Age >= 60
	switch {
	case s.Age >= 70:
		l.lines = 2
	case s.Age >= 48:
		l.lines = 1
	}

	tone := p.upTo("skin", len(skins))
	l.skin = named{color: skins[tone]}
	colors := darkHair
	if tone < len(skins)/2 && !p.percent("dark hair", 45) {
		colors = lightHair
	}
	l.hair = l.hairFrom(colors, p.upTo("hair", len(colors)), 140)
	if grey := (s.Age - 45) * 4; s.Age > 45 && p.percent("grey", min(grey, 96)) {
		l.hair = l.hairFrom(greyHair, min((s.Age-45)/12+p.upTo("how grey", 2), len(greyHair)-1), 118)
	}

	styles := anyHair
	switch {
	case old && presentation == "masculine":
		styles = olderMen
	case old && presentation == "feminine":
		styles = olderWomen
	case presentation == "masculine":
		styles = masculineHair
	case presentation == "feminine":
		styles = feminineHair
	}
	l.hairStyle = pickOf(p, "style", styles)
	if l.child && l.hairStyle == "bald" {
		l.hairStyle = "crop"
	}
	adult := s.Age == 0 || s.Age >= 20
	if presentation == "masculine" && adult && p.percent("beard", 42) {
		l.beard = pickOf(p, "beard kind", []string{"full", "short", "moustache", "short"})
	}
	l.lashes = presentation == "feminine" || presentation == "" && p.percent("lashes", 40)
	l.earrings = !l.child && p.percent("earrings", map[string]int{"feminine": 45, "": 20, "masculine": 8}[presentation])
	if p.percent("glasses", 26+l.lines*10) {
		l.glasses = pickOf(p, "glasses kind", []string{"round", "square", "thin"})
	}
	l.freckles = tone < 5 && p.percent("freckles", 18)
	l.mouth = pickOf(p, "mouth", []string{"smile", "lips", "laugh", "calm", "lips", "smile"})
	l.iris = pickOf(p, "iris", []color{rgb(0x3b2418), rgb(0x5a3a22), rgb(0x3b2418), rgb(0x54683f), rgb(0x48708f), rgb(0x6b7a80)})
	if tone >= 5 {
		l.iris = rgb(0x3b2418)
	}
	l.garment = pickOf(p, "garment", []string{"tee", "shirt", "blazer", "roll", "hoodie", "cardigan", "stripes", "tee", "vneck"})
	if l.child {
		l.garment = pickOf(p, "garment", []string{"tee", "hoodie", "stripes", "tee"})
	}
	l.setting = settingOf(s.Context, p)
	l.ground = l.chooseGround(p)
	l.cloth = l.chooseCloth(p, "cloth")
	l.accent = l.chooseAccent(p)

	l.head = head{
		top: 1190, temple: 2150, chin: p.between("chin", 3140, 3260), half: p.between("width", 700, 775),
		jaw: p.between("jaw", 390, 520), drop: p.between("drop", 560, 720),
	}
	l.neck, l.shoulders = p.between("neck", 300, 350), p.between("shoulders", 1640, 1860)
	switch presentation {
	case "masculine":
		l.head.jaw += 40
		l.neck += 50
		l.shoulders += 150
	case "feminine":
		l.head.jaw -= 40
		l.neck -= 20
		l.shoulders -= 60
	}
	if l.child {
		l.head.chin, l.head.jaw, l.head.drop, l.head.half = 3120, 500, 640, 765
		l.neck, l.shoulders = 240, 1380
	}
	return l
}

// hairFrom takes the first colour, from a place on, that the skin lets be seen.
func (l *look) hairFrom(colors []named, from, ratio int) named {
	for i := range colors {
		if c := colors[(from+i)%len(colors)]; contrast(c.color, l.skin.color) >= ratio {
			return c
		}
	}
	return colors[from]
}

// chooseGround takes the first background, from a place that the seed says,
// that skin and hair stand out from.
func (l *look) chooseGround(p picker) ground {
	from := p.upTo("ground", len(grounds))
	clear := func(c color) bool {
		return contrast(l.skin.color, c) >= 116 && contrast(l.hair.color, c) >= 116
	}
	for i := range grounds {
		if g := grounds[(from+i)%len(grounds)]; clear(g.far) {
			return g
		}
	}
	g := grounds[from]
	for p := 4; p <= 60 && !clear(g.far); p += 4 {
		g.far = grounds[from].far.darker(p)
	}
	return g
}

// chooseCloth wants some contrast with skin, hair and background.
func (l *look) chooseCloth(p picker, label string) named {
	from := p.upTo(label, len(cloths))
	for i := range cloths {
		c := cloths[(from+i)%len(cloths)]
		if contrast(c.color, l.skin.color) >= 140 && contrast(c.color, l.ground.wall) >= 150 && contrast(c.color, l.hair.color) >= 125 {
			return c
		}
	}
	c := cloths[from]
	c.color = c.color.against(l.skin.color, 150)
	return c
}

// chooseAccent is a second colour beside the first.
func (l *look) chooseAccent(p picker) named {
	from := p.upTo("accent", len(cloths))
	for i := range cloths {
		c := cloths[(from+i)%len(cloths)]
		if contrast(c.color, l.cloth.color) >= 150 && contrast(c.color, l.skin.color) >= 130 {
			return c
		}
	}
	return named{l.cloth.color.against(l.cloth.color, 150), ""}
}

// settings are chosen by words of the context, the first that is named.
var settings = []struct {
	name  string
	words []string
}{
	{"waves", []string{"sea", "beach", "ocean", "coast", "surf", "sail", "fish", "swim", "island", "harbour", "harbor", "lake"}},
	{"leaves", []string{"garden", "plant", "nature", "park", "farm", "forest", "outdoor", "organic", "vegan", "health", "yoga"}},
	{"hills", []string{"mountain", "hik", "ski", "climb", "camp", "travel", "rural", "countryside", "village"}},
	{"skyline", []string{"city", "urban", "office", "financ", "business", "startup", "bank", "consult", "market", "sales", "manager", "executive"}},
	{"shelves", []string{"book", "school", "universit", "teacher", "research", "librar", "student", "professor", "scien", "writer", "lawyer"}},
	{"window", []string{"home", "family", "kitchen", "cook", "parent", "retire", "nurse", "baker"}},
}

func settingOf(context string, p picker) string {
	context = strings.ToLower(context)
	best, at := "", len(context)
	for _, s := range settings {
		for _, w := range s.words {
			if i := wordAt(context, w); i >= 0 && i < at {
				best, at = s.name, i
			}
		}
	}
	if best != "" {
		return best
	}
	return pickOf(p, "setting", []string{"sun", "leaves", "hills", "shapes", "window", "sun", "waves"})
}

// wordAt is where a word that begins like prefix stands.
func wordAt(text, prefix string) int {
	for from := 0; from < len(text); {
		i := strings.Index(text[from:], prefix)
		if i < 0 {
			return -1
		}
		i += from
		if i == 0 || !letter(text[i-1]) {
			return i
		}
		from = i + 1
	}
	return -1
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 0x80 }

package portrait

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxAlt is in characters.
const maxAlt = 200

var (
	hairWords = map[string]string{
		"curls": "short curly", "crop": "short", "part": "short", "afro": "full curly", "bun": "tied-up", "bob": "chin-long", "tousled": "tousled", "locs": "long",
		"waves": "long wavy", "buzz": "very short", "long": "long", "ponytail": "tied-back", "quiff": "short", "receding": "short", "fringe": "long",
	}
	garmentWords = map[string]string{
		"tee": "T-shirt", "shirt": "shirt", "blazer": "jacket", "roll": "roll-neck sweater", "hoodie": "hooded sweater", "cardigan": "cardigan",
		"stripes": "striped top", "vneck": "V-neck sweater",
	}
)

// describe is the alternative text: first that it is generated, then what is
// seen. Of people it says no more than hair, glasses and clothes.
func (l *look) describe(name string) string {
	var b strings.Builder
	b.WriteString("Generated illustration")
	if name = visibleName(name); name != "" {
		b.WriteString(" of " + name)
	}
	b.WriteString(", not a photo: somebody with ")
	if l.hairStyle == "bald" {
		b.WriteString("a shaved head")
	} else {
		b.WriteString(hairWords[l.hairStyle] + " " + l.hair.name + " hair")
	}
	switch l.beard {
	case "full", "short":
		b.WriteString(", a beard")
	case "moustache":
		b.WriteString(", a moustache")
	}
	if l.glasses != "" {
		b.WriteString(", glasses")
	}
	article := " and a "
	if strings.ContainsRune("aeiou", rune(l.cloth.name[0])) {
		article = " and an "
	}
	b.WriteString(article + l.cloth.name + " " + garmentWords[l.garment] + ".")
	return b.String()
}

// visibleName is a name on one line, short enough to leave room for the rest.
func visibleName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, name)
	name = strings.Join(strings.Fields(name), " ")
	if r := []rune(name); len(r) > 60 {
		name = strings.TrimRight(string(r[:59]), " ") + "…"
	}
	return name
}

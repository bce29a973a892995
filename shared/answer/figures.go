package answer

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// figuresIn are the figures of a text, those in words too: "two million" is
// 2000000, "83.412" also 83412.
func figuresIn(text string) []string {
	var out []string
	for _, n := range numbers(spelt(text)) {
		if grouped.MatchString(n) {
			n = strings.ReplaceAll(n, ".", "")
		}
		out = append(out, n)
	}
	return out
}

var (
	grouped   = expression.Of(`^\d{1,3}(?:\.\d{3})+$`)
	roundly   = expression.Of(`(?i)\b(?:about|around|roughly|nearly|almost|over|more than|some|approximately|just under|close to|rund|etwa|fast|knapp|über|environ|presque|casi|unos|yaklaşık)\b|~`)
	inHundred = expression.Of(`(?i)\b(?:in|out of|of) (?:a|one|every|each) (?:hundred|100)\b`)
	ofScale   = expression.Of(`(?i)(\d+(?:[.,]\d+)?)[\s-]*(thousand|million|billion|tausend|millionen|milliarden|millions?|milliards?|millones|milyon)\b`)
)

// anyHolds tells whether a figure stands in one of the grounds; one that is given
// roundly may differ by a twentieth from what stands there.
func anyHolds(grounds []*ground, n string, about bool) bool {
	for _, g := range grounds {
		if g.figures[n] {
			return true
		}
		if !about {
			continue
		}
		v, err := strconv.ParseFloat(n, 64)
		if err != nil || !strings.HasSuffix(n, "0") {
			continue
		}
		for f := range g.figures {
			if x, err := strconv.ParseFloat(f, 64); err == nil && math.Abs(x-v) <= v/20 {
				return true
			}
		}
	}
	return false
}

var numberWord = map[string]float64{
	"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
	"fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
	"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12, "hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9,
	"hundreds": 100, "thousands": 1e3, "millions": 1e6, "billions": 1e9,
	"zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "zwölf": 12, "zwanzig": 20, "dreißig": 30, "hundert": 100, "tausend": 1e3,
	"deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "vingt": 20, "trente": 30, "mille": 1e3,
	"dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10, "veinte": 20, "treinta": 30, "cien": 100, "mil": 1e3,
}

var numberRun = expression.Of(`(?i)[\p{L}]+(?:(?:[ -]|\s+and\s+)[\p{L}]+)*`)

// spelt writes figures in words as figures.
func spelt(text string) string {
	text = inHundred.ReplaceAllString(text, "percent")
	text = ofScale.ReplaceAllStringFunc(text, func(m string) string {
		p := ofScale.FindStringSubmatch(m)
		v, err := strconv.ParseFloat(strings.Replace(p[1], ",", ".", 1), 64)
		if err != nil {
			return m
		}
		scale := 1e6
		switch l := strings.ToLower(p[2]); {
		case strings.HasPrefix(l, "t"):
			scale = 1e3
		case strings.HasPrefix(l, "b"), strings.HasPrefix(l, "millia"):
			scale = 1e9
		}
		return strconv.FormatFloat(v*scale, 'f', -1, 64)
	})
	return numberRun.ReplaceAllStringFunc(text, speltRun)
}

func speltRun(run string) string {
	var out []string
	sum, part, in, and := 0.0, 0.0, false, false
	flush := func() {
		if in {
			out = append(out, strconv.FormatFloat(sum+part, 'f', -1, 64))
		}
		if and {
			out = append(out, "and")
		}
		sum, part, in, and = 0, 0, false, false
	}
	tokens := strings.FieldsFunc(run, func(r rune) bool { return r == '-' || unicode.IsSpace(r) })
	changed := false
	for _, w := range tokens {
		low := strings.ToLower(w)
		v := numberWord[low]
		if low == "one" && in && part >= 20 && math.Mod(part, 10) == 0 {
			v = 1 // alone it is no figure
		}
		switch {
		case v >= 1e3:
			sum, part = sum+max(part, 1)*v, 0
		case v == 100 || v == 12 && low == "dozen":
			part = max(part, 1) * v
		case v > 0:
			if in && !(v < 10 && math.Mod(part, 100) >= 20 && math.Mod(part, 10) == 0) && part != 0 && math.Mod(part, 100) != 0 {
				flush() // "two three" are two figures
			}
			part += v
		case low == "and" && in && !and:
			and = true
			continue
		default:
			flush()
			out = append(out, w)
			continue
		}
		in, and, changed = true, false, true
	}
	flush()
	if !changed {
		return run
	}
	return strings.Join(out, " ")
}

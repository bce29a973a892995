package simulate

import (
	"strconv"
	"strings"
)

// label is one answer option, read.
type label struct {
	text    string  // as given
	folded  string  // foldLabel with contractions written out
	strict  string  // canonical form under strict synonyms
	loose   string  // canonical form under wider ones
	family  string  // the scale that it belongs to, "" when none
	rank    float64 // place on that scale, low to high
	outside bool    // no answer on the scale: don't know, no answer, other
}

var contractions = strings.NewReplacer("don't", "do not", "doesn't", "does not", "can't", "cannot", "won't", "will not",
	"isn't", "is not", "wouldn't", "would not", "shouldn't", "should not", "i'm", "i am", "dont", "do not", " / ", "/", "&", "and",
	"n't", " not")

var (
	formIndex   = map[string]formHit{} // folded form -> place on a family
	outsideMap  = map[string]string{}
	signedIndex = map[string]signedHit{}
	degreeIndex []degree
)

type formHit struct {
	family string
	step   int
}
type signedHit struct {
	base string
	sign float64
}
type degree struct {
	word, canon, loose string
	rank               float64
}

// The indexes are built once from the tables above and only read afterwards.
func init() {
	for _, f := range families {
		for i, s := range f.steps {
			for _, w := range strings.Split(s, "|") {
				if _, taken := formIndex[f.name+"\x00"+w]; !taken {
					formIndex[f.name+"\x00"+w] = formHit{f.name, i}
				}
			}
		}
	}
	for _, o := range outsideForms {
		for _, w := range strings.Split(o.forms, "|") {
			outsideMap[w] = o.canon
		}
	}
	for _, s := range signed {
		for _, w := range strings.Split(s.pos, "|") {
			signedIndex[w] = signedHit{s.base, 1}
		}
		for _, w := range strings.Split(s.neg, "|") {
			signedIndex[w] = signedHit{s.base, -1}
		}
	}
	for _, in := range intensities {
		for _, w := range strings.Split(in.words, "|") {
			degreeIndex = append(degreeIndex, degree{w, strings.Split(in.words, "|")[0], in.loose, in.rank})
		}
	}
}

// familyNumber is the family of the points of a scale question.
const familyNumber = "number"

// place is the label's position from low to high; ok is false when it has none.
func (l label) place() (float64, bool) {
	if l.family != "" {
		return l.rank, true
	}
	v, err := strconv.ParseFloat(l.folded, 64)
	return v, err == nil
}

// pointLabels are the points of a scale question, by number. rank runs towards
// the top, wherever the top is.
func pointLabels(q Question) []label {
	var out []label
	for v := q.Min; v <= q.Max; v++ {
		t := strconv.Itoa(v)
		l := label{text: t, folded: t, strict: t, loose: t, family: familyNumber, rank: float64(v)}
		if q.TopLow {
			l.rank = -l.rank
		}
		out = append(out, l)
	}
	return out
}

// numbered gives the leading numbers of labels such as "10 - Extremely likely",
// when every substantive label has one of its own.
func numbered(ls []label) []string {
	out := make([]string, len(ls))
	seen := map[string]bool{}
	for i, l := range ls {
		if l.outside {
			continue
		}
		head, _, _ := strings.Cut(strings.ReplaceAll(l.folded, "=", " "), " ")
		head = strings.Trim(head, "-")
		if _, err := strconv.Atoi(head); err != nil || seen[head] {
			return nil
		}
		seen[head] = true
		out[i] = head
	}
	if len(seen) < 2 {
		return nil
	}
	return out
}

// readLabels reads a list of options together: which family they belong to
// depends on all of them ("Medium" is steak beside "Rare", a level beside "High").
func readLabels(options []string) []label {
	out := make([]label, len(options))
	for i, o := range options {
		l := label{text: o, folded: strings.TrimSpace(contractions.Replace(foldLabel(contractions.Replace(fold(o)))))}
		l.strict, l.loose = l.folded, l.folded
		if c, ok := outsideMap[l.folded]; ok {
			l.outside = true
			l.strict, l.loose = "outside:"+c, "outside:"+c
			if c == "don't know" || c == "no answer" {
				l.loose = "outside:no view"
			}
		}
		out[i] = l
	}
	if nums := numbered(out); nums != nil {
		for i := range out {
			if !out[i].outside {
				out[i].folded, out[i].strict, out[i].loose = nums[i], nums[i], nums[i]
			}
		}
		return out
	}
	if !placeFamily(out) {
		placeSigned(out)
	}
	return out
}

// placeFamily finds the scale that holds every substantive label.
func placeFamily(ls []label) bool {
	for _, f := range families {
		n := 0
		for _, l := range ls {
			if l.outside {
				continue
			}
			if _, ok := formIndex[f.name+"\x00"+l.folded]; !ok {
				n = -1
				break
			}
			n++
		}
		if n < 2 {
			continue
		}
		for i := range ls {
			if ls[i].outside {
				continue
			}
			h := formIndex[f.name+"\x00"+ls[i].folded]
			ls[i].family, ls[i].rank = f.name, float64(h.step)
			ls[i].strict = f.name + ":" + strconv.Itoa(h.step)
			ls[i].loose = ls[i].strict
		}
		return true
	}
	return false
}

// placeSigned reads "very unlikely", "not at all worried", "neither agree nor
// disagree" as base, sign and degree. All substantive labels must share a base.
func placeSigned(ls []label) {
	read := make([]label, len(ls))
	base := ""
	n := 0
	for i, l := range ls {
		read[i] = l
		if l.outside {
			continue
		}
		b, rank, canon, loose := readSigned(l.folded)
		if b == "neutral" {
			read[i].rank, read[i].strict, read[i].loose = 0, "neutral", "neutral"
			continue
		}
		if b == "" || (base != "" && b != base) {
			return
		}
		base, n = b, n+1
		read[i].rank = rank
		read[i].strict, read[i].loose = b+":"+canon, b+":"+loose
	}
	if n < 2 {
		return
	}
	seen := map[float64]bool{}
	for i := range read {
		if read[i].outside {
			continue
		}
		if seen[read[i].rank] {
			return // two labels on one step: no order can be read
		}
		seen[read[i].rank] = true
		read[i].family = "signed:" + base
	}
	copy(ls, read)
}

func readSigned(s string) (base string, rank float64, canon, loose string) {
	if strings.HasPrefix(s, "neither ") || s == "neutral" || s == "no difference" || s == "indifferent" || s == "mixed" {
		return "neutral", 0, "", ""
	}
	if h, ok := signedIndex[s]; ok {
		return h.base, 2 * h.sign, sign(h.sign) + "plain", sign(h.sign) + "mid"
	}
	if rest, ok := strings.CutPrefix(s, "not at all "); ok {
		return poleOf(rest), -4, "-none", "-top"
	}
	if rest, ok := strings.CutPrefix(s, "not "); ok {
		if r, ok := strings.CutSuffix(rest, " at all"); ok {
			return poleOf(r), -4, "-none", "-top"
		}
		for _, d := range []string{"very ", "too ", "so ", "that ", "particularly ", "really "} {
			if r, ok := strings.CutPrefix(rest, d); ok {
				return poleOf(r), -1, "-little", "-mid"
			}
		}
		if len(strings.Fields(rest)) == 1 {
			return poleOf(rest), -2, "-not", "-mid"
		}
		return "", 0, "", ""
	}
	for _, d := range degreeIndex {
		if d.word == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(s, d.word+" "); ok {
			sg := 1.0
			b := rest
			if h, ok := signedIndex[rest]; ok {
				b, sg = h.base, h.sign
			} else if len(strings.Fields(rest)) > 3 {
				return "", 0, "", ""
			}
			return b, sg * d.rank, sign(sg) + d.canon, sign(sg) + d.loose
		}
	}
	return "", 0, "", ""
}

func poleOf(s string) string {
	if h, ok := signedIndex[s]; ok && h.sign > 0 {
		return h.base
	}
	return s
}

func sign(s float64) string {
	if s < 0 {
		return "-"
	}
	return "+"
}

// generic reports whether labels are a common scale that says nothing of the
// topic ("Yes", "Agree", "5"): equal labels are then no sign of the same question.
func generic(ls []label) bool {
	for _, l := range ls {
		if l.outside {
			continue
		}
		if _, err := strconv.Atoi(l.folded); err == nil {
			continue
		}
		if l.family == "" || l.family == "doneness" {
			return false
		}
	}
	return true
}

// Ordered reports whether options are a known scale, shown from one end to the
// other.
func Ordered(options []string) bool { return direction(readLabels(options)) != 0 }

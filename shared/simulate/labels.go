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

// outsideForms are answers that are none: they stand outside a scale.
var outsideForms = []struct{ canon, forms string }{
	{"don't know", "do not know|unsure|not sure|undecided|no opinion|cannot say|hard to say|no idea|do not know/refused|do not know/refuse to answer|do not know/no answer|do not know or no answer|i do not know|ns/nc|weiß nicht|no sé|ne sait pas|uncertain|do not understand this question|i do not understand this question"},
	{"no answer", "no answer|refused|prefer not to say|prefer not to answer|rather not say|no response|skipped|decline to answer"},
	{"not applicable", "not applicable|n/a|does not apply|unfamiliar with it|i am unfamiliar with it|unfamiliar|not familiar with it|never heard of it"},
	{"none", "none of these|none of the above|none of them|nothing"},
	{"other", "other|others|something else|other please specify|another|other or no vote"},
}

// family is a common answer scale, low to high; forms of a step are strict
// synonyms.
type family struct {
	name  string
	steps []string
}

var families = []family{
	{"yesno", []string{"no|nope|nein|non|false", "yes|yeah|yep|sí|si|oui|ja|true"}},
	{"often", []string{"never|not ever", "almost never|hardly ever|very rarely", "rarely|seldom|not often", "sometimes|occasionally|from time to time|now and then", "often|frequently|regularly", "very often|very frequently", "almost always|nearly always|most of the time", "always|all the time"}},
	{"rate", []string{"never", "less than once a year", "once a year|yearly|annually|about once a year", "a few times a year|several times a year", "once a month|monthly|about once a month", "a few times a month|2-3 times a month|two or three times a month", "once a week|weekly|about once a week", "a few times a week|several times a week|2-3 times a week", "daily|every day|once a day", "several times a day|multiple times a day|more than once a day"}},
	{"amount", []string{"not at all|none|none at all|no", "not much|only a little|a little|very little|hardly any|just a little|a few|only a few", "some|somewhat|a moderate amount|to some extent", "a fair amount|quite a bit|quite a lot|a good amount", "a lot|a great deal|very much|a great amount|a lot of it"}},
	{"right", []string{"too little|not enough", "about right|about the right amount|just right|the right amount", "too much"}},
	{"level", []string{"very low", "low", "medium|moderate|average|middle", "high", "very high"}},
	{"quality", []string{"terrible|very poor|very bad", "poor|bad", "fair|average|ok|okay", "good", "very good", "excellent|outstanding"}},
	{"doneness", []string{"rare|bloody", "medium rare|medium-rare", "medium", "medium well|medium-well|medium well done", "well|well done|well-done"}},
	{"liking", []string{"i hate it|hate it|hate", "i dislike it|dislike it|do not like it|i do not like it", "i am ok with it|ok with it|i am okay with it|it is ok|it is okay|neutral about it", "i like it|like it", "i love it|love it|love"}},
	{"change", []string{"much worse|a lot worse", "worse|somewhat worse|a little worse", "about the same|the same|no change|stayed the same", "better|somewhat better|a little better", "much better|a lot better"}},
	{"intent", []string{"definitely not|definitely would not|would definitely not|i would definitely not|no definitely not", "probably not|probably would not|would probably not", "might or might not|maybe|may or may not|perhaps|possibly", "probably|probably would|would probably|probably yes|yes probably", "definitely|definitely would|would definitely|definitely yes|yes definitely"}},
}

// signed are the poles of scales of feeling: base and its opposite.
var signed = []struct{ base, pos, neg string }{
	{"agree", "agree", "disagree|do not agree"},
	{"likely", "likely", "unlikely"},
	{"satisfied", "satisfied|happy|pleased", "dissatisfied|unsatisfied|unhappy|displeased"},
	{"important", "important", "unimportant"},
	{"comfortable", "comfortable", "uncomfortable"},
	{"easy", "easy", "difficult|hard"},
	{"favor", "favor|favour|in favor|in favour|support|for|favors|supports", "oppose|against|opposed|opposes|disfavor"},
	{"approve", "approve|approving", "disapprove|disapproving"},
	{"positive", "positive|favorable|favourable", "negative|unfavorable|unfavourable"},
	{"safe", "safe", "unsafe"}, {"willing", "willing", "unwilling"}, {"interested", "interested", "uninterested"},
	{"confident", "confident", "unconfident"}, {"helpful", "helpful", "unhelpful"}, {"effective", "effective", "ineffective"},
	{"should", "should", "should not"},
}

// intensities order degrees; loose joins those that scales use for one another.
var intensities = []struct {
	words string
	rank  float64
	loose string
}{
	{"extremely|totally|completely|absolutely|entirely", 4, "top"},
	{"strongly|very|definitely|highly|really", 3, "top"},
	{"quite|pretty|mostly", 2.2, "mid"},
	{"", 2, "mid"},
	{"somewhat|moderately|fairly|rather|tend to|probably|reasonably", 1.5, "mid"},
	{"slightly|a little|a bit", 1, "low"},
}

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

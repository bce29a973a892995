package segment

import (
	"math"
	"regexp"
	"sort"
	"strings"
)

var (
	bandNumber = regexp.MustCompile(`(\d[\d.,]*)\s*(k|m|bn|thousand|million|billion|mio|tsd)?\b`)
	bandBelow  = regexp.MustCompile(`^\s*(?:<|≤|<=|under|below|less than|up to|at most|no more than|fewer than|unter|bis zu|bis|weniger als|moins de|menos de|hasta|meno di|fino a|minder dan|poniżej|under)\s*[$€£¥]?\s*\d|^\s*[$€£¥]?[\d.,]+\s*[km]?\s*(?:or|and|oder|und|ou|o|en)\s+(?:less|under|younger|fewer|below|jünger|weniger|moins|menos|meno)`)
	bandAbove  = regexp.MustCompile(`^\s*(?:>|≥|>=|over|above|more than|at least|über|mehr als|ab|plus de|más de|oltre|più di|mais de|meer dan|powyżej|över)\s*[$€£¥]?\s*\d|\d[\d.,]*\s*[kmb]?n?\s*(?:\+|(?:or|and|oder|und|et|y|e|en|ou|o)\s+(?:up|over|older|more|above|higher|älter|mehr|plus|más|oltre|mais|ouder|meer))|\d[\d.,]*\s*(?:years? )?(?:or|and) (?:older|over|up)`)
	bandWords  = regexp.MustCompile(`\pL+`)
	bandExcess = map[string]bool{"less": true, "than": true, "under": true, "below": true, "over": true, "above": true, "more": true, "and": true, "or": true, "up": true, "to": true, "older": true, "younger": true, "years": true, "year": true, "yrs": true, "old": true, "age": true, "aged": true, "k": true, "m": true, "bn": true, "million": true, "billion": true, "thousand": true, "usd": true, "eur": true, "gbp": true, "employees": true, "people": true, "per": true, "annum": true, "a": true, "euro": true, "euros": true, "dollars": true, "pounds": true, "from": true, "between": true, "at": true, "least": true, "most": true, "jahre": true, "bis": true, "unter": true, "über": true, "mehr": true, "als": true, "ans": true, "años": true, "anni": true, "anos": true, "jaar": true, "lat": true, "år": true, "de": true, "à": true, "a.": true, "plus": true, "et": true, "y": true, "e": true, "und": true, "oder": true, "älter": true, "moins": true, "menos": true, "más": true, "oltre": true, "meno": true, "di": true, "mais": true, "hasta": true, "weniger": true, "von": true, "mio": true, "tsd": true, "months": true, "hours": true, "minutes": true, "days": true, "times": true, "children": false, "fewer": true, "higher": true, "mitarbeiter": true, "salariés": true, "empleados": true}
)

// band reads an answer that is a range of numbers: "18-29", "> 60", "$150,000+",
// "65 and up", "under 18". An open end is infinite.
func band(fold string) (lo, hi float64, ok bool) {
	if len(fold) > 60 || strings.IndexFunc(fold, func(r rune) bool { return r >= '0' && r <= '9' }) < 0 {
		return 0, 0, false
	}
	for _, w := range bandWords.FindAllString(fold, -1) {
		if !bandExcess[w] {
			return 0, 0, false
		}
	}
	var nums []float64
	for _, m := range bandNumber.FindAllStringSubmatch(fold, -1) {
		v, fine := parseNumber(strings.Trim(m[1], ".,"))
		if !fine {
			return 0, 0, false
		}
		switch m[2] {
		case "k", "thousand", "tsd":
			v *= 1e3
		case "m", "million", "mio":
			v *= 1e6
		case "bn", "billion":
			v *= 1e9
		}
		nums = append(nums, v)
	}
	switch {
	case len(nums) == 2 && nums[0] <= nums[1]:
		return nums[0], nums[1], true
	case len(nums) == 1 && bandBelow.MatchString(fold):
		return math.Inf(-1), nums[0], true
	case len(nums) == 1 && bandAbove.MatchString(fold):
		return nums[0], math.Inf(1), true
	}
	return 0, 0, false
}

// ranks gives each answer its place when the answers have an order: bands,
// numbers, a ladder of education or a common scale. Answers outside a scale
// ("Other", "Don't know") come last. ok is false when there is no order.
func ranks(folds []string) (place []float64, ok bool) {
	if len(folds) < 2 {
		return nil, false
	}
	place = make([]float64, len(folds))
	for _, rank := range []func(string) (float64, bool){rankBand, rankLadder(education), rankScale} {
		in, out := 0, 0
		seen := map[float64]bool{}
		for i, f := range folds {
			v, fine := rank(f)
			if !fine {
				place[i] = math.Inf(1)
				out++
				if !outside[f] {
					out += len(folds)
				}
				continue
			}
			place[i] = v
			seen[v] = true
			in++
		}
		if in >= 2 && out < in && len(seen) >= 2 {
			return place, true
		}
	}
	for _, seq := range sequences {
		in, out := 0, 0
		for i, f := range folds {
			at, exact := -1, false
			for j, step := range seq {
				for _, form := range strings.Split(step, "|") {
					if f == form {
						at, exact = j, true
					} else if !exact && (strings.HasPrefix(f, form+",") || strings.HasPrefix(f, form+" (")) {
						at = j
					}
				}
			}
			if at < 0 {
				place[i] = math.Inf(1)
				out++
				if !outside[f] {
					out += len(folds)
				}
				continue
			}
			place[i] = float64(at)
			in++
		}
		if in >= 2 && out < in {
			return place, true
		}
	}
	return nil, false
}

var outside = map[string]bool{
	"other": true, "other (please specify)": true, "don't know": true, "not sure": true, "unsure": true, "no opinion": true, "none of the above": true, "unfamiliar (n/a)": true, "none": true,
	"don't know / no answer": true, "i don't know": true, "weiß nicht": true, "ne sait pas": true, "no sé": true, "neither": true,
}

func rankBand(f string) (float64, bool) {
	if v, ok := parseNumber(f); ok {
		return v, true
	}
	lo, hi, ok := band(f)
	if !ok {
		return 0, false
	}
	if math.IsInf(lo, -1) {
		return hi - 1e-6 - 1, true
	}
	if math.IsInf(hi, 1) {
		return lo + 1e-6, true
	}
	return lo, true
}

type rung struct {
	at *regexp.Regexp
	n  float64
}

var education = []rung{
	{regexp.MustCompile(`doctor|ph\.?d|promotion`), 9},
	{regexp.MustCompile(`post[- ]?grad|graduate degree|graduate school|master|professional degree|mba|advanced degree`), 8},
	{regexp.MustCompile(`bachelor|college (?:graduate|degree|or more)|undergraduate|4[- ]year|four[- ]year|university degree|hochschulabschluss`), 7},
	{regexp.MustCompile(`associate'?s? degree$|^associate|2[- ]year|two[- ]year`), 6},
	{regexp.MustCompile(`some (?:college|university|post)|vocational|technical|trade|ausbildung`), 5},
	{regexp.MustCompile(`less than|did not|no (?:formal|high school|qualif|diploma)|some high school|primary|elementary|never|kein`), 1},
	{regexp.MustCompile(`high school|g\.?e\.?d|secondary|gcse|a-?level|abitur|baccalaur`), 3},
}

func rankLadder(ladder []rung) func(string) (float64, bool) {
	return func(f string) (float64, bool) {
		for _, r := range ladder {
			if r.at.MatchString(f) {
				return r.n, true
			}
		}
		return 0, false
	}
}

var (
	scaleWord  = regexp.MustCompile(`\b(dis|un|in)?(agree|satisfied|likely|important|favou?rabl[ey]|favou?r|approve|comfortable|confident|interested|willing|familiar|happy|helpful|effective|safe|positive|negative|oppose|support|masculine|feminine|concerned|worried|difficult|easy|useful|healthy|unhealthy|appealing|relevant|believable|good|bad|poor|excellent|attractive|expensive|excited|proud|often|aware)\b`)
	scaleForce = []rung{
		{regexp.MustCompile(`\bnot at all\b`), -3},
		{regexp.MustCompile(`\bnot (?:very|too|so|particularly|really)\b`), -2},
		{regexp.MustCompile(`\b(?:neither|neutral|undecided|mixed)\b`), 0},
		{regexp.MustCompile(`\b(?:extremely|completely|strongly|totally|definitely)\b`), 4},
		{regexp.MustCompile(`\bvery\b`), 3},
		{regexp.MustCompile(`\b(?:somewhat|slightly|fairly|moderately|a little|tend to)\b`), 1},
		{regexp.MustCompile(`\bnot\b`), -2.5},
	}
)

// rankScale places an answer of a scale of feeling: force times direction, the
// strongest approval first, as questionnaires print them.
func rankScale(f string) (float64, bool) {
	force := 2.0
	found := false
	for _, r := range scaleForce {
		if r.at.MatchString(f) {
			force, found = r.n, true
			break
		}
	}
	m := scaleWord.FindStringSubmatch(f)
	if m == nil {
		return -force, found && force == 0
	}
	switch m[2] {
	case "oppose", "negative", "bad", "poor", "unhealthy", "difficult":
		force = -force
	default:
		if m[1] != "" {
			force = -force
		}
	}
	return -force, true
}

// sequences are scales in words, in the order of questionnaires.
var sequences = [][]string{
	{"yes|ja|oui|sí|si|yes, definitely", "maybe|sometimes|not sure", "no|nein|non"},
	{"always|immer|toujours|siempre", "almost always|most of the time", "very often|frequently", "often|regularly|oft|souvent", "sometimes|occasionally|manchmal|parfois|a veces", "rarely|seldom|selten|rarement", "almost never|hardly ever", "never, but open to it", "never, and not open to it", "never|nie|jamais|nunca"},
	{"several times a day|multiple times a day", "daily|every day|once a day", "several times a week|a few times a week", "weekly|once a week|at least weekly", "several times a month|a few times a month|every two weeks", "monthly|once a month|at least monthly", "several times a year|a few times a year|quarterly", "once a year|yearly|annually", "less often|less than once a year|rarely", "never"},
	{"a lot|a great deal|very much", "quite a bit|a fair amount", "some|somewhat|a moderate amount", "only a little|a little|not much", "nothing at all|not at all|none"},
	{"excellent", "very good", "good", "fair|average|ok|okay", "poor", "very poor|terrible"},
	{"very high", "high", "medium|moderate|middle", "low", "very low"},
	{"rare", "medium rare", "medium", "medium well", "well|well done"},
	{"very large", "large", "medium", "small", "very small"},
	{"much better", "somewhat better|better", "about the same|the same", "somewhat worse|worse", "much worse"},
	{"definitely would|definitely", "probably would|probably", "might or might not", "probably would not|probably not", "definitely would not|definitely not"},
	{"urban|city", "suburban|suburb", "town|small town", "rural|countryside"},
}

// ordered sorts indices of answers by rank, stable where ranks are equal.
func ordered(folds []string) ([]int, bool) {
	place, ok := ranks(folds)
	if !ok {
		return nil, false
	}
	at := make([]int, len(folds))
	for i := range at {
		at[i] = i
	}
	sort.SliceStable(at, func(a, b int) bool { return place[at[a]] < place[at[b]] })
	return at, true
}

// Band reads an answer that is a range of numbers: "18-29", "> 60", "$150,000+",
// "under 18". An open end is infinite.
func Band(s string) (lo, hi float64, ok bool) { return band(folded(s)) }

package simulate

import (
	"math"
	"strings"
)

// Latent factors: a person's answers hang together because
// the same few leanings move them. A question loads on a factor by the topic
// words that it holds; without such words it loads on nothing.
const (
	factorRight     = iota // economic left to right
	factorTradition        // social liberal to traditional
	factorTrust            // in institutions and people
	factorOptimism
	factorNovelty // new things, technology
	factorPrice   // price sensitivity
	factorCount
)

// maxLoad bounds |load|²: half of an answer's leaning stays its own.
const maxLoad = .5

// topics is the lexicon: words of a question and the factor that agreeing (or
// more of it) points to. It is small on purpose; a wrong load does more harm
// than a missing one.
var topics = []struct {
	words string
	at    int
	load  float64
}{
	{"welfare poverty tax taxes union redistribution", factorRight, -.55},
	{"gun guns military defense capitalism", factorRight, .55},
	{"religion religious god church pray prayer flag patriotic patriotism tradition traditional masculine manly", factorTradition, .65},
	{"abortion gay lesbian transgender immigrant immigration", factorTradition, -.5},
	{"trust confidence reliable honest", factorTrust, .68},
	{"institution congress parliament court police scientist", factorTrust, .35},
	{"optimistic hopeful optimism happy happiness satisfied lonely isolated worry worried concern concerned anxious", factorOptimism, .5},
	{"technology innovation new ai chatgpt smartwatch gadget electric app digital online", factorNovelty, .5},
	{"price cheap expensive discount coupon bargain cost afford pay", factorPrice, .6},
}

// topicLoads is the lexicon by stem.
var topicLoads = func() map[string][]topicLoad {
	m := map[string][]topicLoad{}
	for _, t := range topics {
		for _, w := range strings.Fields(t.words) {
			l := topicLoad{t.at, t.load}
			if reverseWords[w] {
				l.load = -l.load
			}
			m[stem(w)] = append(m[stem(w)], l)
		}
	}
	return m
}()

type topicLoad struct {
	at   int
	load float64
}

// reverseWords load the other way on their factor.
var reverseWords = wordSet("lonely isolated worry worried concern concerned anxious")

type loads struct {
	v   [factorCount]float64
	own float64 // sqrt(1-|v|²): the part that is the question's own
	any bool
}

// loadsOf reads a question's loads. sign is the question's polarity.
func loadsOf(b bag) loads {
	var l loads
	for _, st := range b.stems {
		for _, t := range topicLoads[st] {
			if math.Abs(t.load) > math.Abs(l.v[t.at]) {
				l.v[t.at] = t.load
			}
		}
	}
	sum := 0.0
	for i := range l.v {
		l.v[i] *= float64(b.sign)
		sum += float64(l.v[i] * l.v[i])
	}
	if sum > maxLoad {
		f := math.Sqrt(maxLoad / sum)
		for i := range l.v {
			l.v[i] *= f
		}
		sum = maxLoad
	}
	l.any = sum > 0
	l.own = math.Sqrt(1 - sum)
	return l
}

// theta is the noise of a slot's factor, the same for every question.
var thetaSeed = seedOf("factor")

func (l loads) common(slot int64) float64 {
	if !l.any {
		return 0
	}
	sum := 0.0
	for i, v := range l.v {
		if v != 0 {
			sum += float64(v * normal(thetaSeed.at(slot, uint64(i))))
		}
	}
	return sum
}

// traitCues map profile fields to the mean of a factor: high or low, by the
// field's value.
var traitCues = []struct {
	keys string
	at   int
	high string
	low  string
}{
	{"politics|political leaning|political views|ideology|party", factorRight, "conservative|right|right-wing|republican", "liberal|left|left-wing|progressive|democrat|socialist"},
	{"politics|political leaning|political views|ideology|religiosity|religiousness|religious|values", factorTradition, "conservative|traditional|religious|very religious|high|devout", "liberal|progressive|secular|not religious|low|atheist"},
	{"trust|institutional trust|agreeableness", factorTrust, "high|trusting|very high", "low|distrustful|very low|sceptical|skeptical"},
	{"optimism|outlook|mood", factorOptimism, "high|optimistic|positive", "low|pessimistic|negative"},
	{"neuroticism", factorOptimism, "low|very low", "high|very high"},
	{"openness|novelty seeking|innovation|tech adoption|technology adoption|adopter type", factorNovelty, "high|very high|early adopter|innovator|open", "low|very low|laggard|late majority|cautious"},
	{"price sensitivity|price consciousness|frugality", factorPrice, "high|very high|price sensitive|frugal", "low|very low|not price sensitive"},
}

// traitLean is how far the profile's mapped traits move an answer on the
// question's latent scale; names are the fields that did it.
func traitLean(l loads, p Profile) (lean float64, names []string) {
	if !l.any || len(p.Fields) == 0 {
		return 0, nil
	}
	var done [factorCount]bool
	for _, c := range traitCues {
		if l.v[c.at] == 0 || done[c.at] {
			continue
		}
		v, ok := p.Get(strings.Split(c.keys, "|")...)
		if !ok {
			continue
		}
		val := foldLabel(v)
		mean := 0.0
		switch {
		case isOneOf(val, c.high):
			mean = 1
		case isOneOf(val, c.low):
			mean = -1
		default:
			continue
		}
		done[c.at] = true
		lean += float64(mean * l.v[c.at])
		names = append(names, strings.Split(c.keys, "|")[0])
	}
	return lean, names
}

func isOneOf(v, list string) bool {
	for _, w := range strings.Split(list, "|") {
		if v == w {
			return true
		}
	}
	return false
}

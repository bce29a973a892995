package simulate

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// end is one end of an order that a question asks for: "most often", "the oldest",
// "am wenigsten". A sentence on the other end, or on none, does not answer it.
type end struct {
	order order
	up    bool
	// word is the superlative itself where its order is none of the known:
	// "the brightest" is answered by "brightest" alone.
	word string
}

// order is what can be put in a row, with the words for its two ends.
type order int

const (
	byAmount order = iota // also of every other: "most expensive"
	byTime                // first and last
	byAge
	byLength
	bySpeed
	byWeight
	bySound
	byPrice
	byQuality
	byStrength
	byHeat
	byDistance
	byWidth
	byOther
)

// cue finds words of a text: those of scripts with spaces by themselves, the
// others wherever they stand.
func cue(spaced, dense string) *expression.Expression {
	p := `(?:^|[^\pL\pN])(?:` + spaced + `)(?:[^\pL\pN]|$)`
	if dense != "" {
		p += `|` + dense
	}
	return expression.Of(p)
}

// ends are the words for the upper and the lower end of each order, in the
// languages with frames. The order of the list is the order in which they are
// tried: what is particular stands before what is general.
var ends = []struct {
	order    order
	up, down *expression.Expression
}{
	{byPrice,
		cue(`most expensive|costliest|dearest|highest (?:price|cost|fee|fare)s?|teuerste\pL*|(?:le|la|les) plus ch(?:er|ère)s?|más car[oa]s?|en pahalı`, `最贵|最も高価|가장 비싼|الأغلى|أغلى`),
		cue(`cheapest|least expensive|lowest (?:price|cost|fee|fare)s?|(?:billigste|günstigste)\pL*|(?:le|la|les) moins ch(?:er|ère)s?|más barat[oa]s?|en ucuz`, `最便宜|最も安|一番安|最安|가장 (?:싼|저렴)|الأرخص|أرخص`)},
	{byAge,
		cue(`oldest|eldest|älteste\pL*|(?:le|la|les) plus (?:vieux|vieille|vieilles|âgée?s?|ancien\pL*)|más (?:viej|antigu)[oa]s?|de mayor edad|en (?:eski|yaşlı)`, `最老|最古老|最年长|最も古|最年長|一番古|가장 (?:오래된|나이 많은|나이가 많)|الأقدم|أقدم|الأكبر سن`),
		cue(`youngest|newest|most recent|latest|(?:jüngste|neueste)\pL*|(?:le|la|les) plus (?:jeune|récente?|nouveau|nouvelle)s?|más (?:joven|jóvenes|nuev[oa]s?|reciente)s?|en (?:genç|yeni)`, `最年轻|最新|最も若|最年少|一番若|가장 (?:젊은|어린|최근|새로운)|الأصغر سن|الأحدث|أحدث`)},
	{byLength,
		cue(`longest|längste\pL*|am längsten|(?:le|la|les) plus (?:long(?:ue)?s?|longtemps)|más larg[oa]s?|en uzun`, `最长|最も長|一番長|最長|가장 (?:긴|오래)|الأطول|أطول`),
		cue(`shortest|kürzeste\pL*|am kürzesten|(?:le|la|les) plus (?:court|brève|bref)e?s?|más cort[oa]s?|en kısa`, `最短|最も短|一番短|가장 짧|الأقصر|أقصر`)},
	{bySpeed,
		cue(`fastest|quickest|schnellste\pL*|am schnellsten|(?:le|la|les) plus (?:rapide|vite)(?:s|ment)?|más rápid[oa]s?|más rápidamente|en hızlı`, `最快|最も速|最速|一番速|가장 빠|الأسرع|أسرع`),
		cue(`slowest|langsamste\pL*|am langsamsten|(?:le|la|les) plus lente?s?|más lent[oa]s?|en yavaş`, `最慢|最も遅|一番遅|가장 느|الأبطأ|أبطأ`)},
	{byWeight,
		cue(`heaviest|schwerste\pL*|(?:le|la|les) plus lourde?s?|más pesad[oa]s?|en ağır`, `最重(?:的|$)|最も重い|一番重い|가장 무거|الأثقل|أثقل`),
		cue(`lightest|leichteste\pL*|(?:le|la|les) plus lég(?:er|ère)s?|más liger[oa]s?|en hafif`, `最轻|最も軽|一番軽|가장 가벼|الأخف|أخف`)},
	{bySound,
		cue(`loudest|noisiest|lauteste\pL*|(?:le|la|les) plus bruyante?s?|más ruidos[oa]s?|en gürültülü`, `最吵|最も(?:うるさ|騒)|가장 시끄러|الأعلى صوت`),
		cue(`quietest|(?:leiseste|ruhigste)\pL*|(?:le|la|les) plus (?:silencieu(?:x|se)|calme)s?|más silencios[oa]s?|en sessiz`, `最安静|最も静か|一番静か|가장 조용|الأهدأ|أهدأ`)},
	{byQuality,
		cue(`best|besten?|bester|bestes|(?:le|la|les) (?:meilleure?s?|mieux)|mejor(?:es)?|en iyi`, `最好|最佳|最も良|最良|一番良|가장 좋|최고의|الأفضل|أفضل`),
		cue(`worst|schlechteste\pL*|schlimmste\pL*|(?:le|la|les) (?:pires?|plus mauvaise?s?)|peor(?:es)?|en kötü`, `最差|最糟|最も悪|最悪|가장 나쁜|최악|الأسوأ|أسوأ`)},
	{byStrength,
		cue(`strongest|stärkste\pL*|am stärksten|(?:le|la|les) plus forte?s?|más fuertes?|en güçlü`, `最强|最も強|가장 강|الأقوى|أقوى`),
		cue(`weakest|schwächste\pL*|am schwächsten|(?:le|la|les) plus faibles?|más débil(?:es)?|en zayıf`, `最弱|最も弱|가장 약|الأضعف|أضعف`)},
	{byHeat,
		cue(`hottest|warmest|(?:heißeste|wärmste)\pL*|más (?:calient|cálid)\pL+|en sıcak`, `最热|最も暑|가장 (?:더운|뜨거)|الأسخن|الأحر`),
		cue(`coldest|coolest|kälteste\pL*|más frí[oa]s?|en soğuk`, `最冷|最も寒|가장 (?:추운|차가)|الأبرد`)},
	{byDistance,
		cue(`farthest|furthest|am weitesten|más lejan[oa]s?|más lejos|en uzak`, `最远|最も遠|가장 먼|الأبعد|أبعد`),
		cue(`nearest|closest|nächstgelegene\pL*|más cercan[oa]s?|en yakın`, `最近的|最も近|가장 가까|الأقرب|أقرب`)},
	{byWidth,
		cue(`widest|broadest|breiteste\pL*|en geniş`, `最宽|最も広|가장 넓|الأوسع`),
		cue(`narrowest|schmalste\pL*|en dar`, `最窄|最も狭|가장 좁|الأضيق`)},
	{byTime,
		cue(`first|earliest|erste[rnms]?|am frühesten|premi(?:er|ère)s?|primer[oa]?s?|ilk`, `第一|首次|最早|最初|初めて|最も早|첫|최초|الأول(?:ى)?|أول`),
		cue(`last|latest|most recent|letzte[rnms]?|neueste\pL*|derni(?:er|ère)s?|últim[oa]s?|en son`, `最后|最近|最新|最後|마지막|최근|الأخيرة?|آخر`)},
	{byAmount,
		cue(`most|highest|largest|biggest|greatest|tallest|maximum|main|mainly`+
			`|(?:am )?meisten?|häufigste\pL*|am häufigsten|höchste\pL*|größte\pL*|hauptsächlich|vor allem|wichtigste\pL*|beliebteste\pL*`+
			`|(?:le|la|les) plus|principal(?:e|es|ement)?|principaux|surtout|más|(?:el|la|los|las|lo) mayor(?:es)?|máxim[oa]s?|sobre todo|principalmente`+
			`|en (?:çok|fazla|yüksek|büyük|sık|yaygın|önemli|popüler)`,
			`最(?:多|高|大|常|主要|受欢迎|重要|普遍|频繁)|主に|最も(?:多|高|大|よく|頻繁|一般|重要|人気)|一番(?:多|高|大|よく|人気)|가장 (?:많|높|큰|흔|자주|중요|인기|일반)|최대|최고|최다|주로|الأكثر|أكثر|الأعلى|أعلى|الأكبر|أكبر|الأهم|أهم`),
		cue(`least|lowest|smallest|fewest|minimum|rarest`+
			`|am wenigsten|wenigsten?|seltenste\pL*|am seltensten|niedrigste\pL*|kleinste\pL*|geringste\pL*|(?:le|la|les) moins|(?:le|la|les) plus (?:bas(?:se)?|petite?|faible|rare)s?`+
			`|menos|menor(?:es)?|mínim[oa]s?|más (?:baj[oa]|pequeñ[oa])s?|en (?:az|düşük|küçük|nadir|seyrek)`,
			`最(?:少|低|小|不)|最も(?:少|低|小)|一番(?:少|低|小)|가장 (?:적|낮|작|드물)|최소|최저|الأقل|أقل|الأدنى|أدنى|الأصغر|أصغر|الأندر|أندر`)},
}

// mostly are further words of a text for the upper end of an amount, and seldom
// for the lower one, which a question does not ask by.
var (
	mostly = cue(`topped|leading|record|above all|more than any|number one|primary|primarily|predominantly|foremost|majority|best[- ]?selling|top|mehrheit|majorité|plupart|mayoría|çoğunluk\pL*|özellikle`, `大多数|過半数|대부분|معظم`)
	seldom = cue(`less than any|fewer than any|seldom|rarely|bottom`, `很少|드물게|نادرًا`)
)

// noEnd are phrases with the words of an end that ask for none.
var noEnd = cue(`at (?:the )?(?:least|most|last|first|best)|(?:the )?last (?:\d+ |few |two |three |five |ten )?(?:years?|months?|weeks?|days?|nights?|times?|summer|winter|spring|autumn|fall|season|decade|century|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)`+
	`|first (?:aid|name|names|half|quarter|class|floor|place|hand|lady|person)|last names?|best (?:describes?|matches|fits|reflects|represents|reason)|describes? .{1,40} best|most of|(?:do|does|did|would|will|can|are|were|have|had|that|why|how|what|which|where|when|by|for|as) most (?:people|persons|men|women|adults|children|users|members|customers|respondents|passengers|visitors|employees|students)|(?:the )?latest by|nevertheless|not least`+
	`|letzte[nrsm]? (?:jahr|monat|woche|sommer|winter)\pL*|mindestens|höchstens|au (?:moins|plus)|(?:l'|l’)an(?:née)? derni(?:er|ère)|por lo menos|al menos|(?:el )?(?:año|mes) pasado|en azından|(?:et|y) plus|plus (?:d[e'’]|que)|más (?:de|que)|menos (?:de|que)`, `更多|もっと|更に|أكثر من|أقل من|على الأقل|على الأكثر`)

// superlative is a word with the ending of one, whatever it is of.
var superlative = expression.Of(`\b[a-z]{3,}est\b`)

// noSuperlative end alike and are none.
var noSuperlative = wordSet(`interest forest request protest harvest invest contest modest honest suggest tempest digest west rest test guest quest chest nest pest arrest manifest northwest southwest conquest behest largest-ever inquest closest-ever
	west-est northwest midwest budapest bucharest everest unrest re-invest reinvest latest-ever ingest divest attest detest congest`)

// nextTo is a place beside an end: "the second most common" is not the most
// common.
var nextTo = expression.Of(`(?:^|[^\pL])(second|third|fourth|fifth|next|runner-up|zweit\pL*|dritt\pL*|deuxième|troisième|segund[oa]|tercer[oa]?|ikinci|üçüncü)[- ]?(?:most|least|\pL*(?:est|st|sten?|ste[rsmn]?)|(?:le |la |les )?plus|moins|más|menos|mayor|menor|en)(?:[^\pL]|$)|(第二|第三|二番目|三番目|두 번째|세 번째|ثاني|ثالث)`)

// verbLast are questions in which "last" and "top" are what something does.
var verbLast = expression.Of(`\b(?:does|do|did|will|would|can|to|may|should) (?:[^?]{1,60} )?(?:last|top|record|lead)\b`)

// endOf reads which end of an order a question, folded, asks for; ok is false
// for none, and where it names both, as those that ask which do.
func endOf(low string) (end, bool) {
	if m := nextTo.FindStringSubmatch(low); m != nil {
		return end{order: byOther, word: m[1] + m[2]}, true
	}
	low = verbLast.ReplaceAllStringFunc(noEnd.ReplaceAllString(low, " "), func(s string) string { return s[:strings.LastIndex(s, " ")] })
	for _, e := range ends {
		down := e.down.MatchString(low)
		up := e.up.MatchString(e.down.ReplaceAllString(low, " "))
		switch {
		case up && down:
			return end{}, false
		case up, down:
			return end{order: e.order, up: up}, true
		}
	}
	for _, m := range superlative.FindAllString(low, -1) {
		if !noSuperlative[m] {
			return end{order: byOther, word: m}, true
		}
	}
	return end{}, false
}

// says reports a text, folded, that names the end which is asked for. An amount
// at its end does for qualities: the best has the highest score.
func (e end) says(low string) bool {
	if e.order == byOther {
		return contains(low, e.word)
	}
	low = nextTo.ReplaceAllString(noEnd.ReplaceAllString(low, " "), " ")
	for _, x := range ends {
		if x.order != e.order && (x.order != byAmount || e.order != byQuality && e.order != byStrength && e.order != byPrice) {
			continue
		}
		switch {
		case e.up && x.up.MatchString(x.down.ReplaceAllString(low, " ")), !e.up && x.down.MatchString(low):
			return true
		}
	}
	return e.order == byAmount && (e.up && mostly.MatchString(low) || !e.up && seldom.MatchString(low))
}

// denies reports a text that names the other end alone.
func (e end) denies(low string) bool {
	return e.order != byOther && !e.says(low) && end{order: e.order, up: !e.up}.says(low)
}

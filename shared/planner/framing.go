package planner

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// The rules of M-86. Each says what makes the risk visible in the wording itself;
// a rule that would have to guess what the author means stays silent.
const (
	Leading            = "leading"
	DoubleBarrelled    = "double_barrelled"
	LoadedWord         = "loaded_word"
	MissingWayOut      = "missing_way_out"
	UnbalancedScale    = "unbalanced_scale"
	BrandBeforeUnaided = "brand_before_unaided"
	OverlappingOptions = "overlapping_options"
)

var (
	leadingWords = expression.Of(`(?i)(?:\b(?:don['’]t you (?:think|agree|feel|believe|find)|do you not (?:think|agree|feel)|wouldn['’]t you (?:agree|say|want|like)|isn['’]t it (?:true|time|obvious|clear)|aren['’]t you|shouldn['’]t (?:we|you|they|it|the)|wouldn['’]t it be|do you agree that|would you agree that|surely|obviously|as everyone knows|as we all know|most people (?:think|believe|agree|prefer)|how (?:great|amazing|wonderful|terrible|awful|bad|much better) (?:is|was|are|were|do you)|why is .{1,60} (?:better|the best)|why do you (?:love|hate|prefer))\b|\b(?:finden sie nicht auch|meinen sie nicht|sind sie nicht auch|ist es nicht so|stimmen sie (?:mir |uns )?(?:zu|darin überein), dass|sicherlich|bekanntlich|wie jeder weiß)\b|\b(?:ne pensez-vous pas|ne trouvez-vous pas|n'êtes-vous pas|n'est-il pas|êtes-vous d'accord (?:que|pour dire)|comme chacun sait|évidemment)\b|¿?\s*\bno\s+(?:cree|crees|piensa|piensas|le parece|te parece|está de acuerdo|estás de acuerdo)\b|\b(?:está de acuerdo en que|como todos saben|obviamente)\b|\bnon\s+(?:crede|pensa|le sembra|trova|ritiene)\b|\b(?:è d'accordo che|come tutti sanno)\b|\bnão\s+(?:acha|concorda|pensa|considera)\b|\bconcorda que\b|\b(?:vindt u (?:ook )?niet|bent u het niet (?:ook )?eens|bent u het ermee eens dat)\b|難道|难道|不觉得|不认为|と思いませんか|ではないでしょうか|ではありませんか|생각하지 않(?:으십니까|나요|으세요)|동의하지 않|düşünmüyor musunuz|sizce de|ألا (?:تعتقد|ترى|توافق))`)

	loadedWords = expression.Of(`(?i)(?:\b(?:disgusting|outrageous|scandalous|shameful|disgraceful|horrible|horrific|evil|greedy|corrupt|radical|extremist|dangerous|reckless|ridiculous|stupid|pathetic|terrible|awful|wonderful|amazing|fantastic|revolutionary|world[- ]class|groundbreaking|unfair(?:ly)?|so-called|bureaucrats|politically correct|illegal aliens?|tax burden|waste of (?:money|time)|skandalös\p{L}*|unverschämt\p{L}*|gierig\w*|korrupt\w*|gefährlich\w*|großartig\w*|revolutionär\w*|sogenannte[nr]?|schrecklich\w*|fantastisch\w*|scandaleu\w+|honteu\w+|avides?|corrompu\w*|dangereu\w+|merveilleu\w+|révolutionnaires?|soi-disant|escandalos[oa]s?|vergonzos[oa]s?|codicios[oa]s?|corrupt[oa]s?|peligros[oa]s?|maravillos[oa]s?|revolucionari[oa]s?|vergognos[oaei]|avid[oaei]|corrott[oaei]|pericolos[oaei]|meraviglios[oaei]|rivoluzionari[oaei]?|vergonhos[oa]s?|gananci\w+|perigos[oa]s?|schandalig\w*|hebzuchtig\w*|gevaarlijk\w*|geweldig\w*|revolutionair\w*|rezil|açgözlü|muhteşem)\b|可耻|贪婪|腐败|糟糕透顶|革命性|恥ずべき|貪欲|画期的|혁신적인|탐욕|부패한|مخز|جشع|رائع)`) //nolint:misspell // words of other languages

	orBetween = expression.Of(`(?i)\s(?:and|und|et|y|e|en|ve|&)\s`)
	// A rating's object: "How satisfied are you with the price and quality …?"
	rated    = expression.Of(`(?i)(?:(?:how|wie)\s+(?:satisfied|happy|important|likely|clear|easy|useful|helpful|appealing|good|attractive|friendly|fast|zufrieden|wichtig|wahrscheinlich|gut|einfach|attraktiv)\b|\b(?:rate|rating|score|bewerten sie|notez|évaluez|valore|evalúe|califique|valuti|avalie|beoordeel)\b|\bsatisfait\w*|\bsatisfech[oa]s?|\bsoddisfatt[oai]|\bsatisfeit[oa]s?|\btevreden\b|\bmemnun)`)
	pairNoun = expression.Of(`(?i)(?:with|of|mit|de|du|de la|des|con|di|della|do|da|dos|met|van|our|your|the|this|der|die|das|dem|den|le|la|les|el|los|las|il|lo|gli|o|a|het|unsere[mnrs]?|ihre[mnrs]?|notre|nuestro|nuestra|suo|sua)\s+((?:\p{L}[\p{L}'’-]*\s+){0,2}?\p{L}[\p{L}'’-]*)\s+(?:and|und|et|y|e|en|ve|&)\s+(?:(?:the|its|our|der|die|das|le|la|les|el|los|las|il|lo|l'|o|a|os|as|het|de)\s*)?(\p{L}[\p{L}'’-]*)`)
	cjkPair  = expression.Of(`(?:对|對|について|に対して)?[^，。？?]{1,12}(?:和|与|以及|と|및|와|과|و)[^，。？?]{1,12}(?:是否)?(?:满意|評価|满足|どの程度満足|만족|راض)`)
	// Verbs joined in an agreement: "The app is fast and easy to use."
	adjPair  = expression.Of(`(?i)\b(?:is|are|ist|sind|est|sont|es|son|è|é|is)\s+(?:\p{L}+ly\s+)?(\p{L}{3,})\s+(?:and|und|et|y|e|en)\s+(\p{L}{3,})`)
	oneThing = expression.Of(`(?i)\b(?:friends? and family|family and friends|friend or (?:colleague|family)|food and (?:drink|beverage)s?|research and development|health and (?:safety|wellness)|terms and conditions|privacy and security|pros and cons|arts and crafts|bed and breakfast|black and white|more and more|again and again|men and women|women and men|parents and children|oil and gas|search and rescue|customers? and|supply and demand|trial and error|peace and quiet|salt and pepper|gut und gerne|familie und freunde|freunde[n]? und (?:familie|bekannte\w*)|amis et (?:la )?famille|amigos y familiares|familia y amigos|work and life|day and night|strengths and weaknesses|likes and dislikes|advantages and disadvantages|q&a|r&d)\b`)

	unaided = expression.Of(`(?i)(?:\b(?:which|what)\b.{0,60}\bbrands?\b.{0,60}\b(?:come(?:s)? to (?:your )?mind|can you (?:think of|name)|do you know|have you heard of|are you aware of|spring to mind)|\bwhen (?:you )?think(?:ing)? (?:of|about)\b.{0,80}\b(?:brands?|compan(?:y|ies)|products?)\b.{0,40}\bmind|\bwelche\b.{0,60}marken?\b.{0,60}\b(?:fallen ihnen|kennen sie)|\bquelles?\b.{0,40}\bmarques?\b.{0,60}(?:à l'esprit|connaissez-vous)|\bqué.{0,40}\bmarcas?\b.{0,60}\b(?:a la mente|conoce)|\bquali\b.{0,40}\bmarche\b.{0,60}\b(?:in mente|conosce)|\bque\b.{0,40}\bmarcas?\b.{0,60}(?:à mente|conhece)|\bwelke\b.{0,40}\bmerken\b.{0,60}\b(?:kent|te binnen|komen er)|提到.{0,20}(?:想到|哪些品牌)|思い浮かぶ.{0,20}(?:ブランド|会社|メーカー)|ブランド.{0,20}思い浮か|떠오르는 .{0,10}브랜드|브랜드.{0,20}떠오르|akl\p{L}* gelen .{0,20}marka|العلامات التجارية.{0,40}تخطر)`)

	factual = expression.Of(`(?i)\b(?:age|gender|sex|old are you|how old|how many|how much|how often|how long|how likely|how satisfied|how important|how (?:well|easy|difficult|clear|familiar|interested|concerned|confident|comfortable)|year|income|household|region|state|country|education|alter|geschlecht|wie alt|wie oft|wie viele|wie lange|wie häufig|einkommen|bundesland|bildung|âge|sexe|combien|à quelle fréquence|revenu|région|edad|género|sexo|cuántos|cuántas|con qué frecuencia|ingresos|región|età|genere|quanti|quante|quanto spesso|reddito|regione|idade|quantos|quantas|com que frequência|rendimento|leeftijd|geslacht|hoe vaak|hoe oud|hoeveel|inkomen|yaş|cinsiyet|ne sıklıkla|kaç)\b|年龄|性别|多久|几次|多少|年齢|性別|頻度|どのくらい|나이|연령|성별|얼마나|العمر|الجنس|كم مرة`)
	span    = expression.Of(`(?i)^[^\d]{0,6}(\d{1,3}(?:[.,]\d{3})*|\d+)(?:[.,]\d{1,2})?\s*(?:k|€|\$|£|%|years?|jahre|ans|años)?\s*(?:-|–|—|to|bis|à|a|tot|até|~|〜|から|到|至|부터)\s*[€$£]?\s*(\d{1,3}(?:[.,]\d{3})*|\d+)(?:[.,]\d{1,2})?\b`)
)

// frame warns of risks in the wording of items, in their order. It looks at texts
// of authors and planners; methods have fixed wordings.
func frame(items []Item) []FramingWarning {
	out := []FramingWarning{}
	seen := map[string]bool{} // names that earlier items showed, lower case
	for i := range items {
		it := &items[i]
		warn := func(rule, format string, args ...any) {
			id := it.ID
			out = append(out, FramingWarning{ItemID: &id, Rule: rule, Text: fmt.Sprintf(format, args...)})
		}
		if it.Origin != OriginMethod {
			if m := leadingWords.FindString(it.Text); m != "" && !offersBothSides(it) {
				warn(Leading, "“%s” suggests the answer. Ask without it, and name both sides.", strings.TrimSpace(m))
			}
			if m := loadedWords.FindString(it.Text); m != "" && !statement(it) {
				warn(LoadedWord, "“%s” judges before the respondent does. Use a neutral word.", strings.TrimSpace(m))
			}
			if a, b, ok := barrels(it); ok {
				warn(DoubleBarrelled, "Asks about “%s” and “%s” at once; one answer cannot tell them apart. Ask two questions.", a, b)
			}
			if missingWayOut(it) {
				warn(MissingWayOut, "Whoever fits none of the %d options must still pick one. Add “None of these”, “Other” or “Don't know”.", len(it.Response.CategoricalOptions))
			}
			if why := unbalanced(it.Response); why != "" {
				warn(UnbalancedScale, "%s", why)
			}
			if a, b, ok := overlapping(it.Response.CategoricalOptions); ok {
				warn(OverlappingOptions, "“%s” and “%s” overlap; somebody on the border fits both. Let each range end before the next begins.", a, b)
			}
			if it.Response.Type == Qualitative && unaided.MatchString(it.Text) && len(seen) > 0 {
				warn(BrandBeforeUnaided, "Asks what comes to mind after an earlier question showed %s. Ask it before any name is shown.", firstOf(items[:i]))
			}
		}
		for _, n := range names(it) {
			seen[n] = true
		}
	}
	return out
}

// offersBothSides reports a statement that respondents agree or disagree with.
func offersBothSides(it *Item) bool { return bothSides.MatchString(it.Text) }

var bothSides = expression.Of(`(?i)agree or disagree|agree, or disagree|or not\b|oder nicht|ou non\b|o no\b|stimmen sie zu oder|d'accord ou pas|de acuerdo o en desacuerdo`)

// statement reports an item whose words are somebody's claim, put up for agreement.
func statement(it *Item) bool {
	return it.Response.Type == Scale && likert.MatchString(it.Text) || strings.ContainsAny(it.Text, "“”„«»\"")
}

func barrels(it *Item) (string, string, bool) {
	switch it.Response.Type {
	case Scale, Categorical:
	default:
		return "", "", false
	}
	t := it.Text
	if !orBetween.MatchString(t) && !cjkPair.MatchString(t) || oneThing.MatchString(t) {
		return "", "", false
	}
	if it.Response.Type == Categorical && !ratingOptions(it.Response.CategoricalOptions) && !rated.MatchString(t) {
		return "", "", false
	}
	if m := cjkPair.FindString(t); m != "" {
		for _, sep := range []string{"以及", "和", "与", "と", "및", "와", "과"} {
			if a, b, ok := strings.Cut(m, sep); ok {
				return strings.TrimSpace(a), strings.TrimSpace(b), true
			}
		}
	}
	if rated.MatchString(t) || ratingOptions(it.Response.CategoricalOptions) || it.Response.Type == Scale {
		if m := pairNoun.FindStringSubmatch(t); m != nil && !adjunct.MatchString(m[2]) && !compound(m[1], m[2]) {
			return m[1], m[2], true
		}
		if m := adjPair.FindStringSubmatch(t); m != nil && (likert.MatchString(t) || ratingOptions(it.Response.CategoricalOptions)) {
			return m[1], m[2], true
		}
	}
	return "", "", false
}

// adjunct are words after "and" that open another clause and no second object.
var adjunct = expression.Of(`(?i)^(?:why|how|what|when|where|who|you|we|they|it|i|then|is|are|do|does|not|so|other|others|similar|more|less|10|warum|wie|sie|andere\w*|pourquoi|vous|autres?|otros?|altri|outros?|andere|waarom)$`)

// compound are two numbers, or the two ends of a scale: "between 1 and 5".
func compound(a, b string) bool {
	return strings.ContainsAny(a+b, "0123456789") || strings.EqualFold(a, b)
}

var ratingWord = expression.Of(`(?i)\b(?:very|extremely|strongly|somewhat|not at all|satisfied|dissatisfied|agree|disagree|likely|important|excellent|good|poor|fair|sehr|eher|gar nicht|überhaupt|zufrieden|stimme|très|plutôt|pas du tout|muy|nada|algo|molto|per niente|abbastanza|muito|nada|zeer|helemaal|çok|hiç)\b|非常|とても|매우`)

func ratingOptions(o []string) bool {
	n := 0
	for _, s := range o {
		if ratingWord.MatchString(s) {
			n++
		}
	}
	return len(o) >= 3 && 2*n > len(o)
}

// missingWayOut: a choice of things among which a respondent may have none. Choices
// that cover every case (yes or no, how often, how much, ages, ratings) need none.
func missingWayOut(it *Item) bool {
	o := it.Response.CategoricalOptions
	if it.Response.Type != Categorical && it.Response.Type != Multiselect || len(o) < 3 {
		return false
	}
	if it.AskIf != nil && len(it.AskIf.AnswerIn)+len(it.AskIf.AnswerNotIn) > 0 && it.Response.Type == Categorical && len(o) < 3 {
		return false
	}
	digits := 0
	for _, s := range o {
		if noneLabel.MatchString(s) || elseLabel.MatchString(s) || dontKnow.MatchString(s) || never.MatchString(s) || neutral.MatchString(s) {
			return false
		}
		if strings.ContainsAny(s, "0123456789") {
			digits++
		}
	}
	if digits*2 >= len(o) || ratingOptions(o) || isYesNo(o) || factual.MatchString(it.Text) || orderedOptions(o) || hypothetical.MatchString(it.Text) {
		return false
	}
	return true
}

// hypothetical questions make respondents choose between what is shown.
var hypothetical = expression.Of(`(?i)\b(?:prefer|rather|would you (?:choose|pick|order|like)|most (?:appealing|attractive|important)|bevorzugen|lieber|préfér\w+|prefier\w+|preferisc\w+|prefere\w*|voorkeur)\b|更喜欢|好き|선호`)

var neutral = expression.Of(`(?i)\b(?:neither|neutral|both|about the same|no preference|no difference|all of (?:these|the above|them)|weder|egal|beide|neutre|ni l'un|indiferente|ambos|neutro|nessuna preferenza|geen voorkeur|neutraal|kararsız)\b|一般|どちらでもない|보통|محايد`) //nolint:misspell // words of other languages

var frequency = expression.Of(`(?i)\b(?:daily|weekly|monthly|yearly|every|once|twice|times|often|sometimes|rarely|always|never|täglich|wöchentlich|monatlich|selten|oft|immer|quotidien\w*|chaque|souvent|parfois|diari\w+|seman\w+|mensual\w*|siempre|ogni|spesso|diariamente|dagelijks|wekelijks|maandelijks|less|more|low|medium|high|small|large|light|heavy|first|second|primary|secondary|single|married|male|female|man|woman|men|women|männlich|weiblich|homme|femme|hombre|mujer|uomo|donna|homem|mulher|erkek|kadın|urban|rural|suburban)\b|每天|每周|每月|毎日|週|月|매일|매주|男|女|남|여`)

func orderedOptions(o []string) bool {
	n := 0
	for _, s := range o {
		if frequency.MatchString(s) {
			n++
		}
	}
	return 2*n >= len(o)
}

var (
	positive = expression.Of(`(?i)^(?:(?:very|extremely|strongly|somewhat|quite|mostly|fairly|rather|completely|totally|slightly|highly|sehr|eher|ziemlich|äußerst|voll|stimme (?:voll|eher)|très|plutôt|assez|tout à fait|muy|bastante|algo|totalmente|molto|abbastanza|piuttosto|muito|bastante|zeer|heel|erg|tamelijk|çok|oldukça|非常|比较|とても|やや|매우|다소)\s*)?(?:satisfied|agree|likely|good|excellent|great|outstanding|superb|happy|important|easy|favou?rable|positive|useful|helpful|zufrieden|zu|gut|ausgezeichnet|hervorragend|wahrscheinlich|wichtig|satisfait\w*|d'accord|bon|excellent|bien|satisfech\w*|de acuerdo|bueno|excelente|probable|soddisfatt\w*|d'accordo|buono|ottimo|eccellente|satisfeit\w*|bom|ótimo|tevreden|goed|uitstekend|eens|memnun\w*|iyi|mükemmel|满意|好|满足|満足|良い|만족|좋음)$`)
	negative = expression.Of(`(?i)(?:\b(?:dissatisfied|unsatisfied|disagree|unlikely|bad|poor|terrible|awful|unhappy|unimportant|difficult|hard|unfavou?rable|negative|useless|not at all|not very|not satisfied|not good|unzufrieden|nicht zu|schlecht|mangelhaft|unwahrscheinlich|unwichtig|gar nicht|nicht zufrieden|insatisfait\w*|pas d'accord|mauvais\w*|pas du tout|insatisfech\w*|en desacuerdo|malo|nada|improbable|insoddisfatt\w*|in disaccordo|cattivo|pessimo|scarso|per niente|insatisfeit\w*|discordo|ruim|mau|péssimo|ontevreden|slecht|oneens|helemaal niet|memnun değil\w*|kötü)\b|不满|不好|差|不満|悪い|불만|나쁨)`)
	middling = expression.Of(`(?i)^(?:fair|average|ok|okay|acceptable|moderate(?:ly)?|neutral|neither.*|so-so|befriedigend|ausreichend|mittel|teils.*|weder.*|moyen\w*|neutre|ni .*|regular|neutral|medio|normale?|neutro|gemiddeld|neutraal|orta|一般|普通|どちらでもない|보통)$`) //nolint:misspell // words of other languages
)

// unbalanced names the fault of labels that lean to one side.
func unbalanced(r Response) string {
	if r.Type != Categorical && r.Type != Scale {
		return ""
	}
	if r.Type == Scale {
		lo, hi := r.ScaleRange[0], r.ScaleRange[1]
		if lo < 0 && hi > 0 && -lo != hi {
			return fmt.Sprintf("The scale runs from %d to %d, so its middle is not zero. Let it reach as far to one side as to the other.", lo, hi)
		}
		return ""
	}
	var p, n, other int
	for _, s := range r.CategoricalOptions {
		if dontKnow.MatchString(s) || noneLabel.MatchString(s) {
			continue
		}
		switch {
		case negative.MatchString(s):
			n++
		case positive.MatchString(strings.TrimSpace(s)):
			p++
		case middling.MatchString(strings.TrimSpace(s)):
		default:
			other++
		}
	}
	if other > 0 || p+n < 3 || p == n {
		return ""
	}
	if d := p - n; p > 0 && n > 0 && (d == 1 || d == -1) {
		return "" // a difference of one lies within how a label is read
	}
	return fmt.Sprintf("%d labels are favourable and %d are not, which pulls answers to one side. Offer as many of each.", p, n)
}

// overlapping finds two numeric ranges of which one begins where the other ends.
func overlapping(options []string) (string, string, bool) {
	type r struct {
		lo, hi float64
		at     int
	}
	var rs []r
	for i, o := range options {
		m := span.FindStringSubmatch(strings.TrimSpace(o))
		if m == nil {
			continue
		}
		lo, hi := numberOf(m[1]), numberOf(m[2])
		if lo <= hi {
			rs = append(rs, r{lo, hi, i})
		}
	}
	for i := 1; i < len(rs); i++ {
		a, b := rs[i-1], rs[i]
		if a.lo > b.lo {
			a, b = b, a
		}
		if b.lo <= a.hi && b.hi >= a.lo && a.lo != a.hi {
			return options[a.at], options[b.at], true
		}
	}
	return "", "", false
}

func numberOf(s string) float64 {
	s = strings.NewReplacer(",", "", ".", "").Replace(s)
	f, _ := strconv.ParseFloat(s, 64)
	return f
}

// names are the proper names that an item shows: options of a brand question, or
// capitalised words of a Latin text inside its sentence.
func names(it *Item) []string {
	if it.Response.Type != Categorical && it.Response.Type != Multiselect {
		return nil
	}
	if !brandWord.MatchString(it.Text) && properCount(it.Response.CategoricalOptions) < 2 {
		return nil
	}
	var out []string
	for _, o := range it.Response.CategoricalOptions {
		if noneLabel.MatchString(o) || elseLabel.MatchString(o) || dontKnow.MatchString(o) || yesWord.MatchString(o) || noWord.MatchString(o) || !brandWord.MatchString(it.Text) {
			continue
		}
		out = append(out, strings.ToLower(o))
	}
	return out
}

var brandWord = regexp.MustCompile(`(?i)\bbrands?\b|\bmarken?\b|\bmarques?\b|\bmarcas?\b|\bmarche\b|\bmerken?\b|marka|品牌|ブランド|メーカー|브랜드|العلامات التجارية|\bcompan(?:y|ies)\b|\bproviders?\b|\bbanks?\b|\bretailers?\b|\bstores?\b`)

func properCount(o []string) int {
	n := 0
	for _, s := range o {
		if r, _ := utf8.DecodeRuneInString(s); r >= 'A' && r <= 'Z' {
			n++
		}
	}
	return n
}

func firstOf(items []Item) string {
	for i := range items {
		if n := names(&items[i]); len(n) > 0 {
			for _, o := range items[i].Response.CategoricalOptions {
				if strings.ToLower(o) == n[0] {
					return "“" + cut(o, 60) + "”"
				}
			}
		}
	}
	return "names"
}

package simulate

import (
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// What a question wants to be told, in the languages whose interrogatives
// asking does not read.
var (
	whenToo  = cue(`ne zaman|hangi (?:yıl|yılda|gün|ay|tarih)\pL*|saat kaçta?|(?:in|en|à|a|em) (?:welchem|quelle?|qué) (?:jahr|année|año|date|fecha)|en qué (?:año|fecha|mes|día)|a qué hora|à quelle (?:heure|date)|en quelle année|um wie ?viel uhr|in welchem jahr|seit wann|depuis quand|desde cuándo`, `什么时候|何时|哪一?年|哪一?天|几点|几月|いつ|何時|何年|何月|何日|언제|몇 ?시|몇 ?년|며칠|متى|في أي (?:سنة|عام|يوم|شهر)`)
	whereToo = cue(`nerede\pL*|nereye|nereden|hangi (?:şehir|ülke|yer)\pL*|à quel endroit|en qué (?:lugar|ciudad|país|sitio)|adónde|in welcher (?:stadt|strasse|straße)|an welchem ort`, `哪里|哪儿|何处|在哪|どこ|어디|أين`)
	whoToo   = cue(`kim(?:in|i|e|ler|dir|di)?|par qui|de qui|à qui|por quién|de quién|von wem`, `谁|誰|だれ|누가|누구|^من (?:هو|هي|هم|ال)|^من \pL+`)
	countToo = cue(`kaç(?:\pL{0,3})`, `多少|几[个名位次本家台人]|いくつ|何[人台個件回冊名社本店]|몇|얼마나 많|كم`)
	priceToo = cue(`kaç (?:para|lira|euro|dolar)|(?:fiyatı?|ücreti?|bedeli?) (?:ne kadar|nedir|kaç)|ne kadara?`, `多少钱|价格|票价|いくら|値段|料金|얼마(?:예요|인가|입니까|죠|지|에요|나 합|나 하|나 들)|가격|بكم|(?:كم|ما) (?:هو |هي )?(?:سعر|ثمن|تكلفة|يكلف|تكلف)`)
	// "How much is the tram?", unless it is a measure that is much or little.
	priceOf   = expression.Of(`\bhow much (?:is|are|was|were|will be) (?:the |a |an |one |your |its |their )?([\pL' -]{2,60})`)
	noPrice   = expression.Of(`\b(?:turnover|increase|decrease|growth|decline|drop|rise|fall|reduction|rate|share|margin|weight|mass|emissions?|difference|capacity|water|energy|power|time|space|rain|snow|waste|traffic|memory|storage|rubbish|garbage|distance|lent|used|sold|produced|consumed|recycled|left|lost|known|done|saved|eaten|of|larger|smaller|more|less|better|worse|higher|lower|faster|slower|heavier|lighter|longer|shorter|older|younger|too|it|that|this|there|they|he|she|you|we)\b`)
	moneyToo  = cue(`tl|lira\pL*|avro|kuruş|ücretsiz|bedava|gratuit\pL*|kostenfrei|incluid[oa]s?`, `元|円|块钱|欧元|美元|ユーロ|ドル|유로|달러|\d ?원|만 ?원|천 ?원|免费|無料|무료|يورو|دولار|ريال|درهم|دينار|جنيه|ليرة|مجان`)
	clockTime = expression.Of(`\b\d{1,2}(?::|\.|h| h )\d{2}\b|\b\d{1,2} ?(?:am|pm|a\.m\.|p\.m\.|uhr|heures?|h)\b|\b(?:at|from|until|till|to|after|before|between|since|past|um|von|bis|ab|nach|vor|seit|dès|jusqu'à|a las?|desde las?|hasta las?|saat) (?:half past |quarter (?:past|to) |about |around )?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)(?:[,.;]|$| (?:to|until|till|and|bis|und|in the|o'clock|uhr|sharp|daily|every|on|heures|à|a las|hasta)(?:[^\pL]|$))`)
	// A unit is a time with a number, a name of one by itself.
	timeUnit = cue(`decades?|years?|months?|weeks?|days?|hours?|minutes?|seconds?|quarters?|jahren?|monat\pL*|woche\pL*|tag(?:e|en)?|stunden?|minuten?|an(?:s|née\pL*)|mois|semaines?|jours?|heures?|años?|mes(?:es)?|semanas?|días?|horas?|minutos?|yıl\pL*|ay\pL{0,3}|hafta\pL*|gün\pL*|saat\pL*|dakika\pL*`, ``)
	timeName = cue(`century|centuries|semester|easter|christmas|ramadan|holidays?|spring|summer|autumn|winter|jahrhundert|siècle|siglo|yüzyıl\pL*|ocak\pL*|şubat\pL*|mart\pL*|nisan\pL*|mayıs\pL*|haziran\pL*|temmuz\pL*|ağustos\pL*|eylül\pL*|ekim\pL*|kasım\pL*|aralık\pL*|pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar`, `[\d〇一二三四五六七八九十两]+ ?(?:年|月|日|号|時|点|分|周|週|天)|世纪|世紀|季|星期|曜日|去年|今年|昨年|来年|\d ?(?:년|월|일|시|분|주)|요일|작년|올해|내년|세기|عام|سنة|شهر|يوم|الساعة|أسبوع|يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر|الصيف|الشتاء|الربيع|الخريف`)
	counted  = cue(`ago|later|earlier|every|each|last|next|this|same|vor|jede[rns]?|letzte[rns]?|nächste[rns]?|il y a|chaque|dernière?|prochaine?|hace|cada|próxim[oa]|pasad[oa]|önce|sonra|her`, ``)
	placeTR  = cue(`\pL{2,}(?:[dt][ae](?:n|ki|dir|dır)?|'[dt][ae]n?)`, ``)
	placeToo = cue(`kuzey\pL*|güney\pL*|here|there|outside|inside|outdoors|indoors|upstairs|downstairs|abroad|home|everywhere|north|south|east|west|northern|southern|eastern|western|dort|hier|draußen|drinnen|oben|unten|ici|là-bas|dehors|dedans|aquí|allí|fuera|dentro`, `在|位于|位於|于|にあ|に位置|で行|で実施|にて|에 있|에서|에 위치|في |على |عند |بجانب|قرب`)
	manToo   = cue(`[\pL]+(?:cı|ci|çi|çı|cu|cü)(?:lar|ler)?|müdür\pL*|şirket\pL*|belediye\pL*|başkan\pL*|bakanlı\pL*|vakf\pL*|vakıf\pL*|dernek\pL*|derneğ\pL*|mimar\pL*|aile\pL*`, `人|者|员|員|长|長|局|公司|会社|企業|先生|女士|氏|さん|部|协会|協会|省|市|家|師|师|基金|财团|財団|씨|님|사람|회사|기관|정부|재단|협회|원장|사장|시장|직원|شركة|مدير|رئيس|بلدية|وزارة|مهندس|مؤسسة|جمعية|الحكومة|معلم|طبيب|موظف`)
	digits   = expression.Of(`\pN|[〇一二三四五六七八九十百千万億两]|(?:^|\s)(?:واحد|اثنان|ثلاث|أربع|خمس|ست|سبع|ثمان|تسع|عشر|مئة|مائة|ألف)|(?:하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉|열)|(?:^|[^\pL])(?:bir|iki|üç|dört|beş|altı|yedi|sekiz|dokuz|on|yirmi|otuz|kırk|elli|altmış|yetmiş|seksen|doksan|yüz|bin)(?:[^\pL]|$)`)
	habitual = cue(`once|twice|thrice|every|each|per|times?|mal|pro|jede[rnsm]?|fois|par|chaque|veces|vez|cada|kez|kere|defa|her|a (?:day|week|month|year)|hourly`, `次|每|回|毎|번|매|مرات?|كل`)
)

// wanted is the kind of thing that a question wants to be told.
type wanted struct {
	when, where, who, count, price bool
	end                            *end   // the one at an end of an order
	doing                          string // the class of what somebody or something did, "" where it is not plain
	counted                        []string
	many                           bool // "how many", and not "how much"
	foreign                        bool // in another language than English
}

// longestAsking is how many characters of a message are read for what it wants:
// one that is longer is a document.
const longestAsking = 500

// languages whose interrogatives asking knows.
var askingReads = map[string]bool{langEN: true, langDE: true, langFR: true, langES: true, "": true}

func wantedOf(lang, low string, asks asking, ws []word) wanted {
	low = cutTo(low, longestAsking)
	w := wanted{
		when:  asks == asksWhen || strings.HasPrefix(low, "what time") || strings.HasPrefix(low, "what year") || whenToo.MatchString(low),
		where: asks == asksWhere || whereToo.MatchString(low),
		who:   asks == asksWhoever || lang != "" && lang != langEN && whoToo.MatchString(low),
		price: wantsPrice.MatchString(low) || lang != "" && lang != langEN && priceToo.MatchString(low),
		count: asks == asksAmount,
	}
	if !askingReads[lang] {
		w.count = !w.price && !w.when && countToo.MatchString(low)
	}
	if m := priceOf.FindStringSubmatch(low); m != nil && !noPrice.MatchString(m[1]) {
		w.price = true
	}
	if e, ok := endOf(low); ok {
		w.end = &e
	}
	if lang == langEN || lang == "" {
		w.doing = doingOf(lang, asks, ws)
		if asks == asksAmount {
			w.many = strings.Contains(low, "how many")
			w.counted = countedOf(lang, ws)
		}
	} else if m := countsOne.FindStringSubmatch(low); m != nil && w.count {
		w.many, w.foreign = true, true
		for _, x := range words(strings.Join(m[1:], "")) {
			if !unitWords[x.text] && !foreignPeople[x.text] && !foreignStops[lang][x.text] {
				w.counted = []string{kinIn(lang, x)}
			}
		}
	}
	return w
}

// countsOne reads what is counted off a question in German, French or Spanish.
var countsOne = expression.Of(`\bwie ?viele ([\pL-]+)|\bcombien d(?:e |['’])([\pL-]+)|(?:^|[^\pL])cuánt[oa]s ([\pL-]+)`)

// anyDoing are verbs that say nothing of what was done.
var anyDoing = wordSet(`be is are was were been being am do does did done have has had get got go goes went gone come comes came happen happens happened take takes took taken work works working
	want wants need needs like likes pay pays paid use uses used say says said call called name named cost costs think thinks feel feels offer offered know knows located situated based placed kept left
	involve involved concern concerned affect affected become became help helps look looks see seen will would can could shall should may might must stand stands find found live lives`)

// doingOf reads what was done off an English question: "Who restored …", "When
// was … founded?".
func doingOf(lang string, asks asking, ws []word) string {
	pick := func(w word) string {
		if anyDoing[w.text] || w.number || w.proper {
			return ""
		}
		return kinIn(lang, w)
	}
	at := slices.IndexFunc(ws, func(w word) bool { return w.text == "who" || w.text == "when" || w.text == "where" || w.text == "many" })
	if at < 0 || at+2 >= len(ws) {
		return ""
	}
	if ws[at].text == "many" { // "How many … were repaired?"
		w := ws[len(ws)-1]
		if at+3 < len(ws) && verbLike(ws[len(ws)-2]) && ws[len(ws)-2].stop && !w.stop && !broad[w.text] && verbLike(w) {
			return pick(w)
		}
		return ""
	}
	next := ws[at+1]
	if ws[at].text == "who" && verbLike(next) && !next.stop || ws[at].text == "who" && !next.stop && strings.HasSuffix(next.text, "s") && !next.proper {
		return pick(next)
	}
	switch next.text {
	case "is", "are", "was", "were", "been", "has", "have", "had", "will", "can", "may", "must":
		if next.text == "will" && ws[at].text == "who" && ws[at+2].text != "be" && !ws[at+2].stop {
			return pick(ws[at+2])
		}
		for i := len(ws) - 1; i > at+2; i-- { // the participle, not one before a noun that it tells of
			if w := ws[i]; !w.proper && !w.stop && (strings.HasSuffix(w.text, "ed") || irregular[w.text] != "" && irregular[w.text] != w.text || w.text == "made" || w.text == "built") && (i+1 == len(ws) || ws[i+1].stop || ws[i+1].proper) {
				return pick(w)
			}
		}
	case "do", "does", "did":
		if w := ws[len(ws)-1]; !w.stop && !broad[w.text] {
			return pick(w)
		}
	}
	return ""
}

// countedOf are the words for what "how many" counts: those that follow it.
func countedOf(lang string, ws []word) []string {
	at := slices.IndexFunc(ws, func(w word) bool { return w.text == "many" })
	if at < 1 || ws[at-1].text != "how" {
		return nil
	}
	var out []string
	for _, w := range ws[at+1:] {
		if w.stop && w.text != "of" && w.text != "the" || w.number || len(out) == 3 || len(out) > 0 && verbLike(w) {
			break
		}
		if w.stop {
			continue
		}
		if unitWords[w.text] || anyDoing[w.text] && len(out) == 0 {
			return nil
		}
		out = append(out, kinIn(lang, w))
	}
	return out
}

// unitWords count time or people at large: a number of them may stand without
// them.
var unitWords = wordSet("times time days day weeks week months month years year hours hour minutes minute seconds percent people persons person others more things items")

// multipliers stand between a number and what it counts.
var multipliers = wordSet("hundred thousand million billion dozen percent per cent of about further other more new such different single")

// counts reports a sentence with a number of one of the things, or a number of
// nothing else in a clause that names them: "26 volunteers", "Volunteers: 26".
func (p *page) counts(lang string, at int, l line, things []string) bool {
	if len(things) == 0 {
		return l.any(func(w word) bool { return w.number || countWords[w.text] })
	}
	named := func(w word) bool {
		k := kinIn(lang, w)
		return slices.Contains(things, k) || slices.ContainsFunc(things, func(t string) bool { return akin(t, map[string]bool{k: true}) })
	}
	// A share stands without what it is of: "41% of passengers … In Sweden, 52% …"
	names := l.any(named) || at > 0 && strings.Contains(l.text, "%") && p.lines[at-1].any(named)
	if !names && leans(l) { // "Eleven of them"
		before := p.before(at)
		names = slices.ContainsFunc(things, func(t string) bool { return akinTo(t, before) && p.numbers(lang, at, t) })
	}
	for i, w := range l.words {
		if !w.number && !countWords[w.text] || isYear(w.text) && !countWords[w.text] && !(i+1 < len(l.words) && named(l.words[i+1])) {
			continue
		}
		bare, far := true, 0
		if i > 1 && l.words[i-1].text == "than" && !moreThan[l.words[i-2].text] || i > 0 && (l.words[i-1].text == "aged" || l.words[i-1].text == "age") {
			bare = false // "younger than 26"
		}
		for _, x := range l.words[i+1:] {
			switch {
			case named(x):
				return true
			case x.number || countWords[x.text] || multipliers[x.text], x.text == "the" && far == 0:
				continue
			case x.stop || verbLike(x) || timeWords[x.text]:
			default:
				if bare = bare && unitPeople[x.text] && far == 0; far < 2 && !bare && !strings.HasSuffix(x.text, "s") { // "14 volunteers" count no tools
					far++
					continue
				}
			}
			break
		}
		if bare && names {
			return true
		}
	}
	return false
}

var unitPeople = wordSet("people persons percent in")

// moreThan stand before "than" and a number that counts.
var moreThan = wordSet("more fewer less rather")

// foreignPeople count people at large.
var foreignPeople = wordSet("personnes personas personen menschen leute gente gens")

// tells reports a sentence that holds the kind of thing which is wanted.
func (q query) tells(p *page, at int, l line) bool {
	low := fold(l.text)
	w := q.wants
	switch {
	case w.price && q.rising == 0 && !money.MatchString(low) && !moneyToo.MatchString(low):
		return false
	case w.price && q.ofSum(l), asksOfReader.MatchString(low):
		return false
	case q.asks == asksHow && q.attr == nil && !measured(fold(q.text), low):
		return false
	case (w.single() || q.rising != 0 || q.turns) && !q.onIt(p, at, l):
		return false
	case q.turns && !l.any(func(x word) bool { return trend[x.text] != 0 }):
		return false
	case w.when && !l.dates(low):
		return false
	case w.where && !q.places(l, low):
		return false
	case w.count && !w.price && !digits.MatchString(low) && !l.any(func(x word) bool { return x.number || countWords[x.text] }):
		return false
	case w.count && !w.price && !p.counts(q.lang, at, l, w.counted):
		return false
	case w.who && !askingReads[q.lang] && !manToo.MatchString(low) && !l.any(func(x word) bool { return x.proper }):
		return false
	case w.doing != "" && !l.acts(q.lang, w.doing) && !(at > 0 && !w.when && !q.doneBy && leans(l) && p.lines[at-1].acts(q.lang, w.doing)):
		return false
	case w.end != nil && l.own:
		return !w.end.denies(low)
	case w.end != nil && q.closed:
		return w.end.says(low) || w.end.denies(low)
	case w.end != nil && !w.end.says(low):
		return false
	}
	return true
}

// numbers reports that a sentence before tells of a number of the things, of which
// "eleven of them" are some.
func (p *page) numbers(lang string, at int, thing string) bool {
	for j := at - 1; j >= 0 && at-j <= farthest; j-- {
		ws := p.lines[j].words
		for i, w := range ws {
			if !w.number && !countWords[w.text] {
				continue
			}
			for _, x := range ws[i+1 : min(len(ws), i+3)] {
				if kinIn(lang, x) == thing {
					return true
				}
			}
		}
	}
	return false
}

func (l line) does(k string) bool { return akinTo(k, l.has) }

func akinTo(k string, has map[string]bool) bool { return has[k] || akin(k, has) }

// acts reports a sentence in which something is done, and not named for it as
// "opening hours" are.
func (l line) acts(lang, k string) bool {
	if !l.does(k) {
		return false
	}
	for i, w := range l.words {
		of := kinIn(lang, w)
		if of != k && !akin(k, map[string]bool{of: true}) {
			continue
		}
		if !strings.HasSuffix(w.text, "ing") || i+1 == len(l.words) || l.words[i+1].stop {
			return true
		}
	}
	return false
}

// measured reports a sentence with a figure of the measure that "how long" and
// its like ask for.
func measured(low, text string) bool {
	switch {
	case strings.Contains(low, "how long"):
		return lengths.MatchString(text)
	case strings.Contains(low, "how old"):
		return ages.MatchString(text)
	case strings.Contains(low, "how heavy"):
		return weights.MatchString(text)
	case strings.Contains(low, "how loud"):
		return sounds.MatchString(text)
	}
	return true
}

var (
	lengths = cue(`seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|centur(?:y|ies)|met(?:re|er)s?|kilomet(?:re|er)s?|centimet(?:re|er)s?|millimet(?:re|er)s?|km|m|cm|mm|miles?|feet|foot|inch(?:es)?|yards?|pages?|words?|until|till|since|from \S+ to`, ``)
	ages    = cue(`years?|months?|weeks?|days?|century|decades?|since|aged?|founded|built|dates|dating|from (?:1|2)\d{3}|in (?:1|2)\d{3}|born`, ``)
	weights = cue(`kilos?|kilograms?|kg|grams?|g|tonnes?|tons?|pounds?|lbs?|ounces?|oz|stone`, `\d ?(?:kg|g|t)\b`)
	sounds  = cue(`decibels?|db|dba|phons?|sones?`, `\d ?db`)
)

// sumsOf are amounts of money that are not the price of the thing they are for.
var sumsOf = wordSet("deposit fine penalty surcharge discount tax insurance subsidy grant donation rent lease repair refund compensation premium bond loan debt bail")

// ofSum reports a sentence on a sum of another kind than what is asked for.
func (q query) ofSum(l line) bool {
	return l.any(func(w word) bool {
		return (sumsOf[w.text] || sumsOf[w.stem]) && !q.asksFor(kinIn(q.lang, w))
	})
}

// asksOfReader is a sentence that tells what was asked and not what was answered.
var asksOfReader = expression.Of(`(?:^|[^\pL])(?:asked|wanted to know|questions? (?:was|were|is|are))(?:[^,;:]*) (?:what|why|how|whether|if|which|who|when|where)(?:[^\pL][^,;:]*)?$|(?:gefragt|fragten|wollten wissen), (?:was|warum|wieso|wie|ob|welche\pL*|wer|wann|wo)(?:[^\pL][^,;:]*)?$|(?:demandé|preguntó|preguntamos|preguntaron) (?:pourquoi|comment|si|quels?|quelles?|ce que|por qué|cómo|qué|cuál\pL*|quién)(?:[^\pL][^,;:]*)?$`)

// onIt reports a sentence that holds at least half of what is asked for itself,
// and leaves out nothing that another sentence beside it speaks of.
func (q query) onIt(p *page, at int, l line) bool {
	strong, held := 0, 0
	for _, t := range q.terms {
		if t.weight < 1 || q.wants.end != nil && (t.kin == "most" || t.kin == "least" || t.kin == "common") {
			continue
		}
		strong++
		if l.does(t.kin) || tails(t.kin, l.has) || akinTo(t.kin, p.before(at)) || q.bareOn(p, at, l, t.kin) || labelled(l) {
			held++
			continue
		}
		for i, o := range p.lines {
			if q.linked(o, t.kin, l) {
				continue
			}
			if q.wants.end == nil && i != at && (i != at-1 || q.wants.when && q.wants.doing != "" && !leans(l)) && !o.heads && o.row == nil && o.has[t.kin] && !p.around[t.kin] {
				return false
			}
		}
	}
	return 2*held >= strong
}

// olderYear is a year before the last century, told by the word before it.
var olderYear = expression.Of(`\b(?:in|since|from|before|after|until|by|of|seit|jahre?|um|depuis|en|desde|année|año) 1[0-8]\d{2}\b`)

// linked reports a sentence that ties the word which another leaves out to one that
// it holds: "The nursery has 80 places" to "A place costs 140 euros".
func (q query) linked(o line, k string, l line) bool {
	for _, t := range q.terms {
		if t.weight >= 1 && t.kin != k && t.kin != "cost" && hasForm(o.has, t.kin) && o.has[k] && l.has[t.kin] && !o.heads && l.free(q.lang, t.kin) && (q.wants.price || q.wants.when) {
			return true
		}
	}
	return false
}

var umlauts = strings.NewReplacer("ä", "a", "ö", "o", "ü", "u")

// hasForm reports a class, or its plural with another vowel: "Plätze" of "Platz".
func hasForm(has map[string]bool, k string) bool {
	if has[k] {
		return true
	}
	for h := range has {
		if len(h) != len(k) && umlauts.Replace(h) == k {
			return true
		}
	}
	return false
}

// dates reports a sentence that holds a point or a span of time.
func (l line) dates(low string) bool {
	return len(l.years) > 0 || olderYear.MatchString(low) || clockTime.MatchString(low) || timeName.MatchString(low) ||
		timeUnit.MatchString(low) && (counted.MatchString(low) || l.any(func(w word) bool { return w.number || countWords[w.text] && w.text != "all" && w.text != "most" })) ||
		l.any(func(w word) bool { return timeWords[w.text] && (w.text != "may" || w.proper) })
}

// places reports a sentence that holds a place beside what the question names:
// the bakery in which something is does not say where the bakery is.
func (q query) places(l line, low string) bool {
	if placeToo.MatchString(low) || q.lang == langTR && placeTR.MatchString(low) || l.any(func(w word) bool { return countryNames[w.text] != "" && w.proper }) {
		return true
	}
	asked := func(w word) bool { return q.asksFor(kinIn(q.lang, w)) || slices.Contains(q.names, kinIn(q.lang, w)) }
	for i, w := range l.words {
		if !placing[w.text] {
			continue
		}
		n, ok := 0, true
		for _, x := range l.words[i+1:] {
			if articles[x.text] && n == 0 {
				continue
			}
			if x.stop || n == 3 || placing[x.text] || foreignStops[q.lang][x.text] {
				break
			}
			if n == 0 && (x.number || countWords[x.text] || timeWords[x.text] || noPlace[x.text] || unitWords[x.text]) || asked(x) {
				ok = false
				break
			}
			n++
		}
		if ok && n > 0 {
			return true
		}
	}
	return false
}

// placing are the words before a place, and articles what may stand between.
var (
	placing = wordSet(`in at on near behind beside under above between inside outside opposite across along around from to into through
		im am auf bei beim neben hinter unter über zwischen aus nach an à au aux en dans chez sur sous entre al del desde hasta`)
	articles = wordSet("the a an its our their his her der dem den die das einem einer le la les un une el los las una unos")
)

// noPlace are words that follow the small words of places and name none.
var noPlace = wordSet(`addition average total fact general order case least most last first full part time times load use detail particular advance general turn return cash person euros euro dollars percent
	mehr rund etwa durchschnitt jahr ende grund moyenne plus moins cause raison promedio más menos causa`)

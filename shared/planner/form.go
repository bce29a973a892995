package planner

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/expression"
	"github.com/mindgate-dev/mindgate/shared/research/plan"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// What a bracket or a note can say about the form of an answer.
var (
	openTag   = expression.Of(`(?i)^(?:open|open[- ]?ended?|open text|free[- ]?text|text|verbatim|comment|offene?(?: frage| antwort)?|freitext|ouverte?|question ouverte|abierta|pregunta abierta|respuesta abierta|aperta|risposta aperta|aberta|resposta aberta|open vraag|自由回答|开放题|开放式|주관식|açık uçlu|سؤال مفتوح)\b[^,;/|]{0,20}$|^(?:自由回答|自由記述|开放题|开放式|주관식|سؤال مفتوح)$`)
	singleTag = expression.Of(`(?i)^(?:single|single[- ](?:choice|select|response|answer|punch)|one answer|one answer only|(?:please )?(?:select|choose|pick|check|tick) one(?: only| answer| option)?|sa|einfachauswahl|eine antwort|nur eine antwort|choix unique|une seule réponse|respuesta única|una (?:sola )?respuesta|risposta singola|una sola risposta|resposta única|één antwoord|单选|单选题|単一選択|단일 선택|tek seçim|اختيار واحد)\b[^,;/|]{0,20}$|^(?:单选题?|単一回答|単一選択|단일선택|اختيار واحد)$`)
	multiTag  = expression.Of(`(?i)(?:\b(?:multi(?:ple)?[- ]?(?:choice|select|response|answer|punch)s?|multi[- ]?select|ma\b|(?:select|choose|check|tick|mark|pick) (?:all|any|as many|several|up to)|all that apply|multiple answers|mehrfachauswahl|mehrfachnennung\w*|mehrere antworten|alle zutreffenden|plusieurs réponses|choix multiples?|plusieurs choix|toutes les réponses|varias respuestas|respuesta múltiple|todas las que|selección múltiple|risposte multiple|più risposte|scelta multipla|tutte le|várias respostas|múltipla escolha|todas as que|meerdere antwoorden|alle die|birden fazla|çoklu)|多选|可多选|複数回答|複数選択|すべて|いくつでも|복수 응답|복수 선택|모두 선택|중복|اختر كل|اختيار متعدد)`)
	yesNoTag  = expression.Of(`(?i)^(?:yes\s*[/,-]\s*no|y\s*/\s*n|yes or no|yes-no|ja\s*/\s*nein|ja oder nein|oui\s*/\s*non|oui ou non|s[ií]\s*[/o]\s*no|sì\s*/\s*no|sim\s*/\s*não|ja\s*/\s*nee|evet\s*/\s*hayır|是\s*/\s*否|はい\s*/\s*いいえ|예\s*/\s*아니(?:요|오)|نعم\s*/\s*لا)$`)
	progTag   = expression.Of(`(?i)^(?:randomi[sz]e|rotate|randomi[sz]ed|random order|required|mandatory|optional|programm\w+ note.*|interviewer.*|pn:.*|force response|show card.*|do not read.*|zufällig.*|pflicht\w*|obligatoire|obligatorio|obligatoria)$`)
	pointsTag = expression.Of(`(?i)(?:^|[^\d])(\d{1,2})\s*[- ]?\s*(?:point|pt|punkte?|stufig\w*|stufen|points|puntos|punti|pontos|punts?|punten|puntsschaal|noktalı|'l[iuıü]|’l[iuıü])[\s-]*(?:likert|scale|skala|schaal|rating|ölçek|ölçekte)?\b|(?:échelle|escala|scala|skala|schaal|scale|likert)\s+(?:en|de|a|à|mit|van|of|from|d[ae]l)?\s*(\d{1,2})\s+(?:points?|puntos|punti|pontos|punten|stufen|punkten?|niveaux)\b|(\d{1,2})\s*(?:点|分|級|级|段階|점)\s*(?:量表|制|尺度|評価|척도|만점)?|مقياس من (\d{1,2}) (?:نقاط|درجات)`)
	rangeMore = expression.Of(`(?i)(?:scala|escala|schaal|ölçek\w*|scale|skala|échelle|voto|nota|punteggio)\s*(?:da|de|van|von|from|:)?\s*(-?\d{1,3})\s*(?:a|até|tot|ile|to|-|–|bis|à|e)\s*(-?\d{1,3})|\b(?:da|de|van)\s+(-?\d{1,3})\s+(?:a|tot|até)\s+(-?\d{1,3})\b|(-?\d{1,3})\s*(?:到|至|から|~|〜|-|–|부터|에서)\s*(-?\d{1,3})\s*(?:分|点|점|的|の|까지|段階|之间|척도|で)|(\d{1,3})['’](?:d[ea]n|t[ea]n)\s+(\d{1,3})['’]?(?:e|a|y[ea])?\s*(?:kadar)?|من\s*(\d{1,3})\s*إلى\s*(\d{1,3})`)
	likert    = expression.Of(`(?i)\blikert\b|\bagree(?:ment)?\b|stimmen sie .{0,40}zu|zustimm|d'accord|de acuerdo|d'accordo|concord|eens\b|同意|そう思|동의|katıl|توافق|أوافق`)
	yesNoMore = map[string]*expression.Expression{
		"it": expression.Of(`(?i)^(?:ha|hai|avete|è|sei|siete|usa|usi|utilizza|compra|compri|conosce|conosci|possiede|consiglierebbe|acquisterebbe|comprerebbe|vorrebbe|le piace|ti piace|pensa|ritiene|beve|fuma|mangia|vive|lavora|\p{L}+erebbe)\s`),
		"pt": expression.Of(`(?i)^(?:(?:o senhor|a senhora|você|voce)\s+)?(?:tem|tens|é|está|usa|utiliza|compra|conhece|possui|recomendaria|compraria|gosta|gostaria|acha|bebe|fuma|come|vive|trabalha|já|\p{L}+ria)\s`),
		"nl": expression.Of(`(?i)^(?:heeft|hebt|heb|is|bent|ben|gebruikt|gebruik|koopt|koop|kent|ken|zou|zult|wilt|wil|vindt|denkt|drinkt|rookt|eet|woont|werkt|bezit|kunt|gaat|doet)\s+(?:u|je|jij|uw|jouw|er|het|de|dit|deze|jullie)\b`),
		"de": expression.Of(`(?i)^(?:\p{L}+(?:en|n|st|t|e)|sind|bist|ist|war)\s+(?:sie|du|ihr|ihnen|ihre|es)\b`),
		"fr": expression.Of(`(?i)^(?:est-ce\b|\p{L}+(?:-t)?-(?:vous|tu|il|elle|on|ils|elles)\b|vous\s+\p{L}+|(?:votre|vos)\s.*-t-)`),
		"es": expression.Of(`(?i)^¿?\s*(?:usted\s+|ya\s+|alguna vez\s+)*(?:ha|has|han|tiene|tienes|posee|es|son|está|usa|utiliza|compra|compraría|conoce|cree|piensa|considera|le|te|recomendaría|podría|suele|bebe|fuma|come|vive|prefiere|trabaja|\p{L}+ría)\s`),
		"tr": expression.Of(`(?i)(?:^|\s|\p{L})(?:m[iıuü]|m[iıuü]s[iıuü]n[iıuü]z|m[iıuü]yd[iıuü]n[iıuü]z)\s*[?？]$`),
		"zh": expression.Of(`(?:吗|是否|有没有|会不会|是不是|会否|能否).*[?？]?$|[?？]$^`),
		"ja": expression.Of(`(?:ますか|ですか|ましたか|ありますか|でしょうか|たいですか)[?？。]?$`),
		"ko": expression.Of(`(?:습니까|나요|까요|있으신가요|십니까|세요|은가요|인가요)[?？]$`),
		"ar": expression.Of(`^هل\s`),
	}
	openWordMore = expression.Of(`(?i)(?:什么|哪|谁|怎|为什么|多少|几|何|どの|どれ|どう|なぜ|いつ|どこ|誰|いくつ|いくら|무엇|어떤|어느|왜|언제|어디|누구|얼마|몇|\bne\b|\bhangi\w*|\bnasıl|\bneden|\bkaç|\bkim\b|kadar)`)
)

// form is a question with its respondent-visible text and its format.
type form struct {
	text   string
	r      Response
	ranked bool // asks for an order: a method's item, or a choice where none fits
	price  bool // asks for an amount of money, in words or as a number
	notes  []string
}

const bracketPairs = 8 // more closing brackets than this at the end of a text are prose

// readForm finds the format of a block. The text that stays is what respondents
// read: what only tells the format, or speaks to who programs the survey, goes.
func readForm(b *block, lang string) form {
	f := form{text: b.text}
	var tags []string
	// "How important is it? Scale: 1 to 7": what follows the question tells its form.
	if at := strings.LastIndexAny(f.text, "?？"); at > 0 && at+1 < len(f.text) {
		_, n := utf8.DecodeRuneInString(f.text[at:])
		if tail := strings.TrimSpace(f.text[at+n:]); tail != "" && !strings.HasPrefix(tail, "(") && answersOnly(tail) {
			f.text = f.text[:at+n]
			tags = append(tags, tail)
		}
	}
	for n := 0; n < bracketPairs; n++ {
		head, tag, ok := lastBracket(f.text)
		if !ok || !speaksOfFormat(tag) {
			break
		}
		f.text = head
		tags = append(tags, tag)
	}
	for n := 0; n < bracketPairs; n++ { // "[Ask all] How often …"
		t, tag, ok := firstBracket(f.text)
		if !ok || !speaksOfFormat(tag) {
			break
		}
		f.text = t
		tags = append(tags, tag)
	}
	many, single, open, yesno := false, false, false, false
	var said []string // texts that may tell a scale or list options
	for _, t := range append(append([]string(nil), tags...), b.notes...) {
		bare := strings.TrimSpace(strings.Trim(t, "[]()*_ "))
		switch {
		case progTag.MatchString(bare):
			continue
		case openTag.MatchString(bare):
			open = true
		case yesNoTag.MatchString(bare):
			yesno = true
			said = append(said, bare)
		case multiTag.MatchString(bare):
			many = true
			said = append(said, bare)
		case singleTag.MatchString(bare):
			single = true
		default:
			said = append(said, bare)
		}
	}
	if multiTag.MatchString(f.text) {
		many = true
	}
	options := cleanOptions(b.options)
	f.price = priceAsk.MatchString(f.text)
	f.ranked = rankAsk.MatchString(f.text)
	switch {
	case open && len(options) < 2:
		f.r = Response{Type: Qualitative}
	case len(options) >= 2:
		if s, ok := coded(b.options); ok {
			f.r = s
			break
		}
		f.choice(options, many && !single, strings.Join(said, "\n"))
	case f.scaleIn(said, lang), f.optionsIn(said, many && !single):
	default:
		f.classify(many && !single, lang)
	}
	if yesno && f.r.Type != Categorical {
		f.r = Response{Type: Categorical, CategoricalOptions: []string{pick(yesLabel, lang), pick(noLabel, lang)}}
	}
	if many && f.r.Type == Qualitative && !open {
		f.notes = append(f.notes, "many")
	}
	f.text = strings.TrimSpace(f.text)
	return f
}

// choice sets options, and how many may be picked.
func (f *form) choice(options []string, many bool, said string) {
	f.r = Response{Type: Categorical, CategoricalOptions: options}
	if many {
		f.r.Type = Multiselect
		if n := mostPicks(f.text+" "+said, len(options)); n > 0 {
			f.r.MaxSelections = n
		}
		f.r.ExclusiveOptions = exclusive(options)
	}
	if at := strings.IndexAny(f.text, "\n"); at > 0 {
		f.text = f.text[:at]
	}
}

// scaleIn reads a scale from what brackets and notes said.
func (f *form) scaleIn(said []string, lang string) bool {
	for _, s := range said {
		if r, ok := scaleOf(s, f.text, lang); ok {
			f.r = r
			return true
		}
	}
	return false
}

// optionsIn reads options from what brackets and notes said.
func (f *form) optionsIn(said []string, many bool) bool {
	for _, s := range said {
		t := withoutInstruction(formatLine.ReplaceAllString(s, ""))
		t = strings.TrimSpace(strings.TrimLeft(t, ":=：( "))
		c := plan.Classify("Which one? "+t, nil)
		if o := c.Question.Options; len(o) >= 2 && !c.Objective {
			f.choice(o, many || c.Question.Type == simulate.Multiselect, s)
			return true
		}
		if o := listOf(t); len(o) >= 2 {
			f.choice(o, many, s)
			return true
		}
	}
	return false
}

// classify reads the format out of the text itself.
func (f *form) classify(many bool, lang string) {
	if r, ok := scaleOf(f.text, f.text, lang); ok {
		f.r = r
		f.text = withoutScale(f.text)
		return
	}
	if utf8.RuneCountInString(f.text) > MaxText {
		f.r = Response{Type: Qualitative}
		return
	}
	if head, tail, ok := cutWide(f.text); ok {
		if o := listOf(withoutInstruction(tail)); len(o) >= 2 {
			f.text = head
			f.choice(o, many, tail)
			return
		}
	}
	c := plan.Classify(f.text, nil)
	switch q := c.Question; q.Type {
	case simulate.Scale:
		f.r = scaleFrom(q.Min, q.Max, q.ScaleLabels)
		f.text = withoutScale(f.text)
	case simulate.Categorical, simulate.Multiselect:
		if isYesNo(q.Options) && len(q.Options) == 2 && !strings.Contains(strings.ToLower(f.text), strings.ToLower(q.Options[0]+"/")) {
			q.Options = []string{pick(yesLabel, lang), pick(noLabel, lang)}
		}
		f.choice(q.Options, many || q.Type == simulate.Multiselect, "")
		if q.MaxSelections > 0 {
			f.r.MaxSelections = q.MaxSelections
		}
		f.text = withoutList(f.text, q.Options)
	default:
		f.r = Response{Type: Qualitative}
		if x := yesNoMore[lang]; x != nil && asks(f.text) && !openWordMore.MatchString(f.text) && x.MatchString(lastSentence(f.text)) {
			f.r = Response{Type: Categorical, CategoricalOptions: []string{pick(yesLabel, lang), pick(noLabel, lang)}}
		}
	}
}

func lastSentence(t string) string {
	s := splitSentences(t)
	for i := len(s) - 1; i >= 0; i-- {
		if hasQuestion(s[i]) {
			out := strings.TrimSpace(s[i])
			for {
				tail := strings.TrimSpace(out)
				at := strings.Index(tail, ", ")
				if at <= 0 || at > 60 || !lead.MatchString(tail) {
					return tail
				}
				out = tail[at+2:]
			}
		}
	}
	return t
}

var lead = expression.Of(`(?i)^(?:in|im|bei|wenn|si|se|als|quando|cuando|quand|lorsque|en|dans|nel|no|na|overall|insgesamt|en général|en general|in generale|em geral|over het algemeen)\b`)

// scaleOf reads "5-point scale", "scale from 1 to 5 (1 = poor, 5 = great)" and the
// like. about is the question, which tells whether the ends mean agreement.
func scaleOf(s, about, lang string) (Response, bool) {
	if utf8.RuneCountInString(s) > MaxText {
		return Response{}, false
	}
	c := plan.Classify("Rate. "+s, nil)
	if c.Question.Type == simulate.Scale {
		return named(scaleFrom(c.Question.Min, c.Question.Max, c.Question.ScaleLabels), s, about, lang), true
	}
	if m := rangeMore.FindStringSubmatch(s); m != nil && !priceAsk.MatchString(s) {
		var n []int
		for _, x := range m[1:] {
			if x != "" {
				v, _ := strconv.Atoi(x)
				n = append(n, v)
			}
		}
		if len(n) == 2 && n[0] < n[1] && n[0] >= -ScaleLimit && n[1] <= ScaleLimit && n[1]-n[0] >= 2 && n[0] <= 1 {
			return named(scaleFrom(n[0], n[1], nil), s, about, lang), true
		}
	}
	if m := pointsTag.FindStringSubmatch(s); m != nil {
		for _, x := range m[1:] {
			if n, err := strconv.Atoi(x); err == nil && n >= 3 && n <= 11 {
				lo, hi := 1, n
				if n == 11 {
					lo, hi = 0, 10
				}
				return named(scaleFrom(lo, hi, nil), s, about, lang), true
			}
		}
	}
	return Response{}, false
}

var agreeEnds = map[string][2]string{
	"en": {"Strongly disagree", "Strongly agree"}, "de": {"Stimme überhaupt nicht zu", "Stimme voll und ganz zu"},
	"fr": {"Pas du tout d'accord", "Tout à fait d'accord"}, "es": {"Totalmente en desacuerdo", "Totalmente de acuerdo"},
	"it": {"Per niente d'accordo", "Completamente d'accordo"}, "pt": {"Discordo totalmente", "Concordo totalmente"},
	"nl": {"Helemaal mee oneens", "Helemaal mee eens"}, "tr": {"Kesinlikle katılmıyorum", "Kesinlikle katılıyorum"},
	"zh": {"非常不同意", "非常同意"}, "ja": {"まったくそう思わない", "とてもそう思う"},
	"ko": {"전혀 동의하지 않는다", "매우 동의한다"}, "ar": {"لا أوافق بشدة", "أوافق بشدة"},
}

// named gives a scale of agreement its ends, where the text did not.
func named(r Response, s, about, lang string) Response {
	if len(r.ScaleLabels) == 0 && likert.MatchString(s+" "+about) {
		e, ok := agreeEnds[lang]
		if !ok {
			e = agreeEnds["en"]
		}
		r.ScaleLabels = map[string]string{strconv.Itoa(r.ScaleRange[0]): e[0], strconv.Itoa(r.ScaleRange[1]): e[1]}
	}
	return r
}

func scaleFrom(lo, hi int, labels map[int]string) Response {
	r := Response{Type: Scale, ScaleRange: []int{lo, hi}, ScaleTop: "high"}
	for n, l := range labels {
		if n < lo || n > hi || strings.TrimSpace(l) == "" {
			continue
		}
		if r.ScaleLabels == nil {
			r.ScaleLabels = map[string]string{}
		}
		r.ScaleLabels[strconv.Itoa(n)] = strings.TrimSpace(l)
	}
	return r
}

var codedLine = expression.Of(`^\s*(\d{1,2})\s*(?:=|:|[-–]|\.|\))?\s*(\S.*)$`)

// coded reads option lines that are the points of a scale: two or more lines that
// name only the ends ("1 = poor" and "7 = great").
func coded(lines []string) (Response, bool) {
	if len(lines) != 2 {
		return Response{}, false
	}
	a, b := codedLine.FindStringSubmatch(lines[0]), codedLine.FindStringSubmatch(lines[1])
	if a == nil || b == nil {
		return Response{}, false
	}
	lo, _ := strconv.Atoi(a[1])
	hi, _ := strconv.Atoi(b[1])
	if lo > 1 || hi-lo < 2 || hi > 10 {
		return Response{}, false
	}
	return scaleFrom(lo, hi, map[int]string{lo: a[2], hi: b[2]}), true
}

package planner

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// The marks at the start of a line.
const (
	noMark       = iota
	questionMark // "Q3.", "Question 3:", "Frage 3"
	numberMark   // "3.", "3)", "(3)"
	letterMark   // "a)", "B."
	bulletMark   // "-", "•", "☐"
	codeMark     // "1 Yes", "01 = Yes"
)

var (
	markQ      = expression.Of(`(?i)^(?:\*\*)?(?:q|question|frage|f|pregunta|p|domanda|d|vraag|v|pergunta|soru|s|問|质问|問題|질문|문|سؤال)\s*[.#]?\s*(\d{1,3})([a-z])?(?:\*\*)?\s*(?:[.:)\]-]|–|—|：|、|\s)\s*(?:\*\*)?`)
	markHan    = expression.Of(`^(?:第\s*)?([一二三四五六七八九十\d]{1,3})\s*(?:[、.．:：]|题)\s*`)
	markNumber = expression.Of(`^(?:\*\*)?\(?(\d{1,3})(?:[.)]|\s*[-–]\s)\s*(?:\*\*)?`)
	markLetter = expression.Of(`^\(?([a-zA-Z])[.)]\s+`)
	markBullet = expression.Of(`^(?:[-*•◦▪●○◯□☐■·‣–—]|\[\s?\]|\(\s\)|( ))\s*`)
	markCode   = expression.Of(`^(\d{1,2})\s*(?:=|:|\t|\s-\s|\s)\s*(\p{L}[^\n]*)$`)
	emphasis   = strings.NewReplacer("**", "", "__", "")

	headingWord = expression.Of(`(?i)^(?:#{1,6}\s+|(?:section|part|block|module|page|topic|teil|abschnitt|themenblock|partie|rubrique|sección|bloque|parte|sezione|blocco|deel|seção|bölüm|第.{1,3}部分)\s*[\dA-Z一二三]{0,3}\s*(?:[:.–—-]|：)\s*)`)
)

// line is one line of a request, with its mark taken off.
type line struct {
	raw    string
	text   string // without mark and emphasis
	mark   int
	number string // of a question or number mark, as written
	indent int
	blank  bool
}

func readLine(raw string) line {
	l := line{raw: raw}
	trimmed := strings.TrimLeft(raw, " \t\u3000")
	l.indent = len(raw) - len(trimmed)
	t := strings.TrimSpace(trimmed)
	if t == "" {
		l.blank = true
		return l
	}
	if len(t) > 8*MaxText { // nothing that long is marked for its mark
		l.text = t
		return l
	}
	switch {
	case markQ.MatchString(t):
		m := markQ.FindStringSubmatch(t)
		l.mark, l.number, l.text = questionMark, strings.ToLower(m[1]+m[2]), t[len(m[0]):]
	case markNumber.MatchString(t) && !priceStart.MatchString(t):
		m := markNumber.FindStringSubmatch(t)
		l.mark, l.number, l.text = numberMark, m[1], t[len(m[0]):]
	case markHan.MatchString(t):
		m := markHan.FindStringSubmatch(t)
		l.mark, l.number, l.text = numberMark, m[1], t[len(m[0]):]
	case markLetter.MatchString(t):
		l.mark, l.text = letterMark, t[len(markLetter.FindString(t)):]
	case markBullet.MatchString(t) && !strings.HasPrefix(t, "**"):
		l.mark, l.text = bulletMark, t[len(markBullet.FindString(t)):]
		if m := markBullet.FindString(l.text); m != "" && strings.ContainsAny(m, "□☐○[(") {
			l.text = l.text[len(m):] // "- [ ] Yes"
		}
		if in := readLine(l.text); in.mark == questionMark { // "- Q3: …"
			in.indent = l.indent
			in.raw = raw
			return in
		}
	case markCode.MatchString(t) && utf8.RuneCountInString(t) <= 80 && !asks(t):
		m := markCode.FindStringSubmatch(t)
		l.mark, l.number, l.text = codeMark, m[1], m[2]
	default:
		l.text = t
	}
	l.text = strings.TrimRight(strings.TrimSpace(emphasis.Replace(l.text)), " *")
	if l.text == "" { // a mark alone is a rule or a stray bullet
		l.text, l.mark = t, noMark
		l.blank = strings.Trim(t, "-*_=–— ") == ""
	}
	return l
}

var priceStart = expression.Of(`^\d{1,3}[.,]\d`)

// asks reports a text that ends in a question mark, brackets behind it aside.
func asks(t string) bool {
	t = strings.TrimRight(t, " *_\"”»")
	for strings.HasSuffix(t, ")") || strings.HasSuffix(t, "]") || strings.HasSuffix(t, "）") {
		open := strings.LastIndexAny(t, "([（")
		if open <= 0 {
			break
		}
		t = strings.TrimRight(t[:open], " ")
	}
	return strings.HasSuffix(t, "?") || strings.HasSuffix(t, "？") || strings.HasSuffix(t, "؟") || strings.HasSuffix(t, ";") && greek(t)
}

func greek(t string) bool {
	return strings.ContainsFunc(t, func(r rune) bool { return unicode.Is(unicode.Greek, r) })
}

// hasQuestion reports a question mark anywhere.
func hasQuestion(t string) bool { return strings.ContainsAny(t, "?？؟") }

// block is one question as it was found, with the lines that belong to it.
type block struct {
	text    string // without mark
	mark    int
	number  string
	options []string // lines under it that look like answers or statements
	notes   []string // plain lines under it: scales, instructions
	heading string   // module that it stands under
	spread  bool     // found inside running text
	indent  int
}

// isHeading reports a line that names a section, and the name.
func isHeading(l line, next *line) (string, bool) {
	t := strings.TrimSpace(l.raw)
	if t == "" || hasQuestion(t) || utf8.RuneCountInString(t) > 90 {
		return "", false
	}
	if m := headingWord.FindString(t); m != "" {
		name := strings.TrimSpace(strings.TrimRight(emphasis.Replace(strings.TrimLeft(t, "# ")), ":："))
		if !strings.HasPrefix(m, "#") {
			if rest := strings.TrimSpace(t[len(m):]); rest != "" {
				name = strings.Trim(emphasis.Replace(rest), ":： ")
			}
		}
		return name, name != ""
	}
	if strings.HasPrefix(t, "**") && (strings.HasSuffix(t, "**") || strings.HasSuffix(t, "**:")) && l.mark == noMark && len(strings.Fields(t)) <= 8 {
		return strings.Trim(emphasis.Replace(t), ": "), true
	}
	if l.mark != noMark {
		return "", false
	}
	words := len(strings.Fields(t))
	letters, upper := 0, 0
	for _, r := range t {
		if unicode.IsLetter(r) {
			letters++
			if unicode.IsUpper(r) {
				upper++
			}
		}
	}
	if letters >= 4 && upper == letters && words <= 8 {
		return strings.Trim(t, ":-= "), true
	}
	if strings.HasSuffix(t, ":") && words <= 4 && next != nil && (next.mark == questionMark || next.mark == numberMark || asks(next.text)) && !formatLine.MatchString(t) && !aims.MatchString(t) && !announces.MatchString(t) {
		return strings.Trim(t, ": "), true
	}
	return "", false
}

var (
	announces  = expression.Of(`(?i)\b(?:questions?|questionnaire|survey|fragen|fragebogen|preguntas|cuestionario|domande|perguntas|vragen|sorular|please ask|ask)\s*:?\s*$`)
	formatLine = expression.Of(`(?i)^[\[(]?(?:scale|skala|escala|échelle|scala|schaal|answers?|answer options|options?|antworten|antwortoptionen|respuestas|opciones|réponses|risposte|respostas|antwoorden|response|responses|choices|type|format|rating|单选|多选|选项|選択肢|回答|보기|선택지|seçenekler|yanıtlar|الخيارات)\b\s*(?:[:=：(\[]|\d|$)`)
	aims       = expression.Of(`(?i)\b(?:want|need|would like|goal|objective|aim|purpose|background|context|hintergrund|ziel|objectif|objetivo|obiettivo|doel|amaç)\b`)
	imperative = expression.Of(`(?i)^(?:please\s+|bitte\s+|por favor,?\s+|veuillez\s+|per favore,?\s+)?(?:rate|rank|score|describe|tell us|explain|indicate|list|name|choose|select|pick|imagine|think of|order|sort|bewerten sie|beschreiben sie|nennen sie|erklären sie|wählen sie|geben sie|ordnen sie|stufen sie|evaluez|évaluez|notez|décrivez|expliquez|citez|choisissez|classez|indiquez|valore|evalúe|califique|puntúe|describa|explique|indique|mencione|elija|ordene|seleccione|valuti|valuta|descriva|indichi|scelga|ordini|avalie|descreva|escolha|liste|beoordeel|beschrijf|noem|kies|geef)\b`)
	imperCJK   = expression.Of(`(?:请(?:您)?(?:评价|描述|选择|列出|打分|说明|对)|教えてください|お聞かせください|評価してください|お選びください|選んでください|말씀해 주세요|평가해 주세요|선택해 주세요|설명해 주세요|değerlendirin|açıklayın|seçiniz|belirtiniz|يرجى|قيّم|اذكر|صف )`)
)

// commands reports a text that asks without a question mark.
func commands(t string) bool {
	return imperative.MatchString(t) || imperCJK.MatchString(t) && utf8.RuneCountInString(t) <= 200
}

// openers of a question, so that a numbered list of questions is not taken for the
// answers to the question before it.
var opener = expression.Of(`(?i)^(?:how|what|which|why|who|when|where|do|does|did|is|are|have|has|would|will|can|could|should|if yes|if no|in general|overall|wie|was|welche\w*|warum|wer|wann|wo|haben|sind|ist|würden|comment|quel\w*|pourquoi|qui|quand|où|avez|êtes|cómo|qué|cuál\w*|por qué|quién|cuándo|dónde|¿|come|quale|quali|perché|chi|quando|dove|como|qual|quais|hoe|wat|waarom|wie|wanneer|waar)\b`)

// readBlocks parts a request into questions and the text around them. It reads
// each line once.
func readBlocks(request string) (blocks []*block, objective []string) {
	raw := strings.Split(strings.ReplaceAll(strings.ReplaceAll(request, "\r\n", "\n"), "\r", "\n"), "\n")
	lines := make([]line, len(raw))
	for i := range raw {
		lines[i] = readLine(raw[i])
	}
	next := make([]*line, len(lines)) // the next line that is not blank
	for i, n := len(lines)-1, (*line)(nil); i >= 0; i-- {
		next[i] = n
		if !lines[i].blank {
			n = &lines[i]
		}
	}
	var open *block
	heading := ""
	gap := false
	listed := false // a line announced a list whose members are questions
	add := func(b *block) {
		b.heading = heading
		blocks, open = append(blocks, b), b
	}
	for i := range lines {
		l := &lines[i]
		if l.blank {
			gap = true
			continue
		}
		after := gap
		gap = false
		if name, ok := isHeading(*l, next[i]); ok && !(open != nil && !after && formatLine.MatchString(l.text)) {
			heading = cut(name, MaxModule)
			open, listed = nil, false
			continue
		}
		if open != nil && formatLine.MatchString(l.text) && !hasQuestion(l.text) {
			open.notes = append(open.notes, l.text)
			continue
		}
		isAsk := asks(l.text) || hasQuestion(l.text) && l.mark != noMark || hasQuestion(l.text) && l.mark == noMark
		switch {
		case l.mark == questionMark:
			add(&block{text: l.text, mark: l.mark, number: l.number, indent: l.indent})
		case open != nil && joins(open, l, isAsk, after):
			open.options = append(open.options, l.text)
		case l.mark == numberMark || l.mark == bulletMark && !plainNote(l.text) || l.mark == letterMark && (isAsk || commands(l.text)):
			// M-82: numbered and bulleted lines are questions; but a bullet that only
			// states something is one only where questions were announced or it asks.
			if l.mark == bulletMark && !isAsk && !commands(l.text) && !opener.MatchString(l.text) && !listed {
				objective = append(objective, l.text)
				open = nil
				continue
			}
			add(&block{text: l.text, mark: l.mark, number: l.number, indent: l.indent})
		case isAsk:
			var rest []string
			rest, bs := sentences(l.text)
			objective = append(objective, rest...)
			for _, b := range bs {
				add(b)
			}
			listed = false
		case commands(l.text) && l.mark == noMark && next[i] != nil && (next[i].mark != noMark || looksScaled(l.text)), commands(l.text) && looksScaled(l.text):
			rest, bs := sentences(l.text)
			objective = append(objective, rest...)
			for _, b := range bs {
				add(b)
			}
		case l.mark == noMark && batteryCue.MatchString(l.text) && next[i] != nil && next[i].mark != noMark && next[i].mark != questionMark:
			add(&block{text: l.text, mark: noMark, indent: l.indent})
		case open != nil && !after && !open.spread && l.mark == noMark:
			open.notes = append(open.notes, l.text)
		default:
			rest, bs := sentences(l.text)
			objective = append(objective, rest...)
			for _, b := range bs {
				add(b)
			}
			if len(bs) == 0 {
				open = nil
			}
			listed = announces.MatchString(strings.TrimRight(l.text, " :")) || strings.HasSuffix(l.text, ":")
		}
	}
	return blocks, objective
}

// plainNote reports a bullet that speaks to the planner.
var noteWords = expression.Of(`(?i)^(?:note|n\.b\.|target|audience|sample|quota|deadline|budget|timing|hinweis|zielgruppe|nota|remarque|cible)\b\s*[:=]?`)

func plainNote(t string) bool { return noteWords.MatchString(t) && !hasQuestion(t) }

// joins reports a line that is an answer to the open question (or one of its
// statements) and no question of its own.
func joins(open *block, l *line, isAsk, after bool) bool {
	if isAsk || l.mark == noMark && len(open.options) == 0 {
		return false
	}
	battery := batteryCue.MatchString(open.text)
	if utf8.RuneCountInString(l.text) > 200 || commands(l.text) && !battery {
		return false
	}
	switch l.mark {
	case bulletMark, letterMark, codeMark:
		if open.mark == l.mark && l.indent <= open.indent {
			return false
		}
		return !(open.mark == noMark && after && opener.MatchString(l.text) && !battery)
	case numberMark:
		if open.mark == numberMark {
			return l.indent > open.indent && !opener.MatchString(l.text)
		}
		return !opener.MatchString(l.text) || battery
	case noMark: // the rest of a list whose first lines had marks does not lose it
		return false
	}
	return false
}

// sentences finds the questions inside running text: each sentence that asks, with
// what follows it and only tells its answers. rest is what asks nothing.
func sentences(text string) (rest []string, out []*block) {
	for _, s := range splitSentences(text) {
		t := strings.TrimSpace(s)
		if t == "" {
			continue
		}
		last := len(out) - 1
		if m := askMiddle.FindStringSubmatch(t); m != nil && hasQuestion(m[2]) && !hasQuestion(m[1]) {
			rest = append(rest, m[1])
			t = m[2]
		}
		switch {
		case asks(t) || hasQuestion(t):
			out = append(out, &block{text: unprefixed(t), spread: true})
		case last >= 0 && answersOnly(t):
			out[last].text += " " + t
		case commands(t) && (looksScaled(t) || last >= 0 || strings.Contains(t, ":")), indirect.MatchString(t):
			out = append(out, &block{text: t, spread: true})
		default:
			rest = append(rest, t)
		}
	}
	return rest, out
}

// askMiddle is an order to ask inside a sentence: "Run NPS and then ask: Why?"
var askMiddle = expression.Of(`(?i)^(.{3,300}?)[,;]?\s+(?:and\s+)?(?:then\s+)?(?:also\s+)?(?:ask|fragen sie|demandez|pregunte)\s*[:：]\s*(\S.*)$`)

var askPrefix = expression.Of(`(?i)^(?:(?:and|also|then|plus|please|und|et|y|e|en)\s+)*(?:ask|questions?|fragen|frage|pregunta|preguntar|demandez|question)\s*(?:them|people|respondents)?\s*[:：]\s*`)

// unprefixed drops "Ask: " and quotation marks around a question.
func unprefixed(t string) string {
	t = askPrefix.ReplaceAllString(t, "")
	for _, q := range [][2]string{{"\"", "\""}, {"“", "”"}, {"«", "»"}, {"„", "“"}, {"'", "'"}} {
		if strings.HasPrefix(t, q[0]) && strings.HasSuffix(t, q[1]) && len(t) > len(q[0])+len(q[1]) {
			t = t[len(q[0]) : len(t)-len(q[1])]
		}
	}
	return strings.TrimSpace(t)
}

// splitSentences parts text at ends of sentences, outside brackets and numbers.
func splitSentences(text string) []string {
	var out []string
	start, depth := 0, 0
	rs := []rune(text)
	for i, r := range rs {
		switch r {
		case '(', '[', '（':
			depth++
		case ')', ']', '）':
			depth = max(0, depth-1)
		}
		end := false
		switch r {
		case '?', '？', '؟', '!', '。', '！':
			end = depth == 0
		case '.':
			end = depth == 0 && i+1 < len(rs) && unicode.IsSpace(rs[i+1]) && i > 1 && !abbreviated(rs, i)
		}
		if !end {
			continue
		}
		j := i + 1
		for j < len(rs) && strings.ContainsRune("\"”»’'?!", rs[j]) {
			j++
		}
		// Brackets right behind a question belong to it.
		k := j
		for k < len(rs) && rs[k] == ' ' {
			k++
		}
		if k < len(rs) && (rs[k] == '(' || rs[k] == '[' || rs[k] == '（') {
			for c := k; c < min(len(rs), k+600); c++ {
				if rs[c] == ')' || rs[c] == ']' || rs[c] == '）' {
					j = c + 1
					break
				}
			}
			if j <= k {
				continue
			}
			for j < len(rs) && rs[j] == '.' {
				j++
			}
		}
		if start >= j {
			continue
		}
		out = append(out, string(rs[start:j]))
		start = j
	}
	// What stands behind brackets that follow a question is a sentence of its own.
	if start < len(rs) {
		out = append(out, string(rs[start:]))
	}
	return out
}

func abbreviated(rs []rune, i int) bool {
	j := i
	for j > 0 && (unicode.IsLetter(rs[j-1]) || rs[j-1] == '.') {
		j--
	}
	switch w := strings.ToLower(string(rs[j:i])); w {
	case "e.g", "i.e", "z.b", "d.h", "p.ej", "vs", "etc", "mr", "mrs", "ms", "dr", "ca", "approx", "no", "nr", "max", "min", "q", "bzw", "usw":
		return w != "no" && w != "max" && w != "min" || i+2 < len(rs) && unicode.IsDigit(rs[i+2])
	case "":
		return unicode.IsDigit(rs[i-1]) && j == 0
	}
	return false
}

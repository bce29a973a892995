package planner

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

var (
	priceAsk   = expression.Of(`(?i)(?:\b(?:at what price|what price|which price|how much (?:would|are|do|did) you (?:be willing to |willing to |expect to )?(?:pay|spend)|willing to pay|zu welchem preis|ab welchem preis|bei welchem preis|wie viel würden sie .{0,40}(?:bezahlen|zahlen|ausgeben)|combien .{0,30}(?:payer|paieriez)|a qué precio|cuánto .{0,30}pagar|a quale prezzo|quanto .{0,30}pagare|a que preço|quanto .{0,30}pagar|voor welke prijs|hoeveel .{0,30}betalen|kaç (?:tl|lira)|hangi fiyat)|à quel prix|いくらで|いくらなら|什么价格|多少钱|愿意付|얼마에|얼마까지|بأي سعر|كم .{0,20}تدفع)`) //nolint:misspell // words of other languages
	rankAsk    = expression.Of(`(?i)^(?:please\s+|bitte\s+)?(?:rank|order|sort|put .{1,40} in order|bringen sie .{1,80} in (?:eine|die) (?:reihenfolge|rangfolge)|ordnen sie|stufen sie .{1,60} reihenfolge|classez|ordene|clasifique|ordini|metta in ordine|rangschik|zet .{1,40} op volgorde|classifique|sırala)|\brank(?:ing)? (?:them|these|the following|in order)\b|(?:并按|按重要性)?排序|順位|並べ替え|순위|رتب`)
	picksMost  = expression.Of(`(?i)\b(?:up to|at most|no more than|max(?:imum)?\.?(?: of)?|hasta|máximo(?: de)?|como máximo|bis zu|maximal|höchstens|jusqu'à|au maximum|maximum|fino a|al massimo|massimo|até|no máximo|tot|maximaal|hoogstens|en fazla|(?:choose|select|pick|name) (?:your )?(?:top )?)\s*(\d{1,2}|two|three|four|five|dos|tres|cuatro|cinco|zwei|drei|vier|fünf|deux|trois|quatre|cinq|due|tre|quattro|dois|três|quatro|twee|drie|vier|vijf|iki|üç)\b|(?:最多|最大)(?:选|選)?\s*(\d{1,2}|[一二三四五])|(\d{1,2})\s*(?:つまで|개까지|个以内)`)
	numberWord = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "due": 2, "tre": 3, "quattro": 4, "dois": 2, "três": 3, "quatro": 4, "twee": 2, "drie": 3, "vijf": 5, "iki": 2, "üç": 3, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5}

	scaleTail = expression.Of(`(?i)[\s,;:–—-]*(?:(?:please )?(?:use|using|answer|rate|with|on|auf|sur|en|su|em|op|mit|nutzen sie|utilisez|use)\s+)?(?:a|an|the|einer|eine|une|una|um|uma|een)?\s*(?:\d{1,2}\s*[- ]?(?:point|punkte?|stufige[nr]?)\s*(?:likert\s*)?(?:scale|skala)|(?:scale|skala|échelle|escala|scala|schaal)\s*(?:of|from|von|de|da|van|:|en)?\s*-?\d{1,3}\s*(?:to|-|–|bis|à|a|tot)\s*-?\d{1,3}|-?\d{1,3}\s*(?:-|–|to)\s*-?\d{1,3}(?:\s*scale)?)\s*(?:\([^()]{0,160}\))?\s*[.]?\s*$`)
	speaks    = expression.Of(`(?i)\b(?:scale|skala|échelle|escala|scala|schaal|ölçek|likert|points?|stufig|open|ended|choice|select|choose|check|tick|pick|all that apply|answer|answers|response|randomi[sz]e|rotate|yes|no|required|optional|mandatory|antwort\w*|mehrfach\w*|einfach\w*|offen\w*|réponses?|choix|respuestas?|abierta|opción|rispost\w*|scelta|respostas?|escolha|antwoord\w*|keuze)\b|单选|多选|量表|段階|複数|単一|自由|척도|복수|단일|주관식|مقياس|اختيار|^\s*-?\d{1,3}\s*(?:-|–|to|bis|à|a|~|〜)\s*-?\d{1,3}\b|^\s*\d{1,3}\s*(?:=|:)`)
)

// speaksOfFormat reports a bracket that tells how to answer and is not part of what
// is asked.
func speaksOfFormat(tag string) bool {
	t := strings.TrimSpace(tag)
	if t == "" {
		return true
	}
	if utf8.RuneCountInString(t) > 600 {
		return false
	}
	if yesNoTag.MatchString(t) || openTag.MatchString(t) || singleTag.MatchString(t) || multiTag.MatchString(t) || progTag.MatchString(t) || pointsTag.MatchString(t) {
		return true
	}
	if o := listOf(t); len(o) >= 2 && strings.ContainsAny(t, "/;|／、；") {
		return true
	}
	if o := listOf(t); len(o) >= 3 && !example.MatchString(t) {
		return true
	}
	return speaks.MatchString(t) && utf8.RuneCountInString(t) <= 200 && !example.MatchString(t)
}

var example = expression.Of(`(?i)^(?:e\.?\s?g\.?|for example|such as|i\.?\s?e\.?|z\.\s?b\.|zum beispiel|par ex|p\.\s?ej|por ejemplo|ad esempio|por exemplo|bijv|例|예|mesela|örneğin|including|excluding|if any|if at all|not including)`)

func lastBracket(t string) (head, tag string, ok bool) {
	s := strings.TrimRight(t, " .:*_\u3000")
	for _, p := range [][2]string{{"(", ")"}, {"[", "]"}, {"（", "）"}, {"【", "】"}, {"<", ">"}, {"{", "}"}} {
		if strings.HasSuffix(s, p[1]) {
			if at := strings.LastIndex(s, p[0]); at > 0 {
				return strings.TrimSpace(s[:at]), s[at+len(p[0]) : len(s)-len(p[1])], true
			}
		}
	}
	// "How often (select one)?": brackets in front of the question mark.
	for _, q := range []string{"?", "？"} {
		if strings.HasSuffix(s, q) {
			in := strings.TrimRight(strings.TrimSuffix(s, q), " ")
			if strings.HasSuffix(in, ")") {
				if at := strings.LastIndex(in, "("); at > 0 {
					return strings.TrimSpace(in[:at]) + q, in[at+1 : len(in)-1], true
				}
			}
		}
	}
	return t, "", false
}

func firstBracket(t string) (rest, tag string, ok bool) {
	for _, p := range [][2]string{{"[", "]"}, {"(", ")"}, {"（", "）"}, {"【", "】"}} {
		if strings.HasPrefix(t, p[0]) {
			if at := strings.Index(t, p[1]); at > 0 && at < 120 {
				return strings.TrimSpace(t[at+len(p[1]):]), t[len(p[0]):at], true
			}
		}
	}
	return t, "", false
}

// cutWide parts "问题:A、B、C" and "…?A／B" of languages with wide marks.
func cutWide(t string) (head, tail string, ok bool) {
	for _, mark := range []string{"？", "?", "：", "؟"} {
		if at := strings.LastIndex(t, mark); at > 0 && at+len(mark) < len(t) {
			tail = t[at+len(mark):]
			if strings.ContainsAny(tail, "、／；｜/،") {
				head = t[:at+len(mark)]
				if mark == "：" {
					head = t[:at]
				}
				return strings.TrimSpace(head), strings.TrimSpace(tail), true
			}
		}
	}
	return t, "", false
}

// listOf parts a list of answers by the strongest mark that it holds.
func listOf(s string) []string {
	s = strings.TrimSpace(s)
	s = strings.TrimRight(s, ".。")
	if s == "" || utf8.RuneCountInString(s) > 6_000 {
		return nil
	}
	for _, sep := range []string{"|", "｜", ";", "；", "\n", "／", " / ", "/", "、", "،", ",", "，"} {
		if !strings.Contains(s, sep) {
			continue
		}
		parts := strings.Split(s, sep)
		if sep == "," || sep == "，" || sep == "、" || sep == "،" {
			last := strings.TrimSpace(parts[len(parts)-1])
			for _, or := range []string{"or ", "and ", "o ", "y ", "e ", "ou ", "et ", "oder ", "und ", "of ", "en ", "veya "} {
				if len(last) > len(or) && strings.EqualFold(last[:len(or)], or) {
					last = last[len(or):]
					parts[len(parts)-1] = last
				}
			}
			for _, or := range []string{" or ", " and ", " oder ", " und ", " ou ", " et ", " o ", " y ", " e ", " of ", " en ", " veya ", "或", "または"} {
				if a, b, ok := strings.Cut(last, or); ok && len(parts) >= 2 && a != "" && b != "" {
					parts = append(parts[:len(parts)-1], a, b)
					break
				}
			}
		}
		if sep == "/" {
			for _, p := range parts {
				if len(strings.Fields(p)) > 5 {
					return nil
				}
			}
		}
		return cleanOptions(parts)
	}
	return nil
}

// cleanOptions trims labels; nil where a label is empty, too long or repeated.
func cleanOptions(parts []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range parts {
		p = strings.TrimSpace(strings.Trim(strings.TrimSpace(p), "\"“”*_"))
		if m := codedLine.FindStringSubmatch(p); m != nil && strings.ContainsAny(p[:min(len(p), 5)], "=") {
			p = m[2]
		}
		p = optionNote.ReplaceAllString(p, "")
		p = strings.TrimRight(strings.TrimSpace(p), ";")
		if p == "" {
			continue
		}
		if utf8.RuneCountInString(p) > 200 || seen[p] {
			return nil
		}
		seen[p] = true
		out = append(out, p)
	}
	if len(out) < MinOptions || len(out) > MaxOptions {
		return nil
	}
	return out
}

// optionNote is what a programmer of the survey reads behind a label.
var optionNote = expression.Of(`(?i)\s*[\[(](?:exclusive|anchor\w*|fixed|terminate|screen ?out|specify|open|go to .{1,12}|skip to .{1,12}|continue|exklusiv|fix)[\])]\s*$|\s*(?:→|->|=>)\s*(?:go|skip|end|terminate|weiter|q).{0,30}$`)

// withoutInstruction drops "Choose up to 3:" in front of a list.
func withoutInstruction(s string) string {
	for _, mark := range []string{":", "："} {
		if head, tail, ok := strings.Cut(s, mark); ok && utf8.RuneCountInString(head) <= 60 && (picksMost.MatchString(head) || multiTag.MatchString(head) || singleTag.MatchString(strings.TrimSpace(head))) {
			return strings.TrimSpace(tail)
		}
	}
	return s
}

func mostPicks(t string, options int) int {
	m := picksMost.FindStringSubmatch(t)
	if m == nil {
		return 0
	}
	for _, s := range m[1:] {
		if s == "" {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			n = numberWord[strings.ToLower(s)]
		}
		if n >= 1 && n < options {
			return n
		}
	}
	return 0
}

// wayOut are labels that leave the question: none, other, do not know.
var (
	noneLabel = expression.Of(`(?i)^(?:none|none of (?:these|the above|them)|nothing|i do(?:n't| not) .{1,40}|no(?:ne)? .{0,20}applies|keine?[rs]?(?: davon| der genannten)?|nichts(?: davon)?|aucune?(?: de ces| des| d'entre)?.{0,30}|ninguno?a?(?: de .{1,20})?|nessun[oa]?.{0,30}|nenhum[a]?.{0,30}|geen(?: van .{1,20})?|hiçbiri|以上都不是|都没有|どれもない|いずれもない|해당 없음|없음|لا شيء.{0,20}|neither)\.?$`)
	elseLabel = expression.Of(`(?i)^(?:other|others|something else|another|someone else|somewhere else|andere[srn]?|sonstige[srn]?|etwas anderes|autres?|otr[oa]s?|altr[oaie]|outr[oa]s?|anders|diğer|其他|其它|その他|기타|أخرى|غير ذلك)\b.{0,40}$|^(?:其他|其它|その他|기타|أخرى|غير ذلك)`)
	dontKnow  = expression.Of(`(?i)(?:\bdo(?:n't|n’t| not) know\b|\bnot sure\b|\bunsure\b|\bundecided\b|\bprefer not\b|\bno opinion\b|\bcan'?t say\b|\bn/?a\b|not applicable|does not apply|\bmaybe\b|weiß (?:ich )?nicht|keine angabe|nicht sicher|unentschieden|ne sais? pas|sans opinion|no s[eé]|no sabe|prefiero no|non so|preferisco non|não sei|prefiro não|weet (?:ik )?niet|bilmiyorum|不知道|不确定|不清楚|わからない|分からない|모르겠|잘 모름|لا أعرف|لا أعلم|vielleicht|peut-être|tal vez|quizás|forse|talvez|misschien|belki)`)
	never     = expression.Of(`(?i)^(?:never|nie(?:mals)?|jamais|nunca|mai|nooit|asla|hiç|从不|从来不|全くない|まったくない|전혀|أبدا|not at all|.*\bnever\b.*|.*\bless often\b.*)`)
)

// exclusive are the labels of a multiselect that exclude the others.
func exclusive(options []string) []string {
	var out []string
	for _, o := range options {
		if noneLabel.MatchString(o) || dontKnow.MatchString(o) && utf8.RuneCountInString(o) <= 30 {
			out = append(out, o)
		}
	}
	return out
}

var (
	yesWord = expression.Of(`(?i)^(?:yes|yeah|ja|oui|s[ií]|sì|sim|evet|是|是的|有|会|はい|예|네|نعم)\b?(?:[,.!\s-].*)?$`)
	noWord  = expression.Of(`(?i)^(?:no|nein|non|não|nee|hayır|否|不是|没有|不会|いいえ|아니요|아니오|لا)(?:[,.!\s-].*)?$`)
)

func isYesNo(o []string) bool {
	y, n := false, false
	for _, s := range o {
		y = y || yesWord.MatchString(s)
		n = n || noWord.MatchString(s)
	}
	return y && n
}

// withoutScale drops the words that only tell the scale, where they close the text.
func withoutScale(t string) string {
	out := strings.TrimSpace(scaleTail.ReplaceAllString(t, ""))
	if utf8.RuneCountInString(out) < 8 {
		return t
	}
	if out != t && asksOpener(out) && !hasQuestion(out) {
		out += "?"
	}
	return out
}

func asksOpener(t string) bool { return opener.MatchString(t) }

// withoutList drops the options from the end of a text: behind ":" or "?" or in
// brackets. What names them as part of its sentence stays.
func withoutList(t string, options []string) string {
	for _, mark := range []string{"?", "？", ":", "："} {
		at := strings.LastIndex(t, mark)
		if at <= 0 || at+len(mark) >= len(t) {
			continue
		}
		tail := t[at+len(mark):]
		if !strings.Contains(tail, options[0]) || !strings.Contains(tail, options[len(options)-1]) {
			continue
		}
		head := strings.TrimSpace(t[:at])
		if mark == "?" || mark == "？" {
			return head + mark
		}
		if asksOpener(head) && !hasQuestion(head) {
			return head + "?"
		}
		return head
	}
	return t
}

var (
	batteryCue = expression.Of(`(?i)(?:following (?:statements?|aspects?|features?|attributes?|items?|areas?|factors?|brands?|services?|products?|ideas?|claims?)|each of (?:the following|these|them)|each (?:statement|item|aspect|feature|of)|statements? below|(?:rate|score|evaluate) (?:the following|these|each)|(?:how (?:important|satisfied|likely|much|well|often|familiar|appealing|concerned|confident|interested)\b.{0,80}\b(?:following|these|each))|agree or disagree with|folgende[nr]? (?:aussagen|aspekte|punkte|eigenschaften|merkmale)|jede[rn]? (?:aussage|der folgenden)|(?:affirmations|aspects|éléments|critères|points|énoncés) suivants?e?s?|siguientes (?:afirmaciones|aspectos|características|frases|elementos)|seguenti (?:affermazioni|aspetti|caratteristiche)|seguintes (?:afirmações|aspectos|aspetos|características)|volgende (?:stellingen|aspecten|uitspraken)|aşağıdaki (?:ifadeler|özellikler|konular)\w*|以下(?:各项|陈述|说法|方面|的(?:各|陈述))|次の(?:各|それぞれ|項目|文)|以下の(?:各|それぞれ|項目|文)|다음 (?:각|항목|문장|진술)|العبارات التالية|الجوانب التالية)`) //nolint:misspell // words of other languages
	indirect   = expression.Of(`(?i)^(?:(?:and|also|then|finally|first|next|please)\s*,?\s+)*(?:(?:please\s+)?(?:ask|find out|check|learn)\s+(?:them|people|respondents|everyone|customers|users|consumers)?\s*(?:about\s+)?)(how|what|which|why|when|where|who|whether|if)\b`)
)

// looksScaled reports a text that names a scale or a list of answers.
func looksScaled(t string) bool {
	if utf8.RuneCountInString(t) > MaxText {
		return false
	}
	if _, ok := scaleOf(t, t, "en"); ok {
		return true
	}
	if _, tag, ok := lastBracket(t); ok && speaksOfFormat(tag) {
		return true
	}
	return false
}

// answersOnly reports a sentence that tells how to answer the one before it.
func answersOnly(t string) bool {
	bare := strings.TrimRight(strings.TrimSpace(t), ".!")
	if utf8.RuneCountInString(bare) > 300 || hasQuestion(bare) {
		return false
	}
	if yesNoTag.MatchString(bare) || openTag.MatchString(bare) || singleTag.MatchString(bare) || formatLine.MatchString(bare) {
		return true
	}
	if multiTag.MatchString(bare) && len(strings.Fields(bare)) <= 8 {
		return true
	}
	if _, ok := scaleOf(bare, "", "en"); ok {
		return !imperative.MatchString(bare) || len(strings.Fields(bare)) <= 6
	}
	if strings.ContainsAny(bare, "/|;／、") {
		if o := listOf(bare); len(o) >= 2 {
			return true
		}
	}
	return strings.HasPrefix(bare, "(") || strings.HasPrefix(bare, "[")
}

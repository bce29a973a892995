package simulate

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// Questions for a source as a whole. What stands in them beside these words must
// be of the title of a source, else it is a question on something in it.
var (
	wholeOf = expression.Of(`(?:^|[^\pL])(?:(?:summari[sz]e|sum up|outline|recap)\b|(?:an?|the|short|brief|quick|give me|executive) (?:summary|overview|recap|gist)\b|summary of\b` +
		`|what (?:did|does|do|are|is|'s) (?:the |your |this |that |these |those )?(?:[\pL\pN' -]{0,60}?)(?:find|found|say|says|show|shows|conclude|concludes|tell|about|findings?|key points?|main points?|takeaways?|results?|contain|contains|cover|covers)(?:[^\pL]|$)|what(?:'s| is) in (?:the|your|this|that)\b|what have you read\b|what do you know(?:[^\pL]*$)|tell me (?:about|what is in|what's in|of)\b|describe\b|explain\b` +
		`|fass\pL* .*zusammen|zusammenfass\pL*|worum geht es|was (?:steht|sagt|besagt|ergab|zeigt)\b|erzähl\pL* (?:mir )?(?:von|über)\b|résum\pL+|de quoi (?:parle|traite)|que (?:dit|conclut|montre)|parle[sz]?[- ]moi d|resum\pL+|de qué (?:trata|habla)|qué (?:dice|concluye|muestra|encontró)|háblame de|cuéntame|özetle\pL*|özet\pL*|ne anlatıyor|ne diyor|hakkında bilgi)` +
		`|总结|概括|概述|摘要|讲了什么|说了什么|要約|まとめ|概要|何が書|どんな内容|요약|정리해|무슨 내용|무엇을 말|لخّ?ص|ملخص|تلخيص|عمّ?ا? يتحدث|ماذا (?:يقول|وجد)`)
	// sourceWords stand for a source, or frame a question for all of it.
	sourceWords = wordSet(`report reports document documents file files paper papers study studies survey surveys text texts article articles source sources page pages book material materials knowledge finding findings
		result results conclusion conclusions content contents summary overview outline recap gist point points key main takeaway takeaways whole entire full all everything it this that them these those short brief quick briefly
		summarise summarize summarized sum up find found say says said show shows conclude concludes concluded tell contain contains cover covers covered read know describe explain give executive annual mean means bullet sentence sentences few important most
		bericht berichts berichte dokument datei studie umfrage text quelle quellen inhalt ergebnisse ergebnis zusammenfassung zusammen fasse fassen fass steht sagt besagt ergab zeigt geht erzähl erzähle erzählen wichtigsten wichtigste kurz davon darüber darin drin
		rapport rapports fichier étude enquête texte contenu résultats résultat résume résumez résumer résumé parle parlez traite dit conclut montre principaux moi
		informe informes documento archivo estudio encuesta texto contenido resultados resultado resume resuma resumen resumir trata habla háblame cuéntame dice concluye muestra encontró
		rapor raporu raporun raporda belge belgeyi belgenin dosya dosyayı araştırma metin metni özetle özetler misin misiniz özet özeti özetini anlatıyor diyor bilgi hakkında ver verin çıkar`)
	// sourceSigns are the same where words stand without spaces, or with what is
	// written on to them.
	sourceSigns = expression.Of(`总结|概括|概述|摘要|讲了|说了|什么|报告|文件|文档|内容|这份|这个|该|一下|请|的|了|吗|要約|まとめ|概要|何が|書いて|書かれて|どんな|内容|レポート|報告書|報告|文書|資料|この|その|を|は|が|の|に|して|ください|くださ|い|あり|ます|か|요약|정리해|무슨|내용|무엇을|말|보고서|문서|자료|이|그|를|을|은|는|의|해|주세요|줘|하나요|인가요|에|대해|لخّ?ص|ملخص|تلخيص|ما|لي|التقرير|تقرير|المستند|الوثيقة|الملف|هذا|هذه|عمّ?ا?|يتحدث|ماذا|يقول|وجد|من فضلك|ال`)
	itAlone     = wordSet("it this that them these those davon darüber ello eso")
)

// overviewOf reads a message that asks for a source as a whole, and the words of
// its title that it names. ok is false for any other message.
func overviewOf(message string) (titled []word, alone, ok bool) {
	low := strings.TrimSpace(lengthAsked.ReplaceAllString(fold(message), " "))
	if len(message) > longestFollowUp || !wholeOf.MatchString(low) {
		return nil, false, false
	}
	named := false
	for _, w := range words(sourceSigns.ReplaceAllStringFunc(low, func(s string) string {
		if s[0] < utf8.RuneSelf {
			return s
		}
		return " "
	})) {
		switch {
		case itAlone[w.text]:
			alone = true
		case sourceWords[w.text]:
			named = named || !frameOnly[w.text]
		case w.stop || foreignStops[langDE][w.text] || foreignStops[langFR][w.text] || foreignStops[langES][w.text]:
		default:
			titled = append(titled, w)
		}
	}
	signs := sourceSigns.MatchString(low) && languageOf(message) != "" && !askingReads[languageOf(message)]
	return titled, alone && !named && len(titled) == 0, named || alone || signs || len(titled) > 0 && asksSummary.MatchString(low) || bareSummary.MatchString(low)
}

var (
	// frameOnly are of sourceWords those that name no source by themselves.
	frameOnly   = wordSet("find found say says said show shows tell contain contains cover covers read know describe explain give mean means key main point points most few important all up sum short brief quick steht sagt zeigt geht dit montre dice moi ver bilgi hakkında")
	asksSummary = expression.Of(`(?:^|[^\pL])(?:summar|sum up|outline of|overview of|zusammenfass|résum|resum|özet)|总结|概括|摘要|要約|요약|ملخص|لخ`)
	bareSummary = expression.Of(`^(?:please )?(?:summari[sz]e|sum up|summary|overview|what do you know|what have you read|fasse? zusammen|zusammenfassung|résumez?|resum[ea]|özetle)[?.! ]*(?:please)?$`)
)

// summaryIn gives the language of a request for a summary by its own word, where
// it is not English and has too few others to show.
func summaryIn(message string) string {
	low := fold(message)
	for _, x := range []struct{ lang, part string }{
		{langDE, "zusammen"}, {langFR, "résum"}, {langTR, "özet"}, {langFR, "rapport"}, {langES, "resum"}, {langES, "informe"}, {langDE, "bericht"},
	} {
		if strings.Contains(low, x.part) && languageOf(message) == "" {
			return x.lang
		}
	}
	return ""
}

// How much of the sources an overview quotes.
const (
	mostSources      = 4
	mostExtracts     = 5
	leastExtracts    = 2 // of each, where there are several
	substantiveWords = 6
	substantiveRunes = 15
	mostRead         = 60 // passages of one source that are read for them
)

// overview gives the leading extracts of the sources that are meant: the first
// sentences of each, and the first one under its further headings and pages.
func (o *Offline) overview(r Respondent, message string) (record, bool) {
	titled, alone, ok := overviewOf(message)
	if !ok {
		return record{}, false
	}
	lang := languageOf(message)
	var ids []string
	of := map[string][]Passage{}
	for _, p := range r.Passages {
		if p.ID == PersonaID || len(of[p.ID]) == mostRead {
			continue
		}
		if of[p.ID] == nil {
			if !isTitled(lang, p, titled) {
				continue
			}
			if len(ids) == mostSources {
				continue
			}
			ids = append(ids, p.ID)
		}
		of[p.ID] = append(of[p.ID], p)
	}
	if len(ids) == 0 {
		return record{}, false
	}
	each := max(leastExtracts, mostExtracts/len(ids))
	if len(ids) > 2 {
		each = 1
	}
	most := lengthOf(message)
	if most > 0 {
		each = (most + len(ids) - 1) / len(ids)
	}
	var hits []found
	for n, id := range ids {
		for _, h := range firstOf(of[id], r.Name, each) {
			h.passageN += n << 20
			hits = append(hits, h)
		}
	}
	if most > 0 && len(hits) > most {
		hits = hits[:most]
	}
	rec := recordOf(hits)
	rec.overview, rec.pointing = true, alone
	return rec, len(hits) > 0
}

// lengthAsked is how long a summary is asked to be.
var lengthAsked = expression.Of(`,?\s*(?:\b(?:in|to|into|with|using|en|auf|con) )?(?:(?:just|only|about|around|under|at most|max(?:imum)?|no more than|less than|etwa|höchstens|maximal) )?\b(?:an?|\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|einem|einen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)[ -](?:(?:short|brief|clear|simple|main|key|kurzen?|courtes?|cortas?) )?(sentences?|sätzen?|satz|phrases?|frases?|bullets?(?: points?)?|points?|stichpunkten?|punkten?|points? clés|puntos?|lines?|zeilen|lignes|líneas|paragraphs?|absätzen?|absatz|paragraphes?|párrafos?|words?|wörtern?|worten|mots|palabras)\b`) //nolint:misspell // French

// lengthOf is how many extracts a message asks for; 0 where it names no number of
// sentences or points.
func lengthOf(message string) int {
	m := lengthAsked.FindStringSubmatch(fold(message))
	if m == nil {
		return 0
	}
	for _, other := range []string{"word", "wört", "wort", "mots", "palabr", "paragr", "absa", "absä", "párraf"} {
		if strings.HasPrefix(m[1], other) {
			return 0
		}
	}
	for _, w := range strings.FieldsFunc(m[0], func(r rune) bool { return r == ' ' || r == '-' || r == ',' }) {
		if n, err := strconv.Atoi(w); err == nil && n > 0 {
			return min(n, longestSummary)
		}
		if n := smallNumbers[w]; n > 0 {
			return n
		}
	}
	return 0
}

// longestSummary bounds the extracts of a summary.
const longestSummary = 10

var smallNumbers = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"einem": 1, "einen": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10,
	"un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10,
	"una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10,
}

// isTitled reports a passage whose source has the words in its title, or any
// where none are named.
func isTitled(lang string, p Passage, titled []word) bool {
	if len(titled) == 0 {
		return true
	}
	title := classes(lang, joints.Replace(p.Source))
	for _, w := range titled {
		if !title[kinIn(lang, w)] {
			return false
		}
	}
	return true
}

// firstOf are the sentences of a source that stand for what it says: the first
// two, and the first under each further heading or on each further page.
func firstOf(passages []Passage, name string, most int) []found {
	var first, later []found
	heads := map[string]bool{}
	for n, p := range passages {
		if len(first)+len(later) >= most && len(first) > 0 {
			break
		}
		page := readPage("", candidate{Passage: p}, name)
		key := p.Heading + "\x00" + p.Where
		for i, l := range page.lines {
			if l.heads || l.row != nil || !wholeSentence(l) {
				continue
			}
			h := found{passage: p, text: l.text, passageN: n, sentence: i}
			if len(first) < min(2, most) && n == 0 {
				first = append(first, h)
				continue
			}
			if n == 0 && len(passages) > 1 {
				break
			}
			if !heads[key] && !leans(l) {
				later = append(later, h)
			}
			break
		}
		heads[key] = true
	}
	out := append(first, later...)
	return out[:min(len(out), most)]
}

// wholeSentence reports a whole sentence: long enough, with an end, and no mark of
// rights or of a table of contents.
func wholeSentence(l line) bool {
	if !titleLike.MatchString(l.text) || strings.Contains(l.text, "...") || strings.HasSuffix(l.text, "?") || strings.ContainsAny(l.text, "©") {
		return false
	}
	if len(l.words) > 0 && slices.ContainsFunc(l.words, func(w word) bool { return w.text != "" && dense([]rune(w.text)[0]) }) {
		return utf8.RuneCountInString(l.text) >= substantiveRunes
	}
	return len(l.words) >= substantiveWords
}

// extractsOnly says that what is quoted is no summary.
var extractsOnly = map[string]string{
	langEN: "No model connection is set, so I cannot summarise. These are extracts from the beginning of what I have read, not a summary:",
	langDE: "Es ist kein Modell verbunden, daher kann ich nicht zusammenfassen. Dies sind Auszüge vom Anfang dessen, was ich gelesen habe, keine Zusammenfassung:",
	langFR: "Aucun modèle n’est connecté, je ne peux donc pas résumer. Voici des extraits du début de ce que j’ai lu, pas un résumé :",
	langES: "No hay ningún modelo conectado, así que no puedo resumir. Estos son extractos del comienzo de lo que he leído, no un resumen:",
	langTR: "Bağlı bir model yok, bu yüzden özetleyemem. Bunlar okuduklarımın başından alıntılardır, özet değildir:",
	langZH: "没有连接模型，我无法总结。以下是我所读内容开头部分的摘录，不是总结：",
	langJA: "モデルが接続されていないため、要約はできません。以下は読んだものの冒頭からの抜粋であり、要約ではありません：",
	langKO: "연결된 모델이 없어 요약할 수 없습니다. 다음은 제가 읽은 내용의 앞부분에서 발췌한 것이며 요약이 아닙니다:",
	langAR: "لا يوجد نموذج متصل، لذا لا يمكنني التلخيص. هذه مقتطفات من بداية ما قرأته، وليست ملخصًا:",
}

// heading says what stands before the extracts of a record.
func (rec record) heading(lang string) string {
	if !rec.overview {
		return ""
	}
	if s := extractsOnly[lang]; s != "" {
		return s + "\n"
	}
	return extractsOnly[langEN] + "\n"
}

// pointsOut says which row of a quoted table stands at the end that was asked for.
func (rec record) pointsOut(lang string) string {
	if rec.peak == nil {
		return ""
	}
	forms, ok := peaks[lang]
	if !ok {
		forms = peaks[langEN]
	}
	form := forms[1]
	if rec.peak.up {
		form = forms[0]
	}
	return fill(form, rec.peak.column, rec.peak.row)
}

// peaks say the highest and the lowest row: column, row.
var peaks = map[string][2]string{
	langEN: {"Of these rows, the highest under %s: %s.", "Of these rows, the lowest under %s: %s."},
	langDE: {"Von diesen Zeilen der höchste Wert unter %s: %s.", "Von diesen Zeilen der niedrigste Wert unter %s: %s."},
	langFR: {"De ces lignes, la plus haute valeur sous %s : %s.", "De ces lignes, la plus basse valeur sous %s : %s."},
	langES: {"De estas filas, el valor más alto en %s: %s.", "De estas filas, el valor más bajo en %s: %s."},
	langTR: {"Bu satırlardan %s sütununda en yüksek: %s.", "Bu satırlardan %s sütununda en düşük: %s."},
	langZH: {"这些行中，%s最高的是%s。", "这些行中，%s最低的是%s。"},
	langJA: {"これらの行のうち、%sが最も高いもの：%s。", "これらの行のうち、%sが最も低いもの：%s。"},
	langKO: {"이 행들 중 %s 값이 가장 높은 것: %s.", "이 행들 중 %s 값이 가장 낮은 것: %s."},
	langAR: {"من بين هذه الصفوف، الأعلى تحت %s: %s.", "من بين هذه الصفوف، الأدنى تحت %s: %s."},
}

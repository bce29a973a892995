package simulate

import (
	"strings"
	"unicode"
)

// Languages of a Mind's frames: the words around what is quoted.
const (
	langEN = "en"
	langES = "es"
	langFR = "fr"
	langDE = "de"
	langZH = "zh"
	langTR = "tr"
	langAR = "ar"
	langJA = "ja"
	langKO = "ko"
)

// tells are the small words of a language. Those of languages without frames
// stand here too: a text that is as near to one of them is not plainly any.
var tells = map[string]map[string]bool{
	langEN: wordSet("the is are was were do does did you your what which who whom how why when where and of to in it that this have has can could would should will with for from about not any there i my me"),
	langDE: wordSet("der die das den dem ein eine einen einem und ist sind war waren wie was warum wann wer wo welche welcher welches welchen haben hat habe hast sie ihr ihre ihnen du dein deine ich mir mich mein meine nicht kein keine mit für von zu auf im zum zur bei oder auch gibt es wird werden kann können wieviel viele sich"),
	langFR: wordSet("le la les des du un une est sont était que qui quoi quel quelle quels quelles comment pourquoi quand où et ou vous votre vos tu ton ta tes je mon ma mes nous ne pas avec pour dans sur au aux avez êtes combien il elle ce cette ces y c qu l d j n s"),
	langES: wordSet("el la los las un una unos unas es son era que qué quién cuál cuáles cómo por porqué cuándo dónde y o usted ustedes tu tus tú su sus yo mi mis me no con para en del al de hay tiene tienes cuánto cuánta cuántos cuántas se le lo está están ha sobre"), //nolint:misspell // Spanish
	langTR: wordSet("bir ve bu ne nasıl neden niçin niye kaç kim nerede hangi mi mı mu mü misin mısın musun müsün misiniz mısınız musunuz müsünüz için ile çok daha var yok değil ben sen siz size sizin senin zaman kadar gibi olarak hakkında"),
	"pt":   wordSet("o os a as um uma é são não que quem como por quando onde e ou você vocês seu sua eu meu minha com para em do da dos das no na de há tem quanto quantos quantas está sobre foi ao qual quais"),
	"it":   wordSet("il lo la gli le i un una è sono che chi come perché quando dove e o lei tu suo sua io mio mia non con per in del della dei di ha quanto quanti quante sul nel al da quale quali cosa"),
	"nl":   wordSet("de het een en is zijn was wat wie hoe waarom wanneer waar welke u uw je jij jouw ik mijn niet geen met voor van op in dat die dit heeft hebben hebt er aan veel hoeveel"),
	"sv":   wordSet("en ett och är var vad vem hur varför när vilken vilka du din ni jag min inte med för av på i som det den har kan många mycket"),
}

// foreignStops frame questions and sentences beyond stopwords.
var foreignStops = map[string]map[string]bool{
	langDE: wordSet("sie er es wir ihr ich du mir mich dich sich man der die das dem den des ein eine einen einem einer eines und oder aber auch nur noch schon sehr mit von zu zum zur im am an in auf für bei nach aus über unter durch gegen ohne um bis seit ist sind war waren wird werden wurde wurden hat haben habe hatte kann können muss müssen soll sollen darf dürfen wie was wer wo wann warum wieso weshalb welche welcher welches welchen wieviel viel viele denn so dass wenn als nicht kein keine gibt"),
	langFR: wordSet("il elle ils elles on je tu nous vous me te se moi toi lui leur y en le la les un une des du de au aux et ou mais aussi très avec pour par dans sur sous chez sans vers est sont était étaient sera a ont avait peut peuvent doit doivent que qui quoi quel quelle quels quelles comment pourquoi quand où combien ce cet cette ces c qu l d j n s m t ne pas"),
	langES: wordSet("él ella ellos ellas yo tú usted ustedes nosotros me te se le lo la los las el un una unos unas de del al a y o u pero también muy con por para en sobre sin es son era eran está están fue ha han hay puede pueden debe que qué quién cuál cuáles cómo cuándo dónde cuánto cuánta cuántos cuántas no su sus mi mis tu tus"), //nolint:misspell // Spanish
}

// languageOf tells the language of a text where it is plainly one of those with
// frames, else "". One small word is no proof; a script of its own is.
func languageOf(text string) string {
	if l, ok := byScript(text); ok {
		return l
	}
	low := strings.ToLower(text)
	ws := strings.FieldsFunc(low, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) })
	if len(ws) == 0 {
		return ""
	}
	best, second := "", 0
	score := map[string]int{}
	for l, set := range tells {
		n := 0
		for _, w := range ws {
			if set[w] {
				n++
			}
		}
		for _, m := range letterMarks[l] {
			if strings.ContainsRune(low, m) {
				n += 2
			}
		}
		score[l] = n
	}
	for _, l := range []string{langEN, langDE, langFR, langES, langTR, "pt", "it", "nl", "sv"} { // one order, so that ties fall alike
		switch n := score[l]; {
		case n > score[best]:
			best, second = l, score[best]
		case n > second:
			second = n
		}
	}
	if best == "" || score[best] < 2 || score[best] == second || !hasFrames(best) {
		return ""
	}
	return best
}

// letterMarks are letters that one of the languages has and its neighbours lack.
var letterMarks = map[string]string{langDE: "ß", langES: "¿¡ñ", langTR: "ğış", langFR: "œçêù", "pt": "ãõ", "sv": "å"}

// byScript tells languages that are written in a script of their own. Arabic
// letters with those of Persian or Urdu are not Arabic.
func byScript(text string) (string, bool) {
	var kana, han, hangul, arabic, persian, latin, other int
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.Is(unicode.Hangul, r):
			hangul++
		case unicode.Is(unicode.Arabic, r):
			arabic++
			if strings.ContainsRune("پچژگکیےٹڈڑںہھ", r) {
				persian++
			}
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			other++
		}
	}
	dense := 3 * (kana + han + hangul) // a character of these says as much as three letters
	switch {
	case other > dense+arabic+latin:
		return "", true
	case arabic > latin && arabic > dense:
		if persian > 0 {
			return "", true
		}
		return langAR, true
	case dense == 0 || dense < latin:
		return "", false
	case hangul >= kana+han:
		return langKO, true
	case kana > 0:
		return langJA, true
	}
	return langZH, true
}

func hasFrames(l string) bool { _, ok := frames[l]; return ok }

// speaks gives the language of what a Mind says: the one asked for, else that
// of the text, else English. "de-AT" is German.
func (p Policy) speaks(text string) string {
	l, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(p.Language, "_", "-")), "-")
	if hasFrames(l) {
		return l
	}
	if l := languageOf(text); l != "" {
		return l
	}
	return langEN
}

package planner

import (
	"strings"
	"unicode"
)

// studyLocales are the languages that a plan can name.
var studyLocales = map[string]bool{"en": true, "es": true, "fr": true, "de": true, "zh": true, "tr": true, "ar": true, "ja": true, "ko": true}

// frequent words that one of the languages has and the others lack, or nearly so.
var frequent = map[string]string{}

func init() {
	for lang, words := range map[string]string{
		"en": "the you your do does are is how what which would have of and to with please their about they when any if yes this for often rate",
		"de": "der die das und sie ihr ihre ist wie welche welches haben mit nicht von für auf einer eine ein bitte würden zu oder werden den dem ja wenn warum was",
		"fr": "le les des vous votre vos est une et pour avec quel quelle quelles comment pourquoi êtes avez dans sur du oui si que qui avec au aux",
		"es": "el los las usted su sus es una y para con qué cuál cómo con del por qué sí en que cuáles tiene ha le",
		"it": "il gli lo della delle di che per con una è quanto quale come perché lei suo sua del sì nel più quali ha",
		"pt": "o os da do das dos você seu sua é uma para com qual quais como por quê não sim em que na no tem",
		"nl": "de het een u uw en van hoe wat welke is met voor niet zijn waarom heeft bent op of te vaak zou",
		"tr": "bir ve bu için ne kadar mi mı mu mü hangi nasıl neden ile evet hayır çok siz misiniz mısınız",
	} {
		for _, w := range strings.Fields(words) {
			frequent[w] += lang + " "
		}
	}
}

// language tells the language of a text: by its script, else by its frequent
// words; "en" where nothing tells. Only the first 20,000 bytes count.
func language(text string) string {
	if len(text) > 20_000 {
		text = text[:20_000]
	}
	var latin, kana, han, hangul, arabic int
	for _, r := range text {
		switch {
		case r < 0x80:
			if unicode.IsLetter(r) {
				latin++
			}
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.Is(unicode.Hangul, r):
			hangul++
		case unicode.Is(unicode.Arabic, r):
			arabic++
		case unicode.IsLetter(r):
			latin++
		}
	}
	switch {
	case 2*hangul > latin && hangul > han+kana:
		return "ko"
	case 2*(kana+han) > latin && kana > 0:
		return "ja"
	case 2*han > latin && han > 0:
		return "zh"
	case arabic > latin/2 && arabic > 0:
		return "ar"
	}
	score := map[string]float64{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		langs := strings.Fields(frequent[w])
		for _, l := range langs {
			score[l] += 1 / float64(len(langs))
		}
	}
	for r, l := range map[rune]string{'ß': "de", 'ñ': "es", '¿': "es", 'ğ': "tr", 'ş': "tr", 'ı': "tr", 'ã': "pt", 'õ': "pt", 'œ': "fr"} {
		if strings.ContainsRune(text, r) {
			score[l] += 2
		}
	}
	best := "en"
	for _, l := range []string{"de", "es", "fr", "it", "nl", "pt", "tr"} {
		if score[l] > score[best] {
			best = l
		}
	}
	return best
}

// localeOf is the study locale of a language: English for those that plans cannot name.
func localeOf(lang string) string {
	if studyLocales[lang] {
		return lang
	}
	return "en"
}

// Words of the plan's own that respondents or reviewers see, by language.
var (
	yesLabel = map[string]string{"en": "Yes", "de": "Ja", "fr": "Oui", "es": "Sí", "it": "Sì", "pt": "Sim", "nl": "Ja", "tr": "Evet", "zh": "是", "ja": "はい", "ko": "예", "ar": "نعم"}
	noLabel  = map[string]string{"en": "No", "de": "Nein", "fr": "Non", "es": "No", "it": "No", "pt": "Não", "nl": "Nee", "tr": "Hayır", "zh": "否", "ja": "いいえ", "ko": "아니요", "ar": "لا"}
	mainName = map[string]string{"en": "Questions", "de": "Fragen", "fr": "Questions", "es": "Preguntas", "zh": "问题", "tr": "Sorular", "ar": "الأسئلة", "ja": "質問", "ko": "질문"}
	openAsk  = map[string]string{
		"en": "In your own words, what do you think about this: %s?",
		"de": "Was denken Sie darüber, in Ihren eigenen Worten: %s?",
		"fr": "Avec vos propres mots, que pensez-vous de ceci : %s ?",
		"es": "Con sus propias palabras, ¿qué piensa de esto: %s?",
		"it": "Con parole sue, che cosa pensa di questo: %s?",
		"pt": "Em suas próprias palavras, o que pensa sobre isto: %s?",
		"nl": "Wat vindt u, in uw eigen woorden, van het volgende: %s?",
		"zh": "请用您自己的话谈谈您对以下内容的看法:%s",
		"ja": "次の点について、ご自身の言葉でお聞かせください:%s",
		"ko": "다음에 대해 어떻게 생각하시는지 자유롭게 말씀해 주세요: %s",
		"tr": "Bu konuda ne düşündüğünüzü kendi sözlerinizle anlatır mısınız: %s?",
		"ar": "بكلماتك الخاصة، ما رأيك فيما يلي: %s؟",
	}
)

func pick(table map[string]string, lang string) string {
	if s, ok := table[lang]; ok {
		return s
	}
	return table["en"]
}

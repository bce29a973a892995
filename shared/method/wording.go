package method

import (
	"math"
	"strconv"
	"strings"
)

// wording is what a method asks in one language. The texts are fixed for a
// version of the catalogue: another wording is another instrument (M-206).
// %s is the subject, product, statement or feature; {price} is filled per Mind.
type wording struct {
	nps              string
	npsEnds          [2]string // 0, 10
	agree            string
	agreeEnds        [2]string // against, for
	rate             string
	rateEnds         [2]string // worst, best
	pick             string
	none             string
	likely           string
	likelihood       [5]string // 1..5
	buyAt            string    // product, price
	buying           [5]string // 1..5
	tooCheap, cheap  string    // product
	expensive        string
	tooExpensive     string
	intentAt         string // product; holds {price}
	with, without    string // feature
	kano             [5]string
	bestWorst        string
	choose           string
	option           string // name of an alternative, %s is its letter
	chooseNone       string
	rank             string
	rankTop          string // number
	probes           [10]string
	decimalComma     bool
	currencyFollows  bool
	openQuote, close string
}

// wordingFor is the wording of a language, English for others.
func wordingFor(locale string) wording {
	lang, _, _ := strings.Cut(strings.ToLower(locale), "-")
	lang, _, _ = strings.Cut(lang, "_")
	switch lang {
	case "de":
		return german
	case "fr":
		return french
	case "es":
		return spanish
	case "it":
		return italian
	case "pt":
		return portuguese
	case "nl":
		return dutch
	}
	return english
}

// money writes a price with its currency code.
func (w wording) money(v float64, currency string) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if cents := math.Round(v * 100); math.Abs(v*100-cents) < 1e-6 && cents != math.Trunc(v)*100 {
		s = strconv.FormatFloat(v, 'f', 2, 64)
	}
	if w.decimalComma {
		s = strings.Replace(s, ".", ",", 1)
	}
	if w.currencyFollows {
		return s + " " + currency
	}
	return currency + " " + s
}

func (w wording) quote(s string) string { return w.openQuote + s + w.close }

// fill puts values into the %s of a text, in order. Values are shown as they
// are, whatever signs they hold.
func fill(text string, values ...string) string {
	var b strings.Builder
	for _, v := range values {
		before, after, found := strings.Cut(text, "%s")
		if !found {
			break
		}
		b.WriteString(before)
		b.WriteString(v)
		text = after
	}
	b.WriteString(text)
	return b.String()
}

var english = wording{
	nps:     "How likely is it that you would recommend %s to a friend or colleague?",
	npsEnds: [2]string{"Not at all likely", "Extremely likely"},
	agree:   "How much do you agree with this statement? %s", agreeEnds: [2]string{"Strongly disagree", "Strongly agree"},
	rate: "How do you rate this: %s?", rateEnds: [2]string{"Very poor", "Excellent"},
	pick: "Which of these would you choose? Select all that apply.", none: "None of these",
	likely:       "How likely would you be to choose %s?",
	likelihood:   [5]string{"Definitely not", "Probably not", "Maybe", "Probably", "Definitely"},
	buyAt:        "%s costs %s. How likely would you be to buy it at this price?",
	buying:       [5]string{"Definitely would not buy", "Probably would not buy", "Might or might not buy", "Probably would buy", "Definitely would buy"},
	tooCheap:     "At what price would %s be so cheap that you would doubt its quality and not buy it?",
	cheap:        "At what price would %s be a bargain, good value for the money?",
	expensive:    "At what price would %s start to be expensive, so that you would have to think about buying it?",
	tooExpensive: "At what price would %s be so expensive that you would not consider buying it?",
	intentAt:     "At {price}, how likely would you be to buy %s?",
	with:         "How would you feel if this were part of it: %s?", without: "How would you feel if this were not part of it: %s?",
	kano:      [5]string{"I like it that way", "I expect it to be that way", "I am neutral", "I can live with it that way", "I dislike it that way"},
	bestWorst: "Which of these matters most to you, and which least?",
	choose:    "Which of these would you choose?", option: "Option %s", chooseNone: "None of these",
	rank: "Put these in order, best first.", rankTop: "Choose your %s best of these and put them in order, best first.",
	probes: [10]string{
		"What makes you say that?", "Tell about the last time this came up for you.", "What would have to change for you to see it differently?",
		"What matters most to you in this, and why?", "What bothers you about it?", "How do you deal with it today?",
		"Who or what has shaped your view of it?", "What would an ideal solution look like for you?", "What would keep you from trying something new here?", "Is there anything else that one should know about this?",
	},
	openQuote: "“", close: "”",
}

var german = wording{
	nps:     "Wie wahrscheinlich ist es, dass Sie %s einem Freund oder einer Kollegin empfehlen?",
	npsEnds: [2]string{"Überhaupt nicht wahrscheinlich", "Äußerst wahrscheinlich"},
	agree:   "Wie sehr stimmen Sie dieser Aussage zu? %s", agreeEnds: [2]string{"Stimme gar nicht zu", "Stimme voll zu"},
	rate: "Wie bewerten Sie Folgendes: %s?", rateEnds: [2]string{"Sehr schlecht", "Ausgezeichnet"},
	pick: "Was davon würden Sie wählen? Bitte alles Zutreffende auswählen.", none: "Nichts davon",
	likely:       "Wie wahrscheinlich würden Sie sich für %s entscheiden?",
	likelihood:   [5]string{"Bestimmt nicht", "Wahrscheinlich nicht", "Vielleicht", "Wahrscheinlich", "Bestimmt"},
	buyAt:        "%s kostet %s. Wie wahrscheinlich würden Sie zu diesem Preis kaufen?",
	buying:       [5]string{"Würde bestimmt nicht kaufen", "Würde wahrscheinlich nicht kaufen", "Würde vielleicht kaufen", "Würde wahrscheinlich kaufen", "Würde bestimmt kaufen"},
	tooCheap:     "Bei welchem Preis wäre %s so billig, dass Sie an der Qualität zweifeln und nicht kaufen würden?",
	cheap:        "Bei welchem Preis wäre %s ein günstiges Angebot, viel für das Geld?",
	expensive:    "Ab welchem Preis würde %s teuer, sodass Sie sich den Kauf überlegen müssten?",
	tooExpensive: "Ab welchem Preis wäre %s so teuer, dass ein Kauf für Sie nicht in Frage käme?",
	intentAt:     "Wie wahrscheinlich würden Sie zum Preis von {price} kaufen: %s?",
	with:         "Was würden Sie empfinden, wenn dies dazugehörte: %s?", without: "Was würden Sie empfinden, wenn dies nicht dazugehörte: %s?",
	kano:      [5]string{"Das würde mich freuen", "Das setze ich voraus", "Das ist mir egal", "Das nehme ich in Kauf", "Das würde mich stören"},
	bestWorst: "Was davon ist Ihnen am wichtigsten und was am wenigsten wichtig?",
	choose:    "Was davon würden Sie wählen?", option: "Angebot %s", chooseNone: "Nichts davon",
	rank: "Bringen Sie dies in eine Reihenfolge, das Beste zuerst.", rankTop: "Wählen Sie Ihre %s besten aus und bringen Sie sie in eine Reihenfolge, das Beste zuerst.",
	probes: [10]string{
		"Wie kommen Sie darauf?", "Erzählen Sie vom letzten Mal, als das für Sie ein Thema war.", "Was müsste sich ändern, damit Sie es anders sehen?",
		"Was ist Ihnen dabei am wichtigsten, und warum?", "Was stört Sie daran?", "Wie gehen Sie heute damit um?",
		"Wer oder was hat Ihre Sicht darauf geprägt?", "Wie sähe für Sie die ideale Lösung aus?", "Was würde Sie davon abhalten, hier etwas Neues zu versuchen?", "Sollte man sonst noch etwas darüber wissen?",
	},
	decimalComma: true, currencyFollows: true, openQuote: "„", close: "“",
}

var french = wording{
	nps:     "Quelle est la probabilité que vous recommandiez %s à un ami ou à un collègue ?",
	npsEnds: [2]string{"Pas du tout probable", "Extrêmement probable"},
	agree:   "Dans quelle mesure êtes-vous d’accord avec cette affirmation ? %s", agreeEnds: [2]string{"Pas du tout d’accord", "Tout à fait d’accord"},
	rate: "Comment évaluez-vous ceci : %s ?", rateEnds: [2]string{"Très mauvais", "Excellent"},
	pick: "Que choisiriez-vous parmi ceci ? Plusieurs réponses possibles.", none: "Rien de tout cela",
	likely:       "Quelle est la probabilité que vous choisissiez %s ?",
	likelihood:   [5]string{"Certainement pas", "Probablement pas", "Peut-être", "Probablement", "Certainement"},
	buyAt:        "%s coûte %s. Quelle est la probabilité que vous l’achetiez à ce prix ?",
	buying:       [5]string{"N’achèterais certainement pas", "N’achèterais probablement pas", "Achèterais peut-être", "Achèterais probablement", "Achèterais certainement"},
	tooCheap:     "À quel prix %s serait-il si bon marché que vous douteriez de la qualité et ne l’achèteriez pas ?",
	cheap:        "À quel prix %s serait-il une bonne affaire ?",
	expensive:    "À partir de quel prix %s deviendrait-il cher, au point de vous faire réfléchir avant d’acheter ?",
	tooExpensive: "À partir de quel prix %s serait-il si cher que vous n’envisageriez pas de l’acheter ?",
	intentAt:     "Au prix de {price}, quelle est la probabilité que vous achetiez %s ?",
	with:         "Que ressentiriez-vous si ceci en faisait partie : %s ?", without: "Que ressentiriez-vous si ceci n’en faisait pas partie : %s ?",
	kano:      [5]string{"Cela me plairait", "Je m’y attends", "Cela m’est égal", "Je m’en accommode", "Cela me déplairait"},
	bestWorst: "Parmi ceci, qu’est-ce qui compte le plus pour vous, et le moins ?",
	choose:    "Que choisiriez-vous parmi ceci ?", option: "Offre %s", chooseNone: "Rien de tout cela",
	rank: "Classez ceci, le meilleur en premier.", rankTop: "Choisissez vos %s préférés et classez-les, le meilleur en premier.",
	probes: [10]string{
		"Qu’est-ce qui vous fait dire cela ?", "Racontez la dernière fois que cela s’est présenté pour vous.", "Qu’est-ce qui devrait changer pour que vous voyiez cela autrement ?",
		"Qu’est-ce qui compte le plus pour vous là-dedans, et pourquoi ?", "Qu’est-ce qui vous gêne ?", "Comment faites-vous aujourd’hui ?",
		"Qui ou quoi a formé votre point de vue ?", "À quoi ressemblerait pour vous la solution idéale ?", "Qu’est-ce qui vous empêcherait d’essayer quelque chose de nouveau ?", "Y a-t-il autre chose à savoir à ce sujet ?",
	},
	decimalComma: true, currencyFollows: true, openQuote: "« ", close: " »",
}

// cutPlaceholder cuts a text around {price}.
func cutPlaceholder(text string) (before, after string, found bool) {
	return strings.Cut(text, "{price}")
}

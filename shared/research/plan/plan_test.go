package plan

import (
	"reflect"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

const (
	sc = simulate.Scale
	ct = simulate.Categorical
	ms = simulate.Multiselect
	ql = simulate.Qualitative
)

type row struct {
	text     string
	kind     simulate.QuestionType
	opts     string // joined by |
	min, max int
}

// Questions as people write them (M-82).
var table = []row{
	// Scales.
	{"On a scale of 1 to 5, how satisfied are you with your bank?", sc, "", 1, 5},
	{"On a scale from 0 to 10, how likely are you to recommend us to a friend?", sc, "", 0, 10},
	{"How likely are you to recommend our app? (0-10)", sc, "", 0, 10},
	{"Rate the packaging (1-7).", sc, "", 1, 7},
	{"Please rate your last flight from 1 to 10.", sc, "", 1, 10},
	{"How satisfied are you with delivery? [1 to 5]", sc, "", 1, 5},
	{"Using a scale of -5 to 5, score the new logo.", sc, "", -5, 5},
	{"How likely would you be to buy this, 1-5?", sc, "", 1, 5},
	{"Rate this ad on a scale 1–10", sc, "", 1, 10},
	{"How important is price to you on a scale of 1 through 7?", sc, "", 1, 7},
	{"En una escala de 1 a 5, ¿qué tan satisfecho está con el servicio?", sc, "", 1, 5},
	{"Sur une échelle de 0 à 10, recommanderiez-vous ce produit ?", sc, "", 0, 10},
	{"Wie zufrieden sind Sie auf einer Skala von 1 bis 7?", sc, "", 1, 7},
	{"Score each statement between 0 and 100: the brand feels modern", sc, "", 0, 100},
	// Lists.
	{"How do you like your steak prepared? (Rare / Medium rare / Medium / Medium well / Well)", ct, "Rare|Medium rare|Medium|Medium well|Well", 0, 0},
	{"Which do you drink most: tea, coffee, or juice?", ct, "tea|coffee|juice", 0, 0},
	{"Which brand do you trust most? Apple / Samsung / Google", ct, "Apple|Samsung|Google", 0, 0},
	{"What is your household size? (1; 2; 3; 4 or more)", ct, "1|2|3|4 or more", 0, 0},
	{"How often do you shop online: daily | weekly | monthly | never", ct, "daily|weekly|monthly|never", 0, 0},
	{"Which of these have you used? Select all that apply: Netflix, Hulu, Disney+", ms, "Netflix|Hulu|Disney+", 0, 0},
	{"Which snacks do you buy? (chips / nuts / fruit; select all that apply)", ms, "", 0, 0},
	{"What do you use for work? Choose all that apply: laptop; phone; tablet", ms, "laptop|phone|tablet", 0, 0},
	{"Which social networks do you use (multiple answers): TikTok, Instagram, X", ms, "TikTok|Instagram|X", 0, 0},
	{"What is your age group?\n- 18-29\n- 30-44\n- 45-60\n- 60+", ct, "18-29|30-44|45-60|60+", 0, 0},
	{"Which one fits?\na) Red\nb) Blue\nc) Green", ct, "Red|Blue|Green", 0, 0},
	{"Do you own a pet? (yes/no)", ct, "yes|no", 0, 0},
	{"Have you heard of Mindful Tea? (Yes or No)", ct, "Yes|No", 0, 0},
	{"Would you buy it? Yes / No / Not sure", ct, "Yes|No|Not sure", 0, 0},
	{"Which size would you order, small, medium or large?", ct, "small|medium|large", 0, 0},
	{"¿Cuál prefiere: té, café o zumo?", ct, "té|café|zumo", 0, 0},
	{"Quel moyen utilisez-vous ? (voiture / vélo / bus)", ct, "voiture|vélo|bus", 0, 0},
	{"Welche Marke kennen Sie? Alle zutreffenden: Bosch, Miele, AEG", ms, "Bosch|Miele|AEG", 0, 0},
	{"How concerned are you? Options: Very concerned, Somewhat concerned, Not at all concerned", ct, "Very concerned|Somewhat concerned|Not at all concerned", 0, 0},
	// Yes or no, or one of two.
	{"Do you ever smoke cigarettes?", ct, "Yes|No", 0, 0},
	{"Does your company offer remote work?", ct, "Yes|No", 0, 0},
	{"Did you vote in the last election?", ct, "Yes|No", 0, 0},
	{"Is price the main reason you would switch?", ct, "Yes|No", 0, 0},
	{"Are you the person who decides on groceries?", ct, "Yes|No", 0, 0},
	{"Have you ever used ChatGPT?", ct, "Yes|No", 0, 0},
	{"Has your household bought a car in the past year?", ct, "Yes|No", 0, 0},
	{"Would you pay more for organic milk?", ct, "Yes|No", 0, 0},
	{"Will you travel abroad this summer?", ct, "Yes|No", 0, 0},
	{"Q3. Do you own a car?", ct, "Yes|No", 0, 0},
	{"2) Do you own a car or a motorbike?", ct, "Yes|No", 0, 0},
	{"In general, do you read the news every day?", ct, "Yes|No", 0, 0},
	{"Thinking about last month, did you eat out?", ct, "Yes|No", 0, 0},
	{"We plan to launch a protein bar. Would you buy it?", ct, "Yes|No", 0, 0},
	{"Do you support or oppose expanding solar farms?", ct, "Support|Oppose", 0, 0},
	{"Do you prefer tea or coffee?", ct, "Tea|Coffee", 0, 0},
	{"¿Tiene usted coche?", ct, "Sí|No", 0, 0},
	{"Avez-vous déjà acheté en ligne ?", ct, "Oui|Non", 0, 0},
	{"Est-ce que vous fumez ?", ct, "Oui|Non", 0, 0},
	{"Haben Sie ein Auto?", ct, "Ja|Nein", 0, 0},
	// In words.
	{"Why did you choose your current bank?", ql, "", 0, 0},
	{"What do you like about our coffee?", ql, "", 0, 0},
	{"How do you like your steak prepared?", ql, "", 0, 0},
	{"Describe your morning routine.", ql, "", 0, 0},
	{"Tell me about the last time you returned something.", ql, "", 0, 0},
	{"Can you describe what went wrong?", ql, "", 0, 0},
	{"What would make you switch, if anything?", ql, "", 0, 0},
	{"How old were you, 18-29 or older, when you first voted?", ql, "", 0, 0},
	{"What comes to mind when you hear 10:30 breakfast?", ql, "", 0, 0},
	{"Which brands come to mind (e.g. Apple, Samsung)?", ql, "", 0, 0},
	{"¿Por qué eligió este producto?", ql, "", 0, 0},
	{"Pourquoi avez-vous choisi cette marque ?", ql, "", 0, 0},
	{"Warum haben Sie gewechselt?", ql, "", 0, 0},
	{"What is your biggest worry about retirement?", ql, "", 0, 0},
	{"Open thoughts on the new design", ql, "", 0, 0},
	// More of what surveys ask: prices, work, health, politics, products.
	{"Would you pay (more than $5/month) for it?", ct, "Yes|No", 0, 0},
	{"How much would you pay for it ($5/month)?", ql, "", 0, 0},
	{"Which plan do you want (monthly/yearly)?", ct, "monthly|yearly", 0, 0},
	{"What is your gender (male/female/other)?", ct, "male|female|other", 0, 0},
	{"Have you used it (web/app)?", ct, "Yes|No", 0, 0},
	{"Would you recommend it (yes/no)?", ct, "yes|no", 0, 0},
	{"How many hours do you work (hours/week)?", ql, "", 0, 0},
	{"How do you feel about the UI/UX of our site?", ql, "", 0, 0},
	{"How much would you be willing to pay per month? Under $5, $5-$10, $11-$20, more than $20", ct, "Under $5|$5-$10|$11-$20|more than $20", 0, 0},
	{"At what price would you consider the product too expensive?", ql, "", 0, 0},
	{"I feel valued at work. Strongly agree, agree, neutral, disagree, strongly disagree", ct, "Strongly agree|agree|neutral|disagree|strongly disagree", 0, 0},
	{"My manager gives me useful feedback (1 = strongly disagree, 5 = strongly agree)", sc, "", 1, 5},
	{"How easy or difficult was it to find what you were looking for? (1 very difficult to 7 very easy)", sc, "", 1, 7},
	{"On a scale from 1 (not at all) to 5 (extremely), how intuitive was the navigation?", sc, "", 1, 5},
	{"Over the last two weeks, how often did you sleep badly? Not at all / Several days / Nearly every day", ct, "Not at all|Several days|Nearly every day", 0, 0},
	{"In the past 7 days, how many days did you exercise for at least 30 minutes?", ql, "", 0, 0},
	{"If the election were held today, would you vote for the Democratic candidate, the Republican candidate, or someone else?", ct, "Democratic candidate|Republican candidate|someone else", 0, 0},
	{"Do you think the country is headed in the right direction or the wrong direction?", ct, "Right direction|Wrong direction", 0, 0},
	{"Do you trust the news media a great deal, a fair amount, not very much, or none at all?", ct, "a great deal|a fair amount|not very much|none at all", 0, 0},
	{"How important is sustainability when you shop - very, somewhat, or not at all important?", ct, "very|somewhat|not at all important", 0, 0},
	{"Do you rent or own your home?", ct, "Rent|Own", 0, 0},
	{"Are you male or female?", ct, "Male|Female", 0, 0},
	{"Do you work full-time or part-time?", ct, "Full-time|Part-time", 0, 0},
	{"Do you smoke, drink or gamble?", ct, "Yes|No", 0, 0},
	{"Was it hard to find the button?", ct, "Yes|No", 0, 0},
	{"What, if anything, confused you during checkout?", ql, "", 0, 0},
	{"Was gefällt Ihnen an unserer App?", ql, "", 0, 0},
	{"Hat Ihr Unternehmen einen Betriebsrat?", ct, "Ja|Nein", 0, 0},
	{"Würden Sie unser Produkt weiterempfehlen?", ct, "Ja|Nein", 0, 0},
	{"Welche Partei würden Sie wählen: CDU, SPD, Grüne, AfD oder FDP?", ct, "CDU|SPD|Grüne|AfD|FDP", 0, 0},
	{"Wie zufrieden sind Sie mit Ihrem Arzt (1 = sehr unzufrieden, 5 = sehr zufrieden)?", sc, "", 1, 5},
	{"Wie alt sind Sie?", ql, "", 0, 0},
	{"Préférez-vous le thé ou le café ?", ct, "Le thé|Le café", 0, 0},
	{"À quelle fréquence faites-vous du sport ? Jamais / Parfois / Souvent / Toujours", ct, "Jamais|Parfois|Souvent|Toujours", 0, 0},
	{"Que pensez-vous de la réforme des retraites ?", ql, "", 0, 0},
	{"¿Estaría dispuesto a pagar más por productos ecológicos?", ct, "Sí|No", 0, 0},
	{"¿Está usted de acuerdo o en desacuerdo con la reforma?", ct, "De acuerdo|En desacuerdo", 0, 0},
	{"¿Recomendaría nuestra empresa a un amigo? (0-10)", sc, "", 0, 10},
	{"Del 1 al 10, ¿qué tan probable es que nos recomiende?", sc, "", 1, 10},
	{"¿Qué opina de nuestro servicio?", ql, "", 0, 0},
}

func TestClassifyM82(t *testing.T) {
	if len(table) < 60 {
		t.Fatalf("only %d questions", len(table))
	}
	for _, r := range table {
		c := Classify(r.text, nil)
		q := c.Question
		if q.Type != r.kind || (r.opts != "" && strings.Join(q.Options, "|") != r.opts) || q.Min != r.min || q.Max != r.max || c.Objective {
			t.Errorf("%q\n  read as %s %q [%d,%d] objective=%v: %s", r.text, q.Type, strings.Join(q.Options, "|"), q.Min, q.Max, c.Objective, c.Why)
		}
		if c.Why == "" || q.Text != strings.TrimSpace(r.text) {
			t.Errorf("%q: no reason, or the text was changed", r.text)
		}
		if !reflect.DeepEqual(c, Classify(r.text, nil)) {
			t.Errorf("%q is read two ways", r.text)
		}
	}
}

func TestMostSelections(t *testing.T) {
	for text, want := range map[string]int{
		"Which do you use? Pick up to 3: search, filters, wishlist, reviews":            3,
		"Welche nutzen Sie? Mehrfachauswahl, maximal zwei: Suche, Filter, Liste":        2,
		"Which do you use? Select all that apply: search, filters":                      0,
		"Which do you use at most 9 times? Select all that apply: search, filters, map": 0,
	} {
		if q := Classify(text, nil).Question; q.Type != ms || q.MaxSelections != want {
			t.Errorf("%q: %s, at most %d, want %d", text, q.Type, q.MaxSelections, want)
		}
	}
}

func TestScaleLabels(t *testing.T) {
	q := Classify("On a scale of 1 to 5, where 1 = not at all and 5 = extremely, how happy are you?", nil).Question
	if q.Type != sc || q.ScaleLabels[1] != "not at all" || q.ScaleLabels[5] != "extremely" {
		t.Errorf("%+v", q)
	}
}

// An aim without a question answers planning_required; nothing else does.
func TestObjectiveM70(t *testing.T) {
	for _, s := range []string{
		"Understand why customers leave our bank",
		"We want to find out what drives loyalty among students.",
		"Goal: learn which packaging wins",
		"I need to understand the barriers to switching to electric cars",
		"Explore attitudes towards remote work",
	} {
		if c := Classify(s, nil); !c.Objective || c.Question.Type != ql {
			t.Errorf("%q is an aim: %+v", s, c)
		}
	}
	for _, s := range []string{
		"Describe your morning", "Your favourite colour", "How do you feel about understanding taxes", "Rate this (1-5)",
		"We want to know: do you own a car?", "Thoughts on price", "Name three brands",
	} {
		if Classify(s, nil).Objective {
			t.Errorf("%q is no aim", s)
		}
	}
}

func steak(t *testing.T) *simulate.Evidence {
	t.Helper()
	e, err := simulate.ParseEvidence([]byte(`{"question":"How do you like your steak prepared?","options":[{"label":"Rare","share":0.0532},{"label":"Medium rare","share":0.3843},{"label":"Medium","share":0.3056},{"label":"Medium well","share":0.1736},{"label":"Well","share":0.0833}],"n":432,"source":"FiveThirtyEight","dates":"2014"}`))
	if err != nil {
		t.Fatal(err)
	}
	return &e
}

// A question without options of its own takes those of the published one (M-75).
func TestOptionsFromEvidenceM75(t *testing.T) {
	e := steak(t)
	for _, s := range []string{"How do you like your steak prepared?", "How do you like your steak cooked?"} {
		c := Classify(s, []*simulate.Evidence{nil, e})
		if c.FromEvidence != e || c.Question.Type != ct || !c.Question.Ordinal || len(c.Question.Options) != 5 || !strings.Contains(c.Why, "FiveThirtyEight") {
			t.Errorf("%q: %+v", s, c)
		}
	}
	own := Classify("How do you like your steak prepared? (Rare / Well done)", []*simulate.Evidence{e})
	if own.FromEvidence != nil || len(own.Question.Options) != 2 {
		t.Errorf("options of the text come first: %+v", own)
	}
	if c := Classify("Do you eat steak?", []*simulate.Evidence{e}); c.FromEvidence != nil || c.Question.Options[0] != "Yes" {
		t.Errorf("another question: %+v", c)
	}
}

// Options come from a published question of the same kind only (M-75, M-82).
func TestAnotherKindBorrowsNothingM82(t *testing.T) {
	n := 900
	bread := &simulate.Evidence{Question: "How often do you buy bread?", N: &n, Source: "A survey", Options: []simulate.OptionShare{{Label: "Daily", Share: .3}, {Label: "Weekly", Share: .5}, {Label: "Never", Share: .2}}}
	smoke := &simulate.Evidence{Question: "Do you ever smoke?", N: &n, Source: "A survey", Options: []simulate.OptionShare{{Label: "Yes", Share: .3}, {Label: "No", Share: .7}}}
	for text, want := range map[string]simulate.QuestionType{"Why do you smoke?": ql, "Why do you buy bread?": ql, "When do you buy bread?": ql, "Do you buy bread?": ct, "Did your mother ever smoke?": ct} {
		c := Classify(text, []*simulate.Evidence{bread, smoke})
		if c.FromEvidence != nil || c.Question.Type != want || want == ct && c.Question.Options[0] != "Yes" {
			t.Errorf("%q: %+v", text, c)
		}
	}
}

func FuzzClassify(f *testing.F) {
	for _, r := range table {
		f.Add(r.text)
	}
	f.Add("((((")
	f.Add(": / / ?")
	f.Add("scale of 5 to 5")
	f.Fuzz(func(t *testing.T, s string) {
		c := Classify(s, nil)
		q := c.Question
		switch q.Type {
		case sc:
			if q.Min >= q.Max || q.Min < -100 || q.Max > 100 {
				t.Fatalf("%q: scale %d to %d", s, q.Min, q.Max)
			}
		case ct, ms:
			if len(q.Options) < 2 || len(q.Options) > 100 {
				t.Fatalf("%q: %d options", s, len(q.Options))
			}
			seen := map[string]bool{}
			for _, o := range q.Options {
				if o == "" || seen[o] {
					t.Fatalf("%q: blank or repeated option %q", s, o)
				}
				seen[o] = true
			}
		case ql:
		default:
			t.Fatalf("%q: type %q", s, q.Type)
		}
		if q.Type == sc || q.Type == ct || q.Type == ms {
			if _, err := simulate.NewOffline().Ask(t.Context(), q, simulate.Policy{}); strings.TrimSpace(s) != "" && err != nil {
				t.Fatalf("%q cannot be asked: %v", s, err)
			}
		}
	})
}

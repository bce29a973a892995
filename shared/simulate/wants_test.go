package simulate

import (
	"strings"
	"testing"
)

// said gives what a Mind that knows one passage states, "" where it states nothing.
func said(t *testing.T, ask, text string) string {
	t.Helper()
	r := Respondent{ID: "m", Passages: []Passage{{ID: "k", Text: text, Source: "Report", Where: "page 2"}}}
	rep, err := NewOffline().Reply(t.Context(), r, ask, Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if rep.State != Stated {
		return ""
	}
	var quotes []string
	for _, c := range rep.Citations {
		quotes = append(quotes, c.Quote)
	}
	return strings.Join(quotes, " / ")
}

// A question for one end of an order is answered by that end, never by the other
// or by a sentence without an end (M-341). {language, question, answer, near miss}
func TestEndsOfAnOrderM341(t *testing.T) {
	for _, k := range []struct{ lang, ask, yes, no string }{
		{"en", "Which tool was lent most often?", "The drill was the tool that was lent most often.", "The sander was the tool that was lent least often."},
		{"en", "Which tool was lent least often?", "The sander was the tool lent least often.", "The drill was the tool that was lent most often."},
		{"en", "Which tool was lent most often?", "Of the tools, the drill was lent most often.", "The tool library lends a tool for a week."},
		{"en", "Which branch had the highest rent?", "The highest rent was paid by the branch in Hull.", "The branch in Hull paid rent."},
		{"en", "Who was the first director of the museum?", "The first director of the museum was Lena Hoff.", "The last director of the museum was Lena Hoff."},
		{"en", "Which is the oldest boat in the fleet?", "The oldest boat in the fleet is the Alma.", "The youngest boat in the fleet is the Alma."},
		{"en", "Which was the second largest source of income?", "The second largest source of income was rent.", "The largest source of income was rent."},
		{"en", "Which was the largest source of income?", "The largest source of income was rent.", "The second largest source of income was rent."},
		{"de", "Welches Werkzeug wurde am häufigsten verliehen?", "Am häufigsten wurde als Werkzeug die Bohrmaschine verliehen.", "Am seltensten wurde als Werkzeug die Fräse verliehen."},
		{"de", "Welches Werkzeug wurde am häufigsten verliehen?", "Das Werkzeug, das am häufigsten verliehen wurde, war die Säge.", "Das Werkzeug wird nur für eine Woche verliehen."},
		{"de", "Welches ist das älteste Schiff der Flotte?", "Das älteste Schiff der Flotte ist die Alma.", "Das jüngste Schiff der Flotte ist die Alma."},
		{"fr", "Quel outil est le plus prêté ?", "L'outil le plus prêté est la perceuse.", "L'outil le moins prêté est la ponceuse."},
		{"fr", "Quelle est la plus haute note de l'enquête ?", "La plus haute note de l'enquête est 9.", "La note de l'enquête est 9."},
		{"es", "¿Cuál es la herramienta más prestada?", "La herramienta más prestada es el taladro.", "La herramienta menos prestada es la lijadora."},
		{"es", "¿Cuál es el barco más antiguo de la flota?", "El barco más antiguo de la flota es el Alma.", "El barco más nuevo de la flota es el Alma."},
		{"tr", "En çok ödünç verilen alet hangisi?", "En çok ödünç verilen alet matkaptır.", "En az ödünç verilen alet zımparadır."},
		{"zh", "借出最多的工具是什么？", "借出最多的工具是电钻。", "借出最少的工具是砂光机。"},
		{"ja", "最も多く貸し出された工具は何ですか？", "最も多く貸し出された工具はドリルです。", "最も少なく貸し出された工具はサンダーです。"},
		{"ko", "가장 많이 대여된 공구는 무엇입니까?", "가장 많이 대여된 공구는 드릴입니다.", "가장 적게 대여된 공구는 샌더입니다."},
		{"ar", "ما هي الأداة الأكثر إعارة؟", "الأداة الأكثر إعارة هي المثقاب.", "الأداة الأقل إعارة هي الصنفرة."},
	} {
		if got := said(t, k.ask, k.yes); got == "" {
			t.Errorf("%s: %s is not answered by %q", k.lang, k.ask, k.yes)
		}
		if got := said(t, k.ask, k.no); got != "" {
			t.Errorf("%s: %s is answered by %q", k.lang, k.ask, got)
		}
	}
	// What only looks like an end asks for none.
	for _, low := range []string{"how long does the battery last?", "how many visits did the library record in 2025?", "what did you do last year?", "who goes first aid training at least once?", "what do most people drink?", "what is your interest in the forest?", "which of these best describes you?"} {
		if e, ok := endOf(low); ok {
			t.Errorf("%q asks for an end: %+v", low, e)
		}
	}
}

// A question for a time, a place, a person, a number or a price is answered by a
// sentence that holds one, and holds it of what is asked (M-341).
func TestTheWantedKindOfThingM341(t *testing.T) {
	for _, k := range []struct{ lang, ask, yes, no string }{
		{"en", "When was the museum founded?", "The museum was founded in 1921.", "The museum was founded by two sisters."},
		{"en", "When was the museum founded?", "The museum was founded in May 1921.", "The museum was extended in 1921."},
		{"en", "How many volunteers help in the garden?", "Some 40 volunteers help in the garden.", "The volunteers help in a garden with 12 beds."},
		{"en", "How many volunteers help in the garden?", "The number of volunteers in the garden who help is 40.", "Volunteers help in the garden."},
		{"en", "How much is the tram?", "The tram is 3 euros for adults.", "The tram is 40 metres long."},
		{"en", "Where does the tram stop?", "The tram does stop at the harbour.", "The tram does stop every 10 minutes."},
		{"en", "Where was the bell cast?", "The bell was cast in Ghent.", "The bell was cast in 1911."},
		{"en", "Who built the bridge?", "Siemens built the bridge.", "They built the bridge in two years."},
		{"en", "Who painted the ceiling?", "The ceiling was painted by Ada Holt.", "The ceiling was cleaned by Ada Holt."},
		{"en", "How often is the hall cleaned?", "The hall is cleaned twice a week.", "The hall of 40 seats is cleaned."},
		{"en", "How heavy is the case?", "The case weighs 4 kilograms.", "The case is 4 metres long."},
		{"de", "Wann wurde das Museum gegründet?", "Das Museum wurde im Jahr 1921 gegründet.", "Das Museum wurde von zwei Schwestern gegründet."},
		{"de", "Was kostet die Straßenbahn?", "Die Straßenbahn kostet 3 Euro.", "Die Straßenbahn kostet viel Zeit."},
		{"de", "Wo steht die Glocke?", "Die Glocke steht auf dem Markt.", "Die Glocke steht seit 1911."},
		{"de", "Wie viele Freiwillige helfen im Garten?", "Im Garten helfen 40 Freiwillige.", "Im Garten helfen Freiwillige."},
		{"fr", "Quand le musée a-t-il été fondé ?", "Le musée a été fondé en 1921.", "Le musée a été fondé par deux soeurs."},
		{"fr", "Combien coûte le tram ?", "Le tram coûte 3 euros.", "Le tram coûte du temps."},
		{"fr", "Combien de bénévoles aident au jardin ?", "Au jardin aident 40 bénévoles.", "Des bénévoles aident au jardin."},
		{"es", "¿Cuándo se fundó el museo?", "El museo se fundó en 1921.", "El museo se fundó por dos hermanas."},
		{"es", "¿Cuánto cuesta el tranvía?", "El tranvía cuesta 3 euros.", "El tranvía cuesta tiempo."}, //nolint:misspell // Spanish
		{"es", "¿Cuántos voluntarios ayudan en el jardín?", "En el jardín ayudan 40 voluntarios.", "En el jardín ayudan voluntarios."},
		{"tr", "Müze ne zaman kuruldu?", "Müze 1921 yılında kuruldu.", "Müze iki kardeş tarafından kuruldu."},
		{"tr", "Tramvay bileti kaç lira?", "Tramvay bileti 20 lira.", "Tramvay bileti sarı."},
		{"zh", "博物馆是什么时候成立的？", "博物馆是1921年成立的。", "博物馆是两姐妹成立的。"},
		{"zh", "电车票多少钱？", "电车票3元。", "电车票是黄色的。"},
		{"ja", "博物館はいつ設立されましたか？", "博物館は1921年に設立されました。", "博物館は姉妹によって設立されました。"},
		{"ja", "電車の切符はいくらですか？", "電車の切符は200円です。", "電車の切符は黄色です。"},
		{"ko", "박물관은 언제 설립되었습니까?", "박물관은 1921년에 설립되었습니다.", "박물관은 두 자매가 설립되었습니다."},
		{"ko", "전차 요금은 얼마입니까?", "전차 요금은 1500원입니다.", "전차 요금은 올랐습니다."},
		{"ar", "متى تأسس المتحف؟", "تأسس المتحف في عام 1921.", "تأسس المتحف على يد شقيقتين."},
		{"ar", "بكم تذكرة الترام؟", "تذكرة الترام ثلاثة دراهم أو 3 درهم.", "تذكرة الترام صفراء."},
	} {
		if got := said(t, k.ask, k.yes); got == "" {
			t.Errorf("%s: %s is not answered by %q", k.lang, k.ask, k.yes)
		}
		if got := said(t, k.ask, k.no); got != "" {
			t.Errorf("%s: %s is answered by %q", k.lang, k.ask, got)
		}
	}
}

// A comparison is answered where both figures stand, or where a sentence makes it.
func TestComparisonsNeedBothSidesM341(t *testing.T) {
	for _, k := range []struct {
		lang, ask, text string
		want            []string // nil: nothing is stated
	}{
		{"en", "Did Hull or Leeds have more visitors?", "Hull had 410 visitors. Leeds had 380 visitors.", []string{"410", "380"}},
		{"en", "Did Hull or Leeds have more visitors?", "Hull had 410 visitors. Leeds is far away.", nil},
		{"en", "Did Hull have more visitors than Leeds?", "Hull had more visitors than Leeds.", []string{"more visitors"}},
		{"en", "Which is cheaper, the Alma or the Bora?", "The Alma costs 40 euros. The Bora costs 50 euros.", []string{"40 euros", "50 euros"}},
		{"en", "Which is cheaper, the Alma or the Bora?", "The Alma costs 40 euros. The Bora weighs 50 kilograms.", nil},
		{"en", "Is the Alma heavier than the Bora?", "The Alma is heavier than the Bora.", []string{"heavier"}},
		{"en", "Did Hull or Leeds have more loans?", "Branch Visits Loans\nHull 41 12\nLeeds 30 14\nYork 8 3", []string{"Branch Visits Loans", "Hull 41 12", "Leeds 30 14"}},
		{"de", "Hatte Hull oder Leeds mehr Besucher?", "Besucher hatte Hull 410 und Leeds 380.", []string{"410", "380"}},
		{"de", "Hatte Hull oder Leeds mehr Besucher?", "Hull hatte 410 Besucher.", nil},
		{"fr", "Est-ce que Hull ou Leeds a eu plus de visiteurs ?", "Hull a eu 410 visiteurs et Leeds 380.", []string{"410", "380"}},
		{"fr", "Est-ce que Hull ou Leeds a eu plus de visiteurs ?", "Hull a eu 410 visiteurs.", nil},
		{"es", "¿Tuvo Hull o Leeds más visitantes?", "Hull tuvo 410 visitantes y Leeds 380.", []string{"410", "380"}},
		{"es", "¿Tuvo Hull o Leeds más visitantes?", "Hull tuvo 410 visitantes.", nil},
		{"zh", "北馆还是南馆的访客更多？", "北馆的访客是410人，南馆的访客是380人。", []string{"410", "380"}},
		{"zh", "北馆还是南馆的访客更多？", "北馆的访客是410人。", nil},
	} {
		got := said(t, k.ask, k.text)
		if (got == "") != (k.want == nil) {
			t.Errorf("%s: %s %q: %q", k.lang, k.ask, k.text, got)
		}
		for _, w := range k.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %s: %q lacks %s", k.lang, k.ask, got, w)
			}
		}
	}
}

// The end of a column is told with all rows of its table, and only where all of
// them are at hand.
func TestEndsOfAColumnAreShownWithAllRows(t *testing.T) {
	const rows = "Branch Visits Loans\nHull 41 12\nLeeds 30 14\nYork 8 3\nTotal 79 29\n\nThe year was mild."
	say := func(ask string, ps ...Passage) Reply {
		rep, err := NewOffline().Reply(t.Context(), Respondent{ID: "m", Passages: ps}, ask, Policy{ResponseForm: "concise"})
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	whole := Passage{ID: "k", Text: rows, Source: "Report"}
	for ask, want := range map[string]string{
		"Which branch had the most visits?":  "the highest under Visits: Hull.",
		"Which branch had the fewest loans?": "the lowest under Loans: York.",
	} {
		rep := say(ask, whole)
		if rep.State != Stated || !strings.Contains(rep.Text, want) || len(rep.Citations) != 5 {
			t.Errorf("%s: %+v", ask, rep)
		}
	}
	for ask, ps := range map[string][]Passage{
		"Which branch had the most staff?":    {whole},
		"Which museum had the most visits?":   {whole},
		"Which branch had the oldest visits?": {whole},
		"Which branch had the most visits?":   {whole, {ID: "k", Text: "Derby 99 1", Heading: "Branch Visits Loans", Source: "Report"}},
	} {
		if rep := say(ask, ps...); rep.State == Stated {
			t.Errorf("%s: %s", ask, rep.Text)
		}
	}
	tied := Passage{ID: "k", Text: "Branch Visits\nHull 41\nLeeds 41\nYork 8", Source: "Report"}
	if rep := say("Which branch had the most visits?", tied); rep.State == Stated {
		t.Error(rep.Text)
	}
}

// Nothing on something else stands beside the sentence that answers.
func TestOneAnswerStandsAlone(t *testing.T) {
	for _, k := range []struct{ ask, text, want string }{
		{"How much does membership cost for adults?", "Membership costs 18 euros a year for adults. Adults who are late cost the library 4 euros. Membership grew.", "Membership costs 18 euros a year for adults."},
		{"When was the mill closed?", "The mill was closed in 1971. The mill was painted in 1980. The road was closed in 1990.", "The mill was closed in 1971."},
		{"Who paid for the reading room?", "The Harcourt Trust paid for the reading room. The council paid for the roof.", "The Harcourt Trust paid for the reading room."},
	} {
		if got := said(t, k.ask, k.text); got != k.want {
			t.Errorf("%s: %q, want %q", k.ask, got, k.want)
		}
	}
}

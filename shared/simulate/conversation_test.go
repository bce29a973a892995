package simulate

import (
	"strings"
	"testing"
)

// talk puts messages one after another to a Mind that knows the report, each
// with what was said before.
func talk(t *testing.T, o *Offline, r Respondent, p Policy, messages ...string) []Reply {
	t.Helper()
	var out []Reply
	for _, m := range messages {
		rep, err := o.Reply(t.Context(), r, m, p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, rep)
		p.History = append(p.History, Earlier{Question: m, Text: rep.Text})
	}
	return out
}

// "And why?", "what about 2024?" are completed by what was said before, honestly
// (M-27).
func TestFollowUpsAreCompletedByTheConversation(t *testing.T) {
	c := readReport(t)
	r := Respondent{ID: "m1", Name: "Ada", Passages: c.Passages}
	r.Recall = newIndex(t, nil, c.Passages)
	o := NewOffline()
	for _, k := range []struct{ first, then, want string }{ // want "" = does not know
		{"Was the route to Denmark closed?", "And why?", "too few people"},
		{"Were night crossings suspended?", "Why?", "lack of demand"},
		{"What was the revenue in 2021?", "What about 2024?", "318 million"},
		{"What was the revenue in 2024?", "what about 2021?", ""},
		{"How satisfied were passengers with cleanliness in Norway?", "And in Denmark?", "3.6 in Denmark"},
		{"How satisfied were passengers with cleanliness in Norway?", "And in Finland?", ""},
		{"How many passengers travelled for leisure in Norway?", "What about Sweden?", "52%"},
		{"Tell me about the harbour of Ålesund.", "How much does it cost?", "96 million"},
		{"Tell me about the harbour of Ålesund.", "Who designed it?", ""},
		{"Can I bring my dog?", "How much does it cost?", ""},
		{"Were night crossings suspended?", "When do they return?", "in May"},
		{"How much do trainees earn?", "What is the capital of France?", ""},
		{"How much do trainees earn?", "Is there a student discount?", "25%"},
	} {
		reps := talk(t, o, r, Policy{ResponseForm: "concise", KnowledgeOnly: true}, k.first, k.then)
		last := reps[1]
		switch {
		case k.want == "" && (last.State != Unsupported || !last.Fallback):
			t.Errorf("%s %s: %s", k.first, k.then, last.Text)
		case k.want != "" && !strings.Contains(last.Text, k.want):
			t.Errorf("%s %s: %s, want %s", k.first, k.then, last.Text, k.want)
		}
	}
	// More of the same is not the same again.
	reps := talk(t, o, r, Policy{ResponseForm: "concise"}, "Which ships run on batteries?", "Tell me more", "anything else?")
	if reps[1].State == Stated && strings.Contains(reps[1].Text, reps[0].Citations[0].Quote) || reps[1].State != Stated {
		t.Errorf("%q, then %q", reps[0].Text, reps[1].Text)
	}
	// A long chain is read back so far, and no further.
	var history []Earlier
	for range 500 {
		history = append(history, Earlier{Question: "why?"})
	}
	if got := follow("why?", history); len(got.text) > 100 {
		t.Errorf("%q", got.text)
	}
}

// What is quoted stands with its place and its source, in the reply and in the
// citation, word by word as it stands there.
func TestExtractsNameTheirPlaceAndSource(t *testing.T) {
	c := readReport(t)
	r := Respondent{ID: "m1", Name: "Ada", Passages: c.Passages, Recall: newIndex(t, nil, c.Passages)}
	for _, k := range []struct{ language, ask, head string }{
		{"", "How much do trainees earn?", "From Northvale Ferries annual report 2024, page 39: “Trainees earn"},
		{"de", "How much do trainees earn?", "Aus Northvale Ferries annual report 2024, Seite 39: „Trainees earn"},
		{"fr", "How much do trainees earn?", "D’après Northvale Ferries annual report 2024, page 39 : « Trainees earn"},
		{"es", "What would make passengers travel more often?", "De Traveller survey 2023, diapositiva 5: «Asked"},
		{"tr", "How much do trainees earn?", "Kaynak: Northvale Ferries annual report 2024, sayfa 39: “Trainees"},
		{"zh-Hans", "How much do trainees earn?", "根据Northvale Ferries annual report 2024，第39页：“Trainees"},
		{"ja", "How much do trainees earn?", "Northvale Ferries annual report 2024、39ページより：「Trainees"},
		{"ko", "How much do trainees earn?", "Northvale Ferries annual report 2024, 39쪽에서: “Trainees"},
		{"ar", "How much do trainees earn?", "من Northvale Ferries annual report 2024، صفحة 39: «Trainees"},
		{"xx", "How much do trainees earn?", "From Northvale"},
		{"", "Wann öffnet der Kiosk am Anleger?", "Aus Fahrgastblatt, Seite 2: „Der Kiosk"},
		{"", "Do you get seasick?", "From Notes: “I get seasick"},
	} {
		rep, err := NewOffline().Reply(t.Context(), r, k.ask, Policy{Language: k.language, ResponseForm: "concise"})
		if err != nil || !strings.HasPrefix(rep.Text, k.head) || rep.State != Stated {
			t.Errorf("%s %s: %q %v", k.language, k.ask, rep.Text, err)
			continue
		}
		for _, x := range rep.Citations {
			whole := ""
			for _, p := range c.Passages {
				if p.Source == x.Source && p.Where == x.Where {
					whole = p.Text
				}
			}
			if x.Quote == "" || !strings.Contains(whole, x.Quote) || !strings.Contains(rep.Text, x.Quote) || x.Origin != OriginMind {
				t.Errorf("%s: %+v", k.ask, x)
			}
		}
	}
	// A title is other people's text: it neither breaks the line nor runs on.
	odd := Passage{ID: "k", Text: "I collect stamps from Asia.", Source: "A\ntitle %s " + strings.Repeat("x", 400), Where: "row 4–9", URL: "https://example.org/a"}
	rep, err := NewOffline().Reply(t.Context(), Respondent{ID: "m", Passages: []Passage{odd}}, "Do you collect stamps?", Policy{})
	if err != nil || strings.Contains(rep.Text, "\n") || !strings.Contains(rep.Text, "A title %s x") || len(rep.Text) > 250 || !strings.Contains(rep.Text, "row 4–9") || rep.Citations[0].URL != odd.URL {
		t.Errorf("%q %v", rep.Text, err)
	}
}

// A Mind says in the language it is asked in that nothing is recorded.
func TestFallbackSpeaksTheLanguageOfTheQuestion(t *testing.T) {
	r := Respondent{ID: "m1", Name: "Ada", Profile: ParseProfile("Age: 34")}
	for lang, ask := range map[string]string{
		"en": "What do you think about volcanoes?", "de": "Was halten Sie von der Entstehung der Vulkane?", "fr": "Que pensez-vous des volcans et de la lave ?",
		"es": "¿Qué piensa usted de los volcanes?", "tr": "Yanardağlar hakkında ne düşünüyorsunuz?", "zh": "你对火山有什么看法？", "ja": "火山についてどう思いますか？",
		"ko": "화산에 대해 어떻게 생각하세요?", "ar": "ما رأيك في البراكين؟",
	} {
		f := frames[lang]
		for _, only := range []bool{true, false} {
			rep, err := NewOffline().Reply(t.Context(), r, ask, Policy{KnowledgeOnly: only})
			none := false
			for _, n := range f.none {
				none = none || strings.Contains(rep.Text, n)
			}
			if err != nil || !none || rep.Fallback != only || rep.State != Unsupported {
				t.Errorf("%s: %+v %v", lang, rep, err)
			}
			if only && !strings.Contains(rep.Text, "Ada") || !only && !strings.Contains(rep.Text, f.noModel) {
				t.Errorf("%s: %q", lang, rep.Text)
			}
		}
		a := answer(t, ask2(t, ask), r)
		none := false
		for _, n := range f.none {
			none = none || a.Text == n
		}
		if !none {
			t.Errorf("%s in a Study: %q", lang, a.Text)
		}
	}
	// What is plainly none of them is answered in English.
	for _, other := range []string{"O que você acha dos vulcões?", "Cosa pensi dei vulcani e della lava?", "Wat vind je van vulkanen en lava?", "Vad tycker du om vulkaner?", "Что вы думаете о вулканах?", "درباره آتشفشان چه فکر می کنید؟", "volcano"} {
		if l := (Policy{}).speaks(other); l != langEN {
			t.Errorf("%q: %s", other, l)
		}
	}
	for lang, real := range map[string]string{"de": "Bist du ein echter Mensch?", "fr": "Êtes-vous une vraie personne ?", "es": "¿Eres una persona real?", "tr": "Sen gerçek bir insan mısın?", "zh": "你是真人吗？", "ja": "あなたは人間ですか？", "ko": "당신은 진짜 사람인가요?", "ar": "هل أنت إنسان حقيقي؟"} {
		rep, err := NewOffline().Reply(t.Context(), r, real, Policy{Language: lang})
		if err != nil || rep.Text != frames[lang].honest {
			t.Errorf("%s: %q %v", lang, rep.Text, err)
		}
	}
	for lang, f := range frames {
		for _, s := range append(append([]string{f.own, f.from, f.field, f.yes, f.no, f.published, f.noModel, f.persona, f.named, f.honest, f.open, f.close, f.comma, f.stop}, f.none...), f.formal...) {
			if s == "" {
				t.Errorf("%s: a frame is missing", lang)
			}
		}
		if strings.Count(f.from, "%s") != 2 || strings.Count(f.own, "%s") != 1 || strings.Count(f.published, "%s") != 3 || strings.Count(f.field, "%s") != 1 || strings.Count(f.named, "%s") != 1 {
			t.Errorf("%s: frames take other texts than are given", lang)
		}
	}
}

func ask2(t *testing.T, text string) Asked {
	t.Helper()
	return ask(t, Question{Text: text, Type: Qualitative}, Policy{})
}

// No message and no history make the engine fail, run long, or quote what is not there.
func FuzzReply(f *testing.F) {
	for _, s := range []string{"and why?", "what about 2024?", "And in Denmark?", "%s %d", "", "Tell me more", "…? and", "İ carbon dioxide"} {
		f.Add(s, "Why did it close in 2023?", "The route to Denmark was closed in 2023 because %s. They return.")
	}
	f.Fuzz(func(t *testing.T, message, before, knows string) {
		r := Respondent{ID: "m", Name: "Ada", Passages: []Passage{{ID: "k", Text: knows, Source: before, Where: "page 1"}}}
		rep, err := NewOffline().Reply(t.Context(), r, message, Policy{History: []Earlier{{Question: before, Text: knows}}})
		if err != nil {
			return
		}
		if rep.Text == "" || rep.State == Unsupported && len(rep.Citations) > 0 {
			t.Fatalf("%+v", rep)
		}
		for _, c := range rep.Citations {
			if !strings.Contains(rep.Text, c.Quote) {
				t.Fatalf("%+v", rep)
			}
		}
	})
}

// Each question of a message is looked for by itself, what leads up to it is not.
func TestMessagesOfSeveralSentences(t *testing.T) {
	c := readReport(t)
	r := Respondent{ID: "m1", Name: "Ada", Passages: c.Passages, Recall: newIndex(t, nil, c.Passages)}
	for ask, want := range map[string][]string{
		"I am planning a trip with my family next summer. Can I bring my dog?":   {"Dogs may travel"},
		"How many vessels does the fleet have? And how high is the debt?":        {"27 vessels", "204 million"},
		"How many vessels does the fleet have? What is the capital of Mongolia?": {"27 vessels"},
		"Thanks, that helps. What is the capital of Mongolia?":                   nil,
	} {
		rep, err := NewOffline().Reply(t.Context(), r, ask, Policy{})
		if err != nil || (rep.State == Stated) != (want != nil) {
			t.Errorf("%s: %+v %v", ask, rep, err)
		}
		for _, w := range want {
			if !strings.Contains(rep.Text, w) {
				t.Errorf("%s: %q", ask, rep.Text)
			}
		}
	}
}

// What the persona says of itself is found in the words that people ask in.
func TestPersonaInEverydayWords(t *testing.T) {
	p := ParseProfile("Age: 34\nOccupation: Nurse\nCity: Leeds\nI work nights at a large hospital. I have two children. I never drink coffee after noon. My favourite food is ramen. I don't trust banks.")
	r := Respondent{ID: "m", Name: "Mia Berg", Profile: p, Passages: append(PersonaPassages(p, ""),
		Passage{ID: "k1", Source: "Interview notes", Where: "page 2", Text: "She said that electric cars are too expensive for her family. The main worry was the range in winter."})}
	for ask, want := range map[string]string{
		"What's your favourite food?":             "ramen",
		"What is your job?":                       "Nurse",
		"Tell me about your job":                  "Nurse",
		"Do you have kids?":                       "two children",
		"Do you trust banks?":                     "don't trust",
		"Where do you work?":                      "hospital",
		"What worries you about electric cars?":   "range in winter",
		"Would you buy an electric car?":          "",
		"What do you think of Brexit?":            "",
		"Who is your husband?":                    "",
		"How much would you pay for electric car": "",
	} {
		rep, err := NewOffline().Reply(t.Context(), r, ask, Policy{})
		if err != nil || (want == "") != (rep.State == Unsupported) || !strings.Contains(rep.Text, want) {
			t.Errorf("%s: %s %v", ask, rep.Text, err)
		}
	}
}

// A text without full stops is quoted in a piece that can be read.
func TestLongTextsAreQuotedInPieces(t *testing.T) {
	long := strings.Repeat("station platform ticket hall corridor ", 60) + "the lockers cost four euros " + strings.Repeat("station platform ticket hall corridor ", 60)
	r := Respondent{ID: "m", Passages: []Passage{{ID: "k", Text: long, Source: "Guide"}}}
	rep, err := NewOffline().Reply(t.Context(), r, "What do the lockers cost?", Policy{})
	if err != nil || rep.State != Stated || len(rep.Citations) == 0 {
		t.Fatalf("%+v %v", rep, err)
	}
	q := rep.Citations[0].Quote
	if len([]rune(q)) > longest || !strings.Contains(q, "lockers") || !strings.Contains(long, q) {
		t.Errorf("%q", q)
	}
}

// Lines that were broken for their length are one sentence, headings are context
// and no answer, bullets are answers.
func TestExtractsOfTextsAsTheyAreLaidOut(t *testing.T) {
	say := func(ask string, ps ...Passage) string {
		t.Helper()
		rep, err := NewOffline().Reply(t.Context(), Respondent{ID: "m", Passages: ps}, ask, Policy{})
		if err != nil {
			t.Fatal(err)
		}
		if rep.State != Stated {
			return ""
		}
		var q []string
		for _, c := range rep.Citations {
			q = append(q, c.Quote)
		}
		return strings.Join(q, " / ")
	}
	for _, c := range []struct{ text, heading, ask, want string }{
		{"Every morning the first of the two kiosks\nopens at half past five for commuters.", "", "When does the kiosk open?", "Every morning the first of the two kiosks opens at half past five for commuters."},
		{"Prices\nA ticket costs four euros.", "", "What about prices?", "A ticket costs four euros."},
		{"Outlook for tickets\nEverything else remains as it was.", "", "What about tickets?", ""},
		{"- hates flying\n- loves trains", "", "What about flying?", "hates flying"},
		{"• hates flying\n• loves trains", "", "What about flying?", "hates flying"},
		{"The fee rose to four euros.", "Lockers in 2024", "How much was the fee for lockers in 2024?", "The fee rose to four euros."},
		{"The fee rose to four euros.", "Lockers in 2023", "How much was the fee for lockers in 2024?", ""},
	} {
		if got := say(c.ask, Passage{ID: "k", Text: c.text, Heading: c.heading}); got != c.want {
			t.Errorf("%q: %s: %q, want %q", c.text, c.ask, got, c.want)
		}
	}
}

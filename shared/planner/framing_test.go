package planner

import (
	"slices"
	"testing"
)

func framingOf(t *testing.T, qs ...Question) map[string][]string {
	t.Helper()
	p, err := New(Input{Questions: qs})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, w := range p.FramingWarnings {
		out[*w.ItemID] = append(out[*w.ItemID], w.Rule)
	}
	for _, w := range p.FramingWarnings {
		if !slices.ContainsFunc(p.ConfirmationQuestions, func(q ConfirmationQuestion) bool { return q.Kind == Framing && q.Text == w.Text && !q.Required }) {
			t.Errorf("%s is no confirmation question", w.Text)
		}
	}
	return out
}

func scaled(text string, lo, hi int) Question {
	return Question{Text: text, Response: Response{Type: Scale, ScaleRange: []int{lo, hi}}}
}

// M-86: each rule finds its risk, in several languages.
func TestFramingIsFound_M86(t *testing.T) {
	yes := []string{"Yes", "No"}
	for _, c := range []struct {
		rule string
		q    Question
	}{
		{Leading, choice("", "Don't you think that prices are too high?", yes...)},
		{Leading, choice("", "Wouldn't you agree that the new design is better?", yes...)},
		{Leading, choice("", "Finden Sie nicht auch, dass die Preise zu hoch sind?", "Ja", "Nein")},
		{Leading, choice("", "Ne pensez-vous pas que les prix sont trop élevés ?", "Oui", "Non")},
		{Leading, choice("", "¿No cree que los precios son demasiado altos?", "Sí", "No")},
		{Leading, choice("", "Non crede che i prezzi siano troppo alti?", "Sì", "No")},
		{Leading, choice("", "Não acha que os preços estão altos?", "Sim", "Não")},
		{Leading, choice("", "您难道不认为价格太高了吗?", "是", "否")},
		{Leading, choice("", "価格が高すぎると思いませんか?", "はい", "いいえ")},
		{LoadedWord, scaled("How do you rate the greedy banks?", 1, 5)},
		{LoadedWord, open("", "What do you think of our revolutionary app?", nil)},
		{LoadedWord, open("", "Was halten Sie von der skandalösen Preiserhöhung?", nil)},
		{LoadedWord, open("", "Que pensez-vous de cette réforme scandaleuse ?", nil)},
		{LoadedWord, open("", "¿Qué opina de esta escandalosa subida?", nil)},
		{DoubleBarrelled, scaled("How satisfied are you with the price and the quality?", 1, 5)},
		{DoubleBarrelled, scaled("Wie zufrieden sind Sie mit dem Preis und der Qualität?", 1, 5)},
		{DoubleBarrelled, scaled("Êtes-vous satisfait de la propreté et du service ?", 1, 5)},
		{DoubleBarrelled, scaled("¿Qué tan satisfecho está con el precio y la calidad?", 1, 5)},
		{DoubleBarrelled, scaled("Quanto è soddisfatto del prezzo e della qualità?", 1, 5)},
		{DoubleBarrelled, scaled("您对价格和质量满意吗?", 1, 5)},
		{DoubleBarrelled, scaled("How much do you agree: The app is fast and reliable", 1, 5)},
		{MissingWayOut, choice("", "Which brand of coffee did you last buy?", "Alpha", "Beta", "Gamma")},
		{MissingWayOut, choice("", "Welche Zeitung haben Sie zuletzt gelesen?", "Morgenblatt", "Abendblatt", "Kurier")},
		{MissingWayOut, choice("", "¿Qué banco utiliza?", "Banco A", "Banco B", "Banco C")},
		{UnbalancedScale, choice("", "How was it?", "Excellent", "Very good", "Good", "Poor")},
		{UnbalancedScale, choice("", "Wie zufrieden sind Sie?", "Sehr zufrieden", "Eher zufrieden", "Zufrieden", "Unzufrieden")},
		{UnbalancedScale, choice("", "Êtes-vous satisfait ?", "Très satisfait", "Plutôt satisfait", "Satisfait", "Insatisfait")},
		{UnbalancedScale, scaled("How do you feel about it?", -2, 5)},
		{OverlappingOptions, choice("", "What is your age?", "18-25", "25-35", "35-45", "45+")},
		{OverlappingOptions, choice("", "Wie alt sind Sie?", "18 bis 30", "30 bis 40", "über 40")},
		{OverlappingOptions, choice("", "¿Cuántos años tiene?", "18 a 30", "30 a 45", "más de 45")},
	} {
		if got := framingOf(t, c.q); !slices.Contains(got["q1"], c.rule) {
			t.Errorf("%q: %v, want %s", c.q.Text, got["q1"], c.rule)
		}
	}
	for _, second := range []string{"Which brands of coffee come to mind?", "Welche Kaffeemarken kennen Sie?", "¿Qué marcas de café le vienen a la mente?"} {
		got := framingOf(t, choice("", "Which of these coffee brands have you bought?", "Alpha", "Beta", "None of these"), open("", second, nil))
		if !slices.Contains(got["q2"], BrandBeforeUnaided) {
			t.Errorf("%q after brands: %v", second, got)
		}
		got = framingOf(t, open("", second, nil), choice("", "Which of these coffee brands have you bought?", "Alpha", "Beta", "None of these"))
		if len(got) > 0 {
			t.Errorf("%q before brands: %v", second, got)
		}
	}
}

// M-86: plain wording raises nothing.
func TestPlainWordingRaisesNothing_M86(t *testing.T) {
	for _, q := range []Question{
		choice("", "Do you own a car?", "Yes", "No"),
		choice("", "How often do you shop online?", "Daily", "Weekly", "Monthly", "Less often"),
		choice("", "What is your age?", "18-24", "25-34", "35-44", "45+"),
		choice("", "How much do you earn a month?", "Under 1,000", "1,000-1,999", "2,000-2,999", "3,000 or more"),
		choice("", "Overall, how satisfied are you?", "Very satisfied", "Satisfied", "Neither", "Dissatisfied", "Very dissatisfied"),
		choice("", "Do you agree or disagree: taxes should be raised?", "Agree", "Disagree", "Don't know"),
		choice("", "Which do you prefer?", "Tea", "Coffee", "Juice"),
		choice("", "Which of these do you use?", "Phone", "Tablet", "None of these"),
		choice("", "What is your gender?", "Woman", "Man", "Non-binary", "Prefer not to say"),
		choice("", "Where do you live?", "City", "Suburb", "Countryside", "Other"),
		scaled("How likely are you to recommend us to friends and family?", 0, 10),
		scaled("On a scale between 1 and 5, how satisfied are you with the service?", 1, 5),
		scaled("How important is it to you that your friends and family approve?", 1, 5),
		scaled("How happy are you with your job?", -5, 5),
		scaled("Wie zufrieden sind Sie mit dem Service?", 1, 7),
		scaled("Quelle importance accordez-vous au prix ?", 1, 5),
		scaled("¿Qué tan satisfecho está con el servicio?", 1, 5),
		scaled("您对服务满意吗?", 1, 5),
		open("", "What do you like and dislike about it?", nil),
		open("", "Why did you choose this product and not another?", nil),
		open("", "Was gefällt Ihnen daran, und was nicht?", nil),
		choice("", "Nutzen Sie unsere App?", "Ja", "Nein"),
		choice("", "¿Con qué frecuencia viaja?", "Cada semana", "Cada mes", "Casi nunca"),
	} {
		if got := framingOf(t, q); len(got) > 0 {
			t.Errorf("%q: %v", q.Text, got["q1"])
		}
	}
}

package answer

import "testing"

var ferryRecord = []string{
	"The Velmora ferry carried 83,412 passengers in 2025. In 2024 it carried 71,020. The electric ferry Saltwing was built in Korr and began service on 3 May 2025.",
	"The crossing takes twenty minutes and a ticket costs 4 euros for adults. Children under six travel free. Dogs are not allowed in the saloon.",
	"The northern pier was closed for repairs from January to March. Commuters complained about long queues at the southern pier on Mondays.",
	"I take the early boat to work because the bridge is always jammed. The coffee on board is too bitter for me. My sister Ada works in the ticket office.",
}

// True paraphrases are accepted and inventions refused, at the threshold that is
// in use; what lies between is measured here, for whoever changes it.
func TestSupportIsMeasured(t *testing.T) {
	g := groundOf(ferryRecord...)
	count := func(all []string, want bool, most int) {
		wrong := 0
		for _, s := range all {
			c := claimOf(s, "What about the ferry?")
			share, _, _ := c.share([]*ground{g})
			if got := c.heldBy([]*ground{g}, "What about the ferry?") == held; got != want {
				wrong++
				t.Logf("%v, want %v, %.2f: %s (%v, names %v, figures %v)", got, want, share, s, c.content, c.names, c.figures)
			}
		}
		t.Logf("%d of %d are read wrongly (true paraphrases: %v)", wrong, len(all), want)
		if wrong > most {
			t.Errorf("%d of %d, at most %d", wrong, len(all), most)
		}
	}
	count([]string{
		"It carried 83,412 passengers.", "In 2025 the ferry transported 83,412 people.", "About 83,000 passengers travelled on the Velmora ferry in 2025.",
		"The year before, in 2024, it was 71,020.", "The Saltwing is an electric ferry that was built in Korr.", "Service began on 3 May 2025.",
		"A crossing takes 20 minutes.", "An adult ticket costs four euros.", "You pay 4 euros for a ticket as an adult.", "Children under 6 travel for free.",
		"Dogs aren't allowed in the saloon.", "You can't take dogs into the saloon.", "The northern pier was shut for repairs between January and March.",
		"Commuters complained about the queues on Mondays.", "There were long queues at the southern pier.", "I take the early boat to work.",
		"The bridge is always jammed, so I take the boat.", "Honestly, the coffee on board is too bitter.", "My sister Ada works in the ticket office.",
		"Passenger numbers rose from 71,020 in 2024 to 83,412 in 2025.", "Well, the crossing takes twenty minutes, and a ticket costs 4 euros.",
		"Nearly 84,000 passengers were carried in 2025.", "They complained about long queues.", "It was closed from January to March for repairs.",
	}, true, 2)
	count([]string{
		"It carried 999,999 passengers.", "The ferry is owned by Norway.", "The ferry captain is called Olaf and he hates passengers.", "The electric ferry Saltwing costs two million euros.",
		`The northern pier "has a wonderful new shelter".`, "The Velmora ferry carried 71,020 dogs to Bergen.", "Olaf drives the electric ferry from the northern pier.",
		"The crossing takes forty minutes.", "A ticket costs 4 million euros.", "Children under twelve travel free.", "Dogs are allowed in the saloon.",
		"The northern pier was never closed for repairs.", "Commuters love the comfortable seats at the pier.", "The ferry is unsafe.", "The ferry sank in a storm.",
		"The company will go bankrupt soon.", "My brother Karl works in the ticket office.", "The coffee on board is brewed by monks.", "I founded the ferry with my uncle.",
		"The ferry runs on diesel and pollutes the bay.", "The crew went on strike for higher wages.", "The Saltwing was built in Oslo.", "In 2026 the ferry carried 83,412 passengers.",
		"The ferry is subsidised by taxpayers.", "The captain was drunk on Mondays.", "Norway built the electric ferry.", "Queues are caused by lazy staff at the pier.", "It does not carry passengers.",
		"The Velmora ferry carried 83,412 passengers in 2025, which pleased the mayor.",
	}, false, 0)
}

func TestFiguresInWords(t *testing.T) {
	for in, want := range map[string]string{
		"two million euros": "2000000", "2.5 million": "2500000", "twenty-one of 83,412": "21 83412", "two hundred and five": "205", "two and three": "2 3",
		"83.412 Gäste": "83412", "Sixty in a hundred": "60", "zwölf": "12", "one of them": "", "3.5 km": "3.5", "a dozen": "12",
	} {
		got := ""
		for i, n := range figuresIn(in) {
			if i > 0 {
				got += " "
			}
			got += n
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// A bare yes says what was asked; a figure of the question is no evidence for itself.
func TestWhatIsAskedIsNoEvidence(t *testing.T) {
	g := []*ground{groundOf(ferryRecord...)}
	for _, c := range []struct {
		said, asked string
		want        verdict
	}{
		{"Yes.", "Is the ferry owned by Norway?", loose},
		{"Yes.", "Was the Saltwing built in Korr?", held},
		{"No.", "Was the Saltwing built in Korr?", loose},
		{"No.", "Are dogs allowed in the saloon?", held},
		{"Yes, it carried 999,999 passengers.", "Did it carry 999,999 passengers?", miscounts},
		{"No, it carried 83,412 passengers, not 999,999.", "Did it carry 999,999 passengers?", held},
	} {
		if got := claimOf(c.said, c.asked).heldBy(g, c.asked); got != c.want {
			t.Errorf("%q to %q: %v, want %v", c.said, c.asked, got, c.want)
		}
	}
}

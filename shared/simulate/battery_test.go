package simulate

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/stats/choice"
	"github.com/mindgate-dev/mindgate/shared/stats/design"
	"github.com/mindgate-dev/mindgate/shared/stats/kano"
	"github.com/mindgate-dev/mindgate/shared/stats/maxdiff"
	"github.com/mindgate-dev/mindgate/shared/stats/price"
	"github.com/mindgate-dev/mindgate/shared/stats/ranking"
)

// Check 7: what is planted in evidence comes back through the estimators.

const panel = 200

func member(i int, e ...*Evidence) Respondent {
	return Respondent{ID: fmt.Sprintf("member-%d", i), Slot: int64(i), Evidence: e}
}

func correlation(a, b []float64) float64 {
	n := float64(len(a))
	var ma, mb, ab, aa, bb float64
	for i := range a {
		ma += a[i] / n
		mb += b[i] / n
	}
	for i := range a {
		ab += (a[i] - ma) * (b[i] - mb)
		aa += (a[i] - ma) * (a[i] - ma)
		bb += (b[i] - mb) * (b[i] - mb)
	}
	return ab / math.Sqrt(aa*bb)
}

// planted makes evidence whose log shares are the utilities.
func planted(question string, labels []string, utilities []float64) *Evidence {
	e := &Evidence{ID: "planted-" + question, Question: question, Source: "a survey", Dates: "2025", Digest: "d" + question}
	sum := 0.0
	for _, u := range utilities {
		sum += math.Exp(u)
	}
	for i, l := range labels {
		e.Options = append(e.Options, OptionShare{Label: l, Share: math.Exp(utilities[i]) / sum})
	}
	return e
}

var (
	phoneItems = []string{"Camera", "Battery life", "Screen size", "Weight", "Storage", "Water resistance", "Colour", "Repairability", "Charging speed", "Brand name"}
	phoneWorth = []float64{1.1, 1.6, .4, -.6, .7, -.2, -1.5, 0, .3, -1.1}
)

const phoneQuestion = "Which of these matters most to you in a phone?"

func indexOf(t *testing.T, list []string, s string) int {
	t.Helper()
	for i, v := range list {
		if v == s {
			return i
		}
	}
	t.Fatalf("%q is not among %v", s, list)
	return -1
}

func TestPlantedBestWorst(t *testing.T) {
	e := planted(phoneQuestion, phoneItems, phoneWorth)
	d, err := design.MaxDiff{Items: 10, Size: 4, Seen: 4, Versions: 4, Seed: 1}.Make()
	if err != nil {
		t.Fatal(err)
	}
	study := maxdiff.Study{Items: 10, Members: panel, Model: maxdiff.Sequential, Seed: 1}
	for v, sets := range d.Versions {
		for n, set := range sets {
			q := Question{Text: "Which of these matters most to you, and which least?", Type: BestWorst,
				Battery: &Battery{Method: "maxdiff", Subject: phoneQuestion, Items: phoneItems, Task: fmt.Sprint("maxdiff-", n)}}
			for _, i := range set {
				q.Options = append(q.Options, phoneItems[i])
			}
			a := ask(t, q, Policy{})
			for m := v; m < panel; m += len(d.Versions) {
				x := answer(t, a, member(m, e))
				if x.State != Grounded && x.State != Related {
					t.Fatalf("state %q of planted evidence", x.State)
				}
				study.Sets = append(study.Sets, maxdiff.Set{Member: m, Items: set, Best: indexOf(t, phoneItems, x.Best), Worst: indexOf(t, phoneItems, x.Worst)})
			}
		}
	}
	got, err := maxdiff.Analyse(study)
	if err != nil {
		t.Fatal(err)
	}
	if got.Invalid > 0 {
		t.Errorf("%d sets name one item best and worst", got.Invalid)
	}
	var u []float64
	for _, it := range got.Items {
		u = append(u, *it.Utility.Estimate)
	}
	r := correlation(u, phoneWorth)
	t.Logf("best-worst, %d members x %d sets: r = %.4f", panel, len(d.Versions[0]), r)
	if r < .95 {
		t.Errorf("r = %.3f of planted and found utilities %v", r, u)
	}
}

func TestPlantedRanking(t *testing.T) {
	e := planted(phoneQuestion, phoneItems, phoneWorth)
	q := Question{Text: "Put these in order, best first.", Type: Ranking, Options: phoneItems, Battery: &Battery{Method: "ranked-preferences", Subject: phoneQuestion, Items: phoneItems}}
	a := ask(t, q, Policy{})
	q.TopK = 3
	top := ask(t, q, Policy{})
	study := ranking.Study{Items: 10, Seed: 1}
	for m := range panel {
		x := answer(t, a, member(m, e))
		if len(x.Ranking) != 10 {
			t.Fatal(x.Ranking)
		}
		ranks := make([]int, 10)
		for place, l := range x.Ranking {
			ranks[indexOf(t, phoneItems, l)] = place + 1
		}
		study.Ranks = append(study.Ranks, ranks)
		if y := answer(t, top, member(m, e)); len(y.Ranking) != 3 || y.Ranking[0] != x.Ranking[0] || y.Ranking[2] != x.Ranking[2] {
			t.Fatalf("the first three %v are not those of all %v", y.Ranking, x.Ranking)
		}
	}
	got, err := ranking.Analyse(study)
	if err != nil {
		t.Fatal(err)
	}
	var u []float64
	for _, it := range got.Items {
		u = append(u, math.Log(*it.Worth.Estimate))
	}
	r := correlation(u, phoneWorth)
	t.Logf("ranking, %d members: r = %.4f", panel, r)
	if r < .95 {
		t.Errorf("r = %.3f", r)
	}
}

func pt(v float64) *float64 { return &v }

func milkAttributes() []Attribute {
	return []Attribute{
		{ID: "kind", Label: "Kind", Levels: []Level{{ID: "oat", Label: "Oat drink"}, {ID: "soy", Label: "Soy drink"}, {ID: "almond", Label: "Almond drink"}, {ID: "cow", Label: "Cow's milk"}}},
		{ID: "size", Label: "Size", Levels: []Level{{ID: "small", Label: "0.5 l", Utility: pt(-.6)}, {ID: "large", Label: "1 l", Utility: pt(.6)}}},
		{ID: "price", Label: "Price", Kind: "price", Levels: []Level{{ID: "p1", Value: pt(1)}, {ID: "p2", Value: pt(2)}, {ID: "p3", Value: pt(3)}}},
	}
}

func TestPlantedConjoint(t *testing.T) {
	kinds := []float64{.9, -.2, -1.1, .4}
	e := planted("Which kind do you prefer?", []string{"Oat drink", "Soy drink", "Almond drink", "Cow's milk"}, kinds)
	attributes := milkAttributes()
	d, err := design.Conjoint{Levels: []int{4, 2, 3}, Alternatives: 3, Tasks: 10, Versions: 4, None: true, Seed: 1,
		Directions: make([]design.Direction, 3), Linear: make([][]float64, 3)}.Make()
	if err != nil {
		t.Fatal(err)
	}
	study := choice.Study{Price: -1, None: true, Members: panel}
	for _, a := range attributes {
		study.Attributes = append(study.Attributes, choice.Attribute{Levels: len(a.Levels)})
	}
	for v, tasks := range d.Versions {
		for n, task := range tasks {
			q := Question{Text: "Which of these would you choose?", Type: Categorical, Battery: &Battery{Method: MethodConjoint, Subject: "a drink for coffee", Task: fmt.Sprint("conjoint-", n), Attributes: attributes}}
			for i, levels := range task {
				alt := Alternative{ID: string(rune('a' + i)), Levels: map[string]string{}}
				for a, l := range levels {
					alt.Levels[attributes[a].ID] = attributes[a].Levels[l].ID
				}
				q.Battery.Alternatives = append(q.Battery.Alternatives, alt)
				q.Options = append(q.Options, fmt.Sprintf("Option %c %v", 'A'+i, levels))
			}
			q.Options, q.Battery.Alternatives = append(q.Options, "None of these"), append(q.Battery.Alternatives, Alternative{ID: "none"})
			a := ask(t, q, Policy{})
			for m := v; m < panel; m += len(d.Versions) {
				x := answer(t, a, member(m, e))
				if x.State != Related {
					t.Fatalf("state %q", x.State)
				}
				study.Answers = append(study.Answers, choice.Answer{Member: m, Alternatives: task, Chosen: indexOf(t, q.Options, x.Option)})
			}
		}
	}
	got, err := choice.Analyse(study)
	if err != nil {
		t.Fatal(err)
	}
	var found, want []float64
	for a, worths := range got.PartWorths {
		mean, planted := 0.0, []float64{}
		for l := range worths {
			switch a {
			case 0:
				planted = append(planted, kinds[l])
			case 1:
				planted = append(planted, *attributes[1].Levels[l].Utility)
			default: // a price in (1, 2, 3): the mean Mind's slope
				planted = append(planted, -priceSlope*math.Exp(slopeSpread*slopeSpread/2)*(float64(l)/2-.5))
			}
			mean += planted[l] / float64(len(worths))
		}
		for l := range worths {
			found, want = append(found, *worths[l].Estimate), append(want, planted[l]-mean)
		}
	}
	r := correlation(found, want)
	t.Logf("conjoint, %d members x 10 tasks: r = %.4f, rho2 = %.3f", panel, r, *got.Rho2)
	if r < .95 {
		t.Errorf("r = %.3f of %v and %v", r, found, want)
	}
	if p := got.PartWorths[2]; !(*p[0].Estimate > *p[1].Estimate && *p[1].Estimate > *p[2].Estimate) {
		t.Errorf("dearer is liked: %v", p)
	}
}

func meterQuestion(role string, median *float64) Question {
	q := Question{Text: "At what price … " + role, Type: Numeric, Unit: "EUR", Minimum: pt(0), Maximum: pt(1000),
		Battery: &Battery{Method: MethodWestendorp, Subject: "oat drink", Role: role, Currency: "EUR"}}
	if median != nil {
		q.Battery.Prices = []float64{*median}
	}
	return q
}

// The curves of the four roles cross at known multiples of the planted median:
// where the logarithms of two ranges have their middle.
func TestPlantedPriceMeter(t *testing.T) {
	for _, median := range []float64{2.4, 40, 310} {
		judged := make([]price.Judgement, panel)
		for _, role := range priceRoles {
			a := ask(t, meterQuestion(role, &median), Policy{})
			for m := range judged {
				x := answer(t, a, member(m))
				if x.State != Related {
					t.Fatalf("state %q with a known price", x.State)
				}
				j := &judged[m]
				j.Weight = 1
				*map[string]*float64{RoleTooCheap: &j.TooCheap, RoleCheap: &j.Cheap, RoleExpensive: &j.Expensive, RoleTooExpensive: &j.TooExpensive}[role] = *x.Number
			}
		}
		got, err := price.Westendorp(judged, price.MeterOptions{Interpolate: true})
		if err != nil {
			t.Fatal(err)
		}
		if got.Invalid > 0 {
			t.Errorf("%d Minds state prices out of order", got.Invalid)
		}
		middle := func(a, b string) float64 {
			x, y := priceMultiples[a], priceMultiples[b]
			return median * math.Sqrt((x[0]+x[1])/2*(y[0]+y[1])/2)
		}
		for name, c := range map[string]struct{ got, want float64 }{
			"OPP": {*got.OPP, middle(RoleTooCheap, RoleTooExpensive)}, "IDP": {*got.IDP, middle(RoleCheap, RoleExpensive)},
			"PMC": {*got.PMC, middle(RoleTooCheap, RoleCheap)}, "PME": {*got.PME, middle(RoleExpensive, RoleTooExpensive)},
		} {
			t.Logf("median %g: %s %.3f, planted %.3f", median, name, c.got, c.want)
			if math.Abs(c.got/c.want-1) > .08 {
				t.Errorf("median %g: %s is %.3f, not %.3f", median, name, c.got, c.want)
			}
		}
	}
}

func TestPlantedDemand(t *testing.T) {
	grid := []float64{1, 1.5, 2, 2.5, 3, 3.5, 4}
	for _, median := range []float64{1.8, 2.6, 3.6} {
		best, want := 0.0, 0.0
		for _, p := range grid {
			if v := p * phi(math.Log(median/p)/reservationSpread); v > best {
				best, want = v, p
			}
		}
		buyers := make([]price.Buyer, panel)
		for _, p := range grid {
			q := Question{Text: fmt.Sprintf("Oat drink costs EUR %g. How likely would you be to buy it?", p), Type: Scale, Min: 1, Max: 5,
				Battery: &Battery{Method: MethodGranger, Subject: "oat drink", Role: RoleIntent, Currency: "EUR", Price: &p, Prices: []float64{median}, Grid: grid}}
			a := ask(t, q, Policy{})
			for m := range buyers {
				buyers[m].Weight = 1
				reply := price.Refused
				if *answer(t, a, member(m)).Number >= 4 {
					reply = price.Accepted
				}
				buyers[m].Replies = append(buyers[m].Replies, reply)
			}
		}
		got, err := price.GaborGranger(grid, buyers, price.GrangerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("median %g: optimum %g, planted %g, violators %d", median, *got.Optimum, want, got.Violators)
		if *got.Optimum != want || got.Violators != 0 {
			t.Errorf("median %g: optimum %g, not %g; %d violators", median, *got.Optimum, want, got.Violators)
		}
	}
}

// Without evidence no product has a price: what lies between the bounds is
// marked unsupported, and without bounds nothing is named.
func TestNoScaleNoPrice(t *testing.T) {
	q := meterQuestion(RoleCheap, nil)
	if x := answer(t, ask(t, q, Policy{}), member(1)); x.State != Unsupported {
		t.Errorf("state %q", x.State)
	}
	q.Minimum, q.Maximum = nil, nil
	if x := answer(t, ask(t, q, Policy{}), member(1)); x.Status != CannotAnswer || x.Number != nil {
		t.Errorf("%+v", x)
	}
	told := member(1)
	told.Passages = []Passage{{ID: "k1", Text: "The oat drink costs 2.40 EUR in most shops."}}
	if x := answer(t, ask(t, q, Policy{}), told); x.State != Related || x.Number == nil || len(x.Citations) != 1 {
		t.Errorf("a price in a source: %+v", x)
	}
}

var kanoOptions = []string{"I like it that way", "I expect it to be that way", "I am neutral", "I can live with it that way", "I dislike it that way"}

func TestPlantedKano(t *testing.T) {
	features := []string{"Camera", "Fingerprint reader", "Holographic screen"}
	e := &Evidence{ID: "use", Question: "Which of these do you use?", Multiselect: true, Source: "a survey", Digest: "use",
		Options: []OptionShare{{"Camera", .96}, {"Fingerprint reader", .6}, {"Holographic screen", .04}}}
	for i, want := range []kano.Category{"M", "", "I"} {
		pairs := make([]kano.Pair, panel)
		for _, role := range []string{RoleWith, RoleWithout} {
			q := Question{Text: "How would you feel? " + role, Type: Categorical, Options: kanoOptions, Battery: &Battery{Method: MethodKano, Subject: features[i], Role: role}}
			a := ask(t, q, Policy{})
			for m := range pairs {
				x := answer(t, a, member(m, e))
				if x.State != Related {
					t.Fatalf("state %q", x.State)
				}
				pairs[m].Weight = 1
				got := kano.Answer(indexOf(t, kanoOptions, x.Option))
				if role == RoleWith {
					pairs[m].Functional = got
				} else {
					pairs[m].Dysfunctional = got
				}
				if y := answer(t, a, member(m)); y.State != Unsupported {
					t.Fatalf("state %q without evidence", y.State)
				}
			}
		}
		f, err := kano.Analyse(pairs, kano.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v of %v", features[i], f.Category, f.Counts)
		if want != "" && f.Category != want {
			t.Errorf("%s is %v, not %v", features[i], f.Category, want)
		}
	}
}

func TestNumbersOfEvidence(t *testing.T) {
	e := &Evidence{ID: "n", Question: "How many cups of coffee do you drink on a normal day?", Source: "a survey", Dates: "2025", Digest: "cups",
		Options: []OptionShare{{"0", .25}, {"1", .2}, {"2", .3}, {"3", .15}, {"4 or more", .1}}}
	q := Question{Text: "How many cups of coffee do you drink on a normal day?", Type: Numeric, Integer: true, Minimum: pt(0), Unit: "cups"}
	a := ask(t, q, Policy{})
	counts := map[float64]float64{}
	for m := range 64 {
		x := answer(t, a, member(m, e))
		if x.State != Grounded {
			t.Fatalf("state %q", x.State)
		}
		counts[*x.Number] += 1. / 64
	}
	for v, want := range map[float64]float64{0: .25, 1: .2, 2: .3, 3: .15} {
		if math.Abs(counts[v]-want) > 1./16 {
			t.Errorf("%g cups: %.3f, not %.3f", v, counts[v], want)
		}
	}
	own := member(1)
	own.Profile = ParseProfile("Age: 43")
	if x := answer(t, ask(t, Question{Text: "What is your age?", Type: Numeric, Integer: true}, Policy{}), own); x.State != Stated || *x.Number != 43 {
		t.Errorf("%+v", x)
	}
	before := member(1, e)
	before.Earlier = []Earlier{{Question: q.Text, Number: pt(7)}}
	if x := answer(t, a, before); x.State != Stated || *x.Number != 7 {
		t.Errorf("an earlier number is not kept: %+v", x)
	}
}

// M-344: order of items, other Minds and a restart change nothing.
func TestBatteriesAreDeterministic(t *testing.T) {
	e := planted(phoneQuestion, phoneItems, phoneWorth)
	b := &Battery{Method: "maxdiff", Subject: phoneQuestion, Items: phoneItems, Task: "t1"}
	q := Question{Text: "Which matters most, and which least?", Type: BestWorst, Options: phoneItems[:4], Battery: b}
	turned := q
	turned.Options = []string{phoneItems[3], phoneItems[1], phoneItems[0], phoneItems[2]}
	for m := range 50 {
		r := member(m, e)
		x, y := answer(t, ask(t, q, Policy{}), r), answer(t, ask(t, turned, Policy{}), r)
		if x.Best != y.Best || x.Worst != y.Worst {
			t.Errorf("Mind %d answers another way when items are shown in another order", m)
		}
		again, _ := json.Marshal(answer(t, ask(t, q, Policy{}), r))
		first, _ := json.Marshal(x)
		if string(again) != string(first) {
			t.Errorf("%s, then %s", first, again)
		}
	}
	q.Battery = nil
	if x := answer(t, ask(t, q, Policy{}), member(0)); x.State != Unsupported || x.Best == "" {
		t.Errorf("without evidence: %+v", x)
	}
	if x := answer(t, ask(t, q, Policy{Strict: true}), member(0)); x.Status != CannotAnswer {
		t.Errorf("strict: %+v", x)
	}
}

func TestBatteriesRefuseWhatHasNoForm(t *testing.T) {
	for name, q := range map[string]Question{
		"one item":        {Text: "Order these", Type: Ranking, Options: []string{"a"}},
		"an item twice":   {Text: "Order these", Type: Ranking, Options: []string{"a", "a"}},
		"too many ranks":  {Text: "Order these", Type: Ranking, Options: []string{"a", "b"}, TopK: 3},
		"two to compare":  {Text: "Best and worst", Type: BestWorst, Options: []string{"a", "b"}},
		"bounds turned":   {Text: "How many?", Type: Numeric, Minimum: pt(3), Maximum: pt(2)},
		"no role":         {Text: "At what price?", Type: Numeric, Battery: &Battery{Method: MethodWestendorp}},
		"no price":        {Text: "Would you buy?", Type: Scale, Min: 1, Max: 5, Battery: &Battery{Method: MethodGranger}},
		"four of kano":    {Text: "How would you feel?", Type: Categorical, Options: []string{"a", "b", "c", "d"}, Battery: &Battery{Method: MethodKano, Role: RoleWith}},
		"other lengths":   {Text: "Choose", Type: Categorical, Options: []string{"a", "b"}, Battery: &Battery{Alternatives: []Alternative{{ID: "a"}}}},
		"a level unknown": {Text: "Choose", Type: Categorical, Options: []string{"a", "b"}, Battery: &Battery{Attributes: milkAttributes(), Alternatives: []Alternative{{ID: "a", Levels: map[string]string{"kind": "water"}}, {ID: "none"}}}},
	} {
		if _, err := NewOffline().Ask(context.Background(), q, Policy{}); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func BenchmarkConjointTask(b *testing.B) {
	attributes := milkAttributes()
	q := Question{Text: "Which of these would you choose?", Type: Categorical, Options: []string{"A", "B", "None"}, Battery: &Battery{Subject: "a drink", Task: "t", Attributes: attributes, Alternatives: []Alternative{
		{ID: "a", Levels: map[string]string{"kind": "oat", "size": "small", "price": "p1"}}, {ID: "b", Levels: map[string]string{"kind": "cow", "size": "large", "price": "p3"}}, {ID: "none"}}}}
	a := ask(b, q, Policy{})
	for i := 0; b.Loop(); i++ {
		answer(b, a, member(i))
	}
}

func BenchmarkPrepareTask(b *testing.B) {
	q := Question{Text: "Which of these matters most to you, and which least?", Type: BestWorst, Options: phoneItems[:4], Battery: &Battery{Subject: phoneQuestion, Items: phoneItems, Task: "t"}}
	for b.Loop() {
		ask(b, q, Policy{})
	}
}

package consistency

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

func scale(text string, lo, hi int) simulate.Question {
	return simulate.Question{Text: text, Type: simulate.Scale, Min: lo, Max: hi}
}

func choice(text string, options ...string) simulate.Question {
	return simulate.Question{Text: text, Type: simulate.Categorical, Options: options}
}

func amountOf(text string) simulate.Question {
	return simulate.Question{Text: text, Type: simulate.Numeric}
}

func many(text string, exclusive string, options ...string) simulate.Question {
	return simulate.Question{Text: text, Type: simulate.Multiselect, Options: append(options, exclusive), Exclusive: []string{exclusive}}
}

func num(v float64) *simulate.Earlier    { return &simulate.Earlier{Number: &v} }
func opt(o string) *simulate.Earlier     { return &simulate.Earlier{Option: o} }
func opts(o ...string) *simulate.Earlier { return &simulate.Earlier{Options: o} }
func price(v float64) *float64           { return &v }
func of(q ...simulate.Question) (l []Item) {
	for i, x := range q {
		l = append(l, Item{ID: fmt.Sprintf("q%d", i+1), Question: x})
	}
	return l
}

func meter(product string) (out []simulate.Question) {
	for _, role := range meterRoles {
		q := amountOf("At what price is it " + role + ": " + product + "?")
		q.Battery = &simulate.Battery{Method: simulate.MethodWestendorp, Subject: product, Role: role, Currency: "EUR"}
		out = append(out, q)
	}
	return out
}

func granger(product string, prices ...float64) (out []simulate.Question) {
	for _, p := range prices {
		q := scale(fmt.Sprintf("%s costs EUR %g. How likely would you be to buy it at this price?", product, p), 1, 5)
		q.Battery = &simulate.Battery{Method: simulate.MethodGranger, Subject: product, Role: simulate.RoleIntent, Price: price(p), Currency: "EUR"}
		out = append(out, q)
	}
	return out
}

var (
	yesNo  = []string{"Yes", "No"}
	often  = []string{"Never", "Rarely", "Sometimes", "Often", "Always"}
	rate   = []string{"Never", "Less than once a year", "Once a month", "Once a week", "Daily"}
	agree5 = []string{"Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"}
)

// plant is one contradiction: the items, the two answers and what rule finds it.
type plant struct {
	name    string
	items   []Item
	answers []*simulate.Earlier
	profile string
	rule    string
}

// plants writes contradictions over activities, objects, statements and products.
func plants(r *rand.Rand) (out []plant) {
	add := func(rule, name, profile string, items []Item, answers ...*simulate.Earlier) {
		out = append(out, plant{name, items, answers, profile, rule})
	}
	pickOf := func(list []string) string { return list[r.IntN(len(list))] }

	for _, act := range []string{"drink coffee", "eat meat", "smoke cigarettes", "ride a bicycle", "play video games", "buy groceries online", "read newspapers", "go to church", "watch sports on television", "use public transport", "cook at home", "exercise outdoors", "listen to podcasts", "drink alcohol"} {
		some := rate[1+r.IntN(4)]
		add(RuleRouting, act+": no, then "+some, "", of(choice("Do you "+act+"?", yesNo...), choice("How often do you "+act+"?", rate...)), opt("No"), opt(some))
		add(RuleRouting, act+": never, then a count", "", of(choice("How often do you "+act+"?", often...), amountOf("How many times a week do you "+act+"?")), opt("Never"), num(float64(1+r.IntN(6))))
		add(RuleRouting, act+": yes, then never", "", of(choice("Do you "+act+"?", yesNo...), choice("How often do you "+act+"?", often...)), opt("Yes"), opt("Never"))
		add(RuleRouting, act+": daily, then no", "", of(choice("How often do you "+act+"?", rate...), choice("Do you "+act+"?", yesNo...)), opt("Daily"), opt("No"))
		add(RuleConstruct, act+" twice", "", of(choice("How often do you "+act+"?", often...), scale("Are you tired?", 1, 5), choice("How often do you "+act+" these days?", often...)), opt(pickOf(often[3:])), num(3), opt(pickOf(often[:2])))
		add(RuleConstruct, act+": yes and no", "", of(choice("Do you "+act+"?", yesNo...), choice("Do you currently "+act+"?", yesNo...)), opt("Yes"), opt("No"))
	}
	for _, thing := range []string{"car", "dog", "smartphone", "bicycle", "motorcycle", "tablet", "television", "credit card"} {
		add(RuleRouting, thing+": none, then its brand", "", of(choice("Do you own a "+thing+"?", yesNo...), choice("Which brand of "+thing+" do you own?", "Alba", "Brio", "Cano", "I do not own one")), opt("No"), opt(pickOf([]string{"Alba", "Brio", "Cano"})))
		add(RuleRouting, thing+": none, then satisfied with it", "", of(choice("Do you own a "+thing+"?", yesNo...), scale("How satisfied are you with your "+thing+"?", 1, 5)), opt("No"), num(float64(3+r.IntN(3))))
		add(RuleProfile, thing+" in the profile", thing+": Yes", of(choice("Do you own a "+thing+"?", yesNo...)), opt("No"))
	}
	for _, topic := range []string{"the service of your bank", "your job", "public transport in your city", "the quality of the food", "your last holiday", "the price of the ticket", "the new website", "your neighbourhood"} {
		hi := []int{5, 7, 10}[r.IntN(3)]
		far := hi/2 + 1
		add(RuleConstruct, topic+" twice", "", of(scale("How satisfied are you with "+topic+"?", 1, hi), scale("Overall, how satisfied are you with "+topic+"?", 1, hi)), num(1), num(float64(1+far-r.IntN(2))))
		add(RuleConstruct, topic+" on two scales", "", of(scale("How satisfied are you with "+topic+"?", 1, 5), scale("How satisfied would you say you are with "+topic+"?", 0, 10)), num(5), num(float64(r.IntN(5))))
		add(RuleConstruct, topic+" turned", "", of(scale("How satisfied are you with "+topic+"?", 1, 5), scale("How dissatisfied are you with "+topic+"?", 1, 5)), num(5), num(float64(4+r.IntN(2))))
	}
	for _, s := range []string{"Taxes are too high.", "My city is a good place to live.", "Technology makes life better.", "I enjoy meeting new people.", "Meetings waste time.", "Organic food is worth its price."} {
		add(RuleConstruct, s, "", of(choice("How much do you agree with this statement? "+s, agree5...), choice("Please say how much you agree with this statement: "+s, agree5...)), opt(agree5[r.IntN(2)]), opt(agree5[3+r.IntN(2)]))
	}
	for _, product := range []string{"oat drink", "running shoes", "a music subscription", "a city bike", "a coffee machine"} {
		base := []float64{2, 4, 6, 8}
		i := r.IntN(3)
		four := []float64{base[0], base[1], base[2], base[3]}
		four[i], four[i+1] = four[i+1], four[i]
		add(RulePriceOrder, product+" out of order", "", of(meter(product)...), num(four[0]), num(four[1]), num(four[2]), num(four[3]))
		add(RulePriceOrder, product+" equal", "", of(meter(product)...), num(2), num(4), num(4), num(8))
		add(RulePriceOrder, product+" dearer", "", of(granger(product, 2, 4, 6, 8)...), num(5), num(2), num(float64(4+r.IntN(2))), num(1))
		add(RulePriceOrder, product+" too expensive and bought", "", of(append(meter(product), granger(product, 5, 9)...)...), num(2), num(4), num(6), num(8), num(5), num(5))
		a, b := 10+r.IntN(40), 10+r.IntN(30)
		text := "How many percent of your spending on " + product + " goes to %s? The answers must add up to 100."
		add(RuleArithmetic, product+" parts", "", of(amountOf(fmt.Sprintf(text, "brand A")), amountOf(fmt.Sprintf(text, "brand B")), amountOf(fmt.Sprintf(text, "others"))), num(float64(a)), num(float64(b)), num(float64(100-a-b+5+r.IntN(20))))
		add(RuleExclusive, product+" none with others", "", of(many("Which of these have you used with "+product+"? Select all that apply.", "None of these", "App", "Shop", "Phone")), opts("App", "None of these"))
	}
	for range 4 {
		n := 2 + r.IntN(3)
		add(RuleArithmetic, "children", "", of(amountOf("How many people live in your household?"), amountOf("How many children live in your household?")), num(float64(n)), num(float64(n+r.IntN(3))))
		age := 20 + r.IntN(50)
		add(RuleProfile, "age", fmt.Sprintf("Age: %d", age), of(amountOf("What is your age?")), num(float64(age+4+r.IntN(20))))
		add(RuleProfile, "age band", fmt.Sprintf("Age: %d", 20+r.IntN(9)), of(choice("What is your age?", "18-29", "30-44", "45-59", "60 or older")), opt([]string{"30-44", "45-59", "60 or older"}[r.IntN(3)]))
		add(RuleProfile, "gender", "Gender: Female", of(choice("What is your gender?", "Male", "Female", "Other")), opt("Male"))
		add(RuleProfile, "household", "Household size: 4", of(amountOf("What is the size of your household?")), num(1))
		add(RuleProfile, "education", "Education: Bachelor's degree", of(choice("What is your highest level of education?", "High school or less", "Some college", "Bachelor's degree", "Graduate degree")), opt("High school or less"))
	}
	return out
}

// M-193: planted contradictions are found, of every kind.
func TestPlantedContradictionsM193(t *testing.T) {
	found, all := map[string]int{}, map[string]int{}
	hit, total := 0, 0
	for seed := range uint64(5) {
		for _, p := range plants(rand.New(rand.NewPCG(seed, 7))) {
			c, err := New(p.items, "en")
			if err != nil {
				t.Fatalf("%s: %v", p.name, err)
			}
			flags := c.Check(Mind{ID: "m", Answers: p.answers, Profile: simulate.ParseProfile(p.profile)})
			ok := false
			for _, f := range flags {
				ok = ok || f.RuleID == p.rule
			}
			all[p.rule]++
			total++
			if ok {
				found[p.rule]++
				hit++
			} else if seed == 0 {
				t.Logf("missed (%s): %s, flags %v", p.rule, p.name, flags)
			}
		}
	}
	for rule, n := range all {
		t.Logf("%s: %d of %d (%.1f%%)", rule, found[rule], n, 100*float64(found[rule])/float64(n))
		if float64(found[rule]) < .9*float64(n) {
			t.Errorf("%s: only %d of %d found", rule, found[rule], n)
		}
	}
	t.Logf("all: %d of %d planted contradictions found (%.1f%%)", hit, total, 100*float64(hit)/float64(total))
}

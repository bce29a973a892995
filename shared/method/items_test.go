package method

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var locales = []string{"en", "de", "fr", "es", "it", "pt", "nl"}

// complete configurations, one or more a method.
var configurations = map[string][]string{
	GuidedExploring: {`{"objective":"Why do people stop using the app?"}`},
	RankedPrefs:     {`{"items":` + abc + `}`, `{"items":` + abc + `,"topK":2}`},
	NPS:             {`{"subject":"Example Bank"}`, `{"subject":"Example Bank","question":"Would you recommend us?"}`},
	TopBox:          {`{"statements":` + abc + `,"scaleTop":"high"}`, `{"statements":` + abc + `,"scaleTop":"low","scaleRange":[1,7],"boxes":3}`},
	KeyDrivers:      {`{"outcome":{"id":"overall","label":"Overall satisfaction"},"drivers":` + abc + `}`},
	TURF:            {`{"items":` + abc + `}`, `{"items":` + abc + `,"reach":"top_2_box"}`},
	GaborGranger:    {`{"product":"Monthly pass","currency":"EUR","prices":[5,10,15,20]}`, `{"product":"Monthly pass","currency":"EUR","prices":[5,10,15,20],"asking":"sequential"}`},
	VanWestendorp:   {`{"product":"Monthly pass","currency":"EUR","range":[1,50],"purchaseIntent":true}`},
	Kano:            {`{"features":` + abc + `}`},
	MaxDiff:         {`{"items":[{"id":"a","label":"A"},{"id":"b","label":"B"},{"id":"c","label":"C"},{"id":"d","label":"D"},{"id":"e","label":"E"},{"id":"f","label":"F"}]}`},
	Conjoint: {`{"attributes":[{"id":"brand","label":"Brand","levels":[{"id":"x","label":"X"},{"id":"y","label":"Y"},{"id":"z","label":"Z"}]},{"id":"size","label":"Size","levels":[{"id":"s","label":"Small"},{"id":"l","label":"Large"}]},
		{"id":"price","label":"Price","kind":"price","levels":[{"id":"p1","label":"5 EUR","value":5},{"id":"p2","label":"10 EUR","value":10},{"id":"p3","label":"15 EUR","value":15}]}],"none":true,"holdouts":1,"priceModel":"linear"}`},
}

const abc = `[{"id":"a","label":"Faster delivery"},{"id":"b","label":"Lower price"},{"id":"c","label":"More choice"}]`

func prepared(t testing.TB, id, configuration string) Prepared {
	t.Helper()
	p, err := Prepare(id, json.RawMessage(configuration), "en", "run")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// M-206, M-88, M-85: items of every method in every language fit the contract.
func TestItemsFitTheContract(t *testing.T) {
	s := shape(t, "Item")
	for id, cs := range configurations {
		for _, c := range cs {
			for _, locale := range append(slices.Clone(locales), "ja", "de-AT", "pt_BR", "") {
				items, err := Items(id, json.RawMessage(c), locale, "run")
				if err != nil || len(items) == 0 {
					t.Fatalf("%s %s: %d items, %v", id, locale, len(items), err)
				}
				for n, it := range items {
					raw, _ := json.Marshal(it)
					var m map[string]any
					_ = json.Unmarshal(raw, &m)
					for k, v := range map[string]any{"moduleId": id, "position": n + 1, "attachmentIds": []any{}, "origin": "method", "methodId": id, "readOnly": true} {
						m[k] = v
					}
					fits(t, s, id+" "+locale, m)
					if it.ID != fmt.Sprintf("%s-%d", id, n+1) || strings.Contains(string(raw), "%s") {
						t.Errorf("%s: %s", it.ID, raw)
					}
				}
				again, _ := Items(id, json.RawMessage(c), locale, "run")
				if !reflect.DeepEqual(items, again) {
					t.Errorf("%s %s: the same call wrote other items", id, locale)
				}
			}
		}
	}
	for _, id := range []string{GuidedResearch, SingleQuestion, Questionnaire} {
		if items, err := Items(id, nil, "en", "s"); err != nil || len(items) != 0 {
			t.Errorf("%s: %v %v", id, items, err)
		}
	}
}

// M-206: how many items of which kind.
func TestItemsOfEachMethod(t *testing.T) {
	for _, c := range []struct {
		id    string
		which int
		types string
	}{
		{GuidedExploring, 0, "qualitative*3"}, {RankedPrefs, 0, "ranking*1"}, {NPS, 0, "scale*1"}, {TopBox, 0, "scale*3"}, {KeyDrivers, 0, "scale*4"},
		{TURF, 0, "multiselect*1"}, {TURF, 1, "scale*3"}, {GaborGranger, 0, "scale*4"}, {GaborGranger, 1, "scale*4"},
		{VanWestendorp, 0, "numeric*4 scale*2"}, {Kano, 0, "categorical*6"}, {MaxDiff, 0, "best_worst*6"}, {Conjoint, 0, "categorical*11"},
	} {
		var got []string
		n := map[string]int{}
		for _, it := range prepared(t, c.id, configurations[c.id][c.which]).Items {
			if n[it.Response.Type] == 0 {
				got = append(got, it.Response.Type)
			}
			n[it.Response.Type]++
		}
		for i, g := range got {
			got[i] = g + "*" + strconv.Itoa(n[g])
		}
		if strings.Join(got, " ") != c.types {
			t.Errorf("%s: %v, want %s", c.id, got, c.types)
		}
	}
	turf := prepared(t, TURF, configurations[TURF][0]).Items[0]
	if last := turf.Response.CategoricalOptions[3]; last != "None of these" || !slices.Equal(turf.Response.ExclusiveOptions, []string{last}) {
		t.Errorf("%+v", turf.Response)
	}
	low := prepared(t, TopBox, configurations[TopBox][1]).Items[0].Response
	if low.ScaleLabels["1"] != "Strongly agree" || low.ScaleLabels["7"] != "Strongly disagree" || low.ScaleTop != "low" {
		t.Errorf("%+v", low)
	}
	if own := prepared(t, NPS, configurations[NPS][1]).Items[0].Text; own != "Would you recommend us?" {
		t.Error(own)
	}
	meter := prepared(t, VanWestendorp, `{"product":"a pass","currency":"EUR","range":[1,50],"questionOrder":["expensive","too_expensive","cheap","too_cheap"],"purchaseIntent":true}`).Items
	if !strings.Contains(meter[0].Text, "start to be expensive") || !strings.Contains(meter[4].Text, "{price}") {
		t.Errorf("%q %q", meter[0].Text, meter[4].Text)
	}
	raw := json.RawMessage(`{"product":"a pass","currency":"EUR","range":[1,50],"questionOrder":["expensive","too_expensive","cheap","too_cheap"],"purchaseIntent":true}`)
	if from, currency, ok := IntentPrice(raw, 4); !ok || from != 2 || currency != "EUR" {
		t.Errorf("%d %s %v", from, currency, ok)
	}
	if from, _, ok := IntentPrice(raw, 5); !ok || from != 0 {
		t.Errorf("%d", from)
	}
	if _, _, ok := IntentPrice(raw, 3); ok {
		t.Error("a price question has no price of its own")
	}
	if got := FillPrice(meter[4].Text, 12.5, "EUR", "en"); got != "At EUR 12.50, how likely would you be to buy a pass?" {
		t.Error(got)
	}
	if got := wordingFor("de").money(9.9, "EUR"); got != "9,90 EUR" {
		t.Error(got)
	}
}

// M-88: each position has its variants, and the slot says which one a Mind sees.
func TestDesignVersions(t *testing.T) {
	p := prepared(t, Conjoint, configurations[Conjoint][0])
	if len(p.Versions) != 4 || p.Diagnostics["dError"] == nil {
		t.Errorf("%v %v", p.Versions, p.Diagnostics)
	}
	for n, it := range p.Items {
		if len(it.Variants) != 4 || it.Text != it.Variants[0].Text || len(it.Variants[0].Alternatives) != 4 || it.Variants[0].Alternatives[3].ID != "none" {
			t.Fatalf("%+v", it)
		}
		v, ok := it.VersionOf(7)
		if !ok || v.VersionID != "v4" {
			t.Errorf("slot 7 sees %s", v.VersionID)
		}
		if n == 10 && !reflect.DeepEqual(it.Variants[0].Alternatives, it.Variants[3].Alternatives) {
			t.Error("the holdout differs between versions")
		}
	}
	m := prepared(t, MaxDiff, configurations[MaxDiff][0])
	if len(m.Items) != 6 || len(m.Items[0].Variants) != 4 || m.Diagnostics["connected"] != true {
		t.Errorf("%d sets, %v", len(m.Items), m.Diagnostics)
	}
	other, _ := Prepare(MaxDiff, json.RawMessage(configurations[MaxDiff][0]), "en", "another run")
	own := strings.TrimSuffix(configurations[MaxDiff][0], "}") + `,"seed":"fixed"}`
	a, _ := Prepare(MaxDiff, json.RawMessage(own), "en", "run")
	b, _ := Prepare(MaxDiff, json.RawMessage(own), "en", "another run")
	if reflect.DeepEqual(m.Items, other.Items) || !reflect.DeepEqual(a.Items, b.Items) {
		t.Error("the run's seed draws the design unless the configuration has its own")
	}
}

func TestTextsThatNobodyCouldBeAsked(t *testing.T) {
	long := strings.Repeat("é", 2000)
	if _, err := Items(GaborGranger, json.RawMessage(`{"product":"`+long+`","currency":"EUR","prices":[1,2,3,4]}`), "en", "s"); err == nil {
		t.Error("a text beyond 2,000 characters")
	}
	// Signs of formats in labels are shown as they are.
	items, _ := Items(NPS, json.RawMessage(`{"subject":"100%s \"x\" {price}"}`), "en", "s")
	if !strings.Contains(items[0].Text, `100%s "x" {price}`) {
		t.Error(items[0].Text)
	}
	// An item called like the way out keeps its own answer.
	items, _ = Items(TURF, json.RawMessage(`{"items":[{"id":"a","label":"None of these"},{"id":"b","label":"B"}]}`), "en", "s")
	if r := items[0].Response; r.CategoricalOptions[2] == r.CategoricalOptions[0] {
		t.Error("two options are the same")
	}
}

// M-206, M-187: a sequential battery walks up after a buy and down after a
// refusal, never asks a price twice, and always decides the highest price.
func TestTheStaircaseDecides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 9).Draw(t, "prices")
		prices := make([]string, n)
		for i := range prices {
			prices[i] = strconv.Itoa(i + 1)
		}
		c := json.RawMessage(`{"product":"p","currency":"EUR","asking":"sequential","prices":[` + strings.Join(prices, ",") + `]}`)
		highest := rapid.IntRange(-1, n-1).Draw(t, "highest")
		slot := rapid.Int64Range(0, 1<<40).Draw(t, "slot")
		var steps []Step
		for {
			v, ask, err := NextPrice(c, "run", slot, steps)
			if err != nil {
				t.Fatal(err)
			}
			if !ask {
				break
			}
			if slices.ContainsFunc(steps, func(s Step) bool { return s.Variant == v }) || len(steps) >= n {
				t.Fatalf("%d again after %v", v, steps)
			}
			point := 2.
			if v <= highest {
				point = 4
			}
			steps = append(steps, Step{v, point})
		}
		bought, refused := -1, n
		for _, s := range steps {
			if s.Point >= 4 {
				bought = max(bought, s.Variant)
			} else {
				refused = min(refused, s.Variant)
			}
		}
		if bought+1 != refused || bought != highest {
			t.Fatalf("highest %d, decided between %d and %d", highest, bought, refused)
		}
	})
}

func TestItemsPerMindAreThoseThatAreWritten(t *testing.T) {
	for id, cs := range configurations {
		for _, c := range cs {
			if got, want := ItemsPerMind(id, json.RawMessage(c)), len(prepared(t, id, c).Items); got != want {
				t.Errorf("%s: %d, written %d", id, got, want)
			}
		}
	}
	if ItemsPerMind(NPS, nil) != 0 || ItemsPerMind(Questionnaire, nil) != 0 || ItemsPerMind(VisualAsset, nil) != 0 {
		t.Error("nothing is written, something is counted")
	}
}

package method

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// asked are members who answer items by a function.
func asked(items []Item, n int, answer func(member, item int, it Item, shown Variant) Value) Answers {
	in := Answers{Items: items, Values: map[string][]Value{}, Seed: "run"}
	for m := range n {
		in.Members = append(in.Members, Member{ID: fmt.Sprintf("m%04d", m), Slot: int64(m)})
	}
	for i, it := range items {
		for m := range n {
			shown, ok := it.VersionOf(int64(m))
			if !ok {
				shown = Variant{Response: it.Response}
			}
			v := answer(m, i, it, shown)
			v.Asked, v.Answered = true, true
			if v.Evidence == "" {
				v.Evidence = "grounded"
			}
			in.Values[it.ID] = append(in.Values[it.ID], v)
		}
	}
	return in
}

// anyhow answers every item at random, within its format.
func anyhow(seed uint64) func(int, int, Item, Variant) Value {
	rng := rand.New(rand.NewPCG(seed, 4))
	return func(m, i int, it Item, shown Variant) Value {
		o := shown.Response.CategoricalOptions
		v := Value{Version: shown.VersionID}
		switch it.Response.Type {
		case "scale":
			lo, hi := it.Response.ScaleRange[0], it.Response.ScaleRange[1]
			v.Number = float64(lo + rng.IntN(hi-lo+1))
		case "numeric":
			v.Number = float64(3*i+1) + float64(rng.IntN(3))
		case "categorical":
			v.Option = o[rng.IntN(len(o))]
		case "multiselect":
			for _, x := range o[:len(o)-1] {
				if rng.IntN(3) == 0 {
					v.Options = append(v.Options, x)
				}
			}
		case "ranking":
			for _, k := range rng.Perm(len(o)) {
				v.Ranking = append(v.Ranking, o[k])
			}
			if it.Response.TopK > 0 {
				v.Ranking = v.Ranking[:it.Response.TopK]
			}
		case "best_worst":
			p := rng.Perm(len(o))
			v.Best, v.Worst = o[p[0]], o[p[1]]
		}
		return v
	}
}

func calculate(t testing.TB, id, configuration string, in Answers) Calculation {
	t.Helper()
	c, err := Calculate(id, json.RawMessage(configuration), in)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return c
}

func result[T any](t testing.TB, c Calculation) T {
	t.Helper()
	var out T
	if c.Status != StatusOK {
		t.Fatalf("%s: %s", c.Status, c.Reason)
	}
	if err := json.Unmarshal(c.Results, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// M-204, M-205: every method, computed, fits the shape of the contract, ends with
// what its intervals mean, and is the same when read again.
func TestEveryCalculationFitsTheContract(t *testing.T) {
	s := shape(t, "Calculation")
	for id, cs := range configurations {
		if !Calculates(id) {
			if _, err := Calculate(id, json.RawMessage(cs[0]), Answers{}); !fault.Is(err, fault.Validation) {
				t.Errorf("%s: %v", id, err)
			}
			continue
		}
		for _, cfg := range cs {
			p := prepared(t, id, cfg)
			if id == GaborGranger && len(p.Items[0].Variants) > 0 {
				continue // asked one price at a time, below
			}
			for _, n := range []int{60, 12, 5, 1} {
				in := asked(p.Items, n, anyhow(uint64(n)))
				c := calculate(t, id, cfg, in)
				fits(t, s, fmt.Sprintf("%s of %d", id, n), c)
				if n == 60 && (c.Status != StatusOK || c.Warnings[len(c.Warnings)-1] != MemberSampling || c.Base.Answered != 60 || *c.Base.EffectiveN != 60) {
					t.Errorf("%s: %s %s %v", id, c.Status, c.Reason, c.Warnings)
				}
				if n == 12 && c.Status == StatusOK && !strings.Contains(strings.Join(c.Warnings, " "), "12 answers: read") {
					t.Errorf("%s of 12: %v", id, c.Warnings)
				}
				again := calculate(t, id, cfg, in)
				a, _ := json.Marshal(c)
				b, _ := json.Marshal(again)
				if !bytes.Equal(a, b) {
					t.Errorf("%s of %d: read again, it is other", id, n)
				}
			}
			none := calculate(t, id, cfg, asked(p.Items, 0, nil))
			fits(t, s, id+" of nobody", none)
			if none.Status != StatusInsufficientBase || none.Results != nil || none.Reason == "" {
				t.Errorf("%s of nobody: %+v", id, none)
			}
		}
	}
}

// M-343: more than half unsupported answers give no figure; exactly half do.
func TestUnsupportedAnswersGiveNoFigure(t *testing.T) {
	s := shape(t, "Calculation")
	p := prepared(t, NPS, configurations[NPS][0])
	for _, c := range []struct {
		without int
		status  string
	}{{20, StatusOK}, {21, StatusInsufficientEvidence}} {
		in := asked(p.Items, 40, func(m, _ int, _ Item, _ Variant) Value {
			v := Value{Number: float64(m % 11)}
			if m < c.without {
				v.Evidence = "unsupported"
			}
			return v
		})
		got := calculate(t, NPS, configurations[NPS][0], in)
		fits(t, s, "nps", got)
		if got.Status != c.status || (c.status != StatusOK) != (got.Results == nil) || c.status != StatusOK && got.Reason != "21 of 40 answers rest on no evidence about the question; figures from them would say nothing." {
			t.Errorf("%d of 40: %+v", c.without, got)
		}
	}
}

// M-204, M-211: the worked examples through the whole method.
func TestWorkedExamples(t *testing.T) {
	p := prepared(t, NPS, configurations[NPS][0])
	nps := result[NPSResult](t, calculate(t, NPS, configurations[NPS][0], asked(p.Items, 100, func(m, _ int, _ Item, _ Variant) Value {
		switch {
		case m < 50:
			return Value{Number: 9}
		case m < 80:
			return Value{Number: 7}
		}
		return Value{Number: 6}
	})))
	if *nps.NPS.Estimate != 30 || math.Abs(*nps.NPS.SE-7.8102) > 5e-5 || *nps.Promoters.Estimate != .5 || *nps.Passives.Estimate != .3 || math.Abs(*nps.Detractors.Estimate-.2) > 1e-12 {
		t.Errorf("%+v", nps)
	}

	cfg := `{"product":"p","currency":"EUR","prices":[5,10,15,20],"unitCost":4}`
	p = prepared(t, GaborGranger, cfg)
	highest := []float64{0, 5, 5, 10, 10, 10, 15, 15, 20, 20}
	prices := []float64{5, 10, 15, 20}
	gg := result[DemandResult](t, calculate(t, GaborGranger, cfg, asked(p.Items, 10, func(m, i int, _ Item, _ Variant) Value {
		if prices[i] <= highest[m] {
			return Value{Number: 4}
		}
		return Value{Number: 3}
	})))
	if *gg.OptimumPrice != 10 || gg.Demand[1].Share != .7 || gg.Demand[1].RevenueIndex != 7 || math.Abs(*gg.Demand[3].Elasticity+2.3333) > 5e-5 || gg.Violators != 0 || *gg.Demand[2].ProfitIndex != 4.4 {
		t.Errorf("%+v", gg)
	}
	top := strings.TrimSuffix(cfg, "}") + `,"buyRule":"top_box"}`
	if c := calculate(t, GaborGranger, top, asked(p.Items, 10, func(int, int, Item, Variant) Value { return Value{Number: 4} })); result[DemandResult](t, c).OptimumPrice != nil {
		t.Error("probably buying is no buy at the top box")
	}

	meter := [][4]float64{{2, 4, 7, 9}, {3, 5, 8, 10}, {3, 5, 9, 11}, {4, 6, 9, 12}, {4, 7, 10, 13}, {5, 7, 11, 13}, {5, 8, 11, 14}, {6, 8, 12, 15}, {6, 9, 13, 16}, {7, 10, 14, 18}, {5, 4, 9, 12}}
	cheap, expensive := []float64{5, 4, 4, 3, 5, 4, 3, 4, 5, 4, 5}, []float64{3, 2, 3, 2, 2, 3, 1, 2, 3, 2, 5}
	cfg = `{"product":"p","currency":"EUR","range":[1,50],"purchaseIntent":true}`
	p = prepared(t, VanWestendorp, cfg)
	c := calculate(t, VanWestendorp, cfg, asked(p.Items, 11, func(m, i int, _ Item, _ Variant) Value {
		return Value{Number: append(meter[m][:], cheap[m], expensive[m])[i]}
	}))
	vw := result[MeterResult](t, c)
	if *vw.PMC != 5 || *vw.PME != 11 || *vw.IDP != 8 || *vw.OPP != 7 || vw.Valid != 10 || vw.Invalid != 1 || c.Excluded["invalid_order"] != 1 || *vw.NewtonMillerSmith != (TrialPrices{8, 8}) {
		t.Errorf("%+v %v", vw, c.Excluded)
	}

	cfg = `{"features":[{"id":"f","label":"F"}]}`
	p = prepared(t, Kano, cfg)
	answers := map[string][2]int{"A": {0, 2}, "O": {0, 4}, "M": {1, 4}, "I": {2, 2}, "R": {4, 0}, "Q": {0, 0}}
	var who []string
	for _, k := range []struct {
		c string
		n int
	}{{"A", 35}, {"O", 25}, {"M", 15}, {"I", 20}, {"R", 3}, {"Q", 2}} {
		for range k.n {
			who = append(who, k.c)
		}
	}
	kano := result[KanoResult](t, calculate(t, Kano, cfg, asked(p.Items, 100, func(m, i int, it Item, _ Variant) Value {
		return Value{Option: it.Response.CategoricalOptions[answers[who[m]][i]]}
	})))
	if f := kano.Features[0]; f.Category != "A" || math.Abs(*f.Better-.6316) > 5e-5 || math.Abs(*f.Worse+.4211) > 5e-5 || f.Counts["R"] != 3 || f.Unclear || math.Abs(*f.Strength-.1) > 1e-12 {
		t.Errorf("%+v", f)
	}
}

func TestTopBoxIsInFractions(t *testing.T) {
	cfg := `{"statements":[{"id":"a","label":"A"}],"scaleTop":"low","boxes":2}`
	p := prepared(t, TopBox, cfg)
	r := result[TopBoxResult](t, calculate(t, TopBox, cfg, asked(p.Items, 50, func(m, _ int, _ Item, _ Variant) Value { return Value{Number: float64(1 + m%5)} })))
	s := r.Statements[0]
	if math.Abs(*s.Top.Estimate-.4) > 1e-12 || math.Abs(*s.Bottom.Estimate-.4) > 1e-12 || *s.Net.Estimate != 0 || s.Top.CI95[0] < .2 || s.Top.CI95[1] > .6 || s.Boxes != 2 {
		t.Errorf("%+v", s)
	}
}

// M-205: one calculation for all, and one for each of several Audiences.
func TestOneCalculationEach(t *testing.T) {
	p := prepared(t, NPS, configurations[NPS][0])
	in := asked(p.Items, 60, func(m, _ int, _ Item, _ Variant) Value {
		return Value{Number: map[bool]float64{true: 10, false: 0}[m < 20]}
	})
	first, second := Group{ID: "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"}, Group{ID: "8b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"}
	for m := range 60 {
		if m < 20 {
			first.Members = append(first.Members, m)
		} else {
			second.Members = append(second.Members, m)
		}
	}
	all, err := CalculateAll(NPS, json.RawMessage(configurations[NPS][0]), in, []Group{first, second})
	if err != nil || len(all) != 3 {
		t.Fatalf("%d %v", len(all), err)
	}
	s := shape(t, "Calculation")
	for i, want := range []float64{100 * (20. - 40) / 60, 100, -100} {
		fits(t, s, "nps", all[i])
		if got := result[NPSResult](t, all[i]); math.Abs(*got.NPS.Estimate-want) > 1e-9 {
			t.Errorf("%d: %v, want %v", i, *got.NPS.Estimate, want)
		}
	}
	if all[0].AudienceID != nil || *all[2].AudienceID != second.ID || all[1].CalculationID == all[2].CalculationID || all[2].Base.Participating != 40 {
		t.Errorf("%+v", all[2])
	}
	if one, _ := CalculateAll(NPS, json.RawMessage(configurations[NPS][0]), in, []Group{first}); len(one) != 1 {
		t.Error("a run with one Audience has one calculation")
	}
}

// M-127, M-205: weights move figures and shrink the base.
func TestWeightsOfMembers(t *testing.T) {
	p := prepared(t, NPS, configurations[NPS][0])
	in := asked(p.Items, 60, func(m, _ int, _ Item, _ Variant) Value {
		return Value{Number: map[bool]float64{true: 10, false: 0}[m < 20]}
	})
	for m := range in.Members {
		in.Members[m].Weight = map[bool]float64{true: 2, false: .5}[m < 20]
	}
	c := calculate(t, NPS, configurations[NPS][0], in)
	r := result[NPSResult](t, c)
	if math.Abs(*r.NPS.Estimate-100*(40.-20)/60) > 1e-9 || math.Abs(*c.Base.EffectiveN-3600./90) > 1e-9 || *r.NPS.EffectiveN != *c.Base.EffectiveN || r.NPS.N != 60 {
		t.Errorf("%+v %+v", r.NPS, c.Base)
	}
}

// M-186, M-211: not-asked and failed members are out of the base and counted.
func TestTheBaseCountsWhoAnswered(t *testing.T) {
	cfg := configurations[KeyDrivers][0]
	p := prepared(t, KeyDrivers, cfg)
	in := asked(p.Items, 50, anyhow(1))
	for _, it := range p.Items {
		in.Values[it.ID][0] = Value{}                    // not asked
		in.Values[it.ID][1] = Value{Asked: true}         // failed
		in.Values[p.Items[2].ID][2] = Value{Asked: true} // failed one item
		in.Values[it.ID][3].Evidence = "unsupported"     // still an answer
	}
	c := calculate(t, KeyDrivers, cfg, in)
	if b := c.Base; b.Participating != 50 || b.NotAsked != 1 || b.Failed != 2 || b.Answered != 47 || b.Asked != 49 || c.Excluded["incomplete"] != 2 || c.Status != StatusOK {
		t.Errorf("%+v %v", c.Base, c.Excluded)
	}
	few := in.Only([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	if c := calculate(t, KeyDrivers, cfg, few); c.Status != StatusInsufficientBase || c.Reason != "7 answers; 30 are needed for 3 drivers." || string(c.Results) != "" {
		t.Errorf("%+v", c)
	}
}

// M-206: the sequential battery gives the demand of the highest accepted prices.
func TestSequentialDemand(t *testing.T) {
	cfg := configurations[GaborGranger][1]
	p := prepared(t, GaborGranger, cfg)
	highest := func(m int) int { return m%5 - 1 } // -1..3: demand .8 .6 .4 .2
	in := Answers{Items: p.Items, Values: map[string][]Value{}, Seed: "run"}
	for _, it := range p.Items {
		in.Values[it.ID] = make([]Value, 40)
	}
	for m := range 40 {
		in.Members = append(in.Members, Member{ID: strconv.Itoa(m), Slot: int64(m)})
		var steps []Step
		for i := range p.Items {
			v, ask, err := NextPrice(json.RawMessage(cfg), "run", int64(m), steps)
			if err != nil {
				t.Fatal(err)
			}
			if !ask {
				break
			}
			point := map[bool]float64{true: 5, false: 1}[v <= highest(m)]
			steps = append(steps, Step{v, point})
			in.Values[p.Items[i].ID][m] = Value{Asked: true, Answered: true, Number: point, Version: p.Items[i].Variants[v].VersionID, Evidence: "grounded"}
		}
	}
	c := calculate(t, GaborGranger, cfg, in)
	fits(t, shape(t, "Calculation"), "sequential", c)
	for i, d := range result[DemandResult](t, c).Demand {
		if math.Abs(d.Share-[]float64{.8, .6, .4, .2}[i]) > 1e-12 {
			t.Errorf("at %v: %v", d.Price, d.Share)
		}
	}
	if c.Base.Answered != 40 || len(c.Excluded) != 0 {
		t.Errorf("%+v %v", c.Base, c.Excluded)
	}
}

// Planted reach and rank are found, whatever language asked.
func TestPlantedPreferencesAreFound(t *testing.T) {
	reach, _ := Prepare(TURF, json.RawMessage(configurations[TURF][0]), "fr", "run")
	c := calculate(t, TURF, configurations[TURF][0], asked(reach.Items, 90, func(m, _ int, it Item, _ Variant) Value {
		o := it.Response.CategoricalOptions
		switch {
		case m < 50:
			return Value{Options: []string{o[1]}}
		case m < 80:
			return Value{Options: []string{o[2]}}
		}
		return Value{Options: []string{o[3]}} // none of these
	}))
	r := result[ReachResult](t, c)
	if !r.Exact || r.Sets[0].ItemIDs[0] != "b" || math.Abs(*r.Sets[1].Reach.Estimate-80./90) > 1e-12 || len(r.Ladder) != 3 || r.Ladder[0].ItemID != "b" || r.Ladder[1].ItemID != "c" || r.Ladder[2].Added != 0 {
		t.Errorf("%+v", r)
	}

	cfg := configurations[MaxDiff][0]
	p := prepared(t, MaxDiff, cfg)
	m := result[MaxDiffResult](t, calculate(t, MaxDiff, cfg, asked(p.Items, 40, func(m, i int, _ Item, shown Variant) Value {
		o := shown.Response.CategoricalOptions // A before B before … F
		best, worst := o[0], o[0]
		for _, x := range o {
			best, worst = min(best, x), max(worst, x)
		}
		if (m+i)%7 == 0 {
			best, worst = worst, best
		}
		return Value{Best: best, Worst: worst}
	})))
	sum := 0.0
	for i, it := range m.Items {
		sum += *it.Score
		if *it.Rank != i+1 {
			t.Errorf("%s has rank %d", it.ID, *it.Rank)
		}
	}
	if math.Abs(sum-100) > 1e-6 {
		t.Errorf("scores sum to %v", sum)
	}

	cfg = configurations[Conjoint][0]
	p = prepared(t, Conjoint, cfg)
	cj := result[ConjointResult](t, calculate(t, Conjoint, cfg, asked(p.Items, 80, chooser(3))))
	util := map[string]float64{}
	for _, w := range cj.PartWorths {
		util[w.AttributeID+w.LevelID] = *w.Utility.Estimate
	}
	if !(util["brandx"] > util["brandy"] && util["brandy"] > util["brandz"] && util["pricep1"] > util["pricep2"] && util["pricep2"] > util["pricep3"]) {
		t.Errorf("%v", util)
	}
	if len(cj.Scenarios) != 2 || *cj.HoldoutHitRate < .4 || *cj.Rho2 <= 0 || cj.WillingnessToPay[0].Amount == nil {
		t.Errorf("%+v", cj)
	}
}

// chooser prefers brand x to y to z and low prices, with some noise.
func chooser(seed uint64) func(int, int, Item, Variant) Value {
	rng := rand.New(rand.NewPCG(seed, 8))
	worth := map[string]float64{"x": 1, "y": 0, "z": -1, "s": -.2, "l": .2, "p1": 1, "p2": 0, "p3": -1}
	return func(_, _ int, _ Item, shown Variant) Value {
		best, top := "", math.Inf(-1)
		for _, a := range shown.Alternatives {
			u := -math.Log(rng.ExpFloat64()) // Gumbel noise
			for _, l := range a.Levels {
				u += worth[l]
			}
			if len(a.Levels) == 0 {
				u -= 1
			}
			if u > top {
				best, top = a.Label, u
			}
		}
		return Value{Option: best, Version: shown.VersionID}
	}
}

func TestAnswersThatShouldNotHaveCome(t *testing.T) {
	p := prepared(t, NPS, configurations[NPS][0])
	in := asked(p.Items, 12, func(int, int, Item, Variant) Value { return Value{Number: 11} })
	if _, err := Calculate(NPS, json.RawMessage(configurations[NPS][0]), in); err == nil {
		t.Error("11 of 10")
	}
	in.Values["nps-1"] = in.Values["nps-1"][:3]
	if _, err := Calculate(NPS, json.RawMessage(configurations[NPS][0]), in); err == nil {
		t.Error("three values for twelve members")
	}
	if _, err := Calculate(NPS, nil, in); !fault.Is(err, fault.InvalidMethodConfiguration) {
		t.Errorf("no configuration: %v", err)
	}
	in = asked(p.Items, 12, func(int, int, Item, Variant) Value { return Value{Number: 1} })
	in.Members[3].Weight = math.NaN()
	if _, err := Calculate(NPS, json.RawMessage(configurations[NPS][0]), in); err == nil {
		t.Error("a weight that is no number")
	}
}

func BenchmarkConjointOf300(b *testing.B) {
	cfg := strings.Replace(configurations[Conjoint][0], `"none":true`, `"none":true,"tasks":12`, 1)
	p := prepared(b, Conjoint, cfg)
	in := asked(p.Items, 300, chooser(1))
	for b.Loop() {
		calculate(b, Conjoint, cfg, in)
	}
}

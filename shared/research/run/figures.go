package run

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"strconv"

	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Artifact is what the answers to one item add up to; JSON Artifact of the contract.
type Artifact struct {
	ItemID      string                `json:"itemId"`
	Position    int                   `json:"position"`
	Kind        string                `json:"kind"`
	Status      string                `json:"status"`
	Text        string                `json:"text"`
	OptionOrder []string              `json:"optionOrder"`
	Base        study.Base            `json:"base"`
	Counts      map[string]int        `json:"counts"`
	Percentages map[string]float64    `json:"percentages"`
	Statistics  Statistics            `json:"statistics"`
	Answers     json.RawMessage       `json:"answers"`
	Audiences   []AudienceFigures     `json:"audiences"`
	Routing     *Routing              `json:"routing,omitempty"`
	Flags       *Flags                `json:"answerConsistency,omitempty"`
	Evidence    study.EvidenceSummary `json:"evidence"`
	Warnings    []string              `json:"warnings"`
}

// AudienceFigures are the figures within one Audience.
type AudienceFigures struct {
	AudienceID string  `json:"audienceId"`
	Name       string  `json:"name"`
	Figures    Figures `json:"figures"`
}

// Figures are over the asked Minds only; JSON ArtifactFigures.
type Figures struct {
	Base        study.Base         `json:"base"`
	Counts      map[string]int     `json:"counts"`
	Percentages map[string]float64 `json:"percentages"`
	Statistics  Statistics         `json:"statistics"`
}

// Statistics are what the kind of an item has; what it has and cannot be named is null.
type Statistics map[string]any

// Theme is what several open answers speak of.
type Theme struct {
	Label   string   `json:"label"`
	Count   int      `json:"count"`
	MindIDs []string `json:"mindIds"`
	Quotes  []string `json:"quotes"`
}

// Routing says who was not asked, in member order, and why (M-184).
type Routing struct {
	AskedCount      int               `json:"askedCount"`
	NotAskedCount   int               `json:"notAskedCount"`
	NotAskedMindIDs []string          `json:"notAskedMindIds"`
	NotAskedReasons map[string]string `json:"notAskedReasons"`
}

// Flags are the contradictions of one item.
type Flags struct {
	Flags []itemFlag `json:"flags"`
}

type itemFlag struct {
	MindID   string `json:"mindId"`
	WithItem string `json:"withItem"`
	Reason   string `json:"reason"`
	RuleID   string `json:"ruleId,omitempty"`
}

// smallBase is below what a base is warned of (M-204).
const smallBase = 30

// result packs the artifact of a settled item, without its answers. answers are in
// the order of the roll.
func (s *Service) result(ctx context.Context, ws string, k known, q Item, it itemRow, answers []own) (packed, error) {
	raw, err := encode(artifact(k.roll, q, it, answers))
	if err != nil {
		return packed{}, err
	}
	return s.pack(ctx, ws, raw, inlineLimit/2)
}

func artifact(roll *study.Roll, q Item, it itemRow, answers []own) Artifact {
	a := Artifact{ItemID: q.ID, Position: q.Position, Kind: q.Response.Type, Status: it.Status, Text: q.Text, OptionOrder: []string{},
		Counts: map[string]int{}, Percentages: map[string]float64{}, Statistics: Statistics{}, Answers: json.RawMessage("[]"),
		Audiences: []AudienceFigures{}, Warnings: []string{}, Routing: routing(roll, q, it)}
	a.OptionOrder = append(a.OptionOrder, optionsOf(q)...)
	all := newCounter(q)
	weights := roll.Weights()
	for i := range roll.Minds {
		all.add(roll.Minds[i].ID, it.Asked[i], at(answers, i), weights[i])
	}
	a.Evidence = all.tally.Summary()
	if it.Reserved == 0 {
		a.Kind = NotAsked
		a.Base = all.base
		a.Evidence.Headline = "No Mind was asked."
		return a
	}
	f := all.figures(a.Evidence.Sufficient)
	a.Base, a.Counts, a.Percentages, a.Statistics = f.Base, f.Counts, f.Percentages, f.Statistics
	if a.Base.Answered < smallBase {
		a.Warnings = append(a.Warnings, "base below 30")
	}
	for _, w := range all.tally.Warnings() {
		a.Warnings = append(a.Warnings, w.Text+" ("+strconv.Itoa(w.Count)+")")
	}
	for _, in := range roll.Audiences {
		c := newCounter(q)
		for n, place := range in.Members {
			weight := 1.0
			if n < len(in.Weights) {
				weight = in.Weights[n]
			}
			c.add(roll.Minds[place].ID, it.Asked[place], at(answers, place), weight)
		}
		a.Audiences = append(a.Audiences, AudienceFigures{AudienceID: in.ID, Name: in.Name, Figures: c.figures(c.tally.Summary().Sufficient)})
	}
	return a
}

func at(answers []own, i int) own {
	if i < len(answers) {
		return answers[i]
	}
	return own{}
}

// optionsOf are the labels of an item in plan order; of variants, of the first.
func optionsOf(q Item) []string {
	r := q.Response
	if r.Type == "scale" && len(r.ScaleRange) == 2 {
		var out []string
		for x := r.ScaleRange[0]; x <= r.ScaleRange[1]; x++ {
			out = append(out, strconv.Itoa(x))
		}
		return out
	}
	return r.CategoricalOptions
}

// routing is nil for an item that everybody is asked and that names no condition.
func routing(roll *study.Roll, q Item, it itemRow) *Routing {
	r := &Routing{NotAskedMindIDs: []string{}, NotAskedReasons: map[string]string{}}
	for i, m := range roll.Minds {
		reason := ""
		switch it.Asked[i] {
		case ask:
			r.AskedCount++
			continue
		case bySource:
			reason = reasonSource
		case byMethod:
			reason = reasonMethod
		default:
			reason = reasonCond
		}
		r.NotAskedCount++
		r.NotAskedMindIDs = append(r.NotAskedMindIDs, m.ID)
		r.NotAskedReasons[m.ID] = reason
	}
	if q.AskIf == nil && r.NotAskedCount == 0 {
		return nil
	}
	return r
}

// counter adds answers up, one at a time.
type counter struct {
	q     Item
	base  study.Base
	tally simulate.Tally
	count map[string]int

	weighted     map[string]float64
	sum, squares float64 // of the weights of who answered
	unequal      bool
	values       []float64
	weights      []float64
	ranks        map[string][2]float64 // label to weighted sum of ranks, and weight
	open         []stats.OpenAnswer
}

func newCounter(q Item) *counter {
	c := &counter{q: q, count: map[string]int{}, weighted: map[string]float64{}, ranks: map[string][2]float64{}}
	if q.Response.Type != "numeric" {
		for _, v := range append([]Item{q}, versions(q)...) {
			for _, label := range optionsOf(v) {
				c.count[label] = 0
			}
		}
	}
	return c
}

// versions are the items that the versions of q are.
func versions(q Item) []Item {
	out := make([]Item, len(q.Variants))
	for i, v := range q.Variants {
		out[i] = Item{Response: v.Response}
	}
	return out
}

// add counts one Mind. Answers that failed and Minds that were not asked are in no
// figure (M-211, M-184).
func (c *counter) add(id string, asked byte, a own, weight float64) {
	c.base.Participating++
	if asked != ask {
		c.base.NotAsked++
		return
	}
	c.base.Asked++
	if a.S != string(stateAnswered) {
		c.base.Failed++
		if a.S == string(stateCannot) {
			c.tally.Add(simulate.CannotAnswer, "")
		}
		return
	}
	c.base.Answered++
	c.sum, c.squares, c.unequal = c.sum+weight, c.squares+weight*weight, c.unequal || weight != 1
	c.tally.Add(simulate.Answered, simulate.State(a.E))
	c.tally.Warn(a.W)
	_, r, _ := c.q.variant(variantIn(c.q, a))
	labels := a.labels(r.CategoricalOptions)
	one := func(label string) {
		c.count[label]++
		c.weighted[label] += weight
	}
	switch r.Type {
	case "scale", "numeric":
		if a.N == nil {
			return
		}
		if r.Type == "scale" {
			one(number(*a.N))
		}
		c.values, c.weights = append(c.values, *a.N), append(c.weights, weight)
	case "categorical", "multiselect":
		for _, l := range labels {
			one(l)
		}
	case "ranking":
		if len(labels) > 0 {
			one(labels[0])
		}
		for rank, l := range labels {
			x := c.ranks[l]
			c.ranks[l] = [2]float64{x[0] + weight*float64(rank+1), x[1] + weight}
		}
	case "best_worst":
		if len(labels) == 2 {
			one(labels[0])
		}
	default:
		c.open = append(c.open, stats.OpenAnswer{ID: id, Text: a.T, Unsupported: a.E == string(simulate.Unsupported)})
	}
}

func variantIn(q Item, a own) int {
	if len(q.Variants) == 0 {
		return -1
	}
	return a.V
}

func (c *counter) figures(sufficient bool) Figures {
	f := Figures{Base: c.base, Counts: c.count, Percentages: map[string]float64{}}
	if c.base.Answered > 0 {
		n := float64(c.base.Answered)
		if c.unequal && c.squares > 0 {
			n = c.sum * c.sum / c.squares // Kish
		}
		f.Base.EffectiveN = &n
		for label, count := range c.count {
			switch {
			case !c.unequal:
				f.Percentages[label] = 100 * float64(count) / float64(c.base.Answered)
			case c.sum > 0:
				f.Percentages[label] = min(100, 100*c.weighted[label]/c.sum)
			}
		}
	}
	f.Statistics = c.statistics(sufficient)
	return f
}

// statistics are those of the item's kind. Where more than half of the answers are
// unsupported no label leads (M-343).
func (c *counter) statistics(sufficient bool) Statistics {
	out := Statistics{}
	weights := c.weights
	if !c.unequal {
		weights = nil
	}
	r := c.q.Response
	switch r.Type {
	case "scale":
		d := stats.Describe(c.values, weights, float64(r.ScaleRange[0]), float64(r.ScaleRange[1]))
		out["mean"], out["median"], out["standardDeviation"], out["consensus"] = d.Mean, d.Median, d.SD, d.Consensus
	case "numeric":
		out["mean"], out["median"], out["standardDeviation"] = figure(stats.Mean(c.values, weights)), figure(stats.Median(c.values, weights)), figure(stats.SD(c.values, weights))
	case "categorical", "multiselect":
		counts := make([]float64, len(r.CategoricalOptions))
		for i, label := range r.CategoricalOptions {
			counts[i] = float64(c.count[label])
			if c.unequal {
				counts[i] = c.weighted[label]
			}
		}
		if r.Type == "categorical" {
			out["entropy"] = figure(stats.Entropy(counts))
		}
		out["dominantCategory"] = nil
		if lead, ok := stats.Dominant(counts); ok && sufficient {
			out["dominantCategory"] = r.CategoricalOptions[lead]
		}
	case "ranking":
		ranks := map[string]float64{}
		for label, x := range c.ranks {
			if x[1] > 0 && sufficient {
				ranks[label] = x[0] / x[1]
			}
		}
		out["meanRanks"] = ranks
	case "qualitative":
		themes := []Theme{}
		for _, t := range stats.FindThemes(c.open, seedOf(c.q.ID)).Themes {
			themes = append(themes, Theme{Label: t.Label, Count: t.Count, MindIDs: t.IDs, Quotes: t.Quotes})
		}
		out["themes"] = themes
	}
	return out
}

func figure(x float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &x
}

func seedOf(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
}

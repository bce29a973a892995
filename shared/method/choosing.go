package method

import (
	"fmt"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/stats"
	"github.com/mindgate-dev/mindgate/shared/stats/choice"
	"github.com/mindgate-dev/mindgate/shared/stats/maxdiff"
	"github.com/mindgate-dev/mindgate/shared/stats/ranking"
)

// MaxDiffResult is MethodResult.maxdiff.
type MaxDiffResult struct {
	Model             string        `json:"model"`
	Items             []MaxDiffItem `json:"items"`
	LogLikelihood     *float64      `json:"logLikelihood"`
	LogLikelihoodNull *float64      `json:"logLikelihoodNull"`
}

// MaxDiffItem is one item; scores of all sum to 100.
type MaxDiffItem struct {
	ID           string         `json:"id"`
	Best         int            `json:"best"`
	Worst        int            `json:"worst"`
	Shown        int            `json:"shown"`
	BW           int            `json:"bw"`
	Standardised float64        `json:"standardised"`
	Utility      stats.Estimate `json:"utility"`
	Score        *float64       `json:"score"`
	Rank         *int           `json:"rank"`
}

// shown is the variant of an item that a member answered.
func (c *computing) shown(item, member int) (Variant, error) {
	it, v := c.in.Items[item], c.value(item, member)
	if v.Version != "" {
		if at := variantOf(it, v); at >= 0 {
			return it.Variants[at], nil
		}
		return Variant{}, fmt.Errorf("method: %s was answered in an unknown version %q", it.ID, v.Version)
	}
	if variant, ok := it.VersionOf(c.in.Members[member].Slot); ok {
		return variant, nil
	}
	return Variant{Response: it.Response}, nil
}

// sample numbers the members who answered at least one item.
func (c *computing) sample() (members []int, weights []float64) {
	for m := range c.in.Members {
		for i := range c.in.Items {
			if c.value(i, m).Answered {
				members = append(members, m)
				if c.weighted {
					weights = append(weights, c.weight(m))
				}
				break
			}
		}
	}
	return members, weights
}

func (c *computing) maxDiff() (any, error) {
	cfg, err := decode[maxDiffConfig](c.configuration)
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, it := range cfg.Items {
		at[it.Label] = i
	}
	members, weights := c.sample()
	study := maxdiff.Study{Items: len(cfg.Items), Model: maxdiff.Model(cfg.Model), Members: len(members), Weights: weights, Seed: c.seed("bootstrap")}
	for n, m := range members {
		for i := range c.in.Items {
			v := c.value(i, m)
			if !v.Answered {
				continue
			}
			variant, err := c.shown(i, m)
			if err != nil {
				return nil, err
			}
			set := maxdiff.Set{Member: n}
			for _, label := range variant.Response.CategoricalOptions {
				item, ok := at[label]
				if !ok {
					return nil, fmt.Errorf("method: %s shows %q, which is no item", c.in.Items[i].ID, label)
				}
				set.Items = append(set.Items, item)
			}
			best, ok1 := at[v.Best]
			worst, ok2 := at[v.Worst]
			if !ok1 || !ok2 {
				best, worst = -1, -1 // counted as invalid
			}
			set.Best, set.Worst = best, worst
			study.Sets = append(study.Sets, set)
		}
	}
	a, err := maxdiff.Analyse(study)
	c.exclude("invalid_set", a.Invalid)
	if err != nil {
		return nil, err
	}
	c.warn(a.Warnings...)
	out := MaxDiffResult{Model: cfg.Model, Items: []MaxDiffItem{}, LogLikelihood: &a.LogLik, LogLikelihoodNull: &a.LogLik0}
	for i, it := range a.Items {
		out.Items = append(out.Items, MaxDiffItem{cfg.Items[i].ID, it.Best, it.Worst, it.Shown, it.BW, it.Standardised, it.Utility, it.Score.Estimate, it.Rank})
	}
	return out, nil
}

// ConjointResult is MethodResult.conjoint.
type ConjointResult struct {
	PartWorths       []PartWorth  `json:"partWorths"`
	Importance       []Importance `json:"importance"`
	WillingnessToPay []Worth      `json:"willingnessToPay"`
	Scenarios        []Scenario   `json:"scenarios"` // the holdout tasks
	Rho2             *float64     `json:"rho2"`
	HoldoutHitRate   *float64     `json:"holdoutHitRate"`
}

// PartWorth is the utility of a level.
type PartWorth struct {
	AttributeID string         `json:"attributeId"`
	LevelID     string         `json:"levelId"`
	Utility     stats.Estimate `json:"utility"`
}

// Importance is an attribute's share of the ranges, 0..1, per member and then
// averaged.
type Importance struct {
	AttributeID string         `json:"attributeId"`
	Share       stats.Estimate `json:"share"`
}

// Worth is what a level is worth in money; null with a reason.
type Worth struct {
	AttributeID string   `json:"attributeId"`
	LevelID     string   `json:"levelId"`
	Amount      *float64 `json:"amount"`
	Reason      string   `json:"reason,omitempty"`
}

// Scenario is how a set of products shares the members' choices.
type Scenario struct {
	Label  string    `json:"label"`
	Shares []float64 `json:"shares"`
	Rule   string    `json:"rule"`
}

func (c *computing) conjoint() (any, error) {
	cfg, err := decode[conjointConfig](c.configuration)
	if err != nil {
		return nil, err
	}
	members, weights := c.sample()
	study := choice.Study{Price: -1, None: cfg.None, Members: len(members), Weights: weights}
	for i, a := range cfg.Attributes {
		attribute := choice.Attribute{Levels: len(a.Levels), Linear: cfg.linear(i)}
		if a.Kind == "price" {
			study.Price = i
		}
		if attribute.Linear {
			attribute.Values = a.values()
		}
		study.Attributes = append(study.Attributes, attribute)
	}
	for n, m := range members {
		for i := range c.in.Items {
			v := c.value(i, m)
			if !v.Answered {
				continue
			}
			variant, err := c.shown(i, m)
			if err != nil {
				return nil, err
			}
			answer := choice.Answer{Member: n, Holdout: i >= cfg.Tasks, Chosen: slices.Index(variant.Response.CategoricalOptions, v.Option)}
			if answer.Alternatives, err = cfg.levels(variant); err != nil {
				return nil, err
			}
			if answer.Chosen < 0 {
				return nil, fmt.Errorf("method: %s holds an answer that was not offered", c.in.Items[i].ID)
			}
			study.Answers = append(study.Answers, answer)
		}
	}
	a, err := choice.Analyse(study)
	if err != nil {
		return nil, err
	}
	c.warn(a.Warnings...)
	out := ConjointResult{PartWorths: []PartWorth{}, Importance: []Importance{}, WillingnessToPay: []Worth{}, Scenarios: []Scenario{}, Rho2: a.Rho2, HoldoutHitRate: a.HitRate}
	for i, attribute := range cfg.Attributes {
		out.Importance = append(out.Importance, Importance{attribute.ID, a.Importance[i]})
		for l, level := range attribute.Levels {
			out.PartWorths = append(out.PartWorths, PartWorth{attribute.ID, level.ID, a.PartWorths[i][l]})
			if i < len(a.WTP) && l < len(a.WTP[i]) {
				w := a.WTP[i][l]
				out.WillingnessToPay = append(out.WillingnessToPay, Worth{attribute.ID, level.ID, w.Amount, w.Reason})
			}
		}
	}
	for i := cfg.Tasks; i < len(c.in.Items); i++ {
		variant, ok := c.in.Items[i].VersionOf(0)
		if !ok {
			continue
		}
		products, err := cfg.levels(variant)
		if err != nil {
			return nil, err
		}
		for _, rule := range []choice.Rule{choice.ShareOfPreference, choice.FirstChoice} {
			shares, err := a.Shares(products, rule)
			if err != nil {
				return nil, err
			}
			out.Scenarios = append(out.Scenarios, Scenario{fmt.Sprintf("Holdout %d", i-cfg.Tasks+1), shares, string(rule)})
		}
	}
	return out, nil
}

// levels are the products of a task, a level an attribute, without none.
func (c conjointConfig) levels(v Variant) ([][]int, error) {
	var out [][]int
	for _, alt := range v.Alternatives {
		if len(alt.Levels) == 0 {
			continue
		}
		product := make([]int, len(c.Attributes))
		for i, a := range c.Attributes {
			_, l, ok := c.find(levelRef{a.ID, alt.Levels[a.ID]})
			if !ok {
				return nil, fmt.Errorf("method: an alternative of version %s has no level of %s", v.VersionID, a.ID)
			}
			product[i] = l
		}
		out = append(out, product)
	}
	return out, nil
}

// RankingResult is MethodResult.ranked-preferences.
type RankingResult struct {
	Items           []RankedItem `json:"items"`
	Pairwise        [][]float64  `json:"pairwise"` // [row][column]: share that prefers row to column
	CondorcetWinner *string      `json:"condorcetWinner"`
	KendallW        *float64     `json:"kendallW"`
	FriedmanChi2    *float64     `json:"friedmanChi2"`
}

// RankedItem is one item; worths of all sum to 1.
type RankedItem struct {
	ID         string         `json:"id"`
	FirstShare stats.Estimate `json:"firstShare"`
	MeanRank   *float64       `json:"meanRank"`
	Borda      *float64       `json:"borda"`
	Worth      *float64       `json:"worth"`
}

func (c *computing) ranking() (any, error) {
	cfg, err := decode[rankingConfig](c.configuration)
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, it := range cfg.Items {
		at[it.Label] = i
	}
	members, weights := c.sample()
	study := ranking.Study{Items: len(cfg.Items), Weights: weights, Ties: ranking.Ties(cfg.Ties), Seed: c.seed("bootstrap")}
	for _, m := range members {
		ranks := make([]int, len(cfg.Items))
		for place, label := range c.value(0, m).Ranking {
			i, ok := at[label]
			if !ok {
				return nil, fmt.Errorf("method: %s ranks %q, which is no item", c.in.Items[0].ID, label)
			}
			ranks[i] = place + 1
		}
		study.Ranks = append(study.Ranks, ranks)
	}
	a, err := ranking.Analyse(study)
	c.exclude("invalid_ranking", a.Invalid)
	if err != nil {
		return nil, err
	}
	c.warn(a.Warnings...)
	out := RankingResult{Items: []RankedItem{}, Pairwise: a.Pairwise, KendallW: a.KendallW, FriedmanChi2: a.Friedman}
	if a.Winner != nil {
		out.CondorcetWinner = &cfg.Items[*a.Winner].ID
	}
	if a.Cycle {
		c.warn("No item beats all others in pairs: majorities go in a circle.")
	}
	for i, it := range a.Items {
		out.Items = append(out.Items, RankedItem{cfg.Items[i].ID, it.FirstShare, it.MeanRank.Estimate, it.Borda.Estimate, it.Worth.Estimate})
	}
	return out, nil
}

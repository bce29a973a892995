package method

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/stats"
	"github.com/mindgate-dev/mindgate/shared/stats/price"
)

// DemandResult is MethodResult.gabor-granger.
type DemandResult struct {
	Currency            string             `json:"currency"`
	Demand              []DemandPoint      `json:"demand"`
	OptimumPrice        *float64           `json:"optimumPrice"`        // of the highest revenue
	OptimumDistribution map[string]float64 `json:"optimumDistribution"` // asked price to share of resamples in which it is the optimum
	Violators           int                `json:"violators"`
}

// DemandPoint is the demand at one price; share 0..1.
type DemandPoint struct {
	Price        float64  `json:"price"`
	Share        float64  `json:"share"`
	RawShare     float64  `json:"rawShare"`
	RevenueIndex float64  `json:"revenueIndex"`
	ProfitIndex  *float64 `json:"profitIndex,omitempty"`
	Elasticity   *float64 `json:"elasticity"`
}

func (c *computing) granger() (any, error) {
	cfg, err := decode[grangerConfig](c.configuration)
	if err != nil {
		return nil, err
	}
	var buyers []price.Buyer
	for m := range c.in.Members {
		b := price.Buyer{Replies: make([]price.Reply, len(cfg.Prices)), Weight: c.weight(m)}
		asked := false
		for i, it := range c.in.Items {
			v := c.value(i, m)
			asked = asked || v.Asked
			if !v.Answered {
				continue
			}
			at := i
			if len(it.Variants) > 0 {
				if at = variantOf(it, v); at < 0 {
					return nil, fmt.Errorf("method: %s was answered in an unknown version %q", it.ID, v.Version)
				}
			}
			if at >= len(cfg.Prices) {
				return nil, fmt.Errorf("method: %s is no asked price", it.ID)
			}
			b.Replies[at] = price.Refused
			if cfg.buys(v.Number) {
				b.Replies[at] = price.Accepted
			}
		}
		if asked {
			buyers = append(buyers, b)
		}
	}
	g, err := price.GaborGranger(cfg.Prices, buyers, price.GrangerOptions{UnitCost: cfg.UnitCost, Seed: c.seed("bootstrap"), Resamples: resamples})
	c.exclude("incomplete", g.Incomplete)
	if err != nil {
		return nil, err
	}
	c.warn(g.Warnings...)
	if g.ProfitBest != nil {
		c.warn(fmt.Sprintf("At a unit cost of %v the highest profit index stands at %v %s.", *cfg.UnitCost, *g.ProfitBest, cfg.Currency))
	}
	out := DemandResult{Currency: cfg.Currency, OptimumPrice: g.Optimum, OptimumDistribution: map[string]float64{}, Violators: g.Violators}
	for i, d := range g.Demand {
		out.Demand = append(out.Demand, DemandPoint{d.Price, d.Share, d.Raw, d.Revenue, d.Profit, d.Elasticity})
		if g.Distribution != nil {
			out.OptimumDistribution[strconv.FormatFloat(d.Price, 'f', -1, 64)] = g.Distribution[i]
		}
	}
	return out, nil
}

// variantOf is the number of the variant that was shown.
func variantOf(it Item, v Value) int {
	for i, variant := range it.Variants {
		if variant.VersionID == v.Version {
			return i
		}
	}
	return -1
}

// MeterResult is MethodResult.van-westendorp.
type MeterResult struct {
	Currency          string       `json:"currency"`
	PMC               *float64     `json:"pmc"`
	PME               *float64     `json:"pme"`
	IDP               *float64     `json:"idp"`
	OPP               *float64     `json:"opp"`
	TieRule           string       `json:"tieRule"`
	Curves            []MeterPoint `json:"curves"`
	Valid             int          `json:"valid"`
	Invalid           int          `json:"invalid"`
	NewtonMillerSmith *TrialPrices `json:"newtonMillerSmith"` // null without purchase intent
}

// MeterPoint are the four curves at a stated price, shares 0..1.
type MeterPoint struct {
	Price        float64 `json:"price"`
	TooCheap     float64 `json:"tooCheap"`
	Cheap        float64 `json:"cheap"`
	Expensive    float64 `json:"expensive"`
	TooExpensive float64 `json:"tooExpensive"`
}

// TrialPrices are the prices of the highest trial and of the highest revenue.
type TrialPrices struct {
	ReachPrice   float64 `json:"reachPrice"`
	RevenuePrice float64 `json:"revenuePrice"`
}

func (c *computing) meter() (any, error) {
	cfg, err := decode[meterConfig](c.configuration)
	if err != nil {
		return nil, err
	}
	var answers []price.Judgement
	for _, m := range c.complete(len(cfg.QuestionOrder)) {
		j := price.Judgement{Weight: c.weight(m)}
		for i, q := range cfg.QuestionOrder {
			v := c.value(i, m).Number
			switch q {
			case "too_cheap":
				j.TooCheap = v
			case "cheap":
				j.Cheap = v
			case "expensive":
				j.Expensive = v
			case "too_expensive":
				j.TooExpensive = v
			}
		}
		if cfg.PurchaseIntent {
			if v := c.value(4, m); v.Answered {
				j.IntentCheap = int(v.Number)
			}
			if v := c.value(5, m); v.Answered {
				j.IntentExpensive = int(v.Number)
			}
		}
		answers = append(answers, j)
	}
	r, err := price.Westendorp(answers, price.MeterOptions{Tie: price.TieRule(cfg.TieRule), Seed: c.seed("bootstrap"), Resamples: resamples})
	c.exclude("invalid_order", r.Invalid)
	if err != nil {
		return nil, err
	}
	c.warn(r.Warnings...)
	var ranges []string
	for _, p := range []struct {
		name string
		at   *float64
		ci   *[2]float64
	}{{"PMC", r.PMC, r.PMCCI}, {"PME", r.PME, r.PMECI}, {"IDP", r.IDP, r.IDPCI}, {"OPP", r.OPP, r.OPPCI}} {
		if p.at != nil && p.ci != nil {
			ranges = append(ranges, fmt.Sprintf("%s %v to %v", p.name, p.ci[0], p.ci[1]))
		}
	}
	if len(ranges) > 0 { // the contract's shape has no place beside the points
		c.warn("95% ranges by bootstrap: " + strings.Join(ranges, ", ") + ".")
	}
	out := MeterResult{Currency: cfg.Currency, PMC: r.PMC, PME: r.PME, IDP: r.IDP, OPP: r.OPP, TieRule: cfg.TieRule, Curves: []MeterPoint{}, Valid: r.Valid, Invalid: r.Invalid}
	for _, p := range r.Curves {
		out.Curves = append(out.Curves, MeterPoint(p))
	}
	if r.Trial != nil {
		out.NewtonMillerSmith = &TrialPrices{r.Trial.ReachPrice, r.Trial.RevenuePrice}
		if r.Trial.N < stats.FewAnswers {
			out.NewtonMillerSmith = nil
			c.warn(fmt.Sprintf("%d members gave both purchase intents; %d are needed for a price from them.", r.Trial.N, stats.FewAnswers))
		}
	}
	return out, nil
}

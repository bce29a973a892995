package method

import (
	"fmt"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/stats"
	"github.com/mindgate-dev/mindgate/shared/stats/kano"
	"github.com/mindgate-dev/mindgate/shared/stats/turf"
)

// ReachResult is MethodResult.turf.
type ReachResult struct {
	Exact  bool       `json:"exact"` // every set of every size was looked at
	Sets   []ReachSet `json:"sets"`  // best per size with their ties, at most 10 a size
	Ladder []Rung     `json:"ladder"`
}

// ReachSet is one set of items; reach 0..1.
type ReachSet struct {
	Size      int            `json:"size"`
	ItemIDs   []string       `json:"itemIds"`
	Reach     stats.Estimate `json:"reach"`
	Frequency float64        `json:"frequency"`
}

// Rung is what one item adds to those before it in the best largest set.
type Rung struct {
	ItemID string  `json:"itemId"`
	Reach  float64 `json:"reach"`
	Added  float64 `json:"added"`
}

func (c *computing) turf() (any, error) {
	cfg, err := decode[turfConfig](c.configuration)
	if err != nil {
		return nil, err
	}
	questions := 1
	if cfg.Reach == "top_2_box" {
		questions = len(cfg.Items)
	}
	place := map[string]int{}
	for j, it := range cfg.Items {
		place[it.Label] = j
	}
	var members []turf.Member
	for _, m := range c.complete(questions) {
		r := turf.Member{Weight: c.weight(m)}
		if cfg.Reach == "top_2_box" {
			for j := range cfg.Items {
				if c.value(j, m).Number >= 4 { // of 1..5
					r.Reached |= 1 << j
				}
			}
		} else {
			for _, o := range c.value(0, m).Options {
				if j, ok := place[o]; ok {
					r.Reached |= 1 << j
				}
			}
		}
		members = append(members, r)
	}
	found, err := turf.Search(len(cfg.Items), members, turf.Options{Sizes: cfg.SetSizes, Depth: cfg.Depth})
	if err != nil {
		return nil, err
	}
	out := ReachResult{Exact: found.Exact, Sets: []ReachSet{}, Ladder: []Rung{}}
	for _, s := range found.Sizes {
		for _, set := range s.Best() {
			ids := make([]string, len(set.Items))
			for k, j := range set.Items {
				ids[k] = cfg.Items[j].ID
			}
			out.Sets = append(out.Sets, ReachSet{s.Size, ids, set.Reach, set.Frequency})
		}
		switch {
		case !s.Exact:
			c.warn(fmt.Sprintf("There are more than %d sets of %d items: the set shown was found greedily and improved by exchanges; a better one may exist.", turf.MaxSets, s.Size))
		case s.Ties > len(s.Sets):
			c.warn(fmt.Sprintf("%d sets of %d items have the same reach; the first %d by frequency are shown.", s.Ties, s.Size, len(s.Sets)))
		}
	}
	for _, r := range found.Ladder {
		out.Ladder = append(out.Ladder, Rung{cfg.Items[r.Item].ID, r.Reach, r.Added})
	}
	return out, nil
}

// KanoResult is MethodResult.kano.
type KanoResult struct {
	Features []KanoFeature `json:"features"`
}

// KanoFeature is one feature; better 0..1, worse -1..0.
type KanoFeature struct {
	ID       string                `json:"id"`
	Counts   map[kano.Category]int `json:"counts"`
	Category kano.Category         `json:"category"`
	Better   *float64              `json:"better"`
	Worse    *float64              `json:"worse"`
	Strength *float64              `json:"strength"`
	Unclear  bool                  `json:"unclear"`
}

func (c *computing) kano() (any, error) {
	cfg, err := decode[kanoConfig](c.configuration)
	if err != nil {
		return nil, err
	}
	out := KanoResult{Features: []KanoFeature{}}
	var ranges []string
	for f, feature := range cfg.Features {
		with, without := 2*f, 2*f+1
		if without >= len(c.in.Items) {
			return nil, fmt.Errorf("method: kano needs two items a feature, has %d for %d", len(c.in.Items), len(cfg.Features))
		}
		var pairs []kano.Pair
		for m := range c.in.Members {
			a, b := c.value(with, m), c.value(without, m)
			if !a.Answered || !b.Answered {
				if a.Asked || b.Asked {
					c.exclude("incomplete_pair", 1)
				}
				continue
			}
			x, y := place(c.in.Items[with], a.Option), place(c.in.Items[without], b.Option)
			if x < 0 || y < 0 {
				return nil, fmt.Errorf("method: %s or %s holds an answer that was not offered", c.in.Items[with].ID, c.in.Items[without].ID)
			}
			pairs = append(pairs, kano.Pair{Functional: kano.Answer(x), Dysfunctional: kano.Answer(y), Weight: c.weight(m)})
		}
		if len(pairs) == 0 {
			c.warn(fmt.Sprintf("%s: nobody answered both questions; it is left out.", feature.Label))
			continue
		}
		r, err := kano.Analyse(pairs, kano.Options{Seed: c.seed(feature.ID), Resamples: resamples})
		if err != nil {
			return nil, err
		}
		for _, w := range r.Warnings {
			c.warn(feature.Label + ": " + w)
		}
		if ci, cj := r.Better.CI95, r.Worse.CI95; ci != nil && cj != nil {
			ranges = append(ranges, fmt.Sprintf("%s better %.2f to %.2f, worse %.2f to %.2f", feature.Label, ci[0], ci[1], cj[0], cj[1]))
		}
		out.Features = append(out.Features, KanoFeature{feature.ID, r.Counts, r.Category, r.Better.Estimate, r.Worse.Estimate, r.Strength, r.Unclear})
	}
	if len(out.Features) == 0 {
		return nil, &stats.Insufficient{Reason: "Nobody answered both questions about any feature."}
	}
	if len(ranges) > 0 { // the contract's shape has no place beside the figures
		c.warn("95% ranges by bootstrap: " + strings.Join(ranges, "; ") + ".")
	}
	return out, nil
}

// place is the number of an option among those offered, -1 for others.
func place(it Item, option string) int {
	for i, o := range it.Response.CategoricalOptions {
		if o == option {
			return i
		}
	}
	return -1
}

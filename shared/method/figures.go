package method

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Line is one figure of a calculation in words, for summaries and reports.
type Line struct {
	Label string
	Value string
	CI95  string // "a to b"; empty where the figure has none
	N     int    // answers behind it; 0 where the base of the calculation holds
}

// Lines writes the figures of a calculation out, the main ones first. names gives
// the labels of items, attributes, features and segments by id; a level is named
// under attribute/level. A calculation that is not ok has no line: its Reason says
// why, and no figure is drawn from it (M-204, M-343).
func Lines(c Calculation, names map[string]string) []Line {
	if c.Status != StatusOK || len(c.Results) == 0 {
		return nil
	}
	l := liner{names: names}
	write, ok := map[string]func(json.RawMessage) error{
		NPS: l.nps, TopBox: l.boxes, KeyDrivers: l.drivers, TURF: l.reach, GaborGranger: l.demand, VanWestendorp: l.prices,
		Kano: l.kano, MaxDiff: l.best, Conjoint: l.worths, RankedPrefs: l.ranks, SegmentCompare: l.segments,
	}[c.MethodID]
	if !ok || write(c.Results) != nil {
		return nil
	}
	return l.out
}

type liner struct {
	names map[string]string
	out   []Line
}

// told is an Estimate as Lines read it.
type told struct {
	Estimate *float64    `json:"estimate"`
	CI95     *[2]float64 `json:"ci95"`
	N        int         `json:"n"`
}

func (l *liner) name(id string) string {
	if s := l.names[id]; s != "" {
		return s
	}
	return id
}

func (l *liner) text(label, value string) { l.out = append(l.out, Line{Label: label, Value: value}) }

func (l *liner) number(label string, x *float64, decimals int) {
	if x != nil {
		l.text(label, strconv.FormatFloat(*x, 'f', decimals, 64))
	}
}

// figure writes an estimate times scale, with a unit behind it.
func (l *liner) figure(label string, e told, scale float64, decimals int, unit string) {
	if e.Estimate == nil {
		l.out = append(l.out, Line{Label: label, Value: "–", N: e.N})
		return
	}
	one := Line{Label: label, Value: strconv.FormatFloat(scale**e.Estimate, 'f', decimals, 64) + unit, N: e.N}
	if e.CI95 != nil {
		one.CI95 = strconv.FormatFloat(scale*e.CI95[0], 'f', decimals, 64) + " to " + strconv.FormatFloat(scale*e.CI95[1], 'f', decimals, 64)
	}
	l.out = append(l.out, one)
}

func (l *liner) share(label string, e told) { l.figure(label, e, 100, 1, "%") }

func (l *liner) nps(raw json.RawMessage) error {
	var r struct{ NPS, Promoters, Passives, Detractors told }
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	l.figure("Net Promoter Score", r.NPS, 1, 1, "")
	l.share("Promoters", r.Promoters)
	l.share("Passives", r.Passives)
	l.share("Detractors", r.Detractors)
	return nil
}

func (l *liner) boxes(raw json.RawMessage) error {
	var r struct {
		Statements []struct {
			ID               string
			Top, Bottom, Net told
			Boxes            int
		}
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	for _, s := range r.Statements {
		l.share(fmt.Sprintf("%s: top %d", l.name(s.ID), s.Boxes), s.Top)
		l.share(fmt.Sprintf("%s: bottom %d", l.name(s.ID), s.Boxes), s.Bottom)
		l.figure(l.name(s.ID)+": net", s.Net, 100, 1, " points")
	}
	return nil
}

func (l *liner) drivers(raw json.RawMessage) error {
	var r struct {
		R2      *float64
		Drivers []struct {
			ID             string
			Beta           *float64
			RelativeWeight *float64
			Correlation    *float64
		}
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	l.number("R²", r.R2, 3)
	for _, d := range r.Drivers {
		l.number(l.name(d.ID)+": relative weight (part of R²)", d.RelativeWeight, 3)
		l.number(l.name(d.ID)+": standardised β", d.Beta, 3)
		l.number(l.name(d.ID)+": correlation", d.Correlation, 3)
	}
	return nil
}

func (l *liner) reach(raw json.RawMessage) error {
	var r struct {
		Exact bool
		Sets  []struct {
			Size      int
			ItemIDs   []string
			Reach     told
			Frequency float64
		}
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	for _, s := range r.Sets {
		names := make([]string, len(s.ItemIDs))
		for i, id := range s.ItemIDs {
			names[i] = l.name(id)
		}
		l.share(fmt.Sprintf("Reach of the best %d: %s", s.Size, strings.Join(names, " + ")), s.Reach)
	}
	if !r.Exact {
		l.text("Search", "greedy with exchange; a better set is possible")
	}
	return nil
}

func (l *liner) demand(raw json.RawMessage) error {
	var r struct {
		Currency     string
		OptimumPrice *float64
		Violators    int
		Demand       []struct{ Price, Share, RevenueIndex float64 }
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	l.number("Price of the highest revenue or profit index ("+r.Currency+")", r.OptimumPrice, 2)
	for _, d := range r.Demand {
		l.text(fmt.Sprintf("Would buy at %s %.2f", r.Currency, d.Price), strconv.FormatFloat(100*d.Share, 'f', 1, 64)+"%")
	}
	l.text("Minds whose answers rise with the price", strconv.Itoa(r.Violators))
	return nil
}

func (l *liner) prices(raw json.RawMessage) error {
	var r struct {
		Currency           string
		PMC, PME, IDP, OPP *float64
		Valid, Invalid     int
		NewtonMillerSmith  *struct{ ReachPrice, RevenuePrice *float64 }
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	l.number("Optimal price point ("+r.Currency+")", r.OPP, 2)
	l.number("Indifference price ("+r.Currency+")", r.IDP, 2)
	l.number("Point of marginal cheapness ("+r.Currency+")", r.PMC, 2)
	l.number("Point of marginal expensiveness ("+r.Currency+")", r.PME, 2)
	if n := r.NewtonMillerSmith; n != nil {
		l.number("Price of the widest reach ("+r.Currency+")", n.ReachPrice, 2)
		l.number("Price of the highest revenue ("+r.Currency+")", n.RevenuePrice, 2)
	}
	l.text("Answers in a valid order", strconv.Itoa(r.Valid))
	l.text("Answers out of order, left out", strconv.Itoa(r.Invalid))
	return nil
}

var kanoNames = map[string]string{"A": "attractive", "O": "one-dimensional", "M": "must-be", "I": "indifferent", "R": "reverse", "Q": "questionable", "mixed": "mixed"}

func (l *liner) kano(raw json.RawMessage) error {
	var r struct {
		Features []struct {
			ID, Category  string
			Better, Worse *float64
			Unclear       bool
		}
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	for _, f := range r.Features {
		kind := kanoNames[f.Category]
		if f.Unclear {
			kind += " (not clearly)"
		}
		l.text(l.name(f.ID), kind)
		l.number(l.name(f.ID)+": better", f.Better, 2)
		l.number(l.name(f.ID)+": worse", f.Worse, 2)
	}
	return nil
}

func (l *liner) best(raw json.RawMessage) error {
	var r struct {
		Items []struct {
			ID      string
			Utility told
			Score   *float64
			Rank    *int
			BW      int
		}
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	for _, i := range r.Items {
		l.number(l.name(i.ID)+": score of 100", i.Score, 1)
		l.figure(l.name(i.ID)+": utility", i.Utility, 1, 2, "")
	}
	return nil
}

func (l *liner) worths(raw json.RawMessage) error {
	var r struct {
		PartWorths []struct {
			AttributeID, LevelID string
			Utility              told
		}
		Importance []struct {
			AttributeID string
			Share       told
		}
		WillingnessToPay []struct {
			AttributeID, LevelID string
			Amount               *float64
		}
		Rho2, HoldoutHitRate *float64
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	level := func(attribute, id string) string {
		name := l.names[attribute+"/"+id]
		if name == "" {
			name = id
		}
		return l.name(attribute) + ", " + name
	}
	for _, i := range r.Importance {
		l.share("Importance of "+l.name(i.AttributeID), i.Share)
	}
	for _, p := range r.PartWorths {
		l.figure("Part-worth of "+level(p.AttributeID, p.LevelID), p.Utility, 1, 2, "")
	}
	for _, w := range r.WillingnessToPay {
		l.number("Willingness to pay for "+level(w.AttributeID, w.LevelID), w.Amount, 2)
	}
	l.number("ρ²", r.Rho2, 3)
	l.number("Hit rate of holdouts", r.HoldoutHitRate, 2)
	return nil
}

func (l *liner) ranks(raw json.RawMessage) error {
	var r struct {
		Items []struct {
			ID              string
			FirstShare      told
			MeanRank, Worth *float64
		}
		CondorcetWinner *string
		KendallW        *float64
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	for _, i := range r.Items {
		l.share(l.name(i.ID)+": first", i.FirstShare)
		l.number(l.name(i.ID)+": mean rank", i.MeanRank, 2)
		l.number(l.name(i.ID)+": worth", i.Worth, 3)
	}
	if r.CondorcetWinner != nil {
		l.text("Beats every other in pairs", l.name(*r.CondorcetWinner))
	}
	l.number("Kendall's W", r.KendallW, 3)
	return nil
}

func (l *liner) segments(raw json.RawMessage) error {
	var r struct {
		Comparisons []struct {
			ItemID, Test string
			P, PAdjusted *float64
			Effect       *struct {
				Name  string
				Value float64
			}
		}
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	for _, c := range r.Comparisons {
		value := strings.ReplaceAll(c.Test, "_", " ")
		switch {
		case c.PAdjusted != nil:
			value += fmt.Sprintf(", p adjusted %.3f", *c.PAdjusted)
		case c.P != nil:
			value += fmt.Sprintf(", p %.3f", *c.P)
		}
		if e := c.Effect; e != nil {
			value += fmt.Sprintf(", %s %.2f", strings.ReplaceAll(e.Name, "_", " "), e.Value)
		}
		l.text(l.name(c.ItemID), value)
	}
	return nil
}

// Names are the labels that a configuration gives to ids, for Lines.
func Names(configuration json.RawMessage) map[string]string {
	var c any
	out := map[string]string{}
	if json.Unmarshal(configuration, &c) == nil {
		named(c, "", out)
	}
	return out
}

func named(v any, under string, out map[string]string) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			named(x, under, out)
		}
	case map[string]any:
		id, _ := v["id"].(string)
		label, _ := v["label"].(string)
		if label == "" {
			label, _ = v["text"].(string)
		}
		if id != "" && label != "" {
			if under != "" {
				out[under+"/"+id] = label
			} else {
				out[id] = label
			}
		}
		if id != "" {
			under = id
		}
		for _, x := range v {
			switch x.(type) {
			case []any, map[string]any:
				named(x, under, out)
			}
		}
	}
}

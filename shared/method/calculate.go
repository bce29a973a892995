package method

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Resamples of members for intervals that have no formula.
const resamples = 1000

// Calculates reports whether a method has a calculation of its own. The others
// report per item.
func Calculates(id string) bool {
	switch id {
	case GuidedResearch, SingleQuestion, Questionnaire, GuidedExploring, VisualAsset, Recommendation, "":
		return false
	}
	_, known := Lookup(id)
	return known
}

// Calculate computes a method over all members of in (M-204). Too small a base,
// or one that answers cannot carry (M-343), is a calculation with a status, null
// results and a reason, never an error; errors are configurations or answers that
// should never have come here. Weights of members count (M-205); equal answers
// and seed give equal bytes.
func Calculate(id string, configuration json.RawMessage, in Answers) (Calculation, error) {
	if !Calculates(id) {
		return Calculation{}, fault.New(fault.Validation, "%s has no calculation; its results stand per item.", id)
	}
	missing, err := Check(id, configuration)
	if err == nil && len(missing) > 0 {
		err = invalid(missing[0], "is missing")
	}
	if err != nil {
		return Calculation{}, err
	}
	c := newComputing(id, configuration, in)
	if err := c.aligned(); err != nil {
		return Calculation{}, err
	}
	c.count()
	if reason := c.unsupported(); reason != "" {
		return c.without(StatusInsufficientEvidence, reason), nil
	}
	if id != SegmentCompare && c.some == 0 {
		return c.without(StatusInsufficientBase, "Nobody answered the items of the method."), nil
	}
	result, err := c.run()
	var few *stats.Insufficient
	var refused *refusal
	switch {
	case errors.As(err, &few):
		return c.without(StatusInsufficientBase, few.Reason), nil
	case errors.As(err, &refused):
		return c.without(StatusRefused, refused.reason), nil
	case err != nil:
		return Calculation{}, err
	}
	if c.out.Results, err = json.Marshal(result); err != nil {
		return Calculation{}, fmt.Errorf("method: result of %s: %w", id, err)
	}
	c.out.Status = StatusOK
	c.warnBase()
	c.out.Warnings = append(c.out.Warnings, MemberSampling)
	return c.out, nil
}

// refusal is a comparison that would be wrong to make.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

type computing struct {
	id            string
	configuration json.RawMessage
	in            Answers
	weighted      bool
	some          int // members who answered at least one item
	out           Calculation
}

func newComputing(id string, configuration json.RawMessage, in Answers) *computing {
	entry, _ := Lookup(id)
	c := &computing{id: id, configuration: configuration, in: in}
	c.out = Calculation{CalculationID: id, MethodID: id, MethodVersion: entry.Version, ItemIDs: []string{}, Excluded: map[string]int{}, UncertaintyKind: "member-sampling", Warnings: []string{}}
	for _, it := range in.Items {
		c.out.ItemIDs = append(c.out.ItemIDs, it.ID)
	}
	for _, m := range in.Members {
		c.weighted = c.weighted || m.Weight != in.Members[0].Weight
	}
	return c
}

// aligned holds the answers to their form.
func (c *computing) aligned() error {
	for _, m := range c.in.Members {
		if m.Weight < 0 || math.IsNaN(m.Weight) || math.IsInf(m.Weight, 0) {
			return fmt.Errorf("method: member %s weighs %v", m.ID, m.Weight)
		}
	}
	for item, v := range c.in.Values {
		if len(v) != len(c.in.Members) {
			return fmt.Errorf("method: %d values of %s for %d members", len(v), item, len(c.in.Members))
		}
	}
	for _, s := range c.in.Segments {
		for _, m := range s.Members {
			if m < 0 || m >= len(c.in.Members) {
				return fmt.Errorf("method: segment %s names member %d of %d", s.ID, m, len(c.in.Members))
			}
		}
	}
	return nil
}

// value is a member's answer to one of the method's items.
func (c *computing) value(item, member int) Value {
	if item >= len(c.in.Items) {
		return Value{}
	}
	if v := c.in.Values[c.in.Items[item].ID]; v != nil {
		return v[member]
	}
	return Value{}
}

// weight of a member; 1 where weights are not used.
func (c *computing) weight(member int) float64 {
	if c.weighted {
		return c.in.Members[member].Weight
	}
	return 1
}

// count fills the base: a member is asked when any item was, and has answered
// when every item that was asked is.
func (c *computing) count() {
	b := &c.out.Base
	b.Participating = len(c.in.Members)
	var weights []float64
	for m := range c.in.Members {
		asked, failed, some := false, false, 0
		for i := range c.in.Items {
			v := c.value(i, m)
			asked = asked || v.Asked
			failed = failed || v.Asked && !v.Answered
			if v.Answered {
				some = 1
			}
		}
		c.some += some
		switch {
		case !asked:
			b.NotAsked++
		case failed:
			b.Asked++
			b.Failed++
		default:
			b.Asked++
			b.Answered++
			weights = append(weights, c.weight(m))
		}
	}
	n := stats.Kish(weights)
	b.EffectiveN = &n
}

// unsupported is the reason when more than half of the answers rest on nothing.
func (c *computing) unsupported() string {
	answers, without := 0, 0
	for i := range c.in.Items {
		for m := range c.in.Members {
			if v := c.value(i, m); v.Answered {
				answers++
				if v.Evidence == "unsupported" {
					without++
				}
			}
		}
	}
	if 2*without > answers {
		return fmt.Sprintf("%d of %d answers rest on no evidence about the question; figures from them would say nothing.", without, answers)
	}
	return ""
}

// without is the calculation that gives no figure.
func (c *computing) without(status, reason string) Calculation {
	c.out.Status, c.out.Reason, c.out.Results = status, reason, nil
	return c.out
}

func (c *computing) warn(texts ...string) { c.out.Warnings = append(c.out.Warnings, texts...) }

func (c *computing) exclude(reason string, n int) {
	if n > 0 {
		c.out.Excluded[reason] += n
	}
}

func (c *computing) warnBase() {
	switch n := c.some; {
	case n < stats.FewAnswers:
		c.warn(fmt.Sprintf("%d answers: counts stand, nothing is inferred below %d.", n, stats.FewAnswers))
	case n < stats.ManyAnswers:
		c.warn(fmt.Sprintf("%d answers: read figures as a direction below %d.", n, stats.ManyAnswers))
	}
}

// seed for one purpose of this calculation.
func (c *computing) seed(purpose string) uint64 { return number(c.in.Seed, c.id, purpose) }

// column is one item's numbers with the weights of those who gave them; weights
// are nil where they are not used.
func (c *computing) column(item int) (x, weights []float64) {
	for m := range c.in.Members {
		if v := c.value(item, m); v.Answered {
			x = append(x, v.Number)
			if c.weighted {
				weights = append(weights, c.weight(m))
			}
		}
	}
	return x, weights
}

// complete are the members who answered all of some items.
func (c *computing) complete(items int) []int {
	var out []int
	for m := range c.in.Members {
		full, asked := true, false
		for i := range items {
			v := c.value(i, m)
			full, asked = full && v.Answered, asked || v.Asked
		}
		if full {
			out = append(out, m)
		} else if asked {
			c.exclude("incomplete", 1)
		}
	}
	return out
}

func (c *computing) run() (any, error) {
	switch c.id {
	case NPS:
		return c.nps()
	case TopBox:
		return c.topBox()
	case KeyDrivers:
		return c.drivers()
	case TURF:
		return c.turf()
	case GaborGranger:
		return c.granger()
	case VanWestendorp:
		return c.meter()
	case Kano:
		return c.kano()
	case MaxDiff:
		return c.maxDiff()
	case Conjoint:
		return c.conjoint()
	case RankedPrefs:
		return c.ranking()
	}
	return c.segments()
}

// Group is an Audience of a run, by index into Members.
type Group struct {
	ID      string
	Members []int
}

// CalculateAll gives one calculation for all asked Minds and, when a run has
// several Audiences, one for each (M-205). segment-comparison compares them
// already, so it has one.
func CalculateAll(id string, configuration json.RawMessage, in Answers, audiences []Group) ([]Calculation, error) {
	whole, err := Calculate(id, configuration, in)
	if err != nil {
		return nil, err
	}
	out := []Calculation{whole}
	if len(audiences) < 2 || id == SegmentCompare {
		return out, nil
	}
	for _, g := range audiences {
		part, err := Calculate(id, configuration, in.Only(g.Members))
		if err != nil {
			return nil, err
		}
		audience := g.ID
		part.AudienceID, part.CalculationID = &audience, id+"-"+g.ID
		out = append(out, part)
	}
	return out, nil
}

// Only are the answers of some members, in the order given.
func (in Answers) Only(members []int) Answers {
	out := in
	out.Members, out.Segments = make([]Member, 0, len(members)), nil
	out.Values = make(map[string][]Value, len(in.Values))
	for _, m := range members {
		out.Members = append(out.Members, in.Members[m])
	}
	for item, all := range in.Values {
		some := make([]Value, 0, len(members))
		for _, m := range members {
			some = append(some, all[m])
		}
		out.Values[item] = some
	}
	return out
}

package simulate

import (
	"context"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

func checkNumeric(q Question) error {
	for _, v := range []*float64{q.Minimum, q.Maximum} {
		if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
			return fault.New(fault.Validation, "minimum and maximum must be numbers.").With("field", "minimum")
		}
	}
	if q.Minimum != nil && q.Maximum != nil && *q.Minimum >= *q.Maximum {
		return fault.New(fault.Validation, "minimum must be below maximum, e.g. 0 and 100.").With("field", "minimum")
	}
	return nil
}

// fromTask answers an item with a model of its own.
func (p *prepared) fromTask(ctx context.Context, r Respondent) (Answer, error) {
	passages, err := p.atHand(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	a, b := p.task.answer(p, r, passages)
	if a.Status == CannotAnswer {
		return a, nil
	}
	if b.state == Unsupported && p.pol.Strict {
		return Answer{Status: CannotAnswer, Reason: ReasonNoEvidence, Message: "Nothing in this Mind's record or sources speaks to this question.", Warnings: b.warnings}, nil
	}
	a.State, a.Warnings = b.state, b.warnings
	if a.Message != "" {
		return a, nil
	}
	a.cite(b.from)
	for _, c := range b.cites {
		a.SourceIDs = appendNew(a.SourceIDs, c.SourceID)
		a.Citations = append(a.Citations, c)
	}
	a.Message = p.message(a, b)
	return a, nil
}

// number answers a question for an amount: what the Mind has on record, the
// quantile function of a published distribution, or a draw between the bounds
// that the question itself sets.
type number struct{ key seed }

func numberTask(p *prepared) task { return &number{key: p.key} }

func (n *number) answer(p *prepared, r Respondent, _ []Passage) (Answer, basis) {
	for i := len(r.Earlier) - 1; i >= 0; i-- {
		if e := r.Earlier[i]; e.Number != nil && foldLabel(e.Question) == foldLabel(p.q.Text) && p.inBounds(*e.Number) {
			return Answer{Status: Answered, Number: e.Number, Message: "As this Mind answered before."}, basis{state: Stated}
		}
	}
	if v, field, ok := p.numberIn(r.Profile); ok {
		return Answer{Status: Answered, Number: &v, Message: "From this Mind's own profile: " + field + "."}, basis{state: Stated}
	}
	key := seedOf("construct", strings.Join(constructOf(p.topic), " "))
	u := phi(own(key, r))
	if q, b, ok := p.quantiles(r); ok {
		v := p.asPeopleSay(q(u), r)
		return Answer{Status: Answered, Number: &v}, b
	}
	if p.q.Minimum == nil || p.q.Maximum == nil {
		return nothingKnown, basis{}
	}
	low, high := *p.q.Minimum, *p.q.Maximum
	v := p.asPeopleSay(low+float64((high-low)*phi(float64(.6*quantile(u))-.2)), r)
	return Answer{Status: Answered, Number: &v}, basis{state: Unsupported}
}

var nothingKnown = Answer{Status: CannotAnswer, Reason: ReasonNoEvidence, Message: "Nothing tells how large this number might be, so none is named."}

func (p *prepared) inBounds(v float64) bool {
	return (p.q.Minimum == nil || v >= *p.q.Minimum) && (p.q.Maximum == nil || v <= *p.q.Maximum) && (!p.q.Integer || v == math.Trunc(v))
}

// numberIn reads a number from a profile field that the question asks for.
func (p *prepared) numberIn(pr Profile) (float64, string, bool) {
	take := func(key, value string) (float64, string, bool) {
		s, ok := parseSpan(value)
		if !ok || s.lo != s.hi || !p.inBounds(s.lo) {
			return 0, "", false
		}
		return s.lo, key + ": " + value, true
	}
	if d, ok := asksDemographic(p.topic); ok {
		for _, v := range pr.values(d) {
			if n, field, ok := take(string(d), v); ok {
				return n, field, true
			}
		}
		return 0, "", false
	}
	for _, f := range pr.Fields {
		about, ok := p.keys.Load(f.Key)
		if !ok { // Minds share their keys: each is compared once a question
			about, _ = p.keys.LoadOrStore(f.Key, p.about(newBag(f.Key, nil)))
		}
		if about.(bool) {
			if n, field, ok := take(f.Key, f.Value); ok {
				return n, field, true
			}
		}
	}
	return 0, "", false
}

// quantiles finds the published distribution over numbers or ranges of them that
// is nearest to the question, for people like this Mind.
func (p *prepared) quantiles(r Respondent) (func(float64) float64, basis, bool) {
	var best *compiled
	score := 0.0
	for _, e := range r.Evidence {
		if e == nil || e.Multiselect || p.pol.KnowledgeOnly && e.Origin == OriginAudience {
			continue
		}
		c := p.banded(e)
		if c == nil {
			continue
		}
		s := similarity(p.topic, c.topic)
		if s >= NearQuestion && p.topic.sign == c.topic.sign && (s > score || s == score && best != nil && c.Digest < best.Digest) {
			best, score = c, s
		}
	}
	if best == nil {
		return nil, basis{}, false
	}
	shares, groups := best.shares(r.Profile)
	b := basis{state: Grounded, from: []*Evidence{best.Evidence}, groups: groups, warnings: append([]string(nil), best.unstated...)}
	if why := best.where.misfit(r.Profile.read()); why != "" || score < SameQuestion || best.Source == "" && best.URL == "" {
		b.state = Related
		if why != "" {
			b.warnings = append(b.warnings, why)
		}
	}
	return bandQuantile(bandsOf(best.Options), shares), b, true
}

// banded is evidence over numbers, read once; nil for other evidence.
func (p *prepared) banded(e *Evidence) *compiled {
	digest := e.Digest
	if digest == "" {
		digest = e.digest()
	}
	if v, ok := p.matches.Load(digest); ok {
		m := v.(*match)
		if m == nil {
			return nil
		}
		return m.held(e).c
	}
	var m *match
	if bandsOf(e.Options) != nil {
		held := *e
		held.Digest = digest
		m = &match{c: compile(&held)}
	}
	v, _ := p.matches.LoadOrStore(digest, m)
	if m = v.(*match); m == nil {
		return nil
	}
	return m.held(e).c
}

// bandsOf reads options as numbers or ranges that follow on each other; nil when
// one is none. An open last range reaches half as far again.
func bandsOf(options []OptionShare) []span {
	out := make([]span, len(options))
	order := make([]int, len(options))
	for i, o := range options {
		s, ok := parseSpan(o.Label)
		if !ok {
			return nil
		}
		out[i], order[i] = s, i
	}
	sort.Slice(order, func(x, y int) bool { return out[order[x]].lo < out[order[y]].lo })
	for n, i := range order {
		if n+1 < len(order) {
			next := out[order[n+1]].lo
			if next <= out[i].lo || !math.IsInf(out[i].hi, 1) && out[i].hi > next {
				return nil
			}
			if out[i].hi > out[i].lo { // a single number is that number
				out[i].hi = next
			}
			continue
		}
		if math.IsInf(out[i].hi, 1) {
			out[i].hi = out[i].lo * 1.5
		}
	}
	return out
}

// bandQuantile is the inverse of the distribution function, straight within a
// range.
func bandQuantile(bands []span, shares []float64) func(float64) float64 {
	order := make([]int, len(bands))
	total := 0.0
	for i := range order {
		order[i] = i
		total += shares[i]
	}
	sort.Slice(order, func(x, y int) bool { return bands[order[x]].lo < bands[order[y]].lo })
	return func(u float64) float64 {
		left := float64(u * total)
		last := order[0]
		for _, i := range order {
			if shares[i] <= 0 {
				continue
			}
			last = i
			if left < shares[i] {
				return bands[i].lo + float64((bands[i].hi-bands[i].lo)*left/shares[i])
			}
			left -= shares[i]
		}
		return bands[last].hi
	}
}

// asPeopleSay rounds a number as people do, each in a way of its own, and keeps
// it within the bounds.
func (p *prepared) asPeopleSay(v float64, r Respondent) float64 {
	v = nano(v)
	step := niceStep(v, seedOf("rounding", r.ID).at(0, 0))
	if p.q.Integer && step < 1 {
		step = 1
	}
	return p.bounded(math.Round(v/step) * step)
}

func (p *prepared) bounded(v float64) float64 {
	if p.q.Minimum != nil {
		v = math.Max(v, *p.q.Minimum)
	}
	if p.q.Maximum != nil {
		v = math.Min(v, *p.q.Maximum)
	}
	if p.q.Integer {
		v = math.Round(v)
		if p.q.Minimum != nil && v < *p.q.Minimum {
			v++
		}
		if p.q.Maximum != nil && v > *p.q.Maximum {
			v--
		}
	}
	s, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64) // 0.30000000000000004 is nothing that people say
	return s
}

// niceStep is what somebody rounds a number to: half of them to a finer step.
func niceStep(v float64, habit uint64) float64 {
	v = math.Abs(v)
	if v < 1e-6 {
		return 1
	}
	scale := math.Pow(10, math.Floor(math.Log10(v)))
	if v < 20 && v >= 1 {
		scale = 1
		if v < 10 {
			return []float64{1, .5}[habit&1]
		}
		return scale
	}
	return scale * []float64{.5, .1}[habit&1]
}

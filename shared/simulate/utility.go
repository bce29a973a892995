package simulate

import (
	"math"
	"sort"
	"strings"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Choices by utility. What a Mind prefers among items or alternatives follows
// from one utility for each: a base from evidence, the Mind's own deviation that
// is the same in every task, and an error of the task. So preferences are
// transitive, and the models of these methods (logit, rank logit) are true of
// the answers: what was planted comes back.
const (
	ownTaste    = .7   // sd of a Mind's own deviation
	leastShare  = .002 // of an item in evidence: nothing is worth minus infinity
	priceSlope  = 1.2  // utility lost from the lowest to the highest price, without evidence
	orderSlope  = .8   // utility gained from the first to the last of ordered levels
	slopeSpread = .35  // sd of the logarithm of a Mind's own slope
	noneUtility = -.5  // of choosing none, against products of middling utility
)

// part is one thing with a utility of its own: an item, a level, or none.
type part struct {
	name  string  // shown or by id, for seeds
	base  float64 // declared, or by order; in units of slope for a price or an ordered level
	key   seed
	loads loads
	slope int // +1 or -1: base is multiplied by the Mind's own slope; 0: it is as it is
}

// utilities are what a battery's Minds choose by.
type utilities struct {
	groups  []valued
	shown   [][2]int // ranking, best_worst: group and part of each option
	alts    [][][2]int
	errors  seed
	names   []string // canonical, for the errors of the shown
	task    QuestionType
	none    int // index of the alternative of none, -1
	declare bool
}

// valued is a list of parts whose shares evidence may know: all items of a
// battery, or the levels of an attribute.
type valued struct {
	parts []part
	asked func() []*prepared // the questions that evidence may answer, best first
}

func checkItems(q Question) error {
	if len(q.Options) < 2 || q.Type == BestWorst && len(q.Options) < 3 {
		return fault.New(fault.Validation, "categoricalOptions must hold the items to put in order: two or more for ranking, three or more for best_worst.").With("field", "categoricalOptions")
	}
	seen := map[string]bool{}
	for _, o := range q.Options {
		if seen[o] {
			return fault.New(fault.Validation, "categoricalOptions must not hold %q twice.", clipped(o)).With("field", "categoricalOptions")
		}
		seen[o] = true
	}
	if q.TopK < 0 || q.TopK > len(q.Options) {
		return fault.New(fault.Validation, "topK must be at most the number of items, %d.", len(q.Options)).With("field", "topK")
	}
	return nil
}

// taskOf finds the model of a question's form or method; nil for the others.
func taskOf(p *prepared) (task, error) {
	b := p.q.Battery
	switch {
	case p.q.Type == Ranking || p.q.Type == BestWorst:
		return itemUtilities(p), nil
	case p.q.Type == Categorical && b != nil && len(b.Alternatives) > 0:
		return alternativeUtilities(p)
	case p.q.Type != Categorical && b != nil && (b.Method == MethodWestendorp || b.Method == MethodGranger):
		return priceTask(p)
	case p.q.Type == Categorical && b != nil && b.Method == MethodKano:
		return kanoTask(p)
	case p.q.Type == Numeric:
		return numberTask(p), nil
	}
	return nil, nil
}

// hidden prepares questions that evidence on the same things may answer, when
// the first Mind with evidence asks for them.
func (p *prepared) hidden(texts []string, options []string) func() []*prepared {
	return sync.OnceValue(func() (out []*prepared) {
		if len(options) < 2 {
			return nil
		}
		seen := map[string]bool{}
		for _, t := range texts {
			if strings.TrimSpace(t) == "" || seen[t] {
				continue
			}
			seen[t] = true
			topic := newBag(t, options)
			for _, form := range []QuestionType{Categorical, Multiselect} {
				out = append(out, p.compared(Question{Text: t, Type: form, Options: options}, topic))
			}
		}
		return out
	})
}

// compared is a question that is only held against evidence, never asked.
func (p *prepared) compared(q Question, topic bag) *prepared {
	h := &prepared{eng: p.eng, q: q, pol: p.pol, labels: readLabels(q.Options), topic: topic, things: true}
	h.key = questionKey(q, topic.folded, h.labels)
	_, h.scale, h.ordered = canonicalOrder(h.key, h.labels, false)
	h.place = *h.placeOf(topic, h.labels)
	h.prior = make([]float64, len(h.labels)) // what is not known of items has no part in them
	for i := range h.prior {
		h.prior[i] = 1 / float64(len(h.prior))
	}
	return h
}

func itemUtilities(p *prepared) task {
	u := &utilities{task: p.q.Type, none: -1}
	items, task := p.q.Options, ""
	if b := p.q.Battery; b != nil {
		if len(b.Items) > 0 {
			items = b.Items
		}
		task = b.Task
	}
	subject := foldLabel(p.q.subject())
	var g valued
	at := map[string]int{}
	add := func(item string) int {
		name := foldLabel(item)
		if i, ok := at[name]; ok {
			return i
		}
		at[name] = len(g.parts)
		g.parts = append(g.parts, part{name: item, key: seedOf("taste", subject, name), loads: loadsOf(newBag(item, nil))})
		return len(g.parts) - 1
	}
	for _, it := range items {
		add(it)
	}
	for _, o := range p.q.Options {
		u.shown = append(u.shown, [2]int{0, add(o)})
		u.names = append(u.names, foldLabel(o))
	}
	all := make([]string, len(g.parts))
	for i := range g.parts {
		all[i] = g.parts[i].name
	}
	g.asked = p.hidden([]string{p.q.subject(), p.q.Text}, all)
	u.groups = []valued{g}
	u.errors = taskSeed(p.q.Type, subject, task, u.names)
	return u
}

// taskSeed names a task by what it shows, whatever the order.
func taskSeed(form QuestionType, subject, task string, names []string) seed {
	sorted := append([]string(nil), names...)
	sort.Strings(sorted)
	return seedOf(append([]string{"task", string(form), subject, task}, sorted...)...)
}

func alternativeUtilities(p *prepared) (task, error) {
	b := p.q.Battery
	if len(b.Alternatives) != len(p.q.Options) {
		return nil, fault.New(fault.Validation, "battery.alternatives must be aligned to the options: %d for %d.", len(b.Alternatives), len(p.q.Options)).With("field", "battery.alternatives")
	}
	u := &utilities{task: Categorical, none: -1}
	subject := foldLabel(p.q.subject())
	attributes := b.Attributes
	if len(attributes) == 0 {
		attributes = attributesOf(b.Alternatives)
	}
	type ref struct{ attribute, level string }
	at := map[ref][2]int{}
	for _, a := range attributes {
		var g valued
		var labels []string
		low, high := math.Inf(1), math.Inf(-1)
		for _, l := range a.Levels {
			if l.Value != nil {
				low, high = math.Min(low, *l.Value), math.Max(high, *l.Value)
			}
		}
		for i, l := range a.Levels {
			name := l.Label
			if name == "" {
				name = l.ID
			}
			labels = append(labels, name)
			v := part{name: name, key: seedOf("taste", subject, foldLabel(a.ID), foldLabel(l.ID))}
			switch along := float64(i)/math.Max(1, float64(len(a.Levels)-1)) - .5; {
			case l.Utility != nil:
				v.base, u.declare = *l.Utility, true
			case a.Kind == "price":
				if l.Value != nil && high > low {
					along = (*l.Value-low)/(high-low) - .5
				}
				v.base, v.slope = along, -1
			case a.Kind == "ordered":
				v.base, v.slope = along, 1
			}
			at[ref{a.ID, l.ID}] = [2]int{len(u.groups), i}
			g.parts = append(g.parts, v)
		}
		name := a.Label
		if name == "" {
			name = a.ID
		}
		g.asked = p.hidden([]string{"Which " + strings.ToLower(name) + " do you prefer?", name + " " + p.q.subject(), name}, labels)
		u.groups = append(u.groups, g)
	}
	none := valued{parts: []part{{name: "none", base: noneUtility, key: seedOf("taste", subject, "none")}}}
	for i, alt := range b.Alternatives {
		var parts [][2]int
		for _, a := range attributes { // in their order: sums are the same on any machine
			if l, ok := alt.Levels[a.ID]; ok {
				ref, known := at[ref{a.ID, l}]
				if !known {
					return nil, fault.New(fault.Validation, "battery.alternatives[%d].levels: %q is no level of %q.", i, clipped(l), clipped(a.ID)).With("field", "battery.alternatives")
				}
				parts = append(parts, ref)
			}
		}
		if len(alt.Levels) == 0 {
			u.none = i
			parts = [][2]int{{len(u.groups), 0}}
		}
		u.alts = append(u.alts, parts)
		u.names = append(u.names, alternativeName(attributes, alt))
	}
	u.groups = append(u.groups, none)
	u.errors = taskSeed(Categorical, subject, b.Task, u.names)
	return u, nil
}

// alternativeName is an alternative by its levels, wherever it stands.
func alternativeName(attributes []Attribute, a Alternative) string {
	var s strings.Builder
	for _, at := range attributes {
		s.WriteString(at.ID + "\x00" + a.Levels[at.ID] + "\x01")
	}
	return s.String()
}

// attributesOf lists attributes and levels where only alternatives are known.
func attributesOf(alts []Alternative) (out []Attribute) {
	var ids []string
	levels := map[string]map[string]bool{}
	for _, a := range alts {
		for id, l := range a.Levels {
			if levels[id] == nil {
				levels[id] = map[string]bool{}
				ids = append(ids, id)
			}
			levels[id][l] = true
		}
	}
	sort.Strings(ids)
	for _, id := range ids {
		a := Attribute{ID: id}
		for l := range levels[id] {
			a.Levels = append(a.Levels, Level{ID: l})
		}
		sort.Slice(a.Levels, func(i, j int) bool { return a.Levels[i].ID < a.Levels[j].ID })
		out = append(out, a)
	}
	return out
}

// own is a Mind's stable deviate from N(0,1) for a key, even over neighbouring
// slots.
func own(key seed, r Respondent) float64 {
	z := func(slot int64) float64 { return normal(key.at(slot, 0xD0)) }
	return quantile(stratified(key, r.Slot, z, unit(seedOf("mind", r.ID, key.hex()).at(0, 0))))
}

// values gives the utilities of all parts of a group for one Mind.
func (g valued) values(r Respondent, b *basis) []float64 {
	out := make([]float64, len(g.parts))
	evidenced := false
	var asked []*prepared
	if len(r.Evidence) > 0 && g.asked != nil {
		asked = g.asked()
	}
	for _, h := range asked {
		e := h.distribution(r)
		if e.state != Grounded && e.state != Related {
			continue
		}
		mean := 0.0
		for i := range out {
			out[i] = math.Log(math.Max(e.p[i], leastShare))
			mean += out[i] / float64(len(out))
		}
		for i := range out {
			out[i] -= mean
		}
		evidenced = true
		b.rest(e)
		break
	}
	for i, v := range g.parts {
		dev := own(v.key, r)
		if v.loads.any { // what people of one leaning like, they like together
			dev = v.loads.common(r.Slot) + float64(v.loads.own*dev)
		}
		dev = float64(ownTaste * dev)
		if v.slope != 0 {
			lean, names := priceLean(r.Profile)
			if v.slope > 0 {
				lean, names = 0, nil
			}
			if !evidenced {
				slope := orderSlope
				if v.slope < 0 {
					slope = -priceSlope
					b.traits = unique(append(b.traits, names...))
				}
				mine := math.Exp(float64(slopeSpread * (lean + slopeOf(v, r))))
				out[i] += float64(slope * mine * v.base)
				continue // the slope is the Mind's own part of it
			}
		} else if !evidenced {
			out[i] += v.base
		}
		if v.loads.any && !evidenced {
			lean, names := traitLean(v.loads, r.Profile)
			out[i] += lean
			if len(names) > 0 {
				b.traits = unique(append(b.traits, names...))
			}
		}
		out[i] += dev
	}
	return out
}

// priceFactor loads on price sensitivity alone.
var priceFactor = func() (l loads) { l.v[factorPrice], l.any = 1, true; return l }()

func priceLean(p Profile) (float64, []string) { return traitLean(priceFactor, p) }

// slopeOf is one deviate for all levels of an attribute: a price is felt alike
// at every level.
func slopeOf(v part, r Respondent) float64 {
	if v.slope < 0 {
		return normal(thetaSeed.at(r.Slot, factorPrice))
	}
	return normal(seedOf("order", r.ID).at(0, 0))
}

// rest adds what another distribution rests on; the weaker state counts.
func (b *basis) rest(e basis) {
	if b.state == "" || e.state == Related {
		b.state = e.state
	}
	for _, s := range e.from {
		known := false
		for _, x := range b.from {
			known = known || x.ID == s.ID && x.Digest == s.Digest
		}
		if !known {
			b.from = append(b.from, s)
		}
	}
	b.groups = unique(append(b.groups, e.groups...))
	b.warnings = unique(append(b.warnings, e.warnings...))
}

// gumbel is the error of one thing in one task.
func (u *utilities) gumbel(r Respondent, name string, lane uint64) float64 {
	return -math.Log(-math.Log(unit(seedOf("error", r.ID, u.errors.hex(), name).at(0, lane))))
}

// nano rounds to a billionth, so that machines whose logarithms differ in the
// last bit choose alike.
func nano(v float64) float64 { return math.Round(v*1e9) / 1e9 }

func (u *utilities) answer(p *prepared, r Respondent, _ []Passage) (Answer, basis) {
	var b basis
	values := make([][]float64, len(u.groups))
	for i, g := range u.groups {
		values[i] = g.values(r, &b)
	}
	switch {
	case b.state == Grounded && u.task == Categorical: // shares of levels are no choices among products
		b.state = Related
	case b.state == "" && u.declare:
		b.state = Related
		b.warnings = append(b.warnings, "part-worths were declared")
	case b.state == "" && len(b.traits) > 0:
		b.state = Trait
	case b.state == "":
		b.state = Unsupported
	}
	k := len(p.q.Options)
	mine := make([]float64, k)
	for i := range mine {
		if u.alts == nil {
			mine[i] = values[u.shown[i][0]][u.shown[i][1]]
			continue
		}
		for _, at := range u.alts[i] {
			mine[i] += values[at[0]][at[1]]
		}
	}
	b.p = make([]float64, k)
	for i := range mine {
		b.p[i] = math.Exp(mine[i])
	}
	settle(b.p)
	order := make([]int, k)
	felt := make([]float64, k)
	for i := range order {
		order[i], felt[i] = i, nano(mine[i]+u.gumbel(r, u.names[i], 0))
	}
	sort.Slice(order, func(x, y int) bool {
		i, j := order[x], order[y]
		if felt[i] != felt[j] {
			return felt[i] > felt[j]
		}
		return u.names[i] < u.names[j]
	})
	a := Answer{Status: Answered, Probabilities: b.p}
	switch u.task {
	case Ranking:
		n := k
		if p.q.TopK > 0 {
			n = p.q.TopK
		}
		for _, i := range order[:n] {
			a.Ranking = append(a.Ranking, p.q.Options[i])
		}
	case BestWorst: // the best of all, then the worst of the rest, each with an error of its own
		best, worst := order[0], -1
		least := 0.0
		for _, i := range order[1:] {
			if v := nano(mine[i] - u.gumbel(r, u.names[i], 1)); worst < 0 || v < least || v == least && u.names[i] < u.names[worst] {
				worst, least = i, v
			}
		}
		a.Best, a.Worst = p.q.Options[best], p.q.Options[worst]
	default:
		a.Option = p.q.Options[order[0]]
	}
	return a, b
}

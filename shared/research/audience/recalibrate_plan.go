package audience

import (
	"context"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// planning decides what a recalibration changes. It runs while the Audience is
// held, from what is stored then, and writes nothing but blobs.
type planning struct {
	s      *Service
	o      recalibration
	r      RecalibrateRequest
	a      Audience
	old    Ground
	cohort Cohort
	minds  map[string]mind.Mind
	base   brief.Brief // the brief with its adjustments
	said   brief.Instruction

	reach    string
	composed grounding.Composed // as it will be
	context  Context
	axes     []string // axes that the caller decided on
	narrowed []string // axes of which some segments may have nobody any more
}

func (s *Service) planChange(ctx context.Context, o recalibration, a Audience, r RecalibrateRequest) (change, error) {
	p := &planning{s: s, o: o, r: r, a: a}
	if err := p.read(ctx); err != nil {
		return change{}, err
	}
	if err := p.compose(ctx); err != nil {
		return change{}, err
	}
	return p.people(ctx)
}

// read gets what stands.
func (p *planning) read(ctx context.Context) error {
	g, err := p.s.Ground(ctx, p.a)
	if err != nil {
		return err
	}
	if g == nil {
		return fault.New(fault.NotEnoughEvidence, "The Audience has no grounding.")
	}
	p.old, p.composed, p.context = *g, g.Composed, g.Context
	c, err := p.s.CohortOf(ctx, p.a)
	if err != nil {
		return err
	}
	found, err := p.s.d.Minds.GetMany(ctx, p.a.MemberIDs)
	if err != nil {
		return err
	}
	p.minds = make(map[string]mind.Mind, len(found))
	for _, m := range found {
		p.minds[m.ID] = m
	}
	if c == nil { // never allocated: those who were made for the Audience, in order
		c = &Cohort{}
		for i, m := range found {
			if m.AudienceID == p.a.ID {
				c.Members = append(c.Members, CohortMember{MindID: m.ID, Index: i, Weight: 1})
			}
		}
	}
	p.cohort = Cohort{Axes: c.Axes, Groups: c.Groups}
	for _, m := range c.Members {
		if known, ok := p.minds[m.MindID]; ok && !known.IsRealPerson {
			p.cohort.Members = append(p.cohort.Members, m)
		}
	}
	p.base, err = p.s.briefOf(ctx, p.a)
	return err
}

// compose decides the reach and the composition.
func (p *planning) compose(ctx context.Context) error {
	switch p.r.mode() {
	case ModeDistributions:
		p.reach = ReachSelection
		var err error
		p.composed, err = selected(p.old.Composed, p.r.Axes)
		return err
	case ModeQuery:
		said := brief.Read(p.r.Query)
		return p.pivot(ctx, said)
	case ModeRefresh:
		p.reach = ReachEvidence
	case ModeDeepen:
		p.reach = ReachDeepen
	}
	if p.r.Instruction == "" && p.r.RequestedAxis == "" || p.r.Deepen != nil {
		fresh, err := p.fresh(ctx, p.base, nil)
		if err != nil {
			return err
		}
		p.composed = p.active(grounding.Merge(p.old.Composed, evidenced(p.old.Composed, fresh, p.topics())))
	}
	if p.r.Instruction == "" && p.r.RequestedAxis == "" {
		return nil
	}
	return p.instruct(ctx)
}

// instruct puts an instruction into force.
func (p *planning) instruct(ctx context.Context) error {
	p.said = brief.ReadInstruction(p.r.Instruction, p.base)
	if p.r.RequestedAxis != "" {
		if p.r.Instruction == "" {
			p.said = brief.Instruction{Reach: brief.ReachComposition}
		}
		p.said.Axes = append(slices.Clone(p.said.Axes), p.r.RequestedAxis)
		p.said.Brief.Axes = append(slices.Clone(p.said.Brief.Axes), brief.Term{Label: p.r.RequestedAxis, Axis: p.r.RequestedAxis, Quote: p.r.RequestedAxis})
	}
	if err := saidOf(p.said); err != nil {
		return err
	}
	if p.said.Without != nil {
		return p.leave()
	}
	if len(p.said.Limits) > 0 {
		in, err := bounded(p.said, p.composed)
		if err != nil {
			return err
		}
		if p.said = in; len(in.Axes) == 0 { // it holds already
			if p.reach == "" {
				p.reach = ReachComposition
			}
			return nil
		}
	}
	now := adjusted(p.base, p.said)
	if p.said.Reach == brief.ReachComposition {
		p.said = known(p.said, p.composed)
	}
	switch p.said.Reach {
	case brief.ReachAdditive:
		p.reach = ReachAdditive
		return nil
	case brief.ReachPivot:
		if narrow, axes, ok := p.narrower(); ok {
			if p.reach == "" {
				p.reach = ReachComposition
			}
			p.composed, p.axes, p.narrowed = narrow, axes, axes
			p.restate(now)
			return nil
		}
		return p.pivot(ctx, now)
	case brief.ReachTrait:
		p.reach = ReachTrait
		p.context.Required = slices.Clone(p.context.Required)
		for _, t := range traitsOf(p.said, p.r.Instruction) {
			if !slices.Contains(p.context.Required, t) {
				p.context.Required = append(p.context.Required, t)
			}
		}
		return p.instructed(ctx, knownAxes(p.composed, p.said.Axes))
	}
	if p.reach == "" {
		p.reach = ReachComposition
	}
	if len(p.said.Axes) == 0 {
		return fault.New(fault.NotEnoughEvidence, "The instruction names no axis that could be changed. Say which shares or which dimension, for example \"40 %% men\" or \"add an income axis\".")
	}
	p.restate(now)
	return p.instructed(ctx, p.said.Axes)
}

// restate puts a change into the words for the population.
func (p *planning) restate(now brief.Brief) {
	p.composed.Who = restated(p.composed.Who, p.base, now)
	p.context.Population = restated(p.context.Population, p.base, now)
	p.composed = grounding.Merge(p.composed, grounding.Composed{}) // the summary says it too
}

// topics are what deepening asks for besides.
func (p *planning) topics() []string {
	if p.r.Deepen == nil {
		return nil
	}
	return p.r.Deepen.Topics
}

// instructed takes these axes from a composition with the instruction in force.
func (p *planning) instructed(ctx context.Context, axes []string) error {
	if len(axes) == 0 {
		return nil
	}
	out, left := p.composed, axes
	if p.said.Reach == brief.ReachComposition {
		out, left = p.share(out, axes, p.said.Figures)
	}
	if len(left) > 0 {
		fresh, err := p.fresh(ctx, adjusted(p.base, p.said), nil)
		if err != nil {
			return err
		}
		if len(p.said.Figures) > 0 || p.said.Reach == brief.ReachTrait {
			p.attributed(&fresh)
		}
		var missing []string
		out, missing = replaced(out, fresh, left)
		if len(missing) > 0 {
			return noEvidence(missing)
		}
		var figures []brief.Figure
		for _, f := range p.said.Figures {
			if slices.Contains(left, f.Axis) {
				figures = append(figures, f)
			}
		}
		if p.said.Reach == brief.ReachComposition {
			keepOthers(&out, p.composed, figures)
		}
		setFigures(&out, figures)
	}
	if p.said.Reach == brief.ReachComposition {
		out.HardConstraints = loosened(out.HardConstraints, p.said.Figures)
	}
	p.composed, p.axes = grounding.Merge(out, grounding.Composed{}), axes
	return nil
}

// attributed says of what a composition takes from the words of the instruction
// that it stands there, and not in the brief.
func (p *planning) attributed(c *grounding.Composed) {
	c.Sources = slices.Clone(c.Sources)
	for i, s := range c.Sources {
		if s.Domain == "brief" && s.IsUserProvided {
			c.Sources[i] = p.statement()
		}
	}
	say := func(reason string) string {
		return strings.ReplaceAll(strings.ReplaceAll(reason, "Stated in the brief.", "Stated in an adjustment."), "the brief", "an adjustment")
	}
	for i := range c.Distributions {
		c.Distributions[i].Reason = say(c.Distributions[i].Reason)
	}
	for i := range c.Review {
		c.Review[i].Reason = say(c.Review[i].Reason)
	}
	for i := range c.Findings {
		c.Findings[i].Summary = say(c.Findings[i].Summary)
	}
	for i := range c.Coverage.Dimensions {
		c.Coverage.Dimensions[i].Reason = say(c.Coverage.Dimensions[i].Reason)
	}
}

// loosened is the constraints without those on axes that shares are stated for.
func loosened(c *grounding.HardConstraints, figures []brief.Figure) *grounding.HardConstraints {
	if c == nil {
		return nil
	}
	out := *c
	out.Categorical = nil
	for _, r := range c.Categorical {
		if !slices.ContainsFunc(figures, func(f brief.Figure) bool { return f.Axis == r.Axis }) {
			out.Categorical = append(out.Categorical, r)
		}
	}
	for _, f := range figures {
		switch grounding.DimensionOf(f.Axis) {
		case grounding.DimGender:
			out.Genders = nil
		case grounding.DimAge:
			low, high, ok := ageBand(f.Label)
			if ok && out.MinAge != nil && low < *out.MinAge {
				out.MinAge = nil
			}
			if ok && out.MaxAge != nil && high > *out.MaxAge {
				out.MaxAge = nil
			}
		}
	}
	return &out
}

// pivot turns to another population.
func (p *planning) pivot(ctx context.Context, to brief.Brief) error {
	p.reach = ReachPivot
	fresh, err := p.fresh(ctx, to, nil)
	if err != nil {
		return err
	}
	if to.Name == "" && len(fresh.Distributions) == 0 {
		return fault.New(fault.NotEnoughEvidence, "No population could be read from this. Describe who is meant, for example \"nurses in Spain aged 25 to 45\".")
	}
	p.composed = p.active(fresh)
	p.context = Context{Seed: p.old.Context.Seed, Population: to.Population, Roles: labels(to.Roles), Required: required(to.Traits, AxesOf(p.composed))}
	if p.r.Query == "" {
		p.context.Required = append(p.context.Required, p.adopted()...)
	}
	return nil
}

// adopted are the traits that earlier adjustments made everybody's, but for those
// that the words replace or that an axis says from now on.
func (p *planning) adopted() []string {
	var out []string
	for _, label := range p.old.Context.Required {
		axis := ""
		for _, t := range append(slices.Clone(p.base.Traits), brief.Read(label).Traits...) {
			if strings.EqualFold(t.Label, label) {
				axis = t.Axis
			}
		}
		for _, t := range p.base.Roles {
			if strings.EqualFold(t.Label, label) {
				axis = t.Axis
			}
		}
		gone := slices.Contains(p.context.Required, label)
		if axis != "" {
			gone = gone || slices.ContainsFunc(p.composed.Distributions, func(d grounding.Distribution) bool { return d.Name == axis }) ||
				slices.ContainsFunc(p.said.Brief.Traits, func(t brief.Trait) bool { return t.Axis == axis }) ||
				slices.ContainsFunc(p.said.Brief.Roles, func(t brief.Term) bool { return t.Axis == axis })
		}
		if !gone && !slices.Contains(out, label) {
			out = append(out, label)
		}
	}
	return out
}

// evidenced is what looking again may put beside what stands: for a dimension that
// is known already anything, as another only what a source says, for the words of
// the brief and of its adjustments are in force. Topics of which nothing was found
// are listed as missing.
func evidenced(old, fresh grounding.Composed, topics []string) grounding.Composed {
	stood := func(key string) bool {
		return slices.ContainsFunc(old.Coverage.Dimensions, func(d grounding.Dimension) bool { return d.Key == key })
	}
	cited := func(key string) bool {
		for _, d := range fresh.Distributions {
			if keyOf(d) != key || d.Status == grounding.Assumed {
				continue
			}
			for _, s := range d.Distribution {
				if s.SourceIdx >= 0 && s.SourceIdx < len(fresh.Sources) && fresh.Sources[s.SourceIdx].Domain != "brief" {
					return true
				}
			}
		}
		return false
	}
	fresh.Coverage.Dimensions = slices.DeleteFunc(slices.Clone(fresh.Coverage.Dimensions), func(d grounding.Dimension) bool {
		return !stood(d.Key) && !cited(d.Key)
	})
	for _, t := range topics {
		key := grounding.DimensionOf(t)
		about := func(name string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(t)) }
		if stood(key) || slices.ContainsFunc(fresh.Coverage.Dimensions, func(d grounding.Dimension) bool { return d.Key == key || about(d.Name) }) ||
			slices.ContainsFunc(fresh.Review, func(d grounding.Distribution) bool { return about(d.Name) }) {
			continue
		}
		fresh.Coverage.Dimensions = append(fresh.Coverage.Dimensions, grounding.Dimension{Key: key, Name: t, Status: grounding.Missing,
			Reason: "Asked for in deepening, and no figure of it was found in what could be read. It is not allocated. Give a source with figures, or send the axis with its shares in distributions."})
	}
	return fresh
}

// fresh composes a brief with what was read for this recalibration.
func (p *planning) fresh(ctx context.Context, b brief.Brief, earlier *grounding.Composed) (grounding.Composed, error) {
	in := grounding.Input{Brief: b, Topics: labels(b.Topics), Model: p.s.d.Model, Earlier: earlier}
	if p.r.Deepen != nil {
		in.Topics = append(in.Topics, p.r.Deepen.Topics...)
	}
	var err error
	if in.Material, in.Web, err = p.s.materialOf(ctx, p.o.Readings); err != nil {
		return grounding.Composed{}, err
	}
	out, err := grounding.ComposeContext(ctx, in)
	if err != nil && in.Model != nil && ctx.Err() == nil {
		err = nil // what the rules read stands
	}
	return out, err
}

// active is a composition without the axes that the owner left out.
func (p *planning) active(c grounding.Composed) grounding.Composed {
	c.Distributions = without(c.Distributions, p.old.Exclude)
	return c
}

// knownAxes are the names that are active axes.
func knownAxes(c grounding.Composed, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		return !slices.ContainsFunc(c.Distributions, func(d grounding.Distribution) bool { return d.Name == n })
	})
}

// traitsOf is what holds for everybody from now on.
func traitsOf(in brief.Instruction, text string) []string {
	var out []string
	for _, t := range in.Brief.Traits {
		out = append(out, t.Label)
	}
	for _, t := range in.Brief.Roles {
		out = append(out, t.Label)
	}
	if len(out) == 0 {
		out = []string{clip(strings.TrimSpace(text), 200)}
	}
	return out
}

func clip(s string, runes int) string {
	if r := []rune(s); len(r) > runes {
		return strings.TrimSpace(string(r[:runes]))
	}
	return s
}

// config is the allocation controls as they are from now on.
func (p *planning) config() allocate.Config {
	c := p.old.Config
	if p.reach == ReachSelection || p.reach == ReachPivot {
		c.DistributionNames, c.MaxDistributions, c.TargetOverrides = nil, 0, nil
		return c
	}
	c.TargetOverrides = slices.DeleteFunc(slices.Clone(c.TargetOverrides), func(o allocate.Override) bool {
		return slices.Contains(p.axes, o.Distribution) || !slices.ContainsFunc(p.composed.Distributions, func(d grounding.Distribution) bool { return d.Name == o.Distribution })
	})
	if len(c.DistributionNames) > 0 {
		names := knownAxes(p.composed, c.DistributionNames)
		for _, a := range p.axes {
			if !slices.Contains(names, a) {
				names = append(names, knownAxes(p.composed, []string{a})...)
			}
		}
		c.DistributionNames = names
	}
	return c
}

// input is what the members are allocated from.
func (p *planning) input(n int) allocate.Input {
	in := allocate.Input{Axes: AxesOf(p.composed), Members: n, Config: p.config(), Mode: p.old.Mode,
		Relations: RelationsOf(p.composed), Pairs: PairsOf(p.composed.Pairs), Keep: unchanged(p.old.Composed, p.composed)}
	for i := range in.Relations {
		in.Relations[i].Stated = p.reach == ReachSelection
	}
	return in
}

// ground is the grounding as it will be.
func (p *planning) ground(config allocate.Config, r allocate.Result) Ground {
	g := p.old
	g.Composed, g.Config, g.Context, g.CreatedAt = p.composed, config, p.context, p.s.d.Clock.Now()
	g.Audit, g.Coverage = &r.Audit, r.Coverage
	g.Notes = slices.Clone(g.Notes)
	for _, n := range p.o.Notes {
		if !slices.Contains(g.Notes, n) {
			g.Notes = append(g.Notes, n)
		}
	}
	if p.reach == ReachSelection {
		g.Exclude = nil
	}
	return g
}

// evidence is what everybody answers from in another population; it is written
// even when it is nothing, so that nothing of the old one is left.
func (p *planning) evidence(ctx context.Context) (*mindEvidence, error) {
	if p.reach != ReachPivot {
		return nil, nil
	}
	ref, err := p.s.PutEvidence(ctx, p.o.Workspace, EvidenceOf(p.composed))
	if err != nil {
		return nil, err
	}
	if ref == nil {
		none, err := p.s.putJSON(ctx, p.o.Workspace, []simulate.Evidence{})
		if err != nil {
			return nil, err
		}
		ref = &none
	}
	return &mindEvidence{ref}, nil
}

// adjustment keeps an instruction for later; a query is not kept.
func (p *planning) adjustment(ctx context.Context) (*SourceRecord, error) {
	text := p.r.Instruction
	if text == "" && p.r.RequestedAxis != "" {
		text = "add a distribution by " + p.r.RequestedAxis
	}
	if text == "" {
		return nil, nil
	}
	// Said again, it is in force already; of additions each counts.
	for _, rec := range slices.Backward(p.a.Sources) {
		if rec.Kind == SourceAdjustment {
			if rec.Text == text && p.reach != ReachAdditive {
				return nil, nil
			}
			break
		}
	}
	rec, err := p.s.TextSource(ctx, p.o.Workspace, SourceAdjustment, text)
	return &rec, err
}

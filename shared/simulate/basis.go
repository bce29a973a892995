package simulate

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
)

// basis is a distribution for one Mind with what it rests on.
type basis struct {
	p        []float64 // as asked, settled
	state    State
	from     []*Evidence
	groups   []string // breakdown groups used
	traits   []string
	warnings []string
	place    *place // of the published question, or of the asked one
	like     *likeness
	cites    []Citation // passages used
}

// SourcesDisagree is the warning of answers whose sources are further apart than
// total variation .15: what is most frequent among them is no finding by itself.
const SourcesDisagree = "the sources differ by more than 15 points"

// oldSource is the age in years from which a source's age is said.
const oldSource = 5

// Limits of the weight of related evidence against the type prior, and the
// years in which its weight falls by e.
const (
	relatedLeast = .25
	relatedMost  = .5
	relatedDecay = 15
)

// distribution finds the best supported probabilities for a Mind.
func (p *prepared) distribution(r Respondent) basis {
	type candidate struct {
		*match
		why string // why it is not grounded, "" when it is
	}
	var grounded, related []candidate
	var me reading
	read := false
	seen := map[string]bool{}
	for _, e := range r.Evidence {
		if e == nil || (p.pol.KnowledgeOnly && e.Origin == OriginAudience) {
			continue
		}
		digest := e.Digest
		if digest == "" {
			digest = e.digest()
		}
		if seen[digest] {
			continue
		}
		seen[digest] = true
		m := p.matchOf(e, digest)
		if m == nil {
			continue
		}
		if !read {
			me, read = r.Profile.read(), true
		}
		m = m.held(e) // ids and origin belong to the holder, figures to the cache
		why := m.c.where.misfit(me)
		switch {
		case why != "":
		case m.c.Source == "" && m.c.URL == "":
			why = "source not stated"
		case m.mirrored:
			why = "the source asked the opposite and was read the other way round"
		case m.score < SameQuestion:
			why = "the source asked a similar question in other words"
		}
		if why == "" {
			grounded = append(grounded, candidate{m, ""})
		} else {
			related = append(related, candidate{m, why})
		}
	}
	use, state := grounded, Grounded
	if len(use) == 0 {
		use, state = related, Related
	}
	if len(use) == 0 {
		return p.unsupported(r)
	}
	sort.SliceStable(use, func(i, j int) bool {
		if use[i].score != use[j].score {
			return use[i].score > use[j].score
		}
		return use[i].c.Digest < use[j].c.Digest
	})
	multi := p.q.Type == Multiselect
	b := basis{state: state, place: &p.place}
	if use[0].as != nil {
		b.place = use[0].as
	}
	var doubt []string
	var ps [][]float64
	var ws []float64
	for _, u := range use {
		published, groups := u.c.shares(r.Profile)
		ps = append(ps, asAsked(u.m, published, multi))
		ws = append(ws, u.c.weightOf()*u.score)
		b.from = append(b.from, u.c.Evidence)
		b.groups = append(b.groups, groups...)
		if u.why != "" {
			b.warnings = append(b.warnings, u.why)
		}
		if d := u.c.where.doubt(me); d != "" {
			doubt = append(doubt, d)
		}
		if u.m.dropped {
			b.warnings = append(b.warnings, "answers outside the scale were published but not asked; the shares of the others were scaled up")
		}
		if u.m.quality == byPosition || u.m.quality == byPoints {
			b.warnings = append(b.warnings, "answers were mapped by their place on the scale")
		}
		if y := referenceYear - u.c.year; u.c.year > 0 && y >= oldSource {
			b.warnings = append(b.warnings, fmt.Sprintf("the source is %d years old (%d)", y, u.c.year))
		}
		b.warnings = append(b.warnings, u.c.unstated...)
	}
	out, apart := pool(ps, ws, multi)
	if apart {
		b.warnings = append(b.warnings, SourcesDisagree)
	}
	b.warnings = unique(append(b.warnings, doubt...))
	if state == Related {
		c := use[0].score
		if y := use[0].c.year; y > 0 {
			c *= math.Exp(-float64(max(referenceYear-y, 0)) / relatedDecay)
		} else {
			c = 0
		}
		c = math.Min(math.Max(c, relatedLeast), relatedMost)
		for i := range out {
			out[i] = float64(c*out[i]) + float64((1-c)*p.prior[i])
		}
	}
	if multi {
		for i := range out {
			out[i] = math.Round(out[i]*1e6) / 1e6
		}
	} else {
		settle(out)
	}
	b.p = out
	return b
}

// matchOf compares evidence once per digest.
func (p *prepared) matchOf(e *Evidence, digest string) *match {
	if v, ok := p.matches.Load(digest); ok {
		return v.(*match)
	}
	held := *e
	held.Digest = digest
	v, _ := p.matches.LoadOrStore(digest, p.match(compile(&held)))
	return v.(*match)
}

func unique(list []string) (out []string) {
	for _, s := range list {
		out = appendNew(out, s)
	}
	return out
}

// held is the match with the evidence as its holder has it.
func (m *match) held(e *Evidence) *match {
	if m.c.ID == e.ID && m.c.Origin == e.Origin {
		return m
	}
	c, out := *m.c, *m
	ev := *e
	ev.Digest = m.c.Digest
	c.Evidence = &ev
	out.c = &c
	return &out
}

// unsupported is the type prior, moved by mapped traits where there are any.
func (p *prepared) unsupported(r Respondent) basis {
	b := basis{state: Unsupported, p: append([]float64(nil), p.prior...), place: &p.place}
	if p.q.Type == Multiselect || p.pol.KnowledgeOnly {
		return b
	}
	lean, names := traitLean(p.loads, r.Profile)
	if len(names) == 0 {
		return b
	}
	shift(b.p, p.order, p.scale, lean)
	settle(b.p)
	b.state, b.traits = Trait, names
	return b
}

// message is the sentence that says what a choice rests on. It is no reason of a
// person: a draw has none.
func (p *prepared) message(a Answer, b basis) string {
	said := a.Option
	switch {
	case len(a.Ranking) > 0:
		said = strings.Join(a.Ranking, " > ")
	case a.Best != "":
		said = "Best: " + a.Best + ". Worst: " + a.Worst
	case p.q.Type == Numeric && a.Number != nil:
		said = strings.TrimSpace(strconv.FormatFloat(*a.Number, 'f', -1, 64) + " " + p.q.Unit)
	case a.Number != nil:
		said = strconv.Itoa(int(*a.Number))
		if l, ok := p.q.ScaleLabels[int(*a.Number)]; ok {
			said += " (" + l + ")"
		}
	case p.q.Type == Multiselect && len(a.Options) == 0:
		said = "None picked"
	case p.q.Type == Multiselect:
		said = strings.Join(a.Options, ", ")
	}
	if p.pol.ResponseForm == "concise" {
		return said + "."
	}
	var basis string
	switch b.state {
	case Grounded:
		basis = "Drawn from " + sourcesInWords(b.from) + " for people like this."
	case Related:
		basis = "Inferred from a related source: " + sourcesInWords(b.from) + "."
		if len(b.from) == 0 {
			basis = inferredFrom(b)
		}
	case Trait:
		if len(b.traits) > 0 {
			basis = "Inferred from profile traits (" + strings.Join(b.traits, ", ") + ")."
		}
		if b.like != nil {
			basis = strings.TrimSpace(basis + " Inferred from this Mind's own words: " + quote(b.like.cite.Quote))
		}
	default:
		basis = "No evidence: illustrative only."
	}
	out := said + ". " + basis
	if p.pol.ResponseForm == "expanded" {
		if len(b.groups) > 0 {
			out += " Groups used: " + strings.Join(b.groups, ", ") + "."
		}
		for _, w := range b.warnings {
			out += " Note: " + w + "."
		}
	}
	return out
}

// inferredFrom says what an answer without a published distribution rests on.
func inferredFrom(b basis) string {
	for _, c := range b.cites {
		return "Inferred from this Mind's sources: " + quote(c.Quote)
	}
	if len(b.warnings) > 0 {
		return "Inferred: " + b.warnings[0] + "."
	}
	return "Inferred from what was given."
}

func sourcesInWords(es []*Evidence) string {
	var out []string
	for _, e := range es {
		name := e.Source
		if name == "" {
			name = "an imported distribution (source not stated)"
		}
		var facts []string
		if e.N != nil {
			facts = append(facts, fmt.Sprintf("n = %d", *e.N))
		}
		if e.Dates != "" {
			facts = append(facts, e.Dates)
		}
		if len(facts) > 0 {
			name += " (" + strings.Join(facts, ", ") + ")"
		}
		out = append(out, name)
	}
	return strings.Join(out, "; ")
}

func quote(s string) string { return "“" + s + "”" }

package audience

import (
	"context"
	"fmt"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/jobs"
)

// maxQueries is how many searches one research makes.
const maxQueries = 8

// planResearch decides whether research goes on behind a new Audience (M-42,
// M-43), marks it so, and gives the job to open in the same transaction; nil when
// there is nothing to do: web search was left out, there is no provider, or every
// dimension has a source already.
func (s *Service) planResearch(a *Audience, include bool) *jobs.Job {
	if !include || s.d.Search == nil || s.d.Pages == nil || a.Grounding == nil {
		return nil
	}
	c := a.Grounding.Coverage
	if c.Assumed+c.Missing+c.Proxy == 0 {
		return nil
	}
	now := s.d.Clock.Now()
	o := recalibration{ID: s.d.IDs.NewID(), Workspace: a.Workspace, Owner: a.Owner, AudienceID: a.ID, Mode: modeResearch}
	a.Research = ResearchState{Phase: Researching, JobID: o.ID, StartedAt: now}
	j := o.job(now)
	return &j
}

// queries are what a recalibration looks up: figures for the dimensions that have
// none, or for what the caller asks about. None where the caller decides himself.
func (s *Service) queries(ctx context.Context, a Audience, r RecalibrateRequest) ([]string, error) {
	if r.Selection {
		return nil, nil
	}
	b, err := s.briefOf(ctx, a)
	if err != nil {
		return nil, err
	}
	g, err := s.Ground(ctx, a)
	if err != nil || g == nil {
		return nil, err
	}
	var about []string
	switch {
	case r.Query != "":
		b = brief.Read(r.Query)
		about = []string{"age distribution", "gender", "education", "household income"}
	case r.Instruction != "" || r.RequestedAxis != "":
		in := brief.ReadInstruction(r.Instruction, b)
		switch in.Reach {
		case brief.ReachPivot:
			b = over(b, in.Brief)
			about = []string{"age distribution", "gender", "education", "household income"}
		case brief.ReachComposition:
			stated := map[string]bool{}
			for _, f := range in.Figures {
				stated[f.Axis] = true
			}
			for _, axis := range in.Axes {
				if !stated[axis] {
					about = append(about, axis)
				}
			}
		}
		if r.RequestedAxis != "" {
			about = append(about, r.RequestedAxis)
		}
	}
	if r.Instruction == "" && r.Query == "" && r.RequestedAxis == "" || r.Deepen != nil {
		for _, d := range g.Composed.Coverage.Dimensions {
			if d.Status != grounding.Sourced {
				about = append(about, d.Name)
			}
		}
	}
	var out []string
	if r.Deepen != nil { // what the caller asks for goes first
		for _, t := range r.Deepen.Topics {
			out = append(out, wordsOf(b)+" "+t)
		}
	}
	for _, name := range about {
		out = append(out, fmt.Sprintf("%s %s statistics", wordsOf(b), strings.ToLower(name)))
	}
	return out[:min(len(out), maxQueries)], nil
}

// wordsOf names a population for a search.
func wordsOf(b brief.Brief) string {
	who := b.Population
	if who == "" {
		who = b.Name
	}
	for _, p := range b.Places {
		if !strings.Contains(strings.ToLower(who), strings.ToLower(p.Name)) {
			who += " " + p.Name
		}
	}
	return clip(strings.Join(strings.Fields(who), " "), 120)
}

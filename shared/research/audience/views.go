package audience

import (
	"context"
	"maps"

	"github.com/mindgate-dev/mindgate/shared/clock"
)

// SharedURL is the public link of an Audience, only while a link is switched on
// and a share id exists (M-4); an id left behind gives none.
func (s *Service) SharedURL(a Audience) *string {
	if a.PublicShareID == "" || !a.IsPublic && !a.LinkSharing {
		return nil
	}
	url := s.d.PublicURL + "/api/v1/shared/audiences/" + a.PublicShareID
	return &url
}

// base is what every view of an Audience starts with.
func (s *Service) base(ctx context.Context, a Audience) Base {
	b := Base{ID: a.ID, Name: a.Name, MindCount: len(a.MemberIDs), CurrentMemberRole: string(RoleOf(ctx, a)),
		IsPublic: a.IsPublic, IsSharedWithTeam: a.SharedWithTeam, IsLinkSharingEnabled: a.LinkSharing,
		WorkspaceURL: s.URL(a.ID), SharedAudienceURL: s.SharedURL(a),
		CreatedAt: clock.Stamp(a.CreatedAt), UpdatedAt: clock.Stamp(a.UpdatedAt)}
	if a.State == Creating {
		b.MindCount = a.Planned
	}
	if b.SharedAudienceURL != nil {
		b.PublicShareID = &a.PublicShareID
	}
	if !collaborates(RoleOf(ctx, a)) {
		b.IsSharedWithTeam, b.IsLinkSharingEnabled = false, false // only for collaborators (M-2)
	}
	return b
}

// researchOf is the state of background research as callers see it.
func researchOf(a Audience) Research {
	r := Research{Phase: a.Research.Phase, StartedAt: stamp(a.Research.StartedAt), CompletedAt: stamp(a.Research.CompletedAt), Error: text(a.Research.Error)}
	if r.Phase == "" {
		r.Phase = ResearchNone
	}
	return r
}

// collaborates reports whether a role sees findings and where uploads are (M-2).
func collaborates(r Role) bool { return r != PublicViewer && r != "" }

// sourcesOf are the records of what an Audience was made from; addresses of files
// and links only for collaborators.
func sourcesOf(a Audience, r Role) []Source {
	out := make([]Source, len(a.Sources))
	for i, src := range a.Sources {
		out[i] = Source{ID: src.ID, Kind: src.Kind, Text: text(src.Text), Filename: text(src.Filename), CreatedAt: clock.Stamp(src.CreatedAt)}
		if collaborates(r) {
			out[i].URL = text(src.URL)
		}
	}
	return out
}

// researched says how each dimension is covered (M-46), what was not read, and which
// axes are left out.
func researched(g Ground) map[string]any {
	c := g.Composed
	out := map[string]any{"dimensionCoverage": map[string]any{"dimensions": dimensionsOf(c.Coverage.Dimensions)}, "notes": list(g.Notes)}
	if g.Audit != nil && len(g.Exclude) > 0 {
		out["excludedDistributions"] = g.Exclude
	}
	if len(c.Flagged) > 0 {
		out["flaggedDistributions"] = c.Flagged
	}
	return out
}

// groundingOf is the grounding as callers see it; nil when there is none.
func (s *Service) groundingOf(ctx context.Context, a Audience) (*Grounding, error) {
	g, err := s.Ground(ctx, a)
	if err != nil || g == nil {
		return nil, err
	}
	c := g.Composed
	audit, err := s.auditOf(ctx, a, g)
	if err != nil {
		return nil, err
	}
	out := &Grounding{
		SnapshotID: &a.Grounding.SnapshotID, Distributions: distributionsOf(c.Distributions), ReviewDistributions: distributionsOf(c.Review), Sources: groundingSourcesOf(c.Sources),
		Summary: text(c.Summary), Confidence: c.Confidence, CreatedAt: clock.Stamp(a.Grounding.CreatedAt), AppliedToPersonas: a.Cohort != nil,
		AllocationConfig: &g.Config, AllocationAudit: audit, HardConstraints: c.HardConstraints,
		Research: researched(*g),
	}
	if collaborates(RoleOf(ctx, a)) {
		out.SourceFindings = list(c.Findings)
	} else {
		for i, from := range c.Sources {
			if from.IsUserProvided { // where uploads are, and what stands in them, is for collaborators
				out.Sources[i].URL, out.Sources[i].Snippet = "", ""
			}
		}
	}
	return out, nil
}

// profiles gives the segments of every allocated member by its id.
func (s *Service) profiles(ctx context.Context, a Audience) (map[string]map[string]string, error) {
	c, err := s.CohortOf(ctx, a)
	if err != nil || c == nil {
		return nil, err
	}
	out := make(map[string]map[string]string, len(c.Members))
	for _, m := range c.Members {
		out[m.MindID] = c.Profile(m)
	}
	return out, nil
}

// Weights gives the weights of an Audience's members by id, for the statistics of
// a disproportionate cohort (M-127); nil when all count alike.
func (s *Service) Weights(ctx context.Context, a Audience) (map[string]float64, error) {
	c, err := s.CohortOf(ctx, a)
	if err != nil || c == nil {
		return nil, err
	}
	out := make(map[string]float64, len(c.Members))
	for _, m := range c.Members {
		out[m.MindID] = m.Weight
	}
	for w := range maps.Values(out) {
		if w != 1 {
			return out, nil
		}
	}
	return nil, nil
}

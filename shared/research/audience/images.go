package audience

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// ImagesRequest asks for portraits of members. Force replaces those that there
// are; Limit is the most Minds to queue, 0: all; Dry queues none.
type ImagesRequest struct {
	Force bool
	Limit int
	Dry   bool
}

// Images is what came of it: candidates match, enqueued are queued now, skipped are
// kept as they are, errors could not be queued.
type Images struct {
	AudienceID   string   `json:"audienceId"`
	TotalMembers int      `json:"totalMembers"`
	Candidates   int      `json:"candidates"`
	Enqueued     int      `json:"enqueued"`
	Skipped      int      `json:"skipped"`
	Errors       int      `json:"errors"`
	Dry          bool     `json:"dry"`
	Sample       []Sample `json:"sample"` // at most 10 candidates
}

// Sample is one candidate.
type Sample struct {
	MindID string `json:"mindId"`
	Name   string `json:"name"`
}

const (
	sampled  = 10
	queueing = 8 // at once
)

// RegenerateImages queues portraits of members that have none, or with Force of
// all; those that are being drawn are left alone. They arrive later. It needs the
// role admin. VALIDATION, NOT_FOUND.
func (s *Service) RegenerateImages(ctx context.Context, id string, r ImagesRequest) (Images, error) {
	a, err := s.mayChange(ctx, id, Admin)
	if err != nil {
		return Images{}, err
	}
	if r.Limit < 0 {
		return Images{}, fault.New(fault.Validation, "limit is %d; it must be 1 or more.", r.Limit).With("field", "limit")
	}
	owner := asOwner(ctx, a)
	minds, err := s.d.Minds.GetMany(owner, a.MemberIDs)
	if err != nil {
		return Images{}, err
	}
	out := Images{AudienceID: a.ID, TotalMembers: len(minds), Dry: r.Dry, Sample: []Sample{}}
	var wanted []mind.Mind
	for _, m := range minds {
		if m.Drawing == nil && (r.Force || !m.HasPicture()) {
			wanted = append(wanted, m)
		}
	}
	out.Candidates = len(wanted)
	for _, m := range wanted[:min(len(wanted), sampled)] {
		out.Sample = append(out.Sample, Sample{m.ID, m.Name})
	}
	if r.Limit > 0 {
		wanted = wanted[:min(len(wanted), r.Limit)]
	}
	if !r.Dry {
		var queued, failed atomic.Int64
		var g errgroup.Group
		g.SetLimit(queueing)
		for _, m := range wanted {
			g.Go(func() error {
				switch done, _, err := s.d.Minds.RegenerateImage(owner, m.ID, r.Force, ""); {
				case err != nil && !fault.Is(err, fault.NotFound):
					failed.Add(1)
					s.d.Log.WarnContext(ctx, "portrait not queued", "workspace", a.Workspace, "mind", m.ID, "error", err)
				case done:
					queued.Add(1)
				}
				return nil
			})
		}
		_ = g.Wait()
		out.Enqueued, out.Errors = int(queued.Load()), int(failed.Load())
	}
	out.Skipped = out.TotalMembers - out.Enqueued - out.Errors
	if r.Dry {
		out.Skipped = out.TotalMembers - out.Candidates
	}
	return out, nil
}

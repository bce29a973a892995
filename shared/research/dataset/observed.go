package dataset

import (
	"context"
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/segment"
)

// Reviewed gives all that was seen in a file, its joint tables and what was
// answered to the held-out questions included; the file is read now if nothing is
// kept of it. For jobs: it may take as long as the analysis does, and waits for no
// other. Errors as Preview.
func (s *Service) Reviewed(ctx context.Context, r Request) (*segment.Preview, error) {
	r, err := r.checked()
	if err != nil {
		return nil, err
	}
	if err := s.entitled(ctx); err != nil {
		return nil, err
	}
	p := account.From(ctx)
	if have, version, err := s.read(ctx, p.Workspace, p.Account, digest(engine, p.Account, r.Name, r.URL, r.Sheet, r.Columns)); err != nil {
		return nil, err
	} else if version > 0 && have.Status == completed && have.Stored {
		if out, err := s.load(ctx, *have.Seen); err == nil {
			return out.Preview, nil
		}
	}
	ref, err := s.analysed(ctx, p.Workspace, r)
	if err != nil {
		return nil, err
	}
	out, err := s.load(ctx, ref)
	if err != nil {
		return nil, err
	}
	return out.Preview, out.Preview.Check(r.Columns)
}

// Observed is Reviewed for who holds a review: VALIDATION when the file does not
// give the figures of that review any more.
func (s *Service) Observed(ctx context.Context, r Request, review json.RawMessage) (*segment.Preview, error) {
	p, err := s.Reviewed(ctx, r)
	if err != nil || len(review) == 0 {
		return p, err
	}
	var held segment.Preview
	if err := json.Unmarshal(review, &held); err != nil {
		return nil, fault.New(fault.Validation, "datasetSegmentation is no review of a data set. Pass on what preview_audience_dataset_segmentation returned, unchanged.").With("path", "/datasetSegmentation")
	}
	if !fits(held, p) {
		return nil, fault.New(fault.Validation, "The file does not give the figures of datasetSegmentation: it was changed since, or the review is of another one. Review it again with preview_audience_dataset_segmentation and pass on what that returns.").With("path", "/datasetSegmentation")
	}
	return p, nil
}

// fits holds a review to what is seen in its file: as many respondents, and as
// many of each answer to the chosen variables.
func fits(held segment.Preview, now *segment.Preview) bool {
	if held.RespondentCount != 0 && held.RespondentCount != now.RespondentCount {
		return false
	}
	counts := map[string]map[string]int{}
	for _, v := range now.Variables {
		counts[v.Key] = map[string]int{}
		for _, x := range v.Distribution {
			counts[v.Key][x.Value] = x.RespondentCount
		}
	}
	chosen := map[string]bool{}
	for _, k := range held.SegmentationColumns {
		chosen[k] = true
	}
	for _, v := range held.Variables {
		if !chosen[v.Key] {
			continue
		}
		for _, x := range v.Distribution {
			if n, ok := counts[v.Key][x.Value]; !ok || n != x.RespondentCount {
				return false
			}
		}
	}
	return true
}

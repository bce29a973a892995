package export

import (
	"context"
	"io"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/report/csvdata"
	"github.com/mindgate-dev/mindgate/shared/report/markdown"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// write makes the file of a job: exactly the questions that were settled when it
// was asked for, so that equal jobs give equal bytes (M-224).
func (s *Service) write(ctx context.Context, r row, w io.Writer) error {
	if r.Kind == RawData {
		data := newRawData(r)
		if err := s.settled(ctx, r, data.add); err != nil {
			return err
		}
		return csvdata.Write(w, data.table())
	}
	doc := newDocument(r)
	if err := s.settled(ctx, r, doc.add); err != nil {
		return err
	}
	if err := s.outcomes(ctx, r, doc); err != nil {
		return err
	}
	built := doc.report()
	if err := built.Validate(); err != nil {
		return err
	}
	return markdown.Write(w, built, r.form().reportLength())
}

// settled reads the questions of a job, then the items of its planned runs.
func (s *Service) settled(ctx context.Context, r row, use func(study.Settled) error) error {
	var direct, planned []string
	for _, id := range r.Questions {
		if strings.Contains(id, "/") {
			planned = append(planned, id)
		} else {
			direct = append(direct, id)
		}
	}
	if err := s.d.Studies.Settled(ctx, r.StudyID, direct, use); err != nil || len(planned) == 0 || s.d.Planned == nil {
		return err
	}
	return s.d.Planned.Settled(ctx, r.StudyID, planned, use)
}

// outcomes adds what was computed of the runs that the job covers.
func (s *Service) outcomes(ctx context.Context, r row, doc *document) error {
	covered := map[string]bool{}
	for _, id := range r.Questions {
		if run, _, ok := strings.Cut(id, "/"); ok {
			covered[run] = true
		}
	}
	if len(covered) == 0 || s.d.Planned == nil {
		return nil
	}
	all, err := s.d.Planned.Outcomes(ctx, r.StudyID)
	if err != nil {
		return err
	}
	for _, o := range all {
		if covered[o.RunID] {
			doc.compute(o)
		}
	}
	return nil
}

// engines names the distinct engines of some questions, in order.
func engines(list []study.Engine) []study.Engine {
	var out []study.Engine
	seen := map[[2]string]bool{}
	for _, e := range list {
		if k := [2]string{e.Name, e.Version}; !seen[k] {
			seen[k] = true
			out = append(out, e)
		}
	}
	return out
}

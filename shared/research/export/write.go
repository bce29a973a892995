package export

import (
	"context"
	"io"

	"github.com/mindgate-dev/mindgate/shared/report/csvdata"
	"github.com/mindgate-dev/mindgate/shared/report/markdown"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// write makes the file of a job: exactly the questions that were settled when it
// was asked for, so that equal jobs give equal bytes (M-224).
func (s *Service) write(ctx context.Context, r row, w io.Writer) error {
	if r.Kind == RawData {
		data := newRawData(r)
		if err := s.d.Studies.Settled(ctx, r.StudyID, r.Questions, data.add); err != nil {
			return err
		}
		return csvdata.Write(w, data.table())
	}
	doc := newDocument(r)
	if err := s.d.Studies.Settled(ctx, r.StudyID, r.Questions, doc.add); err != nil {
		return err
	}
	built := doc.report()
	if err := built.Validate(); err != nil {
		return err
	}
	return markdown.Write(w, built, r.form().reportLength())
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

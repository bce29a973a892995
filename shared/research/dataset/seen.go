package dataset

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/segment"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// seen is all that the analysis of a file found: the review, and beside it what
// its JSON leaves out.
type seen struct {
	SHA256   string              `json:"sha256"` // of the file
	Preview  *segment.Preview    `json:"preview"`
	Columns  []column            `json:"columns"` // of Preview.Variables, in order
	Weights  *segment.Weights    `json:"weights,omitempty"`
	Groups   []segment.Group     `json:"groups,omitempty"`
	Pairs    []grounding.Pair    `json:"pairs,omitempty"`
	Evidence []simulate.Evidence `json:"evidence,omitempty"`
}

// column is what the JSON of a variable leaves out.
type column struct {
	Kind      segment.Kind   `json:"kind,omitempty"`
	Dimension string         `json:"dimension,omitempty"`
	Ordered   bool           `json:"ordered,omitempty"`
	Column    int            `json:"column"`
	Missing   map[string]int `json:"missing,omitempty"`
}

const maxSeen = 64 << 20

func (s *Service) keep(ctx context.Context, ws, sum string, p *segment.Preview) (blobs.Ref, error) {
	out := seen{SHA256: sum, Preview: p, Weights: p.Weights, Groups: p.Groups, Pairs: p.Pairs, Evidence: p.Evidence}
	for _, v := range p.Variables {
		out.Columns = append(out.Columns, column{v.Kind, v.Dimension, v.Ordered, v.Column, v.Missing})
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return blobs.Ref{}, err
	}
	return s.d.Blobs.Put(ctx, blobPrefix(ws), "application/json", bytes.NewReader(raw), maxSeen)
}

func (s *Service) load(ctx context.Context, ref blobs.Ref) (*seen, error) {
	in, err := s.d.Blobs.Open(ctx, ref, 0, -1)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var out seen
	if err := json.NewDecoder(in).Decode(&out); err != nil {
		return nil, fmt.Errorf("dataset: what was seen: %w", err)
	}
	if out.Preview == nil || len(out.Columns) != len(out.Preview.Variables) {
		return nil, fmt.Errorf("dataset: what was seen is not whole")
	}
	p := out.Preview
	p.Weights, p.Groups, p.Pairs, p.Evidence = out.Weights, out.Groups, out.Pairs, out.Evidence
	for i, c := range out.Columns {
		v := &p.Variables[i]
		v.Kind, v.Dimension, v.Ordered, v.Column, v.Missing = c.Kind, c.Dimension, c.Ordered, c.Column, c.Missing
	}
	return &out, nil
}

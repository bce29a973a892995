package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/records"
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

// keep stores what was seen in a file. Its row is written before it: whatever
// happens then, a sweep finds it.
func (s *Service) keep(ctx context.Context, ws, content, file string, p *segment.Preview) (blobs.Ref, error) {
	out := seen{SHA256: file, Preview: p, Weights: p.Weights, Groups: p.Groups, Pairs: p.Pairs, Evidence: p.Evidence}
	for _, v := range p.Variables {
		out.Columns = append(out.Columns, column{v.Kind, v.Dimension, v.Ordered, v.Column, v.Missing})
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return blobs.Ref{}, err
	}
	sum := sha256.Sum256(raw)
	ref := blobs.Ref{Prefix: blobPrefix(ws, content), SHA256: hex.EncodeToString(sum[:]), Size: int64(len(raw)), MediaType: "application/json"}
	if err := s.note(ctx, ws, content, ref); err != nil {
		return ref, err
	}
	return s.d.Blobs.Put(ctx, ref.Prefix, ref.MediaType, bytes.NewReader(raw), maxSeen)
}

// note writes what was seen down for longer than any review that gives it.
func (s *Service) note(ctx context.Context, ws, content string, ref blobs.Ref) error {
	body, _ := json.Marshal(ref) // plain data always encodes
	_, err := s.d.Records.Put(ctx, records.Item{Key: seenKey(ws, content), Body: body,
		G1PK: seenPK, G1SK: clock.Stamp(s.d.Clock.Now().Add(kept+deadline)) + "#" + content})
	return err
}

// known gives what was seen in the same bytes before, and keeps it for longer.
func (s *Service) known(ctx context.Context, ws, content string) (ref blobs.Ref, ok bool) {
	it, err := s.d.Records.Get(ctx, seenKey(ws, content))
	if err != nil || json.Unmarshal(it.Body, &ref) != nil {
		return ref, false
	}
	if _, err := s.d.Blobs.Stat(ctx, ref); err != nil {
		return ref, false
	}
	return ref, s.note(ctx, ws, content, ref) == nil
}

// Sweep removes what was seen a day ago, and tells how much. The host calls it now
// and then; what it does not come to is left to the next.
func (s *Service) Sweep(ctx context.Context) (removed int, err error) {
	page, err := s.d.Records.Query(ctx, records.Query{Index: records.G1, PK: seenPK, To: clock.Stamp(s.d.Clock.Now()) + "#~", Limit: 100})
	if err != nil {
		return 0, err
	}
	var problems []error
	for _, it := range page.Items {
		if err := s.remove(ctx, it); err != nil {
			problems = append(problems, err)
			continue
		}
		removed++
	}
	return removed, errors.Join(problems...)
}

// remove takes away what was seen and then its row; the index may lag, so the row
// itself says whether its time is over.
func (s *Service) remove(ctx context.Context, old records.Item) error {
	it, err := s.d.Records.Get(ctx, old.Key)
	if errors.Is(err, records.ErrNotFound) || err == nil && it.G1SK > clock.Stamp(s.d.Clock.Now())+"#~" {
		return nil
	}
	if err != nil {
		return err
	}
	var ref blobs.Ref
	if err := json.Unmarshal(it.Body, &ref); err != nil {
		return err
	}
	if err := s.d.Blobs.Delete(ctx, ref); err != nil {
		return err
	}
	return s.d.Records.Delete(ctx, it.Key)
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

package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// A document that grows with the Minds or the items stands in its row while it is
// small, and in a blob when it is not.
const (
	inlineLimit = 300 << 10
	packedLimit = 256 << 20
)

// encode writes JSON with texts as they are: what was confirmed stays what it was,
// to the letter.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// packed is such a document: exactly one of the two is set.
type packed struct {
	Inline json.RawMessage `json:"inline,omitempty"`
	Blob   *blobs.Ref      `json:"blob,omitempty"`
}

func (s *Service) pack(ctx context.Context, ws string, raw []byte, room int) (packed, error) {
	if len(raw) <= room {
		return packed{Inline: raw}, nil
	}
	ref, err := s.d.Blobs.Put(ctx, "w/"+ws, "application/json", bytes.NewReader(raw), packedLimit)
	if err != nil {
		return packed{}, err
	}
	return packed{Blob: &ref}, nil
}

func (s *Service) open(ctx context.Context, p packed) ([]byte, error) {
	if p.Blob == nil {
		return p.Inline, nil
	}
	r, err := s.d.Blobs.Open(ctx, *p.Blob, 0, -1)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, packedLimit))
}

// document makes the record of a packed document.
func (s *Service) document(ctx context.Context, ws, run, sk string, v any) (records.Item, error) {
	raw, err := encode(v)
	if err != nil {
		return records.Item{}, err
	}
	p, err := s.pack(ctx, ws, raw, inlineLimit)
	if err != nil {
		return records.Item{}, err
	}
	body, err := encode(p)
	return records.Item{Key: key(ws, run, sk), Body: body}, err
}

// unwrap reads the document of a record, as it was written.
func (s *Service) unwrap(ctx context.Context, it records.Item) ([]byte, error) {
	var p packed
	if err := json.Unmarshal(it.Body, &p); err != nil {
		return nil, err
	}
	return s.open(ctx, p)
}

// read decodes a document of a run; found is false when it is not there.
func (s *Service) read(ctx context.Context, ws, run, sk string, v any) (found bool, err error) {
	it, err := s.d.Records.Get(ctx, key(ws, run, sk))
	if errors.Is(err, records.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	raw, err := s.unwrap(ctx, it)
	if err != nil {
		return false, err
	}
	return true, json.Unmarshal(raw, v)
}

package study

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

// A document that may grow with the number of Minds stands in its row while it
// is small and in a blob when it is not, so that no row passes what the store
// takes.
const (
	inlineLimit = 300 << 10 // leaves room for the rest of a row of 400 KB
	packedLimit = 64 << 20
)

// packed is such a document: exactly one of the two is set.
type packed struct {
	Inline json.RawMessage `json:"inline,omitempty"`
	Blob   *blobs.Ref      `json:"blob,omitempty"`
}

// pack encodes v; above room bytes it goes to the blob store.
func (s *Service) pack(ctx context.Context, ws string, v any, room int) (packed, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return packed{}, err
	}
	if len(raw) <= room {
		return packed{Inline: raw}, nil
	}
	ref, err := s.d.Blobs.Put(ctx, "w/"+ws, "application/json", bytes.NewReader(raw), packedLimit)
	if err != nil {
		return packed{}, err
	}
	return packed{Blob: &ref}, nil
}

// unpack decodes the document into v.
func (s *Service) unpack(ctx context.Context, p packed, v any) error {
	if p.Blob == nil {
		return json.Unmarshal(p.Inline, v)
	}
	r, err := s.d.Blobs.Open(ctx, *p.Blob, 0, -1)
	if err != nil {
		return err
	}
	defer r.Close()
	raw, err := io.ReadAll(io.LimitReader(r, packedLimit))
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}

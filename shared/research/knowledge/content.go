package knowledge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// meta closes a parsed content: it is written last, so what has it is whole.
type meta struct {
	Kind          string    `json:"kind"`
	Passages      int       `json:"passages"`
	Distributions int       `json:"distributions"`
	Bytes         int64     `json:"bytes"` // of both, as stored
	ParsedAt      time.Time `json:"parsedAt"`
}

// blockBytes is about how much text one row of passages holds.
const blockBytes = 128 << 10

// maxEvidenceBytes is the largest JSON file that is looked at as a published
// distribution; larger ones are text.
const maxEvidenceBytes = 1 << 20

// unusable says why a content cannot be known; its text is shown to the caller.
type unusable struct{ reason string }

func (u unusable) Error() string { return u.reason }

// parse makes the content of a file retrievable, unless the workspace has it
// already. Parsing it again writes the same rows.
func (s *Service) parse(ctx context.Context, r row) (meta, error) {
	it, err := s.d.Records.Get(ctx, metaKey(r.Workspace, r.content()))
	if err == nil {
		var m meta
		return m, json.Unmarshal(it.Body, &m)
	}
	if !errors.Is(err, records.ErrNotFound) {
		return meta{}, err
	}
	m := meta{Kind: r.Kind, ParsedAt: s.d.Clock.Now()}
	file, err := s.d.Blobs.Open(ctx, blobs.Ref{
		Prefix: blobPrefix(r.Workspace), SHA256: r.Digest, Size: r.Size, MediaType: mediaTypes[r.Kind],
	}, 0, -1)
	if err != nil {
		return meta{}, err
	}
	defer file.Close()
	var in io.Reader = file
	if r.Kind == kindJSON {
		if m.Distributions, m.Bytes, in, err = s.parseJSON(ctx, r, file); err != nil {
			return meta{}, err
		}
	}
	if in != nil {
		if m.Passages, m.Bytes, err = s.parseText(ctx, r, in); err != nil {
			return meta{}, err
		}
	}
	if m.Passages+m.Distributions == 0 {
		return meta{}, unusable{"The file holds no text."}
	}
	body, err := json.Marshal(m)
	if err != nil {
		return meta{}, err
	}
	_, err = s.d.Records.Put(ctx, records.Item{Key: metaKey(r.Workspace, r.content()), Body: body})
	return m, err
}

// parseJSON stores a published distribution; a document that is none comes back
// as a text to read.
func (s *Service) parseJSON(ctx context.Context, r row, file io.Reader) (distributions int, size int64, text io.Reader, err error) {
	raw, err := io.ReadAll(file) // at most 50 MB, and JSON has to be whole to be judged
	if err != nil {
		return 0, 0, nil, err
	}
	raw = bytes.TrimPrefix(raw, byteOrderMark)
	if !json.Valid(raw) {
		return 0, 0, nil, unusable{"The file is not valid JSON: " + jsonProblem(raw) + "."}
	}
	if len(raw) <= maxEvidenceBytes {
		_, err = simulate.ParseEvidence(raw)
		switch {
		case err == nil:
			var body []byte
			if body, err = json.Marshal(json.RawMessage(raw)); err != nil { // compact
				return 0, 0, nil, err
			}
			if len(body) > 390<<10 {
				return 0, 0, nil, unusable{"The published distribution is larger than 390 KB. Leave breakdowns out."}
			}
			_, err = s.d.Records.Put(ctx, records.Item{Key: evidenceKey(r.Workspace, r.content()), Body: body})
			return 1, int64(len(body)), nil, err
		case !errors.Is(err, simulate.ErrNotEvidence):
			return 0, 0, nil, unusable{fmt.Sprintf("The published distribution cannot be used: %s", reasonOf(err))}
		}
	}
	return 0, 0, bytes.NewReader(raw), nil
}

// parseText stores the passages of a text in blocks. A text that is more than a
// Mind can look through is refused before anything of it is stored, and read no
// further than that takes.
func (s *Service) parseText(ctx context.Context, r row, in io.Reader) (passages int, size int64, err error) {
	var blocks [][]string
	room := 0
	emit := func(text string) error {
		passages, size = passages+1, size+int64(len(text))
		if passages > maxPassages || size > maxBytes {
			return unusable{tooMuch("This file alone is")}
		}
		if room < len(text) {
			blocks, room = append(blocks, nil), blockBytes
		}
		last := len(blocks) - 1
		blocks[last] = append(blocks[last], text)
		room -= len(text)
		return ctx.Err()
	}
	cut := split
	if r.Kind == kindCSV {
		cut = splitCSV
	}
	if err := cut(in, emit); err != nil {
		if errors.Is(err, errNotText) || errors.As(err, new(csvProblem)) {
			return 0, 0, unusable{sentence(err.Error())}
		}
		return 0, 0, err
	}
	for n, block := range blocks {
		body, err := json.Marshal(block)
		if err != nil {
			return 0, 0, err
		}
		if _, err := s.d.Records.Put(ctx, records.Item{Key: blockKey(r.Workspace, r.content(), n), Body: body}); err != nil {
			return 0, 0, err
		}
	}
	return passages, size, nil
}

package audience

import (
	"context"
	"strings"
	"unicode/utf8"
)

// maxKeptText is how much of a text a source record itself holds, in bytes; a
// longer one stands in a blob.
const maxKeptText = 4_000

// sources are the records of what the operation was given, in order: the brief,
// the keywords, the links, the files.
func (w *composing) sources(ctx context.Context) ([]SourceRecord, error) {
	r, now := w.in.Request, w.s.d.Clock.Now()
	brief, err := w.s.TextSource(ctx, w.o.Workspace, SourceBrief, r.Text)
	if err != nil {
		return nil, err
	}
	out := []SourceRecord{brief}
	for _, k := range r.Keywords {
		out = append(out, SourceRecord{ID: w.s.d.IDs.NewID(), Kind: SourceKeyword, Text: strings.TrimSpace(k), CreatedAt: now})
	}
	for _, read := range w.o.Readings {
		rec := SourceRecord{ID: w.s.d.IDs.NewID(), Kind: read.Kind, URL: read.URL, Filename: read.Name, Digest: read.Digest, CreatedAt: now}
		switch read.Kind {
		case SourceFile, SourceLink:
			out = append(out, rec)
		}
	}
	return out, nil
}

// TextSource makes the record of a text, which is kept whole however long it is.
func (s *Service) TextSource(ctx context.Context, workspace, kind, content string) (SourceRecord, error) {
	rec := SourceRecord{ID: s.d.IDs.NewID(), Kind: kind, Text: content, CreatedAt: s.d.Clock.Now()}
	if len(content) <= maxKeptText {
		return rec, nil
	}
	ref, err := s.putJSON(ctx, workspace, content)
	if err != nil {
		return rec, err
	}
	head := content[:maxKeptText]
	for !utf8.ValidString(head) {
		head = head[:len(head)-1]
	}
	rec.Text, rec.Body = head+"…", &ref
	return rec, nil
}

// SourceText is the whole text of a record.
func (s *Service) SourceText(ctx context.Context, rec SourceRecord) (string, error) {
	if rec.Body == nil {
		return rec.Text, nil
	}
	var whole string
	err := s.getJSON(ctx, *rec.Body, &whole)
	return whole, err
}

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
	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// blockBytes is how much one row of passages holds, as it is stored; one passage
// may go beyond it.
const blockBytes = 128 << 10

// maxEvidenceBytes is the largest JSON file that is looked at as a published
// distribution; larger ones are text.
const maxEvidenceBytes = 1 << 20

// Bounds of reading one source: those of a file that is worth the wait.
const (
	readTime   = 2 * time.Minute
	readMemory = 256 << 20
)

// make parses the source and publishes what was made of it. Doing it again
// writes the same rows.
func (w *work) make(ctx context.Context) (meta, error) {
	r := w.row
	file, err := w.s.d.Blobs.Open(ctx, *r.Raw, 0, -1)
	if errors.Is(err, blobs.ErrNotFound) {
		return meta{}, unusable{"The file did not arrive whole. Send it again."}
	}
	if err != nil {
		return meta{}, err
	}
	defer file.Close()
	m := meta{Make: w.making().name, Raw: r.Raw, Kind: r.Kind, ParsedAt: w.s.d.Clock.Now()}
	var in io.Reader = file
	if r.Kind == string(extract.JSON) {
		if in, err = w.readEvidence(ctx, file, &m); err != nil {
			return meta{}, err
		}
	}
	if in != nil {
		if err := w.readText(ctx, in, &m); err != nil {
			return meta{}, err
		}
	}
	return w.s.publish(ctx, r, w.jobID, m)
}

// readEvidence stores a published distribution; a document that is none comes
// back as a text to read.
func (w *work) readEvidence(ctx context.Context, file io.Reader, m *meta) (text io.Reader, err error) {
	head, err := io.ReadAll(io.LimitReader(file, maxEvidenceBytes+1))
	if err != nil {
		return nil, err
	}
	if len(head) > maxEvidenceBytes {
		return io.MultiReader(bytes.NewReader(head), file), nil
	}
	raw := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if !json.Valid(raw) {
		return nil, unusable{"The file is not valid JSON: " + jsonProblem(raw) + "."}
	}
	_, err = simulate.ParseEvidence(raw)
	switch {
	case errors.Is(err, simulate.ErrNotEvidence):
		return bytes.NewReader(raw), nil
	case err != nil:
		return nil, unusable{fmt.Sprintf("The published distribution cannot be used: %s", reasonOf(err))}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return nil, err
	}
	body := compact.Bytes()
	if len(body) > 390<<10 {
		return nil, unusable{"The published distribution is larger than 390 KB. Leave breakdowns out."}
	}
	_, err = w.s.d.Records.Put(ctx, records.Item{Key: w.making().key("evidence"), Body: body})
	m.Distributions, m.Bytes = 1, int64(len(body))
	return nil, err
}

// readText stores the passages of a text in blocks. A text that is more than a
// Mind can look through is refused before anything of it is stored, and read no
// further than that takes.
func (w *work) readText(ctx context.Context, in io.Reader, m *meta) error {
	r := w.row
	var blocks [][]byte // JSON lists of passages
	cut := &cutter{emit: func(p passage) error {
		m.Passages, m.Bytes = m.Passages+1, m.Bytes+int64(len(p.Text))
		if m.Passages > maxPassages || m.Bytes > maxBytes {
			return unusable{tooMuch("This source alone is")}
		}
		body, err := encode(p)
		if err != nil {
			return err
		}
		if last := len(blocks) - 1; last >= 0 && len(blocks[last])+len(body) < blockBytes {
			blocks[last] = append(append(blocks[last], ','), body...)
		} else {
			blocks = append(blocks, append([]byte{'['}, body...))
		}
		return ctx.Err()
	}}
	o := extract.Options{Kind: readKind(r.Kind), Filename: r.Filename, Size: r.Size, Time: readTime, Memory: readMemory}
	if r.Kind == kindPage {
		o.PageURL = r.Link
	}
	info, err := w.s.d.Read(ctx, in, o, cut.add)
	if err == nil {
		err = cut.end()
	}
	var bad *extract.Problem
	switch {
	case errors.As(err, &bad):
		return unusable{sentence(bad.Message)}
	case err != nil:
		return err
	}
	m.Title, m.Notes, m.Width, m.Height = clip(info.Title, 300), info.Notes, info.Width, info.Height
	if o.Kind == extract.Image {
		m.Notes = append([]string{fmt.Sprintf("The picture is kept (%d × %d pixels). It holds no text, so nothing can be retrieved from it.", info.Width, info.Height)}, m.Notes...)
	} else if m.Passages == 0 {
		return unusable{"The source holds no text."}
	}
	for n, block := range blocks {
		if _, err := w.s.d.Records.Put(ctx, records.Item{Key: w.making().blockKey(n), Body: append(block, ']')}); err != nil {
			return err
		}
	}
	return nil
}

// passage is one stored passage.
type passage struct {
	Text    string `json:"t"`
	Where   string `json:"w,omitempty"`
	Heading string `json:"h,omitempty"` // what stands above it, unless the text holds it
}

// encode writes a passage as short as it can be: markup stays as it is.
func encode(p passage) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(p)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// indexed is the text by which a passage is found.
func (p passage) indexed() string {
	if p.Heading == "" {
		return p.Text
	}
	return p.Heading + "\n" + p.Text
}

// readBlock reads a stored block; earlier releases kept texts alone.
func readBlock(body []byte) ([]passage, error) {
	var block []passage
	err := json.Unmarshal(body, &block)
	if err == nil {
		return block, nil
	}
	var texts []string
	if json.Unmarshal(body, &texts) != nil {
		return nil, err
	}
	block = make([]passage, len(texts))
	for i, t := range texts {
		block[i].Text = t
	}
	return block, nil
}

// reasonOf is what may be shown of why a distribution was refused.
func reasonOf(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Message
	}
	return sentence(err.Error())
}

// jsonProblem says where a document stops being JSON.
func jsonProblem(raw []byte) string {
	var at *json.SyntaxError
	if err := json.Unmarshal(raw, new(any)); errors.As(err, &at) {
		line := 1 + bytes.Count(raw[:min(int(at.Offset), len(raw))], []byte("\n"))
		return fmt.Sprintf("line %d, %s", line, at.Error())
	}
	return "it cannot be read to its end"
}

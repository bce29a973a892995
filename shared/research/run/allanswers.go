package run

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
)

// keepAnswers writes all answers of a run into one file, item by item, never more
// than a chunk of them in memory.
func (s *Service) keepAnswers(ctx context.Context, ws string, row *runRow) error {
	k, err := s.fixed(ctx, ws, row.ID)
	if err != nil {
		return err
	}
	in, out := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(out, 64<<10)
		err := s.writeAnswers(ctx, ws, *row, k, w)
		if err == nil {
			err = w.Flush()
		}
		_ = out.CloseWithError(err)
	}()
	ref, err := s.d.Blobs.Put(ctx, "w/"+ws, "application/json", in, packedLimit)
	_ = in.Close()
	if err != nil {
		return err
	}
	row.Answers = &packed{Blob: &ref}
	return nil
}

// writeAnswers is {"runId":…,"items":[{"itemId":…,"answers":[…]}, …]}.
func (s *Service) writeAnswers(ctx context.Context, ws string, row runRow, k known, w *bufio.Writer) error {
	id, _ := json.Marshal(row.ID)
	_, _ = w.WriteString(`{"runId":`)
	_, _ = w.Write(id)
	_, _ = w.WriteString(`,"items":[`)
	for i, q := range k.exec.Items[:row.Progress.Settled] {
		if i > 0 {
			_ = w.WriteByte(',')
		}
		id, _ := json.Marshal(q.ID)
		_, _ = w.WriteString(`{"itemId":`)
		_, _ = w.Write(id)
		_, _ = w.WriteString(`,"answers":[`)
		first := true
		if err := s.eachAnswers(ctx, ws, row.ID, q.Position, func(part []byte) error {
			if !first {
				_ = w.WriteByte(',')
			}
			first = false
			_, err := w.Write(part)
			return err
		}); err != nil {
			return err
		}
		_, _ = w.WriteString(`]}`)
	}
	_, err := w.WriteString(`]}`)
	return err
}

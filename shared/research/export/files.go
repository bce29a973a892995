package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// keep stores the file of a job under a prefix of the job's own, so that it can
// go with the job though another has the same bytes. Its row is written before
// it: whatever happens then, a sweep finds the file.
func (s *Service) keep(ctx context.Context, ws string, r row, file []byte) (blobs.Ref, error) {
	sum := sha256.Sum256(file)
	ref := blobs.Ref{Prefix: "w/" + ws + "/exports/" + r.ID, SHA256: hex.EncodeToString(sum[:]),
		Size: int64(len(file)), MediaType: r.form().mimeType()}
	body, err := json.Marshal(ref)
	if err != nil {
		return blobs.Ref{}, err
	}
	if _, err := s.d.Records.Put(ctx, records.Item{Key: fileKey(ws, r.ID), Body: body,
		G1PK: filesPK, G1SK: clock.Stamp(r.CreatedAt.Add(Kept+linkTTL)) + "#" + r.ID}); err != nil {
		return blobs.Ref{}, err
	}
	return s.d.Blobs.Put(ctx, ref.Prefix, ref.MediaType, bytes.NewReader(file), fileLimit)
}

const removers = 8 // files removed at once

// Sweep removes the files whose jobs have expired, and tells how many. The host
// calls it now and then; what it does not come to is left to the next.
func (s *Service) Sweep(ctx context.Context) (removed int, err error) {
	q := records.Query{Index: records.G1, PK: filesPK, To: clock.Stamp(s.d.Clock.Now()) + "#~", Limit: 200}
	page, err := s.d.Records.Query(ctx, q)
	if err != nil {
		return 0, err
	}
	var n atomic.Int64
	problems := make([]error, len(page.Items))
	var g errgroup.Group
	g.SetLimit(removers)
	for i, it := range page.Items {
		g.Go(func() error {
			if problems[i] = s.remove(ctx, it); problems[i] == nil {
				n.Add(1)
			}
			return nil
		})
	}
	_ = g.Wait() // one file's trouble keeps no other
	return int(n.Load()), errors.Join(problems...)
}

// remove takes a file away and then its row: ending in between leaves a row
// whose file is gone, which the next sweep removes.
func (s *Service) remove(ctx context.Context, it records.Item) error {
	if err := ctx.Err(); err != nil {
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

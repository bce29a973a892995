package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Whatever may be left behind has a note that is written before, or together
// with, what could leave it; the note goes last. Notes of a workspace stand in its
// partition and, for the sweep of all of them, in the first index by their time.

// notesPK is where the notes of all workspaces stand in the first index.
const notesPK = "knowledge#notes"

// note is the record of something that is to be looked after from a time on.
func note(k records.Key, at time.Time, body []byte) records.Item {
	return records.Item{Key: k, G1PK: notesPK, G1SK: clock.Stamp(at) + "#" + k.PK + "#" + k.SK, Body: body}
}

// left is what a job may have made, or may still make, of an item that is not its
// any more.
type left struct {
	ItemID   string     `json:"itemId"`
	JobID    string     `json:"jobId"`
	Contents []string   `json:"contents,omitempty"`
	Raw      *blobs.Ref `json:"raw,omitempty"`
}

// leave is the note of what the job of r may have left.
func (s *Service) leave(r row, key records.Key) (records.Action, error) {
	body, err := json.Marshal(left{r.ID, r.JobID, []string{r.Next, r.Content}, r.Raw})
	return records.PutItem(note(key, s.d.Clock.Now(), body)), err
}

// takeAway removes what was left, unless it is what counts of a content.
func (s *Service) takeAway(ctx context.Context, workspace string, l left) error {
	if l.JobID != "" {
		if err := s.prune(ctx, workspace, makeName(l.JobID, l.ItemID), l.Contents...); err != nil {
			return err
		}
	}
	if l.Raw == nil {
		return nil
	}
	for _, c := range l.Contents {
		if c == "" {
			continue
		}
		m, err := s.meta(ctx, workspace, c)
		if err != nil && !errors.Is(err, records.ErrNotFound) {
			return err
		}
		if m.Raw != nil && *m.Raw == *l.Raw {
			return nil
		}
	}
	return s.d.Blobs.Delete(ctx, *l.Raw)
}

// sweepLeft takes away what jobs left that have surely ended.
func (s *Service) sweepLeft(ctx context.Context, workspace string) error {
	q := records.Query{PK: gonePK(workspace), From: leftPrefix, To: leftKey(workspace, s.d.Clock.Now().Add(-takingTime), "~").SK, Limit: maxSwept}
	page, err := s.d.Records.Query(ctx, q)
	if err != nil {
		return err
	}
	for _, it := range page.Items {
		var l left
		if err := json.Unmarshal(it.Body, &l); err != nil {
			return err
		}
		if err := s.takeAway(ctx, workspace, l); err != nil {
			return err
		}
		if err := s.drop(ctx, it); err != nil {
			return err
		}
	}
	return nil
}

// Sweep takes away what calls and jobs that were cut off left in any workspace,
// hours after. Hosts call it every minute.
func (s *Service) Sweep(ctx context.Context) error {
	var failed []error
	swept := map[string]bool{}
	q := records.Query{Index: records.G1, PK: notesPK, To: clock.Stamp(s.d.Clock.Now().Add(-takingTime)), KeysOnly: true, Limit: 100}
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		for _, it := range page.Items {
			workspace := strings.TrimSuffix(strings.TrimPrefix(it.PK, "w#"), "#content")
			if swept[workspace] || ctx.Err() != nil {
				continue
			}
			swept[workspace] = true
			if err := s.sweep(ctx, workspace); err != nil {
				failed = append(failed, err)
			}
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return errors.Join(failed...)
		}
	}
}

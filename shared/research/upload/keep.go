package upload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// MaxHeld is the most bytes that the uploads of one workspace take at a time:
// those that were announced, that are coming in and that are kept.
const MaxHeld = 1 << 30

const (
	// keepTime is the longest that taking in one file may last, and grace how long
	// after its end an upload is left alone: nobody takes its file in any more.
	keepTime = time.Hour
	grace    = 2 * time.Hour

	saveAttempts = 8
)

func heldKey(workspace string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + "uploads", SK: "held"}
}

// endPK is where uploads stand by when they go.
const endPK = "uploads"

func endSK(at time.Time) string { return clock.Stamp(at) }

// save writes an upload, and in the same transaction what it takes of the
// workspace's room. errLost when the condition does not hold; PLAN_LIMIT.
func (s *Service) save(ctx context.Context, was, u row, cond records.Cond) error {
	switch {
	case u.Ref != nil:
		u.Held = u.Ref.Size
	case u.Size > u.Held:
		u.Held = u.Size
	}
	body, err := json.Marshal(u)
	if err != nil {
		return err
	}
	actions := []records.Action{records.PutItem(records.Item{
		Key: key(u.Workspace, u.ID), Body: body, G1PK: endPK, G1SK: endSK(u.EndsAt) + "#" + u.ID,
	}, cond)}
	if by := u.Held - was.Held; by != 0 {
		d := records.Delta{By: by}
		if by > 0 {
			d.Ceil = records.Bound(MaxHeld)
		}
		actions = append(actions, records.AddTo(heldKey(u.Workspace), d))
	}
	err = s.d.Records.Transact(ctx, "", actions...)
	var lost *records.CanceledError
	switch {
	case errors.As(err, &lost) && lost.Failed(0):
		return errLost
	case errors.As(err, &lost):
		return fault.New(fault.PlanLimit, "The uploads of this workspace would take more than %d MiB with this file. Each is kept for %d hours; send what is to be known straight to its Mind, or try again later.", MaxHeld>>20, int(Lifetime.Hours())).
			With("limitBytes", int64(MaxHeld))
	}
	return err
}

// errLost says that somebody changed the upload meanwhile.
var errLost = errors.New("upload: changed meanwhile")

// adopt takes in a file that its sender put straight into the bucket.
func (s *Service) adopt(ctx context.Context, u row, version int64) (row, error) {
	st, ok := s.d.Blobs.(blobs.Stager)
	if !ok || !s.d.Clock.Now().Before(u.EndsAt) {
		return u, notFound()
	}
	in, err := st.OpenStaged(ctx, prefix(u.Workspace, u.ID))
	if errors.Is(err, blobs.ErrNotFound) {
		return u, notFound()
	}
	if err != nil {
		return u, err
	}
	defer in.Close()
	u, err = s.keep(ctx, u, version, in)
	if err != nil && !fault.Is(err, fault.PayloadTooLarge) {
		return u, err
	}
	// One that is too large goes as well.
	return u, errors.Join(err, st.DeleteStaged(ctx, prefix(u.Workspace, u.ID)))
}

// keep stores a file and notes it with the upload. Whatever a break leaves is
// found by the upload, which stands before the file does.
func (s *Service) keep(ctx context.Context, u row, version int64, in io.Reader) (row, error) {
	ctx, cancel := context.WithTimeout(ctx, keepTime)
	defer cancel()
	if u.Size == 0 && u.Held == 0 { // room for whatever may come, until it is known
		was := u
		u.Held = MaxBytes
		if err := s.save(ctx, was, u, records.VersionIs(version)); err != nil && !errors.Is(err, errLost) {
			return u, err
		}
	}
	ref, err := s.d.Blobs.Put(ctx, prefix(u.Workspace, u.ID), "application/octet-stream", in, MaxBytes)
	if errors.Is(err, blobs.ErrTooLarge) {
		return u, tooLarge()
	}
	if err != nil {
		return u, err
	}
	for range saveAttempts {
		var was row
		if was, version, err = s.find(ctx, u.Workspace, u.Path); err != nil {
			break // it ended meanwhile
		}
		if was.Ref != nil && was.Ref.SHA256 == ref.SHA256 {
			return was, nil // these very bytes, from somebody quicker
		}
		if was.Ref != nil {
			err = sentAlready()
			break
		}
		u = was
		u.Ref, u.EndsAt = &ref, s.d.Clock.Now().Add(Lifetime)
		if err = s.save(ctx, was, u, records.VersionIs(version)); !errors.Is(err, errLost) {
			break
		}
	}
	switch {
	case err == nil:
		return u, nil
	case errors.Is(err, errLost):
		return u, records.ErrConflict
	}
	// A file that was refused goes; one of a commit whose answer was lost may be
	// the upload's.
	var refused *fault.Error
	if errors.As(err, &refused) {
		err = errors.Join(err, s.d.Blobs.Delete(context.WithoutCancel(ctx), ref))
	}
	return u, err
}

// again answers a file that is sent to an upload which has one: the very same is
// fine.
func again(in io.Reader, ref blobs.Ref) error {
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(in, MaxBytes+1)); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != ref.SHA256 {
		return sentAlready()
	}
	return nil
}

func sentAlready() *fault.Error {
	return fault.New(fault.Validation, "Another file was sent to this address already. Ask for a new upload address to send this one.")
}

// Sweep takes away uploads whose time is over, with their files, and tells how
// many. Hosts call it every minute. What it leaves half-done the next call ends.
func (s *Service) Sweep(ctx context.Context) (removed int, err error) {
	q := records.Query{Index: records.G1, PK: endPK, To: endSK(s.d.Clock.Now().Add(-grace)), Limit: 100}
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return removed, err
		}
		for _, it := range page.Items {
			var u row
			if err := json.Unmarshal(it.Body, &u); err != nil {
				return removed, err
			}
			done, err := s.end(ctx, u)
			if err != nil {
				return removed, err
			}
			if done {
				removed++
			}
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return removed, nil
		}
	}
}

// end takes one upload away; its record, and the room that it takes, last.
func (s *Service) end(ctx context.Context, listed row) (done bool, err error) {
	it, err := s.d.Records.Get(ctx, key(listed.Workspace, listed.ID))
	if errors.Is(err, records.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var u row
	if err := json.Unmarshal(it.Body, &u); err != nil {
		return false, err
	}
	if !s.d.Clock.Now().After(u.EndsAt.Add(grace)) {
		return false, nil // its file came meanwhile: the index lags behind
	}
	version := it.Version
	if !u.Ending { // from here on no file is taken in
		u.Ending = true
		body, err := json.Marshal(u)
		if err != nil {
			return false, err
		}
		it.Body = body
		put, err := s.d.Records.Put(ctx, it, records.VersionIs(version))
		if errors.As(err, new(*records.ConditionError)) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		version = put.Version
	}
	if st, ok := s.d.Blobs.(blobs.Stager); ok {
		if err := st.DeleteStaged(ctx, prefix(u.Workspace, u.ID)); err != nil {
			return false, err
		}
	}
	if err := s.clear(ctx, u); err != nil {
		return false, err
	}
	actions := []records.Action{records.DeleteItem(it.Key, records.VersionIs(version))}
	if u.Held != 0 {
		actions = append(actions, records.AddTo(heldKey(u.Workspace), records.Delta{By: -u.Held}))
	}
	err = s.d.Records.Transact(ctx, "", actions...)
	if errors.As(err, new(*records.CanceledError)) {
		return false, nil // another sweep was quicker
	}
	return err == nil, err
}

// clear removes the files of an upload, also those that nothing names.
func (s *Service) clear(ctx context.Context, u row) error {
	if c, ok := s.d.Blobs.(blobs.Clearer); ok {
		return c.Clear(ctx, prefix(u.Workspace, u.ID))
	}
	if u.Ref != nil {
		return s.d.Blobs.Delete(ctx, *u.Ref)
	}
	return nil
}

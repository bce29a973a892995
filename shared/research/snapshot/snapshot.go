// Package snapshot keeps the large part of a record in a blob that is its alone,
// and removes it when the record points to another one or is gone. A mark in the
// store names each blob that no record points to: from before it is written until
// the record that takes it is committed, and again from the commit that lets it go
// until it is removed. So a break at any point leaves nothing that the sweep does
// not find.
package snapshot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package.
//
//	w#<ws>#snapshots   <id>   a blob that no record points to (its blobs.Ref); G1 "snapshots#loose", by when it may go
const loosePK = "snapshots#loose"

// patience is how long a blob may wait for the commit that takes it, far longer
// than any call lasts.
const patience = time.Hour

// ErrGone says that there is no such blob any more: the record points to another
// one by now, or is gone. Read the record again.
var ErrGone = errors.New("snapshot: gone")

// Deps is what a Store works with. A nil Log discards.
type Deps struct {
	Records records.Store
	Blobs   blobs.Store
	Clock   clock.Clock
	IDs     clock.IDs
	Log     *slog.Logger
}

// Store keeps snapshots.
type Store struct{ d Deps }

// New makes a Store.
func New(d Deps) *Store {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Store{d: d}
}

// Write stores a document. Nothing points to it yet: the transaction that makes a
// record do so must hold Take of it.
func (s *Store) Write(ctx context.Context, workspace, mediaType string, raw []byte) (blobs.Ref, error) {
	sum := sha256.Sum256(raw)
	ref := blobs.Ref{Prefix: "w/" + workspace + "/snapshots/" + s.d.IDs.NewID(), SHA256: hex.EncodeToString(sum[:]), Size: int64(len(raw)), MediaType: mediaType}
	if _, err := s.d.Records.Put(ctx, s.mark(ref, s.d.Clock.Now().Add(patience))); err != nil {
		return blobs.Ref{}, err
	}
	written, err := s.d.Blobs.Put(ctx, ref.Prefix, mediaType, bytes.NewReader(raw), int64(len(raw)))
	if err == nil && written != ref {
		err = fmt.Errorf("snapshot: stored as %+v, not as %+v", written, ref)
	}
	return ref, err
}

// Take is the part of a transaction that makes a record point to what was written.
// It is refused when the blob has waited too long and may be gone.
func (s *Store) Take(ref blobs.Ref) records.Action {
	return records.DeleteItem(keyOf(ref), records.Exists())
}

// Drop is the part of a transaction after which no record points to it.
func (s *Store) Drop(ref blobs.Ref) records.Action {
	return records.PutItem(s.mark(ref, s.d.Clock.Now().Add(time.Minute)))
}

// Clear removes what was dropped, or written and never taken, as far as it comes;
// the sweep does the rest. The caller knows that no record points to them.
func (s *Store) Clear(ctx context.Context, refs ...blobs.Ref) {
	ctx = context.WithoutCancel(ctx)
	for _, ref := range refs {
		if ref.Prefix == "" {
			continue
		}
		if err := s.remove(ctx, ref); err != nil {
			s.d.Log.WarnContext(ctx, "a blob that nothing points to is left to the sweep", "error", err)
		}
	}
}

func (s *Store) remove(ctx context.Context, ref blobs.Ref) error {
	if err := s.d.Blobs.Delete(ctx, ref); err != nil {
		return err
	}
	return s.d.Records.Delete(ctx, keyOf(ref))
}

// Read gives what was written. ErrGone.
func (s *Store) Read(ctx context.Context, ref blobs.Ref) ([]byte, error) {
	in, err := s.d.Blobs.Open(ctx, ref, 0, -1)
	if errors.Is(err, blobs.ErrNotFound) {
		return nil, ErrGone
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(in)
}

// Sweep removes what a break left, and tells how much. Hosts call it every minute.
func (s *Store) Sweep(ctx context.Context) (removed int, err error) {
	now := clock.Stamp(s.d.Clock.Now())
	page, err := s.d.Records.Query(ctx, records.Query{Index: records.G1, PK: loosePK, To: now + "#~", Limit: 100})
	if err != nil {
		return 0, err
	}
	var problems []error
	for _, old := range page.Items {
		done, err := s.sweepOne(ctx, old.Key, now)
		if err != nil {
			problems = append(problems, err)
		}
		if done {
			removed++
		}
	}
	return removed, errors.Join(problems...)
}

// sweepOne claims a mark and removes its blob. The index may lag, so the row itself
// says whether its time is over; the claim keeps a late Take from winning.
func (s *Store) sweepOne(ctx context.Context, k records.Key, now string) (bool, error) {
	it, err := s.d.Records.Get(ctx, k)
	if errors.Is(err, records.ErrNotFound) || err == nil && it.G1SK > now+"#~" {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var ref blobs.Ref
	if err := json.Unmarshal(it.Body, &ref); err != nil {
		return false, err
	}
	claimed := records.Key{PK: k.PK, SK: prefixClaimed + strings.TrimPrefix(k.SK, prefixClaimed)}
	if k != claimed {
		it.Key = claimed
		err := s.d.Records.Transact(ctx, "", records.DeleteItem(k, records.VersionIs(it.Version)), records.PutItem(it))
		var taken *records.CanceledError
		if errors.As(err, &taken) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	if err := s.d.Blobs.Delete(ctx, ref); err != nil {
		return false, err
	}
	return true, s.d.Records.Delete(ctx, claimed)
}

// prefixClaimed is before the id of a mark that the sweep is at: nothing takes it.
const prefixClaimed = "x#"

func (s *Store) mark(ref blobs.Ref, until time.Time) records.Item {
	body, _ := json.Marshal(ref) // plain data always encodes
	k := keyOf(ref)
	return records.Item{Key: k, Body: body, G1PK: loosePK, G1SK: clock.Stamp(until) + "#" + k.SK}
}

// keyOf reads workspace and id from the prefix that Write gave.
func keyOf(ref blobs.Ref) records.Key {
	parts := strings.Split(ref.Prefix, "/")
	if len(parts) != 4 {
		return records.Key{} // refused by every store: not one of ours
	}
	return records.Key{PK: account.WorkspacePrefix(parts[1]) + "snapshots", SK: parts[3]}
}

package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// meta closes a parsed content: it is written last, so what has it is whole.
type meta struct {
	Make          string     `json:"make,omitempty"` // the making that counts
	Raw           *blobs.Ref `json:"raw,omitempty"`  // the source
	Kind          string     `json:"kind"`
	Title         string     `json:"title,omitempty"`
	Passages      int        `json:"passages"`
	Distributions int        `json:"distributions"`
	Bytes         int64      `json:"bytes"` // of both, as stored
	Width         int        `json:"width,omitempty"`
	Height        int        `json:"height,omitempty"`
	Notes         []string   `json:"notes,omitempty"`
	ParsedAt      time.Time  `json:"parsedAt"`
}

func (m meta) making(workspace, content string) making { return making{workspace, content, m.Make} }

// unusable says why a content cannot be known; its text is shown to the caller.
type unusable struct{ reason string }

func (u unusable) Error() string { return u.reason }

// meta reads what is known of a content; records.ErrNotFound while it is not whole.
func (s *Service) meta(ctx context.Context, workspace, content string) (meta, error) {
	return readMeta(ctx, s.d.Records, workspace, content)
}

func readMeta(ctx context.Context, store records.Store, workspace, content string) (meta, error) {
	it, err := store.Get(ctx, metaKey(workspace, content))
	if err != nil {
		return meta{}, err
	}
	var m meta
	err = json.Unmarshal(it.Body, &m)
	return m, err
}

// refusedAt reports whether a transaction was refused by the condition of one
// of its actions.
func refusedAt(err error, i int) bool {
	var lost *records.CanceledError
	return errors.As(err, &lost) && lost.Failed(i)
}

// publish makes the making of m the content's, as long as the item is still the
// job's. When another making was quicker that one counts, and it is given back;
// errGone when the item is no longer the job's.
func (s *Service) publish(ctx context.Context, r row, jobID string, m meta) (meta, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return meta{}, err
	}
	err = s.d.Records.Transact(ctx, "",
		records.PutItem(records.Item{Key: metaKey(r.Workspace, r.Next), Body: body, Fields: map[string]string{fieldMake: m.Make}}, records.NotExists()),
		records.Check(rowKey(r), records.FieldIs(fieldJob, jobID)),
	)
	switch {
	case err == nil:
		return m, nil
	case refusedAt(err, 1):
		return meta{}, errGone
	case refusedAt(err, 0):
		return s.meta(ctx, r.Workspace, r.Next)
	}
	return meta{}, err
}

// errGone says that an item, or its Mind, went away while a job worked on it, or
// that another job has it now.
var errGone = errors.New("knowledge: the item is no longer this job's")

// letGo are the actions by which an item gives a content up. The row of what is
// loose stands until somebody has looked whether the content is still needed.
func (s *Service) letGo(workspace string, contents ...string) []records.Action {
	by := map[string]int64{}
	for _, c := range contents {
		if c != "" {
			by[c]--
		}
	}
	var actions []records.Action
	for c, n := range by {
		actions = append(actions, records.AddTo(refsKey(workspace, c), records.Delta{By: n}),
			records.PutItem(note(looseKey(workspace, c), s.d.Clock.Now(), []byte("{}"))))
	}
	return actions
}

// maxSwept bounds how much of what others left one call takes up.
const maxSwept = 50

// sweep removes what nobody needs any more: contents that no item holds, makings
// of them, and files of calls that were cut off. Each part can be cut off and is
// then taken up by the next sweep of the workspace.
func (s *Service) sweep(ctx context.Context, workspace string) error {
	loose, err := s.d.Records.Query(ctx, records.Query{PK: gonePK(workspace), Prefix: loosePrefix, Limit: maxSwept})
	if err != nil {
		return err
	}
	for _, it := range loose.Items {
		if err := s.collect(ctx, workspace, strings.TrimPrefix(it.SK, loosePrefix)); err != nil {
			return err
		}
		// Somebody may have let go of it once more meanwhile: then the row stays.
		if err := s.drop(ctx, it); err != nil {
			return err
		}
	}
	removed, err := s.d.Records.Query(ctx, records.Query{PK: gonePK(workspace), Prefix: gonePrefix, Limit: maxSwept})
	if err != nil {
		return err
	}
	for _, it := range removed.Items {
		var g gone
		if err := json.Unmarshal(it.Body, &g); err != nil {
			return err
		}
		if g.Raw != nil {
			if err := s.d.Blobs.Delete(ctx, *g.Raw); err != nil {
				return err
			}
		}
		if err := s.remove(ctx, making{workspace, g.Content, g.Make}); err != nil {
			return err
		}
		if err := s.drop(ctx, it); err != nil {
			return err
		}
	}
	if err := s.sweepLeft(ctx, workspace); err != nil {
		return err
	}
	return s.sweepTaken(ctx, workspace)
}

// drop deletes a row unless it was written again.
func (s *Service) drop(ctx context.Context, it records.Item) error {
	err := s.d.Records.Delete(ctx, it.Key, records.VersionIs(it.Version))
	var lost *records.ConditionError
	if errors.As(err, &lost) {
		return nil
	}
	return err
}

// takingTime is the longest that taking a file in may last.
const takingTime = 2 * time.Hour

// sweepTaken removes the files of calls that never came to their end.
func (s *Service) sweepTaken(ctx context.Context, workspace string) error {
	q := records.Query{PK: gonePK(workspace), From: takenPrefix, To: takenKey(workspace, s.d.Clock.Now().Add(-takingTime), "~").SK, Limit: maxSwept}
	page, err := s.d.Records.Query(ctx, q)
	if err != nil {
		return err
	}
	for _, it := range page.Items {
		_, jobID, _ := strings.Cut(strings.TrimPrefix(it.SK, takenPrefix), "#")
		if err := s.clearBlobs(ctx, blobPrefix(workspace, jobID)); err != nil {
			return err
		}
		if err := s.drop(ctx, it); err != nil {
			return err
		}
	}
	return nil
}

// collect makes a content that no item holds ready for its removal. The row of
// what is to be removed takes the place of meta in one transaction: whoever takes
// the content meanwhile makes it anew under another name.
func (s *Service) collect(ctx context.Context, workspace, content string) error {
	refs, err := s.d.Records.Get(ctx, refsKey(workspace, content))
	if errors.Is(err, records.ErrNotFound) || err == nil && refs.N > 0 {
		return nil
	}
	if err != nil {
		return err
	}
	actions := []records.Action{records.DeleteItem(refs.Key, records.VersionIs(refs.Version))}
	it, err := s.d.Records.Get(ctx, metaKey(workspace, content))
	switch {
	case err == nil:
		var m meta
		if err := json.Unmarshal(it.Body, &m); err != nil {
			return err
		}
		if m.Make == "" {
			return nil // of an earlier release, whose items were not counted
		}
		body, err := json.Marshal(gone{Content: content, Make: m.Make, Raw: m.Raw})
		if err != nil {
			return err
		}
		actions = append(actions, records.DeleteItem(it.Key, records.VersionIs(it.Version)),
			records.PutItem(note(m.making(workspace, content).goneKey(), s.d.Clock.Now(), body)))
	case !errors.Is(err, records.ErrNotFound):
		return err
	}
	err = s.d.Records.Transact(ctx, "", actions...)
	if refusedAt(err, 0) || refusedAt(err, 1) {
		return nil // somebody took it meanwhile, or removes it too
	}
	return err
}

// gone is a making that is to be removed.
type gone struct {
	Content string     `json:"content"`
	Make    string     `json:"make"`
	Raw     *blobs.Ref `json:"raw,omitempty"`
}

// remove takes away the rows and blobs of one making.
func (s *Service) remove(ctx context.Context, m making) error {
	if m.name == "" {
		return nil
	}
	if m.content != "" {
		if err := s.removeRows(ctx, m); err != nil {
			return err
		}
	}
	// Whatever else a job that was cut off put there.
	return s.clearBlobs(ctx, m.prefix())
}

func (s *Service) clearBlobs(ctx context.Context, prefix string) error {
	if c, ok := s.d.Blobs.(blobs.Clearer); ok {
		return c.Clear(ctx, prefix)
	}
	return nil
}

func (s *Service) removeRows(ctx context.Context, m making) error {
	for {
		page, err := s.d.Records.Query(ctx, records.Query{PK: m.pk(), Limit: records.MaxActions})
		if err != nil {
			return err
		}
		var actions []records.Action
		for _, it := range page.Items {
			if strings.HasPrefix(it.SK, vectorPrefix) {
				var run vectorRun
				if err := json.Unmarshal(it.Body, &run); err != nil {
					return err
				}
				if err := s.d.Blobs.Delete(ctx, run.Ref); err != nil {
					return err
				}
			}
			actions = append(actions, records.DeleteItem(it.Key))
		}
		if len(actions) == 0 {
			return nil
		}
		if err := s.d.Records.Transact(ctx, "", actions...); err != nil {
			return err
		}
	}
}

// prune takes away what one job made of an item, unless that is what counts of a
// content.
func (s *Service) prune(ctx context.Context, workspace, name string, contents ...string) error {
	for _, c := range contents {
		if c == "" {
			continue
		}
		m, err := s.meta(ctx, workspace, c)
		if err != nil && !errors.Is(err, records.ErrNotFound) {
			return err
		}
		if err == nil && m.Make == name {
			return nil
		}
	}
	for _, c := range contents {
		if c != "" {
			if err := s.removeRows(ctx, making{workspace, c, name}); err != nil {
				return err
			}
		}
	}
	return s.clearBlobs(ctx, blobPrefix(workspace, name))
}

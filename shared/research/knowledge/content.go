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

// collect removes a content that no item holds any more. The row of what is to
// be removed takes the place of meta in one transaction, so that a removal which
// is cut off is taken up by the next one, and whoever takes the content meanwhile
// makes it anew under another name.
func (s *Service) collect(ctx context.Context, workspace, content string) error {
	if content == "" {
		return nil
	}
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
			records.PutItem(records.Item{Key: m.making(workspace, content).goneKey(), Body: body}))
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

// maxSwept bounds how many removals that others left one call takes up.
const maxSwept = 50

// sweep removes what is left of contents that nobody holds.
func (s *Service) sweep(ctx context.Context, workspace string) error {
	page, err := s.d.Records.Query(ctx, records.Query{PK: gonePK(workspace), Prefix: gonePrefix, Limit: maxSwept})
	if err != nil {
		return err
	}
	for _, it := range page.Items {
		var g gone
		if err := json.Unmarshal(it.Body, &g); err != nil {
			return err
		}
		if err := s.remove(ctx, making{workspace, g.Content, g.Make}); err != nil {
			return err
		}
		if g.Raw != nil {
			if err := s.d.Blobs.Delete(ctx, *g.Raw); err != nil {
				return err
			}
		}
		if err := s.d.Records.Delete(ctx, it.Key); err != nil {
			return err
		}
	}
	return nil
}

// remove takes away the rows and vectors of one making.
func (s *Service) remove(ctx context.Context, m making) error {
	if m.name == "" {
		return nil
	}
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

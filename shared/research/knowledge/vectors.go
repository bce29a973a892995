package knowledge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// vectorRun points to the vectors of a run of passages, in one space.
type vectorRun struct {
	Space embed.Space `json:"space"`
	From  int         `json:"from"` // the first passage
	N     int         `json:"n"`
	Ref   blobs.Ref   `json:"ref"`
}

// Vectors are made in batches and stored in runs: a run is closed when it is
// long, or when it took long to make, so that little is lost with a process. A
// fast embedder has one run for most contents.
const (
	batch   = 64
	longRun = 2_500 // passages
	runTime = 20 * time.Second

	maxRunBytes = 64 << 20
)

// embed makes the vectors of a making in the current space that are not there
// yet, and gives how many there are. It stops with ErrUnfinished at until (zero:
// never) or when the time of ctx is nearly over; what was made stays.
func (s *Service) embed(ctx context.Context, m making, passages int, until time.Time) (int, error) {
	if s.d.Embedder == nil || passages == 0 {
		return passages, nil
	}
	space := s.d.Embedder.Space()
	runs, err := readRuns(ctx, s.d.Records, m, space)
	if err != nil {
		return 0, err
	}
	from := 0
	for _, r := range runs {
		if r.From == from {
			from += r.N
		}
	}
	if from >= passages {
		return from, nil
	}
	all, err := readPassages(ctx, s.d.Records, m)
	if err != nil {
		return 0, err
	}
	for from < len(all) {
		n, err := s.embedRun(ctx, m, space, all, from, until)
		if err != nil {
			return from, err
		}
		from += n
	}
	return from, nil
}

// embedRun makes and stores one run that begins at from.
func (s *Service) embedRun(ctx context.Context, m making, space embed.Space, all []passage, from int, until time.Time) (int, error) {
	var vectors [][]float32
	began := time.Now() // what a call takes is of the real clock
	late := false
	for at := from; at < len(all) && !late; {
		end := min(at+batch, len(all))
		texts := make([]string, 0, batch)
		for _, p := range all[at:end] {
			texts = append(texts, p.indexed())
		}
		vs, err := s.d.Embedder.Embed(ctx, texts)
		if err != nil {
			return 0, fmt.Errorf("knowledge: embedding: %w", err)
		}
		if err := embed.Check(space, len(texts), vs); err != nil {
			return 0, err
		}
		vectors = append(vectors, vs...)
		at = end
		late = ending(ctx) || !until.IsZero() && !s.d.Clock.Now().Before(until) || len(vectors) >= longRun || time.Since(began) >= runTime
	}
	packed, err := embed.Pack(space, vectors)
	if err != nil {
		return 0, err
	}
	raw := packed.Encode()
	ref, err := s.d.Blobs.Put(ctx, m.prefix(), "application/octet-stream", bytes.NewReader(raw), maxRunBytes)
	if err != nil {
		return 0, err
	}
	run := vectorRun{Space: space, From: from, N: len(vectors), Ref: ref}
	err = s.putMade(ctx, m, m.vectorsKey(space, from), run, records.NotExists())
	switch {
	case errors.Is(err, errGone):
		_ = s.d.Blobs.Delete(context.WithoutCancel(ctx), ref)
		return 0, err
	case errors.Is(err, errThere): // another Mind's job is at the same content
		return s.otherRun(ctx, m.vectorsKey(space, from), run)
	case err != nil:
		return 0, err
	}
	if done := from+len(vectors) == len(all); !done && (ending(ctx) || !until.IsZero() && !s.d.Clock.Now().Before(until)) {
		return 0, ErrUnfinished
	}
	return len(vectors), nil
}

// putMade writes a row of a published making, as long as it is the one that
// counts: errGone when the content was removed meanwhile, errThere when a
// condition on the row refuses.
func (s *Service) putMade(ctx context.Context, m making, key records.Key, v any, conds ...records.Cond) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	cond := records.FieldIs(fieldMake, m.name)
	if m.name == "" {
		cond = records.Exists()
	}
	err = s.d.Records.Transact(ctx, "",
		records.PutItem(records.Item{Key: key, Body: body}, conds...),
		records.Check(metaKey(m.workspace, m.content), cond))
	switch {
	case refusedAt(err, 1):
		return errGone
	case refusedAt(err, 0):
		return errThere
	}
	return err
}

var errThere = errors.New("knowledge: the row is there already")

// otherRun is the run that another job stored in the place of mine.
func (s *Service) otherRun(ctx context.Context, key records.Key, mine vectorRun) (int, error) {
	it, err := s.d.Records.Get(ctx, key)
	if err != nil {
		return 0, err
	}
	var r vectorRun
	if err := json.Unmarshal(it.Body, &r); err != nil {
		return 0, err
	}
	if r.Ref.SHA256 != mine.Ref.SHA256 {
		if err := s.d.Blobs.Delete(ctx, mine.Ref); err != nil {
			return 0, err
		}
	}
	return r.N, nil
}

// fieldMake holds the making of a content that counts.
const fieldMake = "make"

// readRuns reads which vectors of a space there are, in order.
func readRuns(ctx context.Context, store records.Store, m making, space embed.Space) ([]vectorRun, error) {
	q := records.Query{PK: m.pk(), Prefix: vectorPrefix + space.String() + "#"}
	var runs []vectorRun
	for {
		page, err := store.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			var r vectorRun
			if err := json.Unmarshal(it.Body, &r); err != nil {
				return nil, err
			}
			if r.Space == space {
				runs = append(runs, r)
			}
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return runs, nil
		}
	}
}

// readPassages reads every passage of a making.
func readPassages(ctx context.Context, store records.Store, m making) ([]passage, error) {
	var all []passage
	q := records.Query{PK: m.pk(), Prefix: "passages#"}
	for {
		page, err := store.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			block, err := readBlock(it.Body)
			if err != nil {
				return nil, err
			}
			all = append(all, block...)
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return all, nil
		}
	}
}

// readVectors reads one stored run.
func readVectors(ctx context.Context, store blobs.Store, r vectorRun) (*embed.Packed, error) {
	in, err := store.Open(ctx, r.Ref, 0, -1)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	raw, err := io.ReadAll(io.LimitReader(in, maxRunBytes))
	if err != nil {
		return nil, err
	}
	p, err := embed.Decode(raw)
	if err != nil {
		return nil, err
	}
	if p.Space() != r.Space || p.Len() != r.N {
		return nil, fmt.Errorf("knowledge: %d vectors of %s where %d of %s belong", p.Len(), p.Space(), r.N, r.Space)
	}
	return p, nil
}

// Reembed makes the vectors that the current embedder has not made yet of what a
// Mind knows, until the given time; vectors of other spaces go. It begins at
// from ("" at first) and gives where to go on, "" at the end. Repeating a step
// changes nothing.
func (s *Service) Reembed(ctx context.Context, mindID, from string, until time.Time) (next string, err error) {
	m, err := s.d.Minds.Get(ctx, mindID)
	if err != nil {
		return "", quiet(err)
	}
	done := from == ""
	for _, k := range m.Knowledge {
		if !done {
			done = k.ItemID == from
			if !done {
				continue
			}
		}
		if !until.IsZero() && !s.d.Clock.Now().Before(until) || ending(ctx) {
			return k.ItemID, nil
		}
		err := s.reembedOne(ctx, m.Workspace, k.Digest, until)
		switch {
		case errors.Is(err, ErrUnfinished):
			return k.ItemID, nil
		case errors.Is(err, errGone), errors.Is(err, records.ErrNotFound):
			continue // deleted meanwhile
		case err != nil:
			return k.ItemID, err
		}
	}
	if !done { // the item is gone: look through all again, which is quick where nothing is to be done
		return s.Reembed(ctx, mindID, "", until)
	}
	return "", nil
}

func (s *Service) reembedOne(ctx context.Context, workspace, content string, until time.Time) error {
	m, err := s.meta(ctx, workspace, content)
	if err != nil {
		return err
	}
	made := m.making(workspace, content)
	if _, err := s.embed(ctx, made, m.Passages, until); err != nil {
		return err
	}
	return s.dropSpaces(ctx, made)
}

// dropSpaces removes the vectors of a making that stand in another space than
// the current one.
func (s *Service) dropSpaces(ctx context.Context, m making) error {
	if s.d.Embedder == nil {
		return nil
	}
	current := vectorPrefix + s.d.Embedder.Space().String() + "#"
	q := records.Query{PK: m.pk(), Prefix: vectorPrefix}
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return err
		}
		for _, it := range page.Items {
			if strings.HasPrefix(it.SK, current) {
				continue
			}
			if err := s.dropRun(ctx, it); err != nil {
				return err
			}
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return nil
		}
	}
}

func (s *Service) dropRun(ctx context.Context, it records.Item) error {
	var r vectorRun
	if err := json.Unmarshal(it.Body, &r); err != nil {
		return err
	}
	if err := s.d.Blobs.Delete(ctx, r.Ref); err != nil {
		return err
	}
	return s.d.Records.Delete(ctx, it.Key)
}

package study

import (
	"context"
	"errors"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// historyWindow is how many of the newest settled questions are looked through
// for a Mind's own last answers; it may not have been asked all of them.
const historyWindow = 10

// question reads one question of a Study with the version of its row.
func (s *Service) question(ctx context.Context, study, id string) (questionRow, int64, error) {
	it, err := s.d.Records.Get(ctx, questionKey(account.From(ctx).Workspace, study, canonical(id)))
	if errors.Is(err, records.ErrNotFound) {
		return questionRow{}, 0, fault.New(fault.NotFound, "No question with this id in this Study.")
	}
	if err != nil {
		return questionRow{}, 0, err
	}
	q, err := readQuestion(it)
	return q, it.Version, err
}

// questions reads every question of a Study, newest first.
func (s *Service) questions(ctx context.Context, study string) ([]questionRow, error) {
	var out []questionRow
	query := records.Query{PK: studyPK(account.From(ctx).Workspace, study), Prefix: prefixQuestion}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			q, err := readQuestion(it)
			if err != nil {
				return nil, err
			}
			out = append(out, q)
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			break
		}
	}
	slices.SortFunc(out, func(a, b questionRow) int {
		if c := b.CreatedAt.Compare(a.CreatedAt); c != 0 {
			return c
		}
		if a.RunID > b.RunID { // the order of the run list
			return -1
		}
		return 1
	})
	return out, nil
}

// Runs pages through the runs of a Study, newest first. limit is 1..100; cursor
// is empty for the first page and comes back empty after the last.
func (s *Service) Runs(ctx context.Context, studyID string, limit int, cursor string) ([]Run, string, error) {
	row, err := s.load(ctx, studyID)
	if err != nil {
		return nil, "", err
	}
	if limit < 1 || limit > 100 {
		return nil, "", fault.New(fault.Validation, "limit is %d; it must be 1 to 100.", limit)
	}
	rows, next, err := s.runPage(ctx, row.ID, limit, cursor)
	if errors.Is(err, records.ErrBadCursor) {
		return nil, "", fault.New(fault.Validation, "cursor is none of ours; pass the nextCursor of the page before, unchanged, or leave it out.")
	}
	if err != nil {
		return nil, "", err
	}
	runs := make([]Run, len(rows))
	for i, q := range rows {
		runs[i] = q.run()
	}
	return runs, next, nil
}

// runPage reads the questions behind one page of the run list.
func (s *Service) runPage(ctx context.Context, study string, limit int, cursor string) ([]questionRow, string, error) {
	ws := account.From(ctx).Workspace
	page, err := s.d.Records.Query(ctx, records.Query{PK: studyPK(ws, study), Prefix: prefixRun, Limit: limit, Cursor: cursor})
	if err != nil {
		return nil, "", err
	}
	keys := make([]records.Key, len(page.Items))
	for i, it := range page.Items {
		keys[i] = questionKey(ws, study, it.Fields[fieldQuestion])
	}
	if len(keys) == 0 {
		return nil, page.Cursor, nil
	}
	items, err := s.d.Records.BatchGet(ctx, keys)
	if err != nil {
		return nil, "", err
	}
	if len(items) != len(keys) {
		return nil, "", fault.New(fault.MalformedResponse, "The list of runs could not be read whole; read it again.")
	}
	rows := make([]questionRow, len(items))
	for i, it := range items {
		if rows[i], err = readQuestion(it); err != nil {
			return nil, "", err
		}
	}
	return rows, page.Cursor, nil
}

// Run reads one run by its id.
func (s *Service) Run(ctx context.Context, runID string) (Run, error) {
	q, err := s.byRun(ctx, runID)
	if err != nil {
		return Run{}, err
	}
	return q.run(), nil
}

func (s *Service) byRun(ctx context.Context, runID string) (questionRow, error) {
	p := account.From(ctx)
	it, err := s.d.Records.Get(ctx, runKey(p.Workspace, canonical(runID)))
	if errors.Is(err, records.ErrNotFound) || p.Workspace == "" {
		return questionRow{}, fault.New(fault.NotFound, "No run with this id.")
	}
	if err != nil {
		return questionRow{}, err
	}
	if _, err := s.load(ctx, it.Fields[fieldStudy]); err != nil {
		return questionRow{}, err
	}
	q, _, err := s.question(ctx, it.Fields[fieldStudy], it.Fields[fieldQuestion])
	return q, err
}

// RunEvents replays the events of a run after a sequence number; next is nil on
// the last page. limit is 1..500.
func (s *Service) RunEvents(ctx context.Context, runID string, after, limit int) (events []RunEvent, next *int, err error) {
	if limit < 1 || limit > 500 {
		return nil, nil, fault.New(fault.Validation, "limit is %d; it must be 1 to 500.", limit)
	}
	q, err := s.byRun(ctx, runID)
	if err != nil {
		return nil, nil, err
	}
	events = []RunEvent{}
	for _, e := range q.Events {
		if e.Sequence > after {
			events = append(events, e)
		}
	}
	if len(events) > limit {
		events = events[:limit]
		last := events[limit-1].Sequence
		next = &last
	}
	return events, next, nil
}

// settledBefore gives the ids of the newest questions that have answers, newest
// first, as far as the history mode reaches.
func (s *Service) settledBefore(ctx context.Context, study, mode string) ([]string, error) {
	want := historyWindow
	if mode == historyFollowup {
		want = 1
	}
	var out []string
	cursor := ""
	for {
		rows, next, err := s.runPage(ctx, study, 50, cursor)
		if err != nil {
			return nil, err
		}
		for _, q := range rows {
			if q.Status == Completed || q.Status == Partial {
				if out = append(out, q.ID); len(out) == want {
					return out, nil
				}
			}
		}
		if cursor = next; cursor == "" {
			return out, nil
		}
	}
}

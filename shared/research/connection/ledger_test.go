package connection_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/connection"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// ledger is a world whose one verified connection answers by a script.
func ledger(t *testing.T, wrap func(records.Store) records.Store, answer func(n int) (model.Response, error)) (*world, context.Context, model.Client, string) {
	t.Helper()
	w := newWorld(t)
	ctx := as(t, "team", account.Team, account.Owner)
	made, err := w.Create(ctx, own())
	if err != nil {
		t.Fatal(err)
	}
	if _, seen, err := w.Verify(ctx, made.ID); err != nil || !seen.Verified {
		t.Fatal(seen, err)
	}
	d := w.deps
	if wrap != nil {
		d.Records = wrap(d.Records)
	}
	script := &modeltest.Client{Answer: func(n int, _ model.Request) (model.Response, error) { return answer(n) }}
	d.Open = func(context.Context, model.Settings, string) (model.Client, error) { return script, nil }
	w.Service = connection.New(d)
	c, err := w.Select(ctx, mind.ConnectionRef{ID: made.ID, Revision: made.Revision})
	if err != nil {
		t.Fatal(err)
	}
	return w, ctx, c, made.ID
}

var asks = model.Request{Messages: []model.Message{{Role: model.User, Text: "Hi"}}}

// spentBy is what was spent since a moment, of the first row.
func spentBy(t *testing.T, w *world, ctx context.Context, was connection.Spent) connection.Spent {
	t.Helper()
	all, err := w.Spent(ctx)
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	s := all[0]
	s.Calls, s.InputTokens, s.OutputTokens, s.CachedInputTokens = s.Calls-was.Calls, s.InputTokens-was.InputTokens, s.OutputTokens-was.OutputTokens, s.CachedInputTokens-was.CachedInputTokens
	return s
}

// Each call of a connection counts once, whatever repeats above it: a verification,
// retries, and the turn of repair.
func TestTokensAreCountedOncePerCall(t *testing.T) {
	each := model.Usage{Input: 10, Output: 3, CachedInput: 4}
	w, ctx, c, id := ledger(t, nil, func(n int) (model.Response, error) {
		switch n {
		case 0: // fails before anything is used
			return model.Response{}, &model.Error{Kind: model.KindInvalid}
		case 1: // broke off, after tokens
			return model.Response{}, &model.Error{Kind: model.KindFiltered, Usage: each}
		case 2:
			return model.Response{Text: "no JSON", Usage: each}, nil
		}
		return model.Response{Text: `{"a":"b"}`, Usage: each}, nil
	})
	all, err := w.Spent(ctx)
	if err != nil || len(all) != 1 || all[0].Calls == 0 || all[0].ConnectionID != id || all[0].Month != "2026-11" {
		t.Fatalf("the verification: %+v %v", all, err)
	}
	was := all[0]
	for range 2 {
		_, _ = c.Complete(ctx, asks)
	}
	if s := spentBy(t, w, ctx, was); s.Calls != 1 || s.InputTokens != 10 {
		t.Errorf("failures: %+v", s)
	}
	form := asks
	form.Schema = &model.Schema{Name: "a", JSON: []byte(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`)}
	if _, err := model.Structured(ctx, c, form, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Stream(ctx, asks, func(string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if s := spentBy(t, w, ctx, was); s.Calls != 4 || s.InputTokens != 40 || s.OutputTokens != 12 || s.CachedInputTokens != 16 {
		t.Errorf("%+v", s)
	}
	other := as(t, "others", account.Team, account.Owner)
	if theirs, err := w.Spent(other); err != nil || len(theirs) != 0 {
		t.Errorf("another team sees %+v %v", theirs, err)
	}
}

func TestTokensUnderConcurrency(t *testing.T) {
	w, ctx, c, _ := ledger(t, nil, func(int) (model.Response, error) {
		return model.Response{Text: "OK", Usage: model.Usage{Input: 7, Output: 2}}, nil
	})
	all, _ := w.Spent(ctx)
	var g sync.WaitGroup
	for range 40 {
		g.Go(func() {
			if _, err := c.Complete(ctx, asks); err != nil {
				t.Error(err)
			}
		})
	}
	g.Wait()
	if s := spentBy(t, w, ctx, all[0]); s.Calls != 40 || s.InputTokens != 280 || s.OutputTokens != 80 {
		t.Errorf("%+v", s)
	}
}

// noCounters is a store that counts nothing.
type noCounters struct{ records.Store }

func (noCounters) Add(context.Context, records.Key, records.Delta) (int64, error) {
	return 0, records.ErrUnavailable
}

// A ledger that is down is logged with its figures, and the answer is given.
func TestALedgerThatIsDownBlocksNoAnswer(t *testing.T) {
	w, ctx, c, id := ledger(t, func(s records.Store) records.Store { return noCounters{s} }, func(int) (model.Response, error) {
		return model.Response{Text: "Fine.", Usage: model.Usage{Input: 7, Output: 2}}, nil
	})
	res, err := c.Complete(ctx, asks)
	if err != nil || res.Text != "Fine." {
		t.Fatal(res, err)
	}
	if log := w.log.String(); !strings.Contains(log, "not counted") || !strings.Contains(log, id) || !strings.Contains(log, "by=7") || strings.Contains(log, "Fine.") {
		t.Error(log)
	}
}

// Counts of a connection stay after it is revoked, for two years, and the months of
// a list are this one and the one before.
func TestTokensAreKeptAndSwept(t *testing.T) {
	w, ctx, c, id := ledger(t, nil, func(int) (model.Response, error) {
		return model.Response{Text: "OK", Usage: model.Usage{Input: 7}}, nil
	})
	rows := func() int {
		page, err := w.store.Query(ctx, records.Query{PK: "w#team#tokens"})
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Items)
	}
	w.clock.Advance(time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC).Sub(w.clock.Now()))
	_, _ = c.Complete(ctx, asks)
	all, err := w.Spent(ctx)
	if err != nil || len(all) != 2 || all[0].Month != "2026-12" || all[1].Month != "2026-11" {
		t.Fatal(all, err)
	}
	had := rows()
	w.clock.Advance(time.Date(2028, 12, 1, 0, 0, 0, 0, time.UTC).Sub(w.clock.Now())) // the first count is 25 months old
	if _, err := c.Complete(ctx, asks); err != nil {
		t.Fatal(err)
	}
	page, err := w.store.Query(ctx, records.Query{PK: "w#team#tokens"})
	if err != nil || len(page.Items) == 0 || strings.HasPrefix(page.Items[0].SK, "2026-11") || !strings.HasPrefix(page.Items[0].SK, "2026-12") {
		t.Errorf("%d rows, had %d: %+v %v", len(page.Items), had, page.Items, err)
	}
	if err := w.Delete(ctx, id); err != nil {
		t.Fatal(err)
	}
	if all, err = w.Spent(ctx); err != nil || len(all) != 1 || all[0].ConnectionID != id {
		t.Errorf("%+v %v", all, err)
	}
	if _, err := c.Complete(ctx, asks); err == nil || errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

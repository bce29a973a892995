package connection

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Spent is what a connection used in a month (UTC), by its provider's word.
// CachedInputTokens are among InputTokens. Calls are those that were answered, and
// those that failed after they had used tokens; each try of a call is one.
type Spent struct {
	ConnectionID      string `json:"connectionId"`
	Month             string `json:"month"` // yyyy-mm
	Calls             int64  `json:"calls"`
	InputTokens       int64  `json:"inputTokens"`
	OutputTokens      int64  `json:"outputTokens"`
	CachedInputTokens int64  `json:"cachedInputTokens"`
}

// The counters of a connection and month.
const (
	countCalls  = "calls"
	countInput  = "input"
	countOutput = "output"
	countCached = "cached"
)

const (
	month = "2006-01"
	// noting bounds how long an answer waits for its tokens to be counted.
	noting = 2 * time.Second
	// keptMonths is how long counts stay, the running month included.
	keptMonths = 25
)

// note counts a call and what it used. Tokens are spent whether or not they are counted,
// so what fails is logged with its figures, and the answer is given.
func (s *Service) note(ctx context.Context, ws, id string, u model.Usage) {
	now := s.d.Clock.Now().UTC()
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), noting) // who asked may be gone
	defer cancel()
	var g errgroup.Group
	for what, n := range map[string]int64{countCalls: 1, countInput: u.Input, countOutput: u.Output, countCached: u.CachedInput} {
		if n <= 0 {
			continue
		}
		g.Go(func() error {
			_, err := s.d.Records.Add(bounded, tokensKey(ws, now.Format(month), id, what), records.Delta{By: n})
			if err != nil {
				s.d.Log.ErrorContext(ctx, "tokens of a model connection were not counted", "workspace", ws, "connection", id, "counter", what, "by", n, "error", err)
			}
			return err
		})
	}
	if g.Wait() == nil {
		s.prune(bounded, ws, now)
	}
}

// pruned are the workspaces whose old counts are gone in this month.
type pruned struct {
	mu    sync.Mutex
	month string
	ws    map[string]bool
}

func (p *pruned) first(month, ws string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.month != month || len(p.ws) > 10_000 {
		p.month, p.ws = month, map[string]bool{}
	}
	if p.ws[ws] {
		return false
	}
	p.ws[ws] = true
	return true
}

// prune removes the counts of a team that are too old, once a month and process.
func (s *Service) prune(ctx context.Context, ws string, now time.Time) {
	if !s.pruned.first(now.Format(month), ws) {
		return
	}
	oldest := time.Date(now.Year(), now.Month()-keptMonths+1, 1, 0, 0, 0, 0, time.UTC).Format(month)
	query := records.Query{PK: tokensPK(ws), To: oldest}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			s.d.Log.WarnContext(ctx, "old counts of tokens are not removed yet", "workspace", ws, "error", err)
			return
		}
		for _, it := range page.Items {
			if err := s.d.Records.Delete(ctx, it.Key); err != nil {
				s.d.Log.WarnContext(ctx, "old counts of tokens are not removed yet", "workspace", ws, "error", err)
				return
			}
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			return
		}
	}
}

// Spent tells what the connections of the caller's team used in this month and the
// one before, newest month first, then by id; revoked ones too. Empty while the
// feature is off.
func (s *Service) Spent(ctx context.Context) ([]Spent, error) {
	ws := account.From(ctx).Workspace
	out := []Spent{}
	if !s.on() || ws == "" {
		return out, nil
	}
	now := s.d.Clock.Now().UTC()
	before := time.Date(now.Year(), now.Month()-1, 1, 0, 0, 0, 0, time.UTC)
	at := map[string]int{}
	query := records.Query{PK: tokensPK(ws), From: before.Format(month)}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			part := strings.Split(it.SK, "#")
			if len(part) != 3 {
				continue
			}
			i, ok := at[part[0]+part[1]]
			if !ok {
				i = len(out)
				at[part[0]+part[1]] = i
				out = append(out, Spent{Month: part[0], ConnectionID: part[1]})
			}
			switch part[2] {
			case countCalls:
				out[i].Calls = it.N
			case countInput:
				out[i].InputTokens = it.N
			case countOutput:
				out[i].OutputTokens = it.N
			case countCached:
				out[i].CachedInputTokens = it.N
			}
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			break
		}
	}
	slices.SortFunc(out, func(a, b Spent) int {
		if c := strings.Compare(b.Month, a.Month); c != 0 {
			return c
		}
		return strings.Compare(a.ConnectionID, b.ConnectionID)
	})
	return out, nil
}

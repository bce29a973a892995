package study_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// M-326: above the ceiling the answers are left out, figures stay, and the
// question says how to read them; one question alone has them.
func TestStatusCeiling_M326(t *testing.T) {
	w := newWorld(t, account.Enterprise)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 60)))
	long := strings.Repeat("x", 12000)
	w.engine.fail = func(simulate.Respondent) (simulate.Answer, error, bool) {
		return simulate.Answer{Status: simulate.Answered, Text: long, State: simulate.Stated}, nil, true
	}
	for i := range 4 {
		w.ask(w.ctx, s.ID, fmt.Sprintf("Tell me about %d", i))
		w.clock.Advance(time.Second)
	}
	st, err := w.Studies.Status(w.ctx, s.ID, "")
	w.must(err)
	raw, err := json.Marshal(st)
	w.must(err)
	if len(raw) > 4<<20 {
		t.Errorf("%d bytes", len(raw))
	}
	full, left := 0, 0
	for _, q := range st.Recent {
		if q.Audiences[0].Base.Answered != 60 {
			t.Error(q.Audiences[0].Base)
		}
		if len(q.Audiences[0].Answers) == 60 {
			full++
			continue
		}
		left++
		if q.Error == nil || !strings.Contains(*q.Error, "questionId") || !strings.Contains(*q.Error, q.MessageID) {
			t.Error("nothing says how to read the answers")
		}
	}
	if full == 0 || left == 0 || len(st.Recent[0].Audiences[0].Answers) == 0 {
		t.Errorf("%d whole, %d without answers", full, left)
	}
	one, err := w.Studies.Status(w.ctx, s.ID, st.Recent[3].QuestionID)
	w.must(err)
	if len(one.Recent) != 1 || len(one.Recent[0].Audiences[0].Answers) != 60 || len(one.Runs) != 4 {
		t.Error("one question must have its answers, and all runs")
	}
	if _, err := w.Studies.Status(w.ctx, s.ID, "nope"); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// M-210: the statistics of each kind, over Minds once each, ranks and divergence
// over Audiences.
func TestAnalytics_M210(t *testing.T) {
	w := newWorld(t, account.Team)
	ids := w.minds(w.ctx, 40)
	low, high := w.audience(w.ctx, "Low", ids[:20]), w.audience(w.ctx, "High", ids[20:])
	s := w.study(w.ctx, "S", low, high)
	in := map[string]int{}
	for i, id := range ids {
		in[id] = i
	}
	w.engine.fail = func(r simulate.Respondent) (simulate.Answer, error, bool) {
		x := 1 + float64(in[r.ID]/20)*3 + float64(in[r.ID]%2) // 1, 2 | 4, 5
		return simulate.Answer{Status: simulate.Answered, Number: &x, State: simulate.Stated}, nil, true
	}
	w.ask(w.ctx, s.ID, "How likely are you to recommend it, on a scale from 1 to 5?")
	w.engine.fail = func(r simulate.Respondent) (simulate.Answer, error, bool) {
		o := "Yes"
		if in[r.ID] >= 20 {
			o = "No"
		}
		return simulate.Answer{Status: simulate.Answered, Option: o, State: simulate.Stated}, nil, true
	}
	w.ask(w.ctx, s.ID, "Do you eat steak?")
	an, err := w.Studies.Analytics(w.ctx, s.ID)
	w.must(err)
	if an.QuestionCount != 2 || len(an.Scale) != 1 || len(an.Categorical) != 1 {
		t.Fatalf("%+v", an)
	}
	sc := an.Scale[0]
	if *sc.Mean != 3 || *sc.Median != 3 || sc.Base != 40 || sc.Consensus == nil || len(sc.AudienceRanking) != 2 ||
		sc.AudienceRanking[0].AudienceID != high.ID || sc.AudienceRanking[0].Rank != 1 || *sc.AudienceRanking[1].Mean != 1.5 || sc.AudienceRanking[1].Rank != 2 {
		t.Errorf("%+v", sc)
	}
	c := an.Categorical[0]
	if c.DominantCategory != nil || *c.CrossAudienceDivergence != 1 || *c.Entropy != 1 || c.Distribution[0].Pct != 50 || *c.DivergenceNoiseFloor >= .2 {
		t.Errorf("a tie has no dominant label, disjoint Audiences differ by 1: %+v", c)
	}
	again, err := w.Studies.Analytics(w.ctx, s.ID)
	w.must(err)
	one, _ := json.Marshal(an)
	two, _ := json.Marshal(again)
	if string(one) != string(two) {
		t.Error("a re-read must give the same")
	}
}

// Lists of runs page by cursor without loss, newest first.
func TestRunsPage(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 1)))
	for range 7 {
		w.ask(w.ctx, s.ID, "Do you eat steak?")
		w.clock.Advance(time.Millisecond)
	}
	var all []study.Run
	cursor := ""
	for {
		rows, next, err := w.Studies.Runs(w.ctx, s.ID, 3, cursor)
		w.must(err)
		all = append(all, rows...)
		if cursor = next; cursor == "" {
			break
		}
	}
	if len(all) != 7 {
		t.Fatal(len(all))
	}
	for i := 1; i < 7; i++ {
		if all[i].CreatedAt >= all[i-1].CreatedAt {
			t.Error("order")
		}
	}
	if _, _, err := w.Studies.Runs(w.ctx, s.ID, 3, "nonsense"); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
}

// A Study of many questions is read with several reads at once, and never with
// more than a few; the order stays.
func TestQuestionsAreReadSideBySide(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 3)))
	for i := range 24 {
		w.ask(w.ctx, s.ID, fmt.Sprintf("How do you like number %d? Rare / Medium / Well Done", i))
		w.clock.Advance(time.Second)
	}
	for name, read := range map[string]func(ctx context.Context) error{
		"Status":    func(ctx context.Context) error { _, err := w.Studies.Status(ctx, s.ID, ""); return err },
		"Analytics": func(ctx context.Context) error { _, err := w.Studies.Analytics(ctx, s.ID); return err },
	} {
		var mu sync.Mutex
		now, most := 0, 0
		two := make(chan struct{}) // closed once two panels are read at the same time
		ctx, cancel := context.WithTimeout(w.ctx, 5*time.Second)
		w.faults.get = func(k records.Key) func() {
			if k.SK != "panel" {
				return func() {}
			}
			mu.Lock()
			now++
			most = max(most, now)
			if now == 2 && most == 2 {
				select {
				case <-two:
				default:
					close(two)
				}
			}
			mu.Unlock()
			select {
			case <-two:
			case <-ctx.Done():
			}
			return func() {
				mu.Lock()
				defer mu.Unlock()
				now--
			}
		}
		err := read(ctx)
		w.faults.get = nil
		cancel()
		if err != nil || most < 2 || most > 8 {
			t.Errorf("%s: %d at once, %v", name, most, err)
		}
	}
}

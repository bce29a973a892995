package study_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// talkative lets every Mind answer with a text of so many characters.
func (w *world) talkative(n int) {
	long := strings.Repeat("x", n)
	w.engine.fail = func(simulate.Respondent) (simulate.Answer, error, bool) {
		return simulate.Answer{Status: simulate.Answered, Text: long, State: simulate.Stated}, nil, true
	}
}

func (w *world) fits(st study.Status, limit int) {
	w.t.Helper()
	raw, err := json.Marshal(st)
	w.must(err)
	if len(raw) > limit {
		w.t.Errorf("%d bytes, above %d", len(raw), limit)
	}
}

// M-326: one question that is larger than a reply still answers: with its
// figures, and with the ways to its answers.
func TestOneHugeQuestion_M326(t *testing.T) {
	const limit = 100 << 10
	w := newWorldOf(t, account.Enterprise, limit)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 60)))
	w.talkative(12000)
	q := w.ask(w.ctx, s.ID, "Tell me about food")
	for _, id := range []string{"", q.QuestionID} {
		st, err := w.Studies.Status(w.ctx, s.ID, id)
		w.must(err)
		w.fits(st, limit)
		got := st.Recent[0]
		if got.Audiences[0].Base.Answered != 60 || len(got.Audiences[0].Answers) != 0 || got.Error == nil {
			t.Fatalf("%+v", got)
		}
		for _, way := range []string{got.MessageID + "/answers", "raw_data"} {
			if !strings.Contains(*got.Error, way) {
				t.Errorf("%q does not name %s", *got.Error, way)
			}
		}
		if strings.Contains(*got.Error, "questionId") {
			t.Error("questionId would not help")
		}
	}
}

// M-326: texts, figures and members count too. What has no room is cut from the
// oldest questions first; every question and run stays, newest first.
func TestManyQuestionsFit_M326(t *testing.T) {
	const limit = 150 << 10
	w := newWorldOf(t, account.Enterprise, limit)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 12)))
	w.talkative(100)
	var want []string
	for i := range 30 {
		q := w.ask(w.ctx, s.ID, fmt.Sprintf("What is your view on %d? %s", i, strings.Repeat("And why? ", 1500)))
		want = append([]string{q.QuestionID}, want...)
		w.clock.Advance(time.Second)
	}
	st, err := w.Studies.Status(w.ctx, s.ID, "")
	w.must(err)
	w.fits(st, limit)
	whole := 0
	for i, q := range st.Recent {
		if q.QuestionID != want[i] {
			t.Fatal("out of order")
		}
		if len(q.Audiences) > 0 {
			whole++
			continue
		}
		if q.Error == nil || !strings.Contains(*q.Error, q.QuestionID) {
			t.Errorf("nothing says how to read question %d", i)
		}
	}
	if len(st.Recent) != 30 || len(st.Runs) != 30 || whole == 0 || whole == 30 || len(st.Recent[0].Audiences) == 0 {
		t.Errorf("%d questions, %d runs, %d whole", len(st.Recent), len(st.Runs), whole)
	}
	one, err := w.Studies.Status(w.ctx, s.ID, want[29])
	w.must(err)
	if got := one.Recent[0]; len(got.Question) < 10000 || len(got.Audiences[0].Answers) != 12 {
		t.Error("the oldest alone is cut")
	}
}

// M-326: the members of large Audiences do not push the figures out.
func TestManyMembersFit_M326(t *testing.T) {
	const limit = 64 << 10
	w := newWorldOf(t, account.Enterprise, limit)
	ids := w.minds(w.ctx, 120)
	var many []study.InlineAudience
	for range 20 {
		many = append(many, study.InlineAudience{MindIDs: ids})
	}
	made, err := w.Studies.Create(w.ctx, study.CreateRequest{Name: "S", AudienceNew: many})
	w.must(err)
	w.ask(w.ctx, made.Study.ID, "Do you eat steak?")
	st, err := w.Studies.Status(w.ctx, made.Study.ID, "")
	w.must(err)
	w.fits(st, limit)
	if len(st.Audiences) != 20 || len(st.Audiences[0].Minds) != 120 || len(st.Audiences[19].Minds) != 0 || st.Audiences[19].MindCount != 120 {
		t.Error("members are not cut from the end")
	}
	if len(st.Recent) != 1 || len(st.Recent[0].Audiences) != 20 {
		t.Error("the figures are gone")
	}
}

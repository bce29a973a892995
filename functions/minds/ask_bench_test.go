package minds_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// published is a distribution that every Mind of the benchmark knows.
const published = `{"question":"How do you like your steak prepared?","options":[{"label":"Rare","share":0.05},{"label":"Medium Rare","share":0.38},{"label":"Medium","share":0.3},{"label":"Medium Well","share":0.17},{"label":"Well Done","share":0.1}],"n":430,"source":"Steak survey","dates":"May 2014"}`

// BenchmarkAsk300 asks 300 Minds one question, from the tool call to the settled
// result, in the local host: real machine, real journal, real store.
// worst-ms is the slowest of the run.
func BenchmarkAsk300(b *testing.B) {
	for _, knows := range []bool{true, false} {
		b.Run(fmt.Sprintf("grounded=%v", knows), func(b *testing.B) { askMany(b, 300, knows) })
	}
}

func askMany(b *testing.B, n int, knows bool) {
	g := open(b)
	ids := make([]string, n)
	for i := range ids {
		ids[i] = g.mind(b, "", mind.CreateRequest{Name: fmt.Sprintf("Mind %03d", i), Mode: mind.ModeClone,
			PersonaContext: fmt.Sprintf("Age: %d\nGender: %s\nCooks on weekends and has eaten steak before.", 20+i%60, []string{"Female", "Male"}[i%2])}).ID
	}
	ctx := account.With(b.Context(), g.principals[""])
	for _, id := range ids {
		for {
			m, err := g.research.Minds.Get(ctx, id)
			if err != nil {
				b.Fatal(err)
			}
			if m.ReadyToChat() {
				break
			}
			tick(ctx)
		}
		if knows {
			if _, err := g.research.Knowledge.AddFile(ctx, knowledge.AddFileRequest{MindID: id, Filename: "survey.json", Body: strings.NewReader(published)}); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, id := range ids {
		for knows {
			m, err := g.research.Minds.Get(ctx, id)
			if err != nil {
				b.Fatal(err)
			}
			if len(m.Knowledge) > 0 {
				break
			}
			tick(ctx)
		}
	}
	a, err := g.research.Audiences.Create(ctx, audience.CreateRequest{Name: "All", MindIDs: ids})
	if err != nil {
		b.Fatal(err)
	}
	var made struct{ StudyID string }
	g.structured(b, "create_study", fmt.Sprintf(`{"name":"Bench","audienceIds":[%q]}`, a.Audience.ID), &made)
	b.ResetTimer()
	var worst time.Duration
	for i := 0; b.Loop(); i++ {
		begun := time.Now()
		var q struct{ QuestionID string }
		g.structured(b, "ask_study", fmt.Sprintf(`{"studyId":%q,"question":"How do you like your steak prepared, for dinner number %d?"}`, made.StudyID, i), &q)
		for {
			var st struct {
				RecentResults []struct {
					AnsweredCount int
					Evidence      struct{ Grounded, Related int }
				}
			}
			g.structured(b, "get_study_status", fmt.Sprintf(`{"studyId":%q,"questionId":%q}`, made.StudyID, q.QuestionID), &st)
			if len(st.RecentResults) == 1 {
				if st.RecentResults[0].AnsweredCount != n {
					b.Fatalf("%+v", st)
				}
				break
			}
			tick(ctx)
		}
		worst = max(worst, time.Since(begun))
	}
	b.ReportMetric(float64(worst.Milliseconds()), "worst-ms")
}

// structured calls a tool and decodes its result.
func (g *gateway) structured(t testing.TB, name, args string, into any) {
	t.Helper()
	a := g.call(t.Context(), "", name, json.RawMessage(args))
	if a.Error != nil {
		t.Fatalf("%s: %+v", name, a.Error)
	}
	if err := json.Unmarshal(a.Structured, into); err != nil {
		t.Fatal(err)
	}
}

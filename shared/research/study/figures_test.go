package study

import (
	"sort"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// M-327, M-211, M-343: whatever the answers are, the arithmetic of bases and
// counts holds, shares are of those who answered, and no finding is named where
// the evidence carries none.
func TestFigures_M327_M211_M343(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := simulate.Question{Type: rapid.SampledFrom([]simulate.QuestionType{simulate.Scale, simulate.Categorical, simulate.Multiselect, simulate.Qualitative}).Draw(t, "type"),
			Options: []string{"A", "B", "C"}, Min: -2, Max: 3}
		n := rapid.IntRange(0, 40).Draw(t, "minds")
		p := panel{Minds: make([]panelMind, n)}
		answers := make([]*simulate.Answer, n)
		for i := range answers {
			answers[i] = drawAnswer(t, q)
		}
		for a := range rapid.IntRange(1, 3).Draw(t, "audiences") {
			in := panelAudience{ID: strconv.Itoa(a), NotReady: rapid.IntRange(0, 2).Draw(t, "not ready")}
			for i := range n {
				if rapid.Bool().Draw(t, "member") {
					in.Members = append(in.Members, i)
				}
			}
			p.Audiences = append(p.Audiences, in)
		}
		r := settleFigures(q, p, answers)
		if r.All.Base.Asked != n {
			t.Fatalf("asked %d of %d: each Mind once", r.All.Base.Asked, n)
		}
		for i, f := range append([]figures{r.All}, r.Audiences...) {
			b := f.Base
			if b.Asked != b.Answered+b.Failed || b.Participating != b.Asked+b.NotAsked || *b.EffectiveN != float64(b.Answered) {
				t.Fatalf("group %d: %+v", i, b)
			}
			sum := 0
			for label, c := range f.Counts {
				sum += c
				if pct := f.percentages()[label]; b.Answered > 0 && (pct != 100*float64(c)/float64(b.Answered) || pct > 100) {
					t.Fatalf("%s: %v%%", label, pct)
				}
			}
			if (q.Type == simulate.Scale || q.Type == simulate.Categorical) && sum != b.Answered {
				t.Fatalf("counts sum to %d of %d", sum, b.Answered)
			}
			if b.Answered == 0 && f.percentages() != nil {
				t.Fatal("a share of nobody")
			}
			e := f.Evidence
			if e.Stated+e.Grounded+e.Related+e.Trait+e.Unsupported != b.Answered || e.CannotAnswer > b.Failed {
				t.Fatalf("%+v with %+v", e, b)
			}
			if text := headline(q, f); !e.Sufficient && b.Answered > 0 && text != "No finding: the evidence is insufficient" {
				t.Fatalf("a finding without evidence: %s", text)
			}
		}
	})
}

func drawAnswer(t *rapid.T, q simulate.Question) *simulate.Answer {
	switch rapid.IntRange(0, 5).Draw(t, "status") {
	case 0:
		return nil
	case 1:
		return &simulate.Answer{Status: simulate.CannotAnswer}
	case 2:
		return &simulate.Answer{Status: Failed}
	}
	a := &simulate.Answer{Status: simulate.Answered, State: rapid.SampledFrom([]simulate.State{simulate.Stated, simulate.Grounded, simulate.Related, simulate.Trait, simulate.Unsupported}).Draw(t, "state")}
	switch q.Type {
	case simulate.Scale:
		x := float64(rapid.IntRange(q.Min, q.Max).Draw(t, "point"))
		a.Number = &x
	case simulate.Categorical:
		a.Option = rapid.SampledFrom(q.Options).Draw(t, "option")
	case simulate.Multiselect:
		for _, o := range q.Options {
			if rapid.Bool().Draw(t, "picked") {
				a.Options = append(a.Options, o)
			}
		}
	default:
		a.Text = "words"
	}
	return a
}

// Sort keys of lists run from the newest on, ties from the larger id on (M-312).
func TestListKeysRunBackwards_M312(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		type row struct {
			at time.Time
			id string
		}
		var rows []row
		for range rapid.IntRange(2, 12).Draw(t, "rows") {
			raw := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id")
			rows = append(rows, row{base.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "ms")) * time.Millisecond), uuid.UUID(raw).String()})
		}
		sort.Slice(rows, func(i, j int) bool {
			return listKey("w", "o", rows[i].id, rows[i].at).SK < listKey("w", "o", rows[j].id, rows[j].at).SK
		})
		for i := 1; i < len(rows); i++ {
			a, b := rows[i-1], rows[i]
			if b.at.After(a.at) || b.at.Equal(a.at) && b.id > a.id {
				t.Fatalf("%v before %v", a, b)
			}
		}
	})
}

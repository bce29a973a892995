package study_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// What the sources leave in doubt reaches answers, results and analytics, and a
// most frequent answer of contradicting sources is not shown without it.
func TestWarningsReachResults_M341(t *testing.T) {
	w := newWorld(t, account.Team)
	ids := w.minds(w.ctx, 40)
	const question = `{"question":"Do you own a car?","options":[{"label":"Yes","share":%},{"label":"No","share":#}],"n":500,"dates":"1950","population":"Adults","source":"S%"}`
	w.teach(w.ctx, ids, strings.NewReplacer("%", "0.95", "#", "0.05").Replace(question))
	w.teach(w.ctx, ids, strings.NewReplacer("%", "0.4", "#", "0.6").Replace(question))
	s := w.study(w.ctx, "Cars", w.audience(w.ctx, "All", ids))
	got := w.ask(w.ctx, s.ID, "Do you own a car?")
	a := got.Audiences[0]
	for _, want := range []string{simulate.SourcesDisagree + " (40 answers)", "the source is 76 years old (1950) (40 answers)"} {
		if !strings.Contains(a.Evidence.Headline, want) || !strings.Contains(got.Evidence.Headline, want) {
			t.Errorf("%q is not in %q", want, a.Evidence.Headline)
		}
	}
	if !strings.Contains(a.Value, simulate.SourcesDisagree) {
		t.Errorf("a finding without its warning: %q", a.Value)
	}
	if p := a.Answers[0].AnswerProvenance; !slices.Contains(p.Warnings, simulate.SourcesDisagree) || len(p.Warnings) != 2 {
		t.Errorf("%v", p.Warnings)
	}
	an, err := w.Studies.Analytics(w.ctx, s.ID)
	w.must(err)
	if !strings.Contains(an.Categorical[0].Evidence.Headline, simulate.SourcesDisagree) {
		t.Errorf("%+v", an.Categorical[0].Evidence)
	}
}

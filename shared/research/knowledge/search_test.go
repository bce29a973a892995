package knowledge_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/websearch"
)

// An engine that hangs is not asked once for every word.
func TestASearchStopsAfterTwoTimeOuts(t *testing.T) {
	w := watch(t)
	w.search.err = &websearch.Error{Kind: websearch.Timeout, Message: "no answer in time"}
	found, notes, err := w.Knowledge.Search(w.ctx, []string{"one", "two", "three", "four", "five"})
	if err != nil || len(found) != 0 || len(w.search.asked) != 2 || len(notes) != 1 || !strings.Contains(notes[0], "5 topics could not be researched") {
		t.Errorf("%v %q %v after %q", found, notes, err, w.search.asked)
	}
}

// What was found before the time was over counts.
func TestASearchKeepsWhatItFoundInItsTime(t *testing.T) {
	w := watch(t)
	w.search.results["one"] = []websearch.Result{{URL: "https://example.com/a", Title: "A"}}
	over, cut := context.WithTimeout(w.ctx, 20*time.Millisecond)
	defer cut()
	w.search.meet = func(query string) error {
		if query == "two" {
			<-over.Done()
			return over.Err()
		}
		return nil
	}
	found, notes, err := w.Knowledge.Search(over, []string{"one", "two", "three"})
	if err != nil || len(found) != 1 || len(w.search.asked) != 2 || len(notes) != 1 || !strings.Contains(notes[0], "2 topics") {
		t.Errorf("%v %q %v after %q", found, notes, err, w.search.asked)
	}
	// With nothing found, the next try may do better.
	if found, _, err := w.Knowledge.Search(over, []string{"two"}); err == nil {
		t.Errorf("found %v in no time", found)
	}
}

// The sweep ends a search that is past its deadline, and writes no prompt.
func TestAnExpiredSearchWritesNoPrompt(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	w.search.results["solar"] = []websearch.Result{{URL: "https://example.com/a", Title: "A"}}
	w.web.set("https://example.com/a", page{media: "text/plain", body: "I like solar power, says a witness."})
	if _, err := w.Knowledge.Enrich(w.ctx, m.ID, []string{"solar"}, nil); err != nil {
		t.Fatal(err)
	}
	started := w.Engine.Take()[0]
	items, err := w.Knowledge.SearchNow(w.ctx, m.ID, started.Name)
	if err != nil || len(items) != 1 {
		t.Fatal(items, err)
	}
	if err := w.Knowledge.IngestNow(w.ctx, m.ID, items[0], started.Name); err != nil {
		t.Fatal(err)
	}
	before, _ := w.Minds.Get(w.ctx, m.ID)
	job := jobs.Job{ID: started.Name, Machine: knowledge.SearchMachine, Workspace: m.Workspace, Account: m.Owner, Input: started.Input}
	for range 2 { // a repeated sweep changes nothing
		if err := w.Knowledge.ExpireSearch(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	after, _ := w.Minds.Get(w.ctx, m.ID)
	if after.PromptVersion != before.PromptVersion || len(after.Knowledge) != 1 {
		t.Errorf("prompt %d, then %d; %d known", before.PromptVersion, after.PromptVersion, len(after.Knowledge))
	}
	if left := strings.Join(w.rows.left(t), "\n"); strings.Contains(left, "search#") || strings.Contains(left, "jobs") {
		t.Errorf("the search is left: %s", left)
	}
}

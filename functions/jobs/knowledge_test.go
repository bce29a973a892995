package jobs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// The machines of knowledge: every page that a search found is read, one that
// gives up harms no other, and whatever fails is settled.
func TestKnowledgeMachines(t *testing.T) {
	search := []string{"KnowledgeSearch", "KnowledgeRead", "KnowledgeSearchSettle", "KnowledgeSearchFail"}
	ingest := []string{"KnowledgeIngest", "KnowledgeIngestFail"}
	for name, c := range map[string]struct {
		machine string
		names   []string
		items   string
		errors  map[string][]string
		want    map[string]int
	}{
		"three pages":         {"knowledge-search", search, `["a","b","c"]`, nil, map[string]int{"KnowledgeSearch": 1, "KnowledgeRead": 3, "KnowledgeSearchSettle": 1}},
		"one page":            {"knowledge-search", search, `["a"]`, nil, map[string]int{"KnowledgeSearch": 1, "KnowledgeRead": 1, "KnowledgeSearchSettle": 1}},
		"nothing found":       {"knowledge-search", search, `[]`, nil, map[string]int{"KnowledgeSearch": 1, "KnowledgeSearchSettle": 1}},
		"a page gives up":     {"knowledge-search", search, `["a","b"]`, map[string][]string{"KnowledgeRead": {"Internal"}}, map[string]int{"KnowledgeSearch": 1, "KnowledgeRead": 2, "KnowledgeSearchSettle": 1}},
		"the search gives up": {"knowledge-search", search, `["a"]`, map[string][]string{"KnowledgeSearch": {"Internal"}}, map[string]int{"KnowledgeSearch": 1, "KnowledgeSearchFail": 1}},
		"a file":              {"knowledge-ingest", ingest, "", nil, map[string]int{"KnowledgeIngest": 1}},
		"a file in trouble":   {"knowledge-ingest", ingest, "", map[string][]string{"KnowledgeIngest": {"Transient", "Transient"}}, map[string]int{"KnowledgeIngest": 3}},
		"a file that fails":   {"knowledge-ingest", ingest, "", map[string][]string{"KnowledgeIngest": slices.Repeat([]string{"Transient"}, 20)}, map[string]int{"KnowledgeIngest": 6, "KnowledgeIngestFail": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{errors: c.errors, outputs: map[string]string{
				"KnowledgeSearch": `{"items":` + c.items + `}`, "KnowledgeRead": `{"done":true}`, "KnowledgeIngest": `{"done":true}`,
				"KnowledgeSearchSettle": `{"status":"settled"}`, "KnowledgeSearchFail": `{"status":"failed"}`, "KnowledgeIngestFail": `{"status":"failed"}`,
			}}
			if x := play(t, c.machine, s, c.names...); x.Status != workflow.Succeeded {
				t.Errorf("%+v", x)
			}
			got := map[string]int{}
			for _, call := range s.calls {
				task, _, _ := strings.Cut(call, " ")
				got[task]++
			}
			for _, task := range c.names {
				if got[task] != c.want[task] {
					t.Errorf("%s was called %d times, want %d: %q", task, got[task], c.want[task], s.calls)
				}
			}
		})
	}
}

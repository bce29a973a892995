package knowledge_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// until repeats what fails because a store was down, as a machine or a caller
// does, and gives the first other error.
func until(t testing.TB, do func() error) error {
	t.Helper()
	for range 100 {
		err := do()
		if !errors.Is(err, records.ErrUnavailable) && !errors.Is(err, records.ErrConflict) {
			return err
		}
	}
	t.Fatal("it never ends")
	return nil
}

// An ingestion, and a deletion, may be cut off at every single access to a store:
// repeated, each comes to the end that it has undisturbed, and nothing is left.
func TestCutOffAnywhere(t *testing.T) {
	const text = "I buy oat milk every week. It matters to me who made it.\n\nThe price rose by 12 % in 2025."
	for at := 1; at < 80; at++ {
		w := watch(t)
		m := w.mind(t, "Ada")
		w.web.set(report, page{media: "text/plain", body: text, etag: "v1"})
		it := w.add(t, knowledge.AddRequest{MindID: m.ID, Link: report})
		job := w.Engine.Take()[0]
		w.rows.ops, w.rows.fails = 0, map[int]bool{at: true}
		if err := until(t, func() error { return w.Step(t.Context(), job) }); err != nil {
			t.Fatalf("cut off at access %d: %v", at, err)
		}
		ingested := w.rows.ops
		w.rows.fails = nil
		s := status(t, w.World, w.ctx, m.ID, it.ID)
		if s.Status != knowledge.Completed || s.EmbeddingCount != 1 || s.PatternCount == 0 {
			t.Fatalf("cut off at access %d: %+v", at, s)
		}
		now, _ := w.Minds.Get(w.ctx, m.ID)
		if len(now.Knowledge) != 1 || now.KnowledgeVersion != 1 {
			t.Fatalf("cut off at access %d: known %+v in version %d", at, now.Knowledge, now.KnowledgeVersion)
		}
		if left := strings.Join(w.rows.left(t), "\n"); strings.Count(left, "vectors#") != 1 || strings.Contains(left, "jobs") {
			t.Fatalf("cut off at access %d: %s", at, left)
		}
		w.rows.ops, w.rows.fails = 0, map[int]bool{at: true}
		err := until(t, func() error { return w.Knowledge.Delete(w.ctx, m.ID, it.ID) })
		if err != nil && !fault.Is(err, fault.NotFound) { // the last step was done, and its answer lost
			t.Fatalf("deletion cut off at access %d: %v", at, err)
		}
		deleted := w.rows.ops
		w.rows.fails = nil
		w.clean(t, fmt.Sprintf("cut off at access %d", at))
		if now, _ := w.Minds.Get(w.ctx, m.ID); now.KnowledgeItems != 0 || len(now.Knowledge) != 0 {
			t.Fatalf("deletion cut off at access %d: %d items", at, now.KnowledgeItems)
		}
		if at > ingested && at > deleted {
			return // every access was met
		}
	}
	t.Error("more accesses than were tried")
}

// A source that cannot be used leaves nothing, wherever its failure is cut off.
func TestFailureCutOffAnywhere(t *testing.T) {
	for at := 1; at < 60; at++ {
		w := watch(t)
		m := w.mind(t, "Ada")
		it := give(t, w.World, w.ctx, m.ID, "s.json", strings.Replace(survey, "0.38", "3.8", 1))
		job := w.Engine.Take()[0]
		w.rows.ops, w.rows.fails = 0, map[int]bool{at: true}
		if err := until(t, func() error { return w.Step(t.Context(), job) }); err != nil {
			t.Fatalf("cut off at access %d: %v", at, err)
		}
		done := w.rows.ops
		w.rows.fails = nil
		if s := status(t, w.World, w.ctx, m.ID, it.ID); s.Status != knowledge.Failed || s.Error == "" {
			t.Fatalf("cut off at access %d: %+v", at, s)
		}
		if files := w.files.left(); len(files) != 0 {
			t.Fatalf("cut off at access %d: %q left", at, files)
		}
		if err := w.Knowledge.Delete(w.ctx, m.ID, it.ID); err != nil {
			t.Fatal(err)
		}
		w.clean(t, fmt.Sprintf("failure cut off at access %d", at))
		if at > done {
			return
		}
	}
}

// A Mind, or an item, deleted at any moment of an ingestion ends it quietly, and
// nothing stays behind.
func TestDeletedWhileItIsIngested(t *testing.T) {
	for _, whole := range []bool{false, true} { // the item, or the Mind with it
		for at := 1; at < 60; at++ {
			w := watch(t)
			m := w.mind(t, "Ada")
			it := give(t, w.World, w.ctx, m.ID, "a.txt", "I buy oat milk every week. It matters to me.")
			job := w.Engine.Take()[0]
			w.rows.ops, w.rows.fails = 0, map[int]bool{at: true}
			err := w.Step(t.Context(), job) // cut off here
			done := w.rows.ops
			w.rows.fails = nil
			if whole {
				if err := w.Minds.Delete(w.ctx, m.ID); err != nil {
					t.Fatal(err)
				}
				w.Run(t) // the clean-up
			} else if err := w.Knowledge.Delete(w.ctx, m.ID, it.ID); err != nil {
				t.Fatal(err)
			}
			if err != nil { // the machine tries again
				if err := until(t, func() error { return w.Step(t.Context(), job) }); err != nil {
					t.Fatalf("cut off at access %d: %v", at, err)
				}
			}
			w.later(t)
			w.clean(t, fmt.Sprintf("deleted at access %d, with its Mind: %v", at, whole))
			if t.Failed() {
				return
			}
			if at > done {
				break
			}
		}
	}
}

// Minds of one workspace share a content: whoever forgets it takes nothing from
// the others, and the last takes it away.
func TestSharedContentOutlivesADeletion(t *testing.T) {
	w := watch(t)
	var minds []mind.Mind
	var item knowledge.Item
	for i := range 3 {
		minds = append(minds, w.mind(t, fmt.Sprint("Mind ", i)))
		item = give(t, w.World, w.ctx, minds[i].ID, "a.txt", "I buy oat milk every week.")
	}
	w.Run(t)
	if n := len(w.files.left()); n != 2 { // one source, one run of vectors
		t.Errorf("%d files for one content", n)
	}
	for i, m := range minds {
		if err := w.Knowledge.Delete(w.ctx, m.ID, item.ID); err != nil {
			t.Fatal(err)
		}
		for _, other := range minds[i+1:] {
			rs, err := w.Minds.Respondents(w.ctx, []string{other.ID})
			if err != nil || len(rs[0].Passages) != 1 {
				t.Fatalf("after %d deletions: %v", i+1, err)
			}
			if got, err := rs[0].Recall.Recall(w.ctx, "oat milk", 3); err != nil || len(got) != 1 {
				t.Fatalf("after %d deletions: %v %v", i+1, got, err)
			}
		}
	}
	w.clean(t, "after the last deletion")
}

// Adding and deleting one content in many Minds at once: in the end those that
// have it know it, and when all have let go nothing is left.
func TestSharedContentUnderRaces(t *testing.T) {
	w := watch(t)
	const n = 6
	var minds []mind.Mind
	for i := range n {
		minds = append(minds, w.mind(t, fmt.Sprint("Mind ", i)))
	}
	var g sync.WaitGroup
	for _, m := range minds {
		g.Go(func() {
			for range 4 {
				it, err := w.Knowledge.AddFile(w.ctx, knowledge.AddFileRequest{MindID: m.ID, Filename: "a.txt", Body: strings.NewReader("I buy oat milk every week.")})
				if err != nil {
					t.Error(err)
					return
				}
				g.Go(func() { // the machine, as it gets to it
					for _, s := range w.Engine.Take() {
						if err := until(t, func() error { return w.Step(t.Context(), s) }); err != nil {
							t.Error(err)
						}
					}
				})
				if err := until(t, func() error { return w.Knowledge.Delete(w.ctx, m.ID, it.ID) }); err != nil && !fault.Is(err, fault.NotFound) {
					t.Error(err)
				}
			}
		})
	}
	g.Wait()
	w.Run(t)
	// A removal that met another one is taken up by the next.
	last := w.mind(t, "last")
	it := give(t, w.World, w.ctx, last.ID, "a.txt", "I buy oat milk every week.")
	w.Run(t)
	if s := status(t, w.World, w.ctx, last.ID, it.ID); !s.ReadyForRetrieval {
		t.Errorf("%+v", s)
	}
	rs, err := w.Minds.Respondents(w.ctx, []string{last.ID})
	if err != nil || len(rs[0].Passages) != 1 {
		t.Errorf("%v", err)
	}
	for _, m := range append(minds, last) {
		items, _, err := w.Knowledge.List(w.ctx, m.ID, 100, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			if err := w.Knowledge.Delete(w.ctx, m.ID, it.ID); err != nil {
				t.Error(err)
			}
		}
	}
	w.later(t)
	w.clean(t, "after all have let go")
}

// The same step run twice at once does its work once.
func TestOneStepTwiceAtOnce(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	it := give(t, w.World, w.ctx, m.ID, "a.txt", passages(300, 1))
	job := w.Engine.Take()[0]
	var g sync.WaitGroup
	for range 2 {
		g.Go(func() {
			if err := until(t, func() error { return w.Step(t.Context(), job) }); err != nil {
				t.Error(err)
			}
		})
	}
	g.Wait()
	if s := status(t, w.World, w.ctx, m.ID, it.ID); s.Status != knowledge.Completed || !s.ReadyForRetrieval {
		t.Errorf("%+v", s)
	}
	if now, _ := w.Minds.Get(w.ctx, m.ID); now.KnowledgeVersion != 1 || len(now.Knowledge) != 1 {
		t.Errorf("%+v in version %d", now.Knowledge, now.KnowledgeVersion)
	}
	if err := w.Knowledge.Delete(w.ctx, m.ID, it.ID); err != nil {
		t.Fatal(err)
	}
	w.clean(t, "after two runs at once")
}

var _ = researchtest.Start

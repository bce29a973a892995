package knowledge_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
)

// An item that is deleted while it is added again is a new one: nothing of the
// pass that was lost stays.
func TestAddedAgainWhileItIsDeleted(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	w.web.set(report, page{media: "text/plain", body: "I buy oat milk every week.", etag: "v1"})
	w.add(t, knowledge.AddRequest{MindID: m.ID, Link: report, Description: "The report"})
	w.Run(t)
	w.rows.meet = func(actions []records.Action) error {
		w.rows.meet = nil
		for i, a := range actions {
			var err error
			switch {
			case i == 0: // the Mind's record: somebody changes it
				_, err = w.rows.Store.Update(t.Context(), a.Item.Key, 0, func(*records.Item) error { return nil })
			case strings.HasPrefix(a.Item.SK, "id#"), strings.HasPrefix(a.Item.SK, "list#") && strings.Contains(a.Item.PK, "#knowledge#"):
				err = w.rows.Store.Delete(t.Context(), a.Item.Key)
			}
			if err != nil {
				t.Error(err)
			}
		}
		return nil
	}
	it := w.add(t, knowledge.AddRequest{MindID: m.ID, Link: report})
	if s := status(t, w.World, w.ctx, m.ID, it.ID); s.ReadyForRetrieval || s.EmbeddingCount != 0 || it.Description == "The report" {
		t.Errorf("%+v %+v", it, s)
	}
	if w.rows.meet != nil {
		t.Error("no transaction was met")
	}
}

// Markup takes up to six times its size when it is escaped; it is not, and no row
// is larger than a row may be.
func TestTextFullOfMarkup(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	var text strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&text, "<a><b>&%d&</b>\n", i)
	}
	it := give(t, w.World, w.ctx, m.ID, "a.txt", text.String())
	w.Run(t)
	if s := status(t, w.World, w.ctx, m.ID, it.ID); s.Status != knowledge.Completed || s.EmbeddingCount < 500 {
		t.Fatalf("%+v", s)
	}
	rs, err := w.Minds.Respondents(w.ctx, []string{m.ID})
	if err != nil || !strings.HasPrefix(rs[0].Passages[0].Text, "<a><b>&0&</b>") {
		t.Errorf("%v", err)
	}
}

// A Mind whose record has no room for one more source says so with the item.
func TestNoRoomInTheMindsRecord(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	it := give(t, w.World, w.ctx, m.ID, "a.txt", "I buy oat milk every week.")
	w.rows.meet = func(actions []records.Action) error {
		for _, a := range actions {
			if strings.Contains(a.Item.PK, "#patterns#") { // the Mind is given what was read
				return records.ErrTooLarge
			}
		}
		return nil
	}
	w.Run(t)
	w.rows.meet = nil
	if s := status(t, w.World, w.ctx, m.ID, it.ID); s.Status != knowledge.Failed || !strings.Contains(s.Error, "400 KB") {
		t.Errorf("%+v", s)
	}
	if err := w.Knowledge.Delete(w.ctx, m.ID, it.ID); err != nil {
		t.Fatal(err)
	}
	w.clean(t, "refused")
}

// Of two deletions of one item at once both end well.
func TestTwoDeletionsAtOnce(t *testing.T) {
	for at := 1; at < 6; at++ {
		w := watch(t)
		m := w.mind(t, "Ada")
		it := give(t, w.World, w.ctx, m.ID, "a.txt", "I buy oat milk every week.")
		w.Run(t)
		var other error
		n, met := 0, false
		w.rows.meet = func(actions []records.Action) error {
			for _, a := range actions {
				if strings.Contains(a.Item.PK, "#mind#") { // inside, the Mind's changes wait for one another
					return nil
				}
			}
			if n++; n == at {
				met, w.rows.meet = true, nil
				other = w.Knowledge.Delete(w.ctx, m.ID, it.ID)
			}
			return nil
		}
		err := w.Knowledge.Delete(w.ctx, m.ID, it.ID)
		w.rows.meet = nil
		if err != nil || other != nil {
			t.Errorf("at transaction %d: %v, %v", at, err, other)
		}
		w.clean(t, "after two deletions")
		if now, _ := w.Minds.Get(w.ctx, m.ID); now.KnowledgeItems != 0 {
			t.Errorf("%d items", now.KnowledgeItems)
		}
		if !met {
			if at == 1 {
				t.Error("no transaction was met")
			}
			return
		}
	}
}

// The sources of one Mind take so much together and no more, however they come;
// what goes, or cannot be read, makes room.
func TestTheFilesOfAMindAreBounded(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	first := give(t, w.World, w.ctx, m.ID, "a.txt", "I buy oat milk every week.")
	w.Run(t)
	var size records.Key
	for pk := range w.rows.pks {
		if strings.HasSuffix(pk, "#knowledge#"+m.ID) {
			size = records.Key{PK: pk, SK: "size"}
		}
	}
	count := func(want int64) {
		t.Helper()
		it, err := w.Store.Get(t.Context(), size)
		if err != nil || it.N != want {
			t.Errorf("%d bytes counted instead of %d: %v", it.N, want, err)
		}
	}
	count(26)
	give(t, w.World, w.ctx, m.ID, "s.json", "{")
	count(27)
	w.Run(t)
	count(26)
	// As if other files took nearly all of it.
	const room = 20
	if _, err := w.Store.Add(t.Context(), size, records.Delta{By: 2<<30 - room - 26}); err != nil {
		t.Fatal(err)
	}
	_, err := w.Knowledge.AddFile(w.ctx, knowledge.AddFileRequest{MindID: m.ID, Filename: "b.txt", Body: strings.NewReader(strings.Repeat("x ", room))})
	if !fault.Is(err, fault.Validation) || !strings.Contains(err.Error(), "2 GB") {
		t.Errorf("%v", err)
	}
	w.web.set(report, page{media: "text/plain", body: strings.Repeat("word ", room)})
	link := w.add(t, knowledge.AddRequest{MindID: m.ID, Link: report})
	w.Run(t)
	if s := status(t, w.World, w.ctx, m.ID, link.ID); s.Status != knowledge.Failed || !strings.Contains(s.Error, "2 GB") {
		t.Errorf("%+v", s)
	}
	if n := len(w.files.left()); n != 2 { // the first file and its vectors
		t.Errorf("%d files", n)
	}
	if err := w.Knowledge.Delete(w.ctx, m.ID, first.ID); err != nil {
		t.Fatal(err)
	}
	w.add(t, knowledge.AddRequest{MindID: m.ID, Link: report, Description: "now it fits"})
	give(t, w.World, w.ctx, m.ID, "c.txt", strings.Repeat("y ", room))
}

// An item is deleted while its text is stored, and the job is killed before it
// sees that: what it stored after the deletion goes hours later.
func TestKilledAfterADeletionItDidNotSee(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	it := give(t, w.World, w.ctx, m.ID, "a.txt", "I buy oat milk every week.")
	w.rows.lay = func(put records.Item) {
		if strings.HasPrefix(put.SK, "passages#") {
			w.rows.lay = nil
			if err := w.Knowledge.Delete(w.ctx, m.ID, it.ID); err != nil {
				t.Error(err)
			}
			w.rows.meet = func([]records.Action) error { return errDown } // it never comes to more
		}
	}
	if err := w.Step(t.Context(), w.Engine.Take()[0]); !errors.Is(err, errDown) {
		t.Fatal(err)
	}
	w.rows.meet = nil
	if left := strings.Join(w.rows.left(t), " "); !strings.Contains(left, "passages#") {
		t.Fatalf("nothing was left: %s", left)
	}
	w.later(t)
	w.clean(t, "hours later")
}

// An item whose job died is added again, and the call is killed before it has
// cleared away what that job made.
func TestKilledBeforeItClearedAway(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	const text = "I buy oat milk every week."
	it := give(t, w.World, w.ctx, m.ID, "a.txt", text)
	dead := w.Engine.Take()[0]
	w.rows.meet = func(actions []records.Action) error {
		if strings.HasSuffix(actions[0].Item.SK, "meta") {
			return errDown
		}
		return nil
	}
	if err := w.Step(t.Context(), dead); !errors.Is(err, errDown) {
		t.Fatal(err)
	}
	w.Clock.Advance(80 * time.Minute)
	w.rows.meet = func([]records.Action) error {
		w.rows.meet = nil
		w.rows.fails = map[int]bool{} // committed, and nothing after
		for i := range 50 {
			w.rows.fails[w.rows.ops+1+i] = true
		}
		return nil
	}
	give(t, w.World, w.ctx, m.ID, "a.txt", text)
	w.rows.fails = nil
	if left := strings.Join(w.rows.left(t), " "); !strings.Contains(left, "left#") || !strings.Contains(left, "passages#") {
		t.Fatalf("nothing was left: %s", left)
	}
	// The new job was not started either; the sweep of jobs does it.
	_, _, _ = w.Jobs.Sweep(t.Context(), nil)
	for _, job := range append(w.Engine.Take(), dead) {
		if err := w.Step(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	w.later(t)
	if s := status(t, w.World, w.ctx, m.ID, it.ID); !s.ReadyForRetrieval {
		t.Errorf("%+v", s)
	}
	if err := w.Knowledge.Delete(w.ctx, m.ID, it.ID); err != nil {
		t.Fatal(err)
	}
	w.clean(t, "hours later")
}

// A file whose call was killed goes hours later, though nothing else happens in
// its workspace.
func TestTheSweepNeedsNobody(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	w.rows.meet = func([]records.Action) error {
		for i := range 50 {
			w.rows.fails[w.rows.ops+1+i] = true
		}
		return errDown
	}
	w.rows.fails = map[int]bool{}
	if _, err := w.Knowledge.AddFile(w.ctx, knowledge.AddFileRequest{MindID: m.ID, Filename: "a.txt", Body: strings.NewReader("Milk.")}); !errors.Is(err, errDown) {
		t.Fatal(err)
	}
	w.rows.meet, w.rows.fails = nil, nil
	if len(w.files.left()) != 1 {
		t.Fatal("nothing was left")
	}
	w.later(t)
	w.clean(t, "hours later")
}

// An item that was deleted and added again in the same moment may come to the same
// version; a job of the first one writes nothing to the second.
func TestAJobOfAnItemThatWasAddedAgain(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	give(t, w.World, w.ctx, m.ID, "a.txt", "I buy oat milk every week.")
	job := w.Engine.Take()[0]
	var again records.Item
	w.rows.meet = func(actions []records.Action) error {
		for _, a := range actions {
			if !strings.HasPrefix(a.Item.SK, "list#") || a.Item.Fields["job"] == "" || !strings.Contains(string(a.Item.Body), `"next"`) {
				continue
			}
			w.rows.meet = nil
			it, err := w.rows.Store.Get(t.Context(), a.Item.Key)
			if err != nil {
				t.Error(err)
			}
			version, mine := it.Version, it.Fields["job"]
			other := strings.Repeat("0", len(mine))
			it.Fields, it.Body = map[string]string{"job": other}, []byte(strings.ReplaceAll(string(it.Body), mine, other))
			if err := w.rows.Store.Delete(t.Context(), it.Key); err != nil {
				t.Error(err)
			}
			for again.Version < version {
				if again, err = w.rows.Store.Put(t.Context(), it); err != nil {
					t.Fatal(err)
				}
			}
		}
		return nil
	}
	if err := w.Step(t.Context(), job); err != nil {
		t.Error(err)
	}
	if again.Version == 0 {
		t.Fatal("no transaction was met")
	}
	if now, err := w.rows.Store.Get(t.Context(), again.Key); err != nil || now.Version != again.Version {
		t.Errorf("version %d instead of %d: %v", now.Version, again.Version, err)
	}
}

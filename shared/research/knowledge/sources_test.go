package knowledge_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
	"github.com/mindgate-dev/mindgate/shared/webpage"
	"github.com/mindgate-dev/mindgate/shared/websearch"
)

const report = "https://example.com/reports/milk"

// A link is one item however often it is added; added again, its page is read
// again if it has changed, and a page that cannot be read any more costs nothing
// of what was known.
func TestLinkIsReadAgainWhenItChanged_M272(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	w.web.set(report, page{media: "text/plain", body: "Oat milk outsells soy milk since 2021.", etag: "v1"})
	add := knowledge.AddRequest{MindID: m.ID, Link: report}
	it := w.add(t, add)
	if it.Description != "example.com/reports/milk" || it.Link == nil || *it.Link != report || it.FilePath != nil || !it.IsWatched || it.Processing.Status != knowledge.Queued {
		t.Errorf("%+v", it)
	}
	w.Run(t)
	version := func() int64 { now, _ := w.Minds.Get(w.ctx, m.ID); return now.KnowledgeVersion }
	first := version()
	if s := status(t, w.World, w.ctx, m.ID, it.ID); s.Status != knowledge.Completed || !s.ReadyForRetrieval || s.EmbeddingCount != 1 {
		t.Fatalf("%+v", s)
	}
	// Unchanged by the server's word.
	if again := w.add(t, knowledge.AddRequest{MindID: m.ID, Link: "HTTPS://EXAMPLE.com:443/reports/milk#top"}); again.ID != it.ID {
		t.Errorf("one address, two items: %s, %s", it.ID, again.ID)
	}
	w.Run(t)
	w.web.set(report, page{media: "text/plain", body: "Oat milk outsells soy milk since 2021.", etag: "v2"})
	w.add(t, add)
	w.Run(t)
	if version() != first {
		t.Error("the same content is another version")
	}
	if got := w.web.asked; len(got) != 3 || got[1] != "HTTPS://EXAMPLE.com:443/reports/milk#top v1" && got[1] != report+" v1" {
		t.Errorf("asked for %q", got)
	}
	w.web.set(report, page{media: "text/plain", body: "Oat milk fell behind soy milk in 2026.", etag: "v3"})
	w.add(t, add)
	w.Run(t)
	if version() != first+1 {
		t.Error("another content is the same version")
	}
	if known := passagesOf(t, w, m.ID); len(known) != 1 || !strings.Contains(known[0], "fell behind") {
		t.Errorf("known: %q", known)
	}
	w.web.set(report, page{err: &webpage.Refused{Code: webpage.Robots, Message: "robots.txt of the site does not let us"}})
	w.add(t, add)
	w.Run(t)
	s := status(t, w.World, w.ctx, m.ID, it.ID)
	if s.Status != knowledge.Completed || !s.ReadyForRetrieval || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "obots.txt") {
		t.Errorf("a page that cannot be read again: %+v", s)
	}
	if err := w.Knowledge.Delete(w.ctx, m.ID, it.ID); err != nil {
		t.Fatal(err)
	}
	w.clean(t, "after the link is deleted")
}

func passagesOf(t testing.TB, w *watched, mindID string) []string {
	t.Helper()
	rs, err := w.Minds.Respondents(w.ctx, []string{mindID})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range rs[0].Passages {
		out = append(out, p.Text)
	}
	return out
}

func TestSourcesThatCannotBeRead(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	if _, err := w.Knowledge.Add(w.ctx, knowledge.AddRequest{MindID: m.ID, Link: "http://127.0.0.1/x"}); !fault.Is(err, fault.UnsafeURL) {
		t.Errorf("M-115: %v", err)
	}
	if _, err := w.Knowledge.Add(w.ctx, knowledge.AddRequest{MindID: m.ID, File: &knowledge.RemoteFile{Name: "a.txt", URL: "https://127.0.0.1/a.txt"}}); !fault.Is(err, fault.UnsafeURL) {
		t.Errorf("M-115: %v", err)
	}
	w.clean(t, "after refusals")
	for name, p := range map[string]page{
		"gone":        {err: &webpage.Refused{Code: webpage.Status, Message: "the server answered 404"}},
		"unsafe":      {err: fault.New(fault.UnsafeURL, "the address leads to a private network")},
		"mislabelled": {media: "application/pdf", body: "this is no PDF"},
		"too long":    {media: "text/plain", body: strings.Repeat("word ", 11<<20)},
		"too much":    {media: "text/plain", body: strings.Repeat("A sentence of its own kind. ", 200_000)},
	} {
		address := "https://example.com/" + strings.ReplaceAll(name, " ", "-")
		w.web.set(address, p)
		it := w.add(t, knowledge.AddRequest{MindID: m.ID, Link: address})
		w.Run(t)
		s := status(t, w.World, w.ctx, m.ID, it.ID)
		if s.Status != knowledge.Failed || s.Error == "" || s.ReadyForRetrieval {
			t.Errorf("%s: %+v", name, s)
		}
		if n := len(w.files.left()); n != 0 {
			t.Errorf("%s: %d files left", name, n)
		}
		if err := w.Knowledge.Delete(w.ctx, m.ID, it.ID); err != nil {
			t.Fatal(err)
		}
	}
	w.clean(t, "after failures")
}

func TestRemoteFilesAndUploads(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	w.web.set("https://example.com/h", page{media: "application/octet-stream", body: "The handbook says: rest on Sundays."})
	it := w.add(t, knowledge.AddRequest{MindID: m.ID, File: &knowledge.RemoteFile{Name: "dir/handbook.txt", URL: "https://example.com/h", Type: "text/plain"}})
	if it.Description != "handbook.txt" || it.FilePath == nil || *it.FilePath != "handbook.txt" || it.Link != nil {
		t.Errorf("M-272: %+v", it)
	}
	w.Run(t)
	if s := status(t, w.World, w.ctx, m.ID, it.ID); !s.ReadyForRetrieval {
		t.Errorf("%+v", s)
	}

	up, err := w.Uploads.Create(w.ctx, upload.Request{Name: "notes.md", Folder: "context"})
	if err != nil {
		t.Fatal(err)
	}
	file := &knowledge.RemoteFile{Name: "notes.md", URL: up.Path}
	if _, err := w.Knowledge.Add(w.ctx, knowledge.AddRequest{MindID: m.ID, File: file}); !fault.Is(err, fault.NotFound) {
		t.Errorf("before it arrived: %v", err)
	}
	id, ticket := ticketOf(up.UploadURL)
	if err := w.Uploads.Receive(t.Context(), id, ticket, strings.NewReader("# Notes\n\nTea before coffee.")); err != nil {
		t.Fatal(err)
	}
	other := w.As(t, "other", account.Team)
	theirs := manual(t, w.World, other, "Bob")
	for _, address := range []string{up.Path, "/uploads/" + up.Path, strings.Split(up.ReadURL, "?")[0]} {
		if _, err := w.Knowledge.Add(other, knowledge.AddRequest{MindID: theirs.ID, File: &knowledge.RemoteFile{Name: "notes.md", URL: address}}); !fault.Is(err, fault.NotFound) {
			t.Errorf("M-3, %s: %v", address, err)
		}
		it := w.add(t, knowledge.AddRequest{MindID: m.ID, File: &knowledge.RemoteFile{Name: "notes.md", URL: address}, Description: "My notes"})
		w.Run(t)
		if s := status(t, w.World, w.ctx, m.ID, it.ID); !s.ReadyForRetrieval || it.Description != "My notes" {
			t.Errorf("%s: %+v", address, s)
		}
	}
	if items, total, _ := w.Knowledge.List(w.ctx, m.ID, 100, 0); total != 2 {
		t.Errorf("one upload is one item: %+v", items)
	}
}

// ticketOf takes an address of an upload apart.
func ticketOf(address string) (id, ticket string) {
	head, ticket, _ := strings.Cut(address, "?ticket=")
	return head[strings.LastIndexByte(head, '/')+1:], ticket
}

func TestPastedText(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	it := w.add(t, knowledge.AddRequest{MindID: m.ID, Text: "\n Interview, 3 May\nI never eat before noon."})
	w.Run(t)
	if s := status(t, w.World, w.ctx, m.ID, it.ID); !s.ReadyForRetrieval || it.Description != "Interview, 3 May" {
		t.Errorf("%+v %+v", it, s)
	}
}

func TestPictureIsKeptAndHoldsNoText_M271(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	// The smallest GIF: one pixel.
	gif := "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
	it := give(t, w.World, w.ctx, m.ID, "dot.gif", gif)
	w.Run(t)
	s := status(t, w.World, w.ctx, m.ID, it.ID)
	if s.Status != knowledge.Completed || s.ReadyForRetrieval || s.EmbeddingCount != 0 || len(s.Notes) == 0 || !strings.Contains(s.Notes[0], "1 × 1") {
		t.Errorf("%+v", s)
	}
	if len(w.files.left()) != 1 {
		t.Errorf("the picture is not kept: %q", w.files.left())
	}
	if now, _ := w.Minds.Get(w.ctx, m.ID); len(now.Knowledge) != 0 {
		t.Errorf("a picture is known as text: %+v", now.Knowledge)
	}
	if err := w.Knowledge.Delete(w.ctx, m.ID, it.ID); err != nil {
		t.Fatal(err)
	}
	w.clean(t, "after the picture is deleted")
}

func TestKeywords_M281(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	for i, k := range []string{"solar", "wind"} {
		for n := range 6 {
			address := fmt.Sprintf("https://example.com/%s/%d", k, n)
			w.search.results[k] = append(w.search.results[k], websearch.Result{Title: fmt.Sprintf("About %s, %d", k, n), URL: address})
			w.web.set(address, page{media: "text/plain", body: fmt.Sprintf("I like %s power, says witness %d of %d.", k, n, i)})
		}
	}
	w.search.results["wind"][0].URL = "https://example.com/solar/0" // found twice
	w.web.set("https://example.com/wind/1", page{err: &webpage.Refused{Code: webpage.Timeout, Message: "it took too long"}})
	a, err := w.Knowledge.Add(w.ctx, knowledge.AddRequest{MindID: m.ID, Keywords: []string{" solar ", "wind", "Solar", " "}})
	if err != nil || a.Item != nil || !a.Search.Queued || !a.Search.RegeneratePrompt || len(a.Search.Keywords) != 2 || strings.Contains(a.Search.Message, "found ") {
		t.Fatalf("%+v, %v", a.Search, err)
	}
	started := w.Engine.Take()
	if len(started) != 1 || started[0].Machine != knowledge.SearchMachine {
		t.Fatalf("%+v", started)
	}
	for range 2 { // a repeated run changes nothing
		if err := w.Step(t.Context(), started[0]); err != nil {
			t.Fatal(err)
		}
	}
	items, total, err := w.Knowledge.List(w.ctx, m.ID, 100, 0)
	if err != nil || total != 7 {
		t.Fatalf("%d items, %v", total, err)
	}
	failed := 0
	for _, it := range items {
		if it.IsWatched || it.Link == nil || !strings.HasPrefix(it.Description, "About ") {
			t.Errorf("%+v", it)
		}
		if it.Processing.Status == knowledge.Failed {
			failed++
		}
	}
	now, _ := w.Minds.Get(w.ctx, m.ID)
	if failed != 1 || len(now.Knowledge) != 6 || !now.ReadyToChat() {
		t.Errorf("%d failed, %d known, ready %v", failed, len(now.Knowledge), now.ReadyToChat())
	}
	if left := strings.Join(w.rows.left(t), "\n"); strings.Contains(left, "search#") || strings.Contains(left, "jobs") {
		t.Errorf("the search is left: %s", left)
	}
}

func TestKeywordBounds(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	var many []string
	for i := range 20 {
		many = append(many, fmt.Sprint("topic ", i))
	}
	s, err := w.Knowledge.Enrich(w.ctx, m.ID, many, nil)
	if err != nil || len(s.Keywords) != 15 {
		t.Errorf("section 23: %d, %v", len(s.Keywords), err)
	}
	if _, err := w.Knowledge.Enrich(w.ctx, m.ID, []string{" ", ""}, nil); !fault.Is(err, fault.Validation) {
		t.Errorf("%v", err)
	}
	if _, err := w.Knowledge.Enrich(w.ctx, m.ID, []string{strings.Repeat("x", 201)}, nil); !fault.Is(err, fault.Validation) {
		t.Errorf("%v", err)
	}
	// Without an engine nothing is queued, and nothing else is said.
	plain := researchtest.New(t)
	ctx := plain.As(t, "lab", account.Team)
	a := manual(t, plain, ctx, "Ada")
	s, err = plain.Knowledge.Enrich(ctx, a.ID, []string{"solar"}, nil)
	if err != nil || s.Queued || s.RegeneratePrompt || s.Message != knowledge.NotResearched || len(plain.Engine.Take()) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestASearchThatFails(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	w.search.err = &websearch.Error{Kind: websearch.Auth, Message: "the engine does not accept the key"}
	if _, err := w.Knowledge.Enrich(w.ctx, m.ID, []string{"solar", "wind"}, nil); err != nil {
		t.Fatal(err)
	}
	w.Run(t)
	if len(w.search.asked) != 1 {
		t.Errorf("a refused key was tried %d times", len(w.search.asked))
	}
	found, notes, err := w.Knowledge.Search(w.ctx, []string{"solar"})
	if err != nil || len(found) != 0 || len(notes) != 1 || !strings.Contains(notes[0], "does not accept the key") {
		t.Errorf("%v %q %v", found, notes, err)
	}
	w.clean(t, "after a failed search")
}

func TestUpdate_M270(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	it := give(t, w.World, w.ctx, m.ID, "a.txt", "I buy oat milk.")
	w.Run(t)
	w.Clock.Advance(time.Second)
	now, err := w.Knowledge.Update(w.ctx, m.ID, it.ID, "  What I buy ")
	if err != nil || now.Description != "What I buy" || now.UpdatedAt == it.UpdatedAt || now.Processing.Status != knowledge.Completed {
		t.Errorf("%+v, %v", now, err)
	}
	rs, _ := w.Minds.Respondents(w.ctx, []string{m.ID})
	if rs[0].Passages[0].Source != "What I buy" {
		t.Errorf("the source is still called %q", rs[0].Passages[0].Source)
	}
	for _, bad := range []string{"", " ", strings.Repeat("x", 2001)} {
		if _, err := w.Knowledge.Update(w.ctx, m.ID, it.ID, bad); !fault.Is(err, fault.Validation) {
			t.Errorf("%d characters: %v", len(bad), err)
		}
	}
	if _, err := w.Knowledge.Update(w.ctx, m.ID, m.ID, "x"); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
	if _, err := w.Knowledge.Update(w.As(t, "other", account.Team), m.ID, it.ID, "x"); !fault.Is(err, fault.NotFound) {
		t.Errorf("M-3: %v", err)
	}
}

// What is refused is refused while it streams: no more of it is read.
func TestTooMuchIsRefusedWhileItStreams(t *testing.T) {
	w := watch(t)
	m := w.mind(t, "Ada")
	body := &counted{r: io.LimitReader(endless{}, 1<<40)}
	_, err := w.Knowledge.AddFile(w.ctx, knowledge.AddFileRequest{MindID: m.ID, Filename: "a.txt", Body: body})
	if !fault.Is(err, fault.Validation) || body.n > knowledge.MaxFileBytes+1<<20 {
		t.Errorf("%d bytes read, %v", body.n, err)
	}
	w.clean(t, "after the refusal")
}

type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

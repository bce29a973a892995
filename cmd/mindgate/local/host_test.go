package local

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
)

func openHost(t *testing.T, o Options) *Host {
	t.Helper()
	o.PublicURL = "http://127.0.0.1:1"
	h, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// caller calls the host with a key of its own, over REST and MCP.
func caller(t *testing.T, h *Host, method string) func(path, body string) (int, map[string]any, http.Header) {
	t.Helper()
	key, _, err := h.Research.Accounts.CreateKey(t.Context(), "one", account.Enterprise, nil)
	if err != nil {
		t.Fatal(err)
	}
	return anybody(t, h, method, "Bearer "+key)
}

// anybody calls the host with any credential, or none.
func anybody(t *testing.T, h *Host, method, credential string) func(path, body string) (int, map[string]any, http.Header) {
	t.Helper()
	handler, err := h.Handler(Surfaces{PublicURL: "http://127.0.0.1:1", Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return func(path, body string) (int, map[string]any, http.Header) {
		r := httptest.NewRequest(method, "http://127.0.0.1:1"+path, strings.NewReader(body))
		if credential != "" {
			r.Header.Set("Authorization", credential)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		text := w.Body.String()
		if i := strings.Index(text, "{"); i > 0 {
			text = text[i:] // one event
		}
		var out map[string]any
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&out); err != nil {
			t.Fatalf("%v: %s", err, w.Body)
		}
		return w.Code, out, w.Header()
	}
}

// M-4: the link of a shared Study leads to it without a credential; of one that
// is not shared there is none, and any other id is 404.
func TestTheLinkOfASharedStudyLeadsToIt(t *testing.T) {
	h := openHost(t, Options{Dir: t.TempDir()})
	post := caller(t, h, http.MethodPost)
	get := anybody(t, h, http.MethodGet, "")
	study := func(name, shared string) map[string]any {
		status, body, _ := post("/api/v1/studies", `{"name":"`+name+`","isLinkSharingEnabled":`+shared+`}`)
		if status != http.StatusCreated {
			t.Fatalf("%d %v", status, body)
		}
		return body["data"].(map[string]any)
	}
	link, _ := study("Open", "true")["sharedStudyUrl"].(string)
	path, ours := strings.CutPrefix(link, "http://127.0.0.1:1")
	if !ours {
		t.Fatalf("the link is %q", link)
	}
	status, body, header := get(path, "")
	data, _ := body["data"].(map[string]any)
	if status != http.StatusOK || data["name"] != "Open" || data["messages"] == nil || header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v %v", status, header, body)
	}
	closed := study("Closed", "false")
	if closed["sharedStudyUrl"] != nil {
		t.Errorf("a private Study has the link %v", closed["sharedStudyUrl"])
	}
	for _, id := range []string{closed["id"].(string), data["id"].(string), "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"} {
		if status, body, _ := get("/api/v1/shared/studies/"+id, ""); status != http.StatusNotFound {
			t.Errorf("%s: %d %v", id, status, body)
		}
	}
}

func health(t *testing.T, h *Host) (status int, body map[string]any) {
	t.Helper()
	handler, err := h.Handler(Surfaces{PublicURL: "http://127.0.0.1:1", Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil))
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	return w.Code, body
}

// A journal that is lost for good ends the jobs with the reason, gives their
// lock to whoever waits for it, and is told by /healthz.
func TestJobsThatEndLetGo(t *testing.T) {
	h := openHost(t, Options{Dir: t.TempDir()})
	if status, body := health(t, h); status != http.StatusOK || body["reason"] != nil {
		t.Fatalf("%d %v", status, body)
	}
	write, read, err := sqlite.OpenFile(t.Context(), filepath.Join(h.Dir, workflowFile))
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	defer read.Close()
	ended := make(chan error, 1)
	go func() { ended <- h.RunJobs(context.WithoutCancel(t.Context())) }()
	if _, err := write.Exec(`DROP TABLE steps`); err != nil {
		t.Fatal(err)
	}
	if err := h.engine.Start(t.Context(), "mind-training", "x", nil); err != nil {
		t.Fatal(err)
	}
	select {
	case err = <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("RunJobs did not return")
	}
	if err == nil || !strings.Contains(err.Error(), h.Dir) || !strings.Contains(err.Error(), "steps") {
		t.Errorf("got %v", err)
	}
	again, err := lock(h.Dir, jobsLock, holder{})
	if err != nil {
		t.Fatalf("the lock stays held: %v", err)
	}
	_ = again.Unlock()
	status, body := health(t, h)
	reason, _ := body["reason"].(string)
	if status != http.StatusServiceUnavailable || body["ok"] != false || !strings.Contains(reason, "jobs have ended") || strings.Contains(reason, h.Dir) {
		t.Errorf("%d %v", status, body)
	}
}

// What is over is cleared away: expired rows however many, steps of executions
// that ended long ago, files of killed uploads.
func TestTheMinuteSweepClears(t *testing.T) {
	now := time.Now()
	c := clock.Hold(now)
	h := openHost(t, Options{Dir: t.TempDir(), Clock: c})
	for i := range 12 {
		var rows []records.Action
		for j := range 100 {
			rows = append(rows, records.PutItem(records.Item{
				Key: records.Key{Table: records.Idempotency, PK: "p", SK: clock.RandomIDs{}.NewID()}, ExpiresAt: now.Add(time.Duration(i*100+j) * time.Millisecond),
			}))
		}
		if err := h.store.Transact(t.Context(), "", rows...); err != nil {
			t.Fatal(err)
		}
	}
	write, read, err := sqlite.OpenFile(t.Context(), filepath.Join(h.Dir, workflowFile))
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	defer read.Close()
	for _, q := range []string{
		`INSERT INTO executions(id, machine, name, definition_sha, input, start, stop, status) VALUES(1, 'm', 'x', '', '{}', 1, 2, 'SUCCEEDED')`,
		`INSERT INTO steps VALUES(1, '', 0, 'A', 1, '{}', '{}', 0, '[]', 0, '', 0, 1, '{}', '', '', '', 2)`,
	} {
		if _, err := write.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	left := filepath.Join(h.Blobs.Incoming(), "mindgate-upload-left")
	fresh := filepath.Join(h.Blobs.Incoming(), "mindgate-upload-fresh")
	for _, name := range []string{left, fresh} {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.Advance(2 * time.Hour)
	if err := os.Chtimes(fresh, c.Now(), c.Now()); err != nil {
		t.Fatal(err)
	}
	h.clear(t.Context())
	if n, err := h.store.Sweep(t.Context(), c.Now()); n != 0 || err != nil {
		t.Errorf("%d expired rows were left, %v", n, err)
	}
	var steps, executions int
	if err := read.QueryRow(`SELECT (SELECT count(*) FROM steps), (SELECT count(*) FROM executions)`).Scan(&steps, &executions); err != nil || steps != 0 || executions != 1 {
		t.Errorf("%d steps, %d executions, %v", steps, executions, err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("a killed upload stays: %v", err)
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Errorf("a running upload is gone: %v", err)
	}
}

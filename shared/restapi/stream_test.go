package restapi

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

func streaming(c clock.Clock, next http.HandlerFunc) http.Handler {
	a := &API{config: Config{Clock: c, Log: slog.New(slog.DiscardHandler)}}
	return a.streams(whenAsked, next)
}

func post(h http.Handler, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/api/v1/minds/x/completion", strings.NewReader(body)))
	return w
}

// While a reply is being made, a comment every 15 seconds keeps the line open.
func TestHeartbeats(t *testing.T) {
	c := clock.Hold(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	free := make(chan struct{})
	h := streaming(c, func(w http.ResponseWriter, r *http.Request) {
		<-free
		writeJSON(w, http.StatusOK, map[string]string{"content": "Hello"})
	})
	go func() {
		for _, wait := range []time.Duration{patience, heartbeat, heartbeat} {
			for c.Waiting() == 0 {
				runtime.Gosched()
			}
			c.Advance(wait)
		}
		for c.Waiting() == 0 {
			runtime.Gosched()
		}
		close(free)
	}()
	w := post(h, `{"responseMode":"stream"}`)
	want := "event: start\ndata: {\"requestId\":\"\"}\n\n: heartbeat\n\n: heartbeat\n\nevent: result\ndata: {\"content\":\"Hello\"}\n\nevent: done\ndata: {}\n\n"
	if w.Body.String() != want || w.Code != 200 || w.Header().Get("Content-Type") != "text/event-stream" {
		t.Errorf("%d %v\n%s", w.Code, w.Header(), w.Body)
	}
}

func TestAPanicIsAnErrorFrame(t *testing.T) {
	w := post(streaming(clock.System{}, func(http.ResponseWriter, *http.Request) { panic("inside") }), `{"responseMode":"stream"}`)
	if got := w.Body.String(); !strings.Contains(got, "event: error\n") || !strings.Contains(got, "INTERNAL_ERROR") || strings.Contains(got, "inside") || !strings.HasSuffix(got, "event: done\ndata: {}\n\n") {
		t.Errorf("%s", got)
	}
}

// Whatever else a body is, it reaches the operation whole and is answered as ever.
func TestOtherBodiesPassAsTheyAre(t *testing.T) {
	for name, body := range map[string]string{
		"sync":           `{"responseMode":"sync","messages":[{"content":"stream"}]}`,
		"no JSON":        `{"responseMode":"stream"`,
		"empty":          "",
		"above the peek": `{"responseMode":"stream","messages":"` + strings.Repeat("x", peeked) + `"}`,
	} {
		var seen []byte
		w := post(streaming(clock.System{}, func(w http.ResponseWriter, r *http.Request) {
			seen, _ = io.ReadAll(r.Body)
			w.WriteHeader(http.StatusTeapot)
		}), body)
		if w.Code != http.StatusTeapot || !bytes.Equal(seen, []byte(body)) {
			t.Errorf("%s: %d, %d of %d bytes", name, w.Code, len(seen), len(body))
		}
	}
}

func TestMarkers(t *testing.T) {
	for _, tt := range []struct {
		content   string
		citations int
		how, want string
	}{
		{"I bake.", 2, "inline", "I bake. [1][2]"},
		{"I bake.", 0, "inline", "I bake."},
		{"I bake [1] rye [2].", 2, "inline", "I bake [1] rye [2]."},
		{"I bake [1] rye [2].", 2, "none", "I bake rye."},
		{"I bake.", 1, "none", "I bake."},
	} {
		if got := marked(tt.content, tt.citations, tt.how); got != tt.want {
			t.Errorf("%q, %s: %q", tt.content, tt.how, got)
		}
	}
}

// Of an operation that streams unless it is queued, a refusal before the first
// frame keeps its status, and one behind it is a frame.
func TestRefusalsOfQuestions(t *testing.T) {
	a := &API{config: Config{Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)}}
	early := a.streams(unlessQueued, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.refuse(w, r, fault.New(fault.NotFound, "No such Study."))
	}))
	for _, body := range []string{`{"question":"Why?"}`, `{"question":"Why?","responseMode":"stream"}`, `{"question":"Why?","responseMode":"queued"}`} {
		if w := post(early, body); w.Code != 404 || w.Header().Get("Content-Type") != "application/json" || !strings.Contains(w.Body.String(), "No such Study.") {
			t.Errorf("%s: %d %v %s", body, w.Code, w.Header(), w.Body)
		}
	}
	late := a.streams(unlessQueued, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = tell(r.Context(), "classification", map[string]string{"type": "scale"})
		a.refuse(w, r, fault.New(fault.NotFound, "The Study was deleted."))
	}))
	w := post(late, `{"question":"Why?"}`)
	if got := w.Body.String(); w.Code != 200 || !strings.Contains(got, "event: classification\ndata: {\"type\":\"scale\"}\n\nevent: error\ndata: ") || !strings.Contains(got, "The Study was deleted.") || !strings.HasSuffix(got, "event: done\ndata: {}\n\n") {
		t.Errorf("%d %s", w.Code, got)
	}
}

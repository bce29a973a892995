package stdio

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const (
	halfway = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}`
	callOne = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"p"}}}`
)

// What a call says on its way is on the pipe before its answer, in process as
// through the bridge: the handler goes on only when the first has been read.
func TestProgressComesFirst(t *testing.T) {
	seen := make(chan struct{})
	gate := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: "+halfway+"\n\n")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		select {
		case <-seen:
			_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
		case <-r.Context().Done():
		}
	})
	srv := httptest.NewServer(gate)
	defer srv.Close()
	for how, h := range map[string]Handler{"in process": Local(gate, "key"), "network": Remote(srv.URL, "key", srv.Client())} {
		t.Run(how, func(t *testing.T) {
			seen = make(chan struct{})
			in, feed := io.Pipe()
			out := lines{make(chan string, 4)}
			done := make(chan error, 1)
			go func() { done <- Serve(t.Context(), in, out, h) }()
			_, _ = io.WriteString(feed, callOne+"\n")
			if got := <-out.got; got != halfway {
				t.Errorf("first %s", got)
			}
			close(seen)
			if got := <-out.got; !strings.Contains(got, `"result"`) {
				t.Errorf("second %s", got)
			}
			_ = feed.Close()
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		})
	}
}

func roundTrip(t *testing.T, h http.HandlerFunc) (*http.Response, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://in-process/mcp", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	return direct{h}.RoundTrip(req)
}

// A handler that panics breaks its own answer off, and a reader that goes away
// is an error of the next flush.
func TestDirectEndings(t *testing.T) {
	if _, err := roundTrip(t, func(http.ResponseWriter, *http.Request) { panic("x") }); !errors.Is(err, errPanic) {
		t.Errorf("%v", err)
	}
	resp, err := roundTrip(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "begun")
		_ = http.NewResponseController(w).Flush()
		panic("x")
	})
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(resp.Body); string(body) != "begun" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q %v", body, err)
	}
	flushed := make(chan error, 1)
	closed := make(chan struct{})
	resp, err = roundTrip(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		w.Header().Set("Late", "not sent")
		_ = http.NewResponseController(w).Flush()
		<-closed
		_, _ = io.WriteString(w, "more")
		flushed <- http.NewResponseController(w).Flush()
	})
	if err != nil || resp.StatusCode != http.StatusAccepted || resp.Header.Get("Late") != "" {
		t.Fatalf("%+v %v", resp, err)
	}
	_ = resp.Body.Close()
	close(closed)
	if err := <-flushed; !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v", err)
	}
	resp, err = roundTrip(t, func(http.ResponseWriter, *http.Request) {})
	if err != nil || resp.StatusCode != http.StatusOK || resp.ContentLength != 0 {
		t.Errorf("%+v %v", resp, err)
	}
}

package stdio

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// echo answers every request with its method, like a server that does nothing.
var echo = handler(func(_ context.Context, message []byte, send func([]byte) error) {
	m := peek(message)
	if m.ID != nil {
		_ = send([]byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":"` + m.Method + `é"}`))
	}
})

type handler func(context.Context, []byte, func([]byte) error)

func (h handler) Handle(ctx context.Context, m []byte, send func([]byte) error) { h(ctx, m, send) }

func framed(body string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

// readAll reads what was written, with the framing of each message.
func readAll(t *testing.T, out []byte) (bodies []string, framings []Framing) {
	t.Helper()
	r := NewReader(bytes.NewReader(out), 0)
	for {
		f, err := r.Next()
		if errors.Is(err, io.EOF) {
			return bodies, framings
		}
		if err != nil || f.Bad != nil {
			t.Fatalf("not protocol on stdout: %v %v in %q", err, f.Bad, out)
		}
		bodies, framings = append(bodies, string(f.Body)), append(framings, f.Framing)
	}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`

// Both framings, told apart for each message and answered in kind.
func TestFraming(t *testing.T) {
	answer := `{"jsonrpc":"2.0","id":1,"result":"initializeé"}`
	parse := func(id string) string {
		return `{"error":{"code":-32700,"message":"Parse error: message is not valid JSON"},"id":` + id + `,"jsonrpc":"2.0"}`
	}
	for _, c := range []struct {
		what, in string
		want     []string
		framing  []Framing
	}{
		{"a line", initialize + "\n", []string{answer}, []Framing{Lines}},
		{"a line with CRLF", initialize + "\r\n", []string{answer}, []Framing{Lines}},
		{"a last line without an end", initialize, []string{answer}, []Framing{Lines}},
		{"empty lines between", "\n\r\n  " + initialize + "\n\n", []string{answer}, []Framing{Lines}},
		{"a header", framed(initialize), []string{answer}, []Framing{Headers}},
		{"LF header ends", "Content-Length: " + fmt.Sprint(len(initialize)) + "\n\n" + initialize, []string{answer}, []Framing{Headers}},
		{"any case, other headers", "content-type: application/json; charset=utf-8\r\ncONTENT-lENGTH:" + fmt.Sprint(len(initialize)) + "\r\nX-Y: z\r\n\r\n" + initialize, []string{answer}, []Framing{Headers}},
		{"pretty-printed in a header frame", framed("{\n \"jsonrpc\":\"2.0\",\n \"id\":1,\n \"method\":\"initialize\"\n}"), []string{answer}, []Framing{Headers}},
		{"mixed", framed(initialize) + initialize + "\n" + framed(initialize), []string{answer, answer, answer}, []Framing{Headers, Lines, Headers}},
		{"bytes, not characters", framed(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"x":"日本語😀"}}`) + initialize + "\n", []string{answer, answer}, []Framing{Headers, Lines}},
		{"bad JSON, then good", "{bad\n" + initialize + "\n", []string{parse("null"), answer}, []Framing{Lines, Lines}},
		{"bad JSON in a header frame, then good", framed("{bad}") + framed(initialize), []string{parse("null"), answer}, []Framing{Headers, Headers}},
		{"invalid UTF-8, then good", "{\"a\":\"\xff\"}\n" + initialize + "\n", []string{parse("null"), answer}, []Framing{Lines, Lines}},
		{"noise like a header, then good", "Warning: something\n" + initialize + "\n", []string{parse("null"), answer}, []Framing{Lines, Lines}},
		{"a word, then good", "hello world\n" + initialize + "\n", []string{parse("null"), answer}, []Framing{Lines, Lines}},
		{"pretty-printed lines", "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"params\": {\n    \"a\": [\n      {\"b\": \"}\\\"\"}\n    ]\n  },\n  \"method\": \"initialize\"\n}\n" + initialize + "\n", []string{answer, answer}, []Framing{Lines, Lines}},
		{"pretty-printed with CRLF", "{\r\n\"jsonrpc\":\"2.0\",\r\n\r\n\"id\":1,\r\n\"method\":\"initialize\"\r\n}\r\n", []string{answer}, []Framing{Lines}},
		{"a line that breaks off, then good", "{\"jsonrpc\":\"2.0\",\"id\":1,\n" + initialize + "\n" + initialize + "\n", []string{parse("null"), answer, answer}, []Framing{Lines, Lines, Lines}},
		{"a line that breaks off before a value, then good", "{\"jsonrpc\":\n" + initialize + "\n", []string{parse("null"), answer}, []Framing{Lines, Lines}},
		{"a batch printed over lines", "[\n" + `{"jsonrpc":"2.0","id":1,"method":"initialize"}` + "\n]\n" + initialize + "\n", []string{answer}, []Framing{Lines}}, // the echo answers no batch
		{"two lines that break off, then good", "{\n{\n" + initialize + "\n", []string{parse("null"), parse("null"), answer}, []Framing{Lines, Lines, Lines}},
		{"a text that breaks off, then good", "{\"jsonrpc\":\"2\n" + initialize + "\n", []string{parse("null"), answer}, []Framing{Lines, Lines}},
		{"printed and wrong at its end, then good", "{\n \"id\": 1,\n}\n" + initialize + "\n", []string{parse("null"), answer}, []Framing{Lines, Lines}},
		{"the end inside printed lines", "{\n \"id\": 1,\n", nil, nil},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n", nil, nil},
		{"the end inside a line", `{"jsonrpc":"2.0","id":1,"meth`, nil, nil},
		{"the end inside a header", "Content-Length: 10\r\n", nil, nil},
		{"the end inside a body", "Content-Length: 1000\r\n\r\n{}", nil, nil},
		{"nothing", "", nil, nil},
	} {
		for name, in := range map[string]io.Reader{"at once": strings.NewReader(c.in), "byte by byte": iotest.OneByteReader(strings.NewReader(c.in))} {
			t.Run(c.what+"/"+name, func(t *testing.T) {
				var out bytes.Buffer
				if err := Serve(t.Context(), in, &out, echo); err != nil {
					t.Fatal(err)
				}
				bodies, framings := readAll(t, out.Bytes())
				if fmt.Sprint(bodies) != fmt.Sprint(c.want) || fmt.Sprint(framings) != fmt.Sprint(c.framing) {
					t.Errorf("got %v %v\nwant %v %v", framings, bodies, c.framing, c.want)
				}
			})
		}
	}
}

func TestLimits(t *testing.T) {
	good := `{"id":1,"a":"` + strings.Repeat("x", 1000-len(`{"id":1,"a":""}`)) + `"}`
	for _, c := range []struct {
		what, in string
		bad      error
	}{
		{"a line at the limit", good + "\n", nil},
		{"a line above", good[:len(good)-1] + " }\n", ErrTooLarge},
		{"a frame at the limit", framed(good), nil},
		{"a frame above", framed(good + " "), ErrTooLarge},
		{"a header block above 8 KiB", "X: " + strings.Repeat("y", 9000) + "\n", ErrHeader},
		{"no length", "X-Y: z\r\n\r\n", ErrHeader},
		{"a negative length", "Content-Length: -5\r\n\r\n", ErrHeader},
		{"two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", ErrHeader},
		{"a length that is no number", "Content-Length: 5x\r\n\r\n", ErrHeader},
	} {
		t.Run(c.what, func(t *testing.T) {
			r := NewReader(strings.NewReader(c.in+"{\"id\":2}\n"), 1000)
			f, err := r.Next()
			if err != nil || !errors.Is(f.Bad, c.bad) || c.bad == nil && f.Bad != nil {
				t.Fatalf("%v %v", err, f.Bad)
			}
			if f, err := r.Next(); err != nil || string(f.Body) != `{"id":2}` {
				t.Errorf("does not go on: %v %+v", err, f)
			}
		})
	}
}

// A 24 MiB message passes in both framings.
func TestLargeMessage(t *testing.T) {
	if underRace {
		t.Skip("checked without the race detector")
	}
	open, shut := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"x":"`, `"}}`
	body := open + strings.Repeat("x", MaxMessage-len(open)-len(shut)) + shut
	for _, text := range []string{body + "\n", framed(body)} {
		// The input stays open until the answer is there: its end gives what runs
		// a short grace only.
		in, feed := io.Pipe()
		out := lines{make(chan string, 8)}
		done := make(chan error, 1)
		go func() { done <- Serve(t.Context(), in, out, echo) }()
		_, _ = io.WriteString(feed, text)
		got := <-out.got
		_ = feed.Close()
		if err := <-done; err != nil || !strings.Contains(got, `"result":"initialize`) {
			t.Errorf("%v %.200s", err, got)
		}
	}
}

// A cancelled call ends and is not answered; others are.
func TestCancel(t *testing.T) {
	started, ended := make(chan struct{}), make(chan struct{})
	h := handler(func(ctx context.Context, m []byte, send func([]byte) error) {
		switch p := peek(m); {
		case p.Method == "hang":
			close(started)
			<-ctx.Done()
			_ = send([]byte(`{"id":5}`))
			close(ended)
		case p.ID != nil:
			_ = send([]byte(`{"id":6}`))
		}
	})
	in, feed := io.Pipe()
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- Serve(t.Context(), in, &out, h) }()
	write := func(s string) { _, _ = io.WriteString(feed, s+"\n") }
	write(`{"jsonrpc":"2.0","id":5,"method":"hang"}`)
	<-started
	write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	<-ended
	write(`{"jsonrpc":"2.0","id":6,"method":"m"}`)
	_ = feed.Close()
	if err := <-done; err != nil || out.String() != "{\"id\":6}\n" {
		t.Fatalf("%v %q", err, out.String())
	}
}

// The end of the input is the end within a second, also while a call hangs.
func TestEndsSoon(t *testing.T) {
	h := handler(func(ctx context.Context, _ []byte, _ func([]byte) error) { <-ctx.Done() })
	started := time.Now()
	if err := Serve(t.Context(), strings.NewReader(`{"jsonrpc":"2.0","id":5,"method":"hang"}`+"\n"), io.Discard, h); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(started); d > time.Second {
		t.Errorf("took %s", d)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("closed") }

func TestClosedOutput(t *testing.T) {
	in, _ := io.Pipe() // never ends by itself
	first := io.MultiReader(strings.NewReader(initialize+"\n"), in)
	if err := Serve(t.Context(), first, full{}, echo); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("%v", err)
	}
}

// The bridge says in headers what the messages say, passes answers, errors,
// streams and gateways' own bodies on, and names the request in each.
func TestBridge(t *testing.T) {
	var seen []http.Header
	gate := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Clone())
		body, _ := io.ReadAll(r.Body)
		m := peek(body)
		w.Header().Set("Content-Type", "application/json")
		switch m.Method {
		case "initialize":
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}`))
		case "unauthorized":
			w.WriteHeader(401)
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unauthorized"}}`))
		case "limited":
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(429)
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":8,"error":{"code":-32005,"message":"Too many","data":{"a":1}}}`))
		case "limited, said":
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(429)
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":9,"error":{"code":-32005,"message":"Wait 7 seconds"}}`))
		case "busy":
			w.Header().Set("Retry-After", "Tue, 01 Dec 2026 00:00:00 GMT")
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(503)
			_, _ = w.Write([]byte(`<html>busy</html>`))
		case "gateway":
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(502)
			_, _ = w.Write([]byte(`<html>bad gateway</html>`))
		case "stream":
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte(": hello\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\nid: 2\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":4,\"result\":{}}\n\n"))
		case "notifications/initialized":
			w.WriteHeader(202)
		default:
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{}}`))
		}
	})
	srv := httptest.NewServer(gate)
	defer srv.Close()
	chosen := http.Header{"X-Mcp-Readonly": {"true"}, "Authorization": {"Bearer other"}}
	modern := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	for _, c := range []struct{ in, want string }{
		{initialize, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}` + "\n"},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, ""},
		{`{"jsonrpc":"2.0","id":"u","method":"unauthorized"}`, `{"error":{"code":-32001,"message":"Unauthorized"},"id":"u","jsonrpc":"2.0"}` + "\n"},
		{`{"jsonrpc":"2.0","id":3,"method":"gateway"}`, `{"error":{"code":-32603,"message":"The gateway answered with HTTP status 502"},"id":3,"jsonrpc":"2.0"}` + "\n"},
		{`{"jsonrpc":"2.0","id":8,"method":"limited"}`, `{"error":{"code":-32005,"data":{"a":1},"message":"Too many; try again after 7 seconds"},"id":8,"jsonrpc":"2.0"}` + "\n"},
		{`{"jsonrpc":"2.0","id":9,"method":"limited, said"}`, `{"jsonrpc":"2.0","id":9,"error":{"code":-32005,"message":"Wait 7 seconds"}}` + "\n"},
		{`{"jsonrpc":"2.0","id":3,"method":"busy"}`, `{"error":{"code":-32603,"message":"The gateway answered with HTTP status 503; try again after Tue, 01 Dec 2026 00:00:00 GMT"},"id":3,"jsonrpc":"2.0"}` + "\n"},
		{`{"jsonrpc":"2.0","id":4,"method":"stream"}`, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}\n"},
		{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"jürgen",` + modern + `}}`, `{"jsonrpc":"2.0","id":5,"result":{}}` + "\n"},
	} {
		for how, h := range map[string]Handler{
			"network": Remote(srv.URL, "key", srv.Client(), chosen), "in process": Local(gate, "key", chosen),
		} {
			t.Run(how+"/"+c.in[:min(60, len(c.in))], func(t *testing.T) {
				seen = nil
				var out bytes.Buffer
				if err := Serve(t.Context(), strings.NewReader(c.in+"\n"), &out, h); err != nil {
					t.Fatal(err)
				}
				if out.String() != c.want {
					t.Errorf("got  %s\nwant %s", out.String(), c.want)
				}
				got := seen[0]
				if len(got.Values("Authorization")) != 1 || got.Get("Authorization") != "Bearer key" || got.Get("X-Mcp-Readonly") != "true" || got.Get("Content-Type") != "application/json" {
					t.Errorf("headers %v", got)
				}
				if strings.Contains(c.in, modern) && (got.Get("Mcp-Method") != "tools/call" || got.Get("Mcp-Name") != "=?base64?asO8cmdlbg==?=" || got.Get(headerRevision) != "2026-07-28") {
					t.Errorf("headers %v", got)
				}
			})
		}
	}
	t.Run("the negotiated revision is named afterwards", func(t *testing.T) {
		seen = nil
		in := initialize + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"
		if err := Serve(t.Context(), strings.NewReader(in), io.Discard, Remote(srv.URL, "key", srv.Client())); err != nil {
			t.Fatal(err)
		}
		if len(seen) != 2 || seen[0].Get(headerRevision) != "" || seen[1].Get(headerRevision) != "2025-06-18" {
			t.Errorf("%v", seen)
		}
	})
	t.Run("nobody there", func(t *testing.T) {
		srv := httptest.NewServer(gate)
		srv.Close()
		var out bytes.Buffer
		if err := Serve(t.Context(), strings.NewReader(`{"jsonrpc":"2.0","id":2,"method":"ping"}`), &out, Remote(srv.URL+"/secret", "key", nil)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "cannot be reached") || strings.Contains(out.String(), "secret") {
			t.Error(out.String())
		}
	})
}

// FuzzReader: no input ends the reader but its end, and what it gives is JSON.
func FuzzReader(f *testing.F) {
	for _, s := range []string{initialize + "\n", framed(initialize), "Content-Length: 5\n\n{}", "x: y\n{}\n", "[]\n\n{", "Content-Length: 99999999999\r\n\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		r := NewReader(bytes.NewReader(in), 1<<16)
		for n := 0; ; n++ {
			frame, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if frame.Bad == nil && !json.Valid(frame.Body) {
				t.Fatalf("%q", frame.Body)
			}
			if n > len(in) {
				t.Fatal("no progress")
			}
		}
	})
}

package stdio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
)

// lines is an output whose messages can be waited for.
type lines struct{ got chan string }

func (l lines) Write(b []byte) (int, error) {
	l.got <- strings.TrimSpace(string(b))
	return len(b), nil
}

// With every slot taken and more waiting, a ping is answered, a notification
// comes through, and both a running and a waiting call can be cancelled.
func TestFullSlotsHoldNothingUp(t *testing.T) {
	running := make(chan string, 2*maxInFlight)
	stopped := make(chan string, 2*maxInFlight)
	noticed := make(chan string, 4)
	h := handler(func(ctx context.Context, message []byte, send func([]byte) error) {
		switch m := peek(message); m.Method {
		case "hang":
			running <- string(m.ID)
			<-ctx.Done()
			stopped <- string(m.ID)
		case "ping", "quick":
			_ = send([]byte(`{"id":` + string(m.ID) + `}`))
		default:
			noticed <- m.Method
		}
	})
	in, feed := io.Pipe()
	out := lines{make(chan string, 8)}
	done := make(chan error, 1)
	go func() { done <- Serve(t.Context(), in, out, h) }()
	write := func(format string, args ...any) {
		t.Helper()
		if _, err := fmt.Fprintf(feed, format+"\n", args...); err != nil {
			t.Fatal(err)
		}
	}
	cancel := func(id string) {
		t.Helper()
		write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
		<-noticed
	}
	for i := range maxInFlight {
		write(`{"jsonrpc":"2.0","id":%d,"method":"hang"}`, i)
	}
	for range maxInFlight {
		<-running
	}
	write(`{"jsonrpc":"2.0","id":"waits","method":"hang"}`)
	write(`{"jsonrpc":"2.0","id":100,"method":"quick"}`)
	write(`{"jsonrpc":"2.0","id":101,"method":"ping"}`)
	if got := <-out.got; got != `{"id":101}` {
		t.Errorf("the ping: %s", got)
	}
	write(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	if got := <-noticed; got != "notifications/roots/list_changed" {
		t.Errorf("the notification: %s", got)
	}
	cancel(`"waits"`) // it never ran, so it frees no slot
	cancel("3")
	if got := <-stopped; got != "3" {
		t.Errorf("cancelled 3, stopped %s", got)
	}
	if got := <-out.got; got != `{"id":100}` {
		t.Errorf("the call that waited: %s", got)
	}
	_ = feed.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if len(running) > 0 {
		t.Errorf("a cancelled call ran: %s", <-running)
	}
}

// A queue that is full refuses at once what does not fit, and the refusal names
// the request; what waits is answered, also after the end of the input.
func TestFullQueue(t *testing.T) {
	const over = 3
	release := make(chan struct{})
	h := handler(func(_ context.Context, message []byte, send func([]byte) error) {
		if m := peek(message); m.ID != nil {
			<-release
			_ = send([]byte(`{"id":` + string(m.ID) + `,"result":{}}`))
		}
	})
	s := &serving{
		h: h, w: NewWriter(io.Discard), cancel: func() {}, calls: map[string]*call{},
		slots: make(chan struct{}, maxInFlight), pings: make(chan struct{}, maxPings), ended: make(chan struct{}, 1),
	}
	var out bytes.Buffer
	s.w = NewWriter(&out)
	s.waiting = maxWaiting
	for i := range over {
		s.take(t.Context(), Frame{Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"m"}`, i)})
	}
	refused, _ := readAll(t, out.Bytes())
	if len(refused) != over || !strings.Contains(refused[0], `"code":-32005`) || !strings.Contains(refused[2], `"id":2`) {
		t.Errorf("%q", refused)
	}
	s.waiting, s.bytes = 1, maxWaitingBytes
	if s.enqueue(1) {
		t.Error("more bytes wait than may")
	}
	s.waiting, s.bytes = 0, 0
	if !s.enqueue(maxWaitingBytes + 1) {
		t.Error("one large message alone must be taken")
	}

	var in strings.Builder
	const many = 10 * maxInFlight
	for i := range many {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"m"}`+"\n", i)
	}
	close(release)
	out.Reset()
	if err := Serve(t.Context(), strings.NewReader(in.String()), &out, h); err != nil {
		t.Fatal(err)
	}
	if got, _ := readAll(t, out.Bytes()); len(got) != many {
		t.Errorf("%d answers, want %d", len(got), many)
	}
}

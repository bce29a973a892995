package stdio

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// While initialize takes its time, the reading goes on: pings are answered and
// calls cancelled, and requests behind it wait until it is done.
func TestSlowInitializeHoldsOnlyWhatRestsOnIt(t *testing.T) {
	agree := make(chan struct{})
	h := handler(func(_ context.Context, message []byte, send func([]byte) error) {
		m := peek(message)
		if m.Method == "initialize" {
			<-agree
		}
		if m.ID != nil {
			_ = send(fmt.Appendf(nil, `{"id":%s,"result":"%s"}`, m.ID, m.Method))
		}
	})
	in, feed := io.Pipe()
	out := lines{make(chan string, 8)}
	done := make(chan error, 1)
	go func() { done <- Serve(t.Context(), in, out, h) }()
	for _, line := range []string{
		initialize, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`,
		`{"jsonrpc":"2.0","id":4,"method":"ping"}`,
	} {
		if _, err := io.WriteString(feed, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	if got := <-out.got; got != `{"id":4,"result":"ping"}` {
		t.Errorf("first came %s", got)
	}
	close(agree)
	for _, want := range []string{`{"id":1,"result":"initialize"}`, `{"id":2,"result":"tools/list"}`} {
		if got := <-out.got; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	_ = feed.Close()
	if err := <-done; err != nil || len(out.got) > 0 {
		t.Error(err, len(out.got))
	}
}

// Notifications come in their order, and one that hangs holds up neither the
// requests behind it nor, for long, the notifications.
func TestNotificationThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var seen []string
		h := handler(func(ctx context.Context, message []byte, send func([]byte) error) {
			m := peek(message)
			if m.Method == "notifications/hang" {
				<-ctx.Done()
			}
			if m.ID != nil {
				_ = send([]byte(`{"id":` + string(m.ID) + `}`))
				return
			}
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, m.Method)
		})
		in, feed := io.Pipe()
		out := lines{make(chan string, 8)}
		done := make(chan error, 1)
		go func() { done <- Serve(t.Context(), in, out, h) }()
		for _, method := range []string{"notifications/a", "notifications/hang", "notifications/b", "notifications/c"} {
			_, _ = io.WriteString(feed, `{"jsonrpc":"2.0","method":"`+method+`"}`+"\n")
		}
		_, _ = io.WriteString(feed, `{"jsonrpc":"2.0","id":1,"method":"call"}`+"\n")
		began := time.Now()
		if got := <-out.got; got != `{"id":1}` || time.Since(began) > time.Second {
			t.Errorf("%s after %s", got, time.Since(began))
		}
		time.Sleep(noticeTime) // of the bubble's clock
		synctest.Wait()
		mu.Lock()
		if got := strings.Join(seen, " "); got != "notifications/a notifications/hang notifications/b notifications/c" {
			t.Error(got)
		}
		mu.Unlock()
		_ = feed.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

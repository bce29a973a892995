package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// A body that stalls or trickles is cut off; the call's goroutine goes.
func TestSlowBodiesAreCutOff(t *testing.T) {
	got := make(chan error, 1)
	s := httptest.NewServer(paced(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		got <- err
	}), 150*time.Millisecond, 100))
	defer s.Close()
	for name, chunked := range map[string]bool{"with a length": false, "in chunks": true} {
		t.Run(name, func(t *testing.T) {
			c, err := net.Dial("tcp", s.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			head := "Content-Length: 1000\r\n\r\nx"
			if chunked {
				head = "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
			}
			fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: x\r\n%s", head)
			stop := time.NewTicker(40 * time.Millisecond) // a byte now and then does not buy time
			defer stop.Stop()
			patience := time.After(10 * time.Second)
			for {
				select {
				case err := <-got:
					if !errors.Is(err, os.ErrDeadlineExceeded) {
						t.Errorf("the body ended with %v", err)
					}
					return
				case <-stop.C:
					if chunked {
						fmt.Fprint(c, "1\r\nx\r\n")
					} else {
						fmt.Fprint(c, "x")
					}
				case <-patience:
					t.Fatal("a slow body is still being read")
				}
			}
		})
	}
}

// What came fast is no licence to stall afterwards.
func TestStalledBodiesAreCutOff(t *testing.T) {
	got := make(chan error, 1)
	s := httptest.NewServer(paced(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		got <- err
	}), 100*time.Millisecond, 10))
	defer s.Close()
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n%s", strings.Repeat("x", 50_000))
	select {
	case err := <-got:
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the body ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("a stalled body is still being read")
	}
}

// A body that came in time lets its call take as long as it needs, and the
// connection serves the next one.
func TestReadCallsMayTakeLong(t *testing.T) {
	const grace = 50 * time.Millisecond
	s := httptest.NewServer(paced(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		working := time.NewTimer(4 * grace)
		defer working.Stop()
		select {
		case <-working.C:
		case <-r.Context().Done():
			t.Error("the call was ended")
		}
		_, _ = w.Write(body)
	}), grace, 1<<20))
	defer s.Close()
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	answers := bufio.NewReader(c)
	for range 2 {
		fmt.Fprint(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "hello" {
			t.Fatalf("%q, %v", body, err)
		}
	}
}

func TestServerHasLimits(t *testing.T) {
	s := newServer(http.NotFoundHandler())
	if s.ReadHeaderTimeout <= 0 || s.IdleTimeout <= 0 || s.MaxHeaderBytes <= 0 {
		t.Errorf("%+v", s)
	}
	if s.ReadTimeout != 0 || s.WriteTimeout != 0 {
		t.Error("a limit on whole calls ends streams of events")
	}
	w := httptest.NewRecorder() // knows no deadlines, and needs none
	s.Handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader("x")))
	if w.Code != http.StatusNotFound {
		t.Error(w.Code)
	}
}

package awsbody

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// early is a server whose answer begins before it has taken the request.
type early struct {
	theirs *body
	got    string
	length int64
}

func (e *early) Do(r *http.Request) (*http.Response, error) {
	e.theirs.closed = true // what the SDK does now
	raw, err := io.ReadAll(r.Body)
	e.got, e.length = string(raw), r.ContentLength
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, err
}

type body struct {
	io.Reader
	closed bool
}

func (b *body) Read(p []byte) (int, error) {
	if b.closed {
		return 0, errors.New("read after close")
	}
	return b.Reader.Read(p)
}

func (b *body) Close() error { b.closed = true; return nil }

func TestBodyOutlivesTheSDKs(t *testing.T) {
	for _, length := range []int64{5, -1} {
		theirs := &body{Reader: strings.NewReader("hello")}
		server := &early{theirs: theirs}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1", theirs)
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = length
		if _, err := Client(server).Do(r); err != nil {
			t.Fatal(err)
		}
		if server.got != "hello" || server.length != 5 {
			t.Errorf("length %d: sent %q of %d bytes", length, server.got, server.length)
		}
	}
}

// A streamed upload is not held in memory.
func TestLargeBodiesPass(t *testing.T) {
	for _, length := range []int64{Whole + 5, -1} {
		theirs := &body{Reader: bytes.NewReader(make([]byte, Whole+5))}
		var sent int64
		c := Client(served(func(r *http.Request) {
			n, err := io.Copy(io.Discard, r.Body)
			if err != nil {
				t.Error(err)
			}
			sent = n
		}))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://127.0.0.1", theirs)
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = length
		if _, err := c.Do(r); err != nil || sent != Whole+5 {
			t.Errorf("length %d: sent %d, %v", length, sent, err)
		}
	}
}

type served func(*http.Request)

func (f served) Do(r *http.Request) (*http.Response, error) {
	f(r)
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

func TestOnlyOnce(t *testing.T) {
	first := Config(aws.Config{})
	if again := Config(first); again.HTTPClient != first.HTTPClient {
		t.Error("wrapped twice")
	}
}

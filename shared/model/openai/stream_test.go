package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/model"
)

func stream(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString("data: " + e + "\n\n")
	}
	return b.String()
}

func piece(s string) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}]}`, s)
}

const (
	finished = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	counted  = `{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2}}`
)

func TestStream(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		text string
		stop model.Stop
		kind model.Kind
	}{
		"whole":             {stream(piece("Hel"), piece("lo"), finished, counted, "[DONE]"), "Hello", model.StopEnd, ""},
		"comments and CRLF": {": ping\r\n\r\n" + strings.ReplaceAll(stream(piece("Hi"), finished, "[DONE]"), "\n", "\r\n"), "Hi", model.StopEnd, ""},
		"no DONE":           {stream(piece("Hi"), finished), "Hi", model.StopEnd, ""},
		"DONE at the brink": {stream(piece("Hi"), finished) + "data: [DONE]", "Hi", model.StopEnd, ""},
		"data on two lines": {"data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"Hi\"}}]}\n\n" + stream(finished), "Hi", model.StopEnd, ""},
		"cut by length":     {stream(piece("Hi"), `{"choices":[{"delta":{},"finish_reason":"length"}]}`, "[DONE]"), "Hi", model.StopLength, ""},
		"filtered":          {stream(piece("Hi"), `{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`), "Hi", model.StopFiltered, ""},
		"refused":           {stream(`{"choices":[{"delta":{"refusal":"I cannot."}}]}`, finished), "I cannot.", model.StopFiltered, ""},
		"truncated":         {stream(piece("Hel")), "Hel", "", model.KindTruncated},
		"truncated event":   {stream(piece("Hel")) + `data: {"choices":[{"del`, "Hel", "", model.KindTruncated},
		"empty":             {"", "", "", model.KindTruncated},
		"error event":       {stream(piece("Hel"), `{"error":{"message":"Overloaded","type":"overloaded_error"}}`), "Hel", "", model.KindOverloaded},
		"invalid JSON":      {stream(piece("Hel"), `{"choices":`), "Hel", "", model.KindMalformed},
		"a line too long":   {"data: " + strings.Repeat("x", maxLine+1) + "\n\n", "", "", model.KindMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ map[string]any, _ int) {
				w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
				_, _ = io.WriteString(w, c.body)
			})
			got := ""
			res, err := s.client(model.OpenAI).Stream(t.Context(), model.Request{Messages: []model.Message{{Role: model.User, Text: "x"}}}, func(p string) error { got += p; return nil })
			if got != c.text || c.kind == "" && (err != nil || res.Text != c.text || res.Stop != c.stop) || c.kind != "" && !model.IsKind(err, c.kind) {
				t.Errorf("%q %+v %v", got, res, err)
			}
			if name == "whole" && res.Usage != (model.Usage{Input: 9, Output: 2}) {
				t.Errorf("%+v", res.Usage)
			}
			if s.bodies[0]["stream"] != true {
				t.Error("not asked to stream")
			}
		})
	}
}

// Who reads may stop it, and a server that answers whole does not stream.
func TestStreamEnds(t *testing.T) {
	enough := errors.New("enough")
	s := serve(t, func(w http.ResponseWriter, _ map[string]any, _ int) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, stream(piece("a"), piece("b"), finished))
	})
	n := 0
	if _, err := s.client(model.OpenAI).Stream(t.Context(), model.Request{}, func(string) error { n++; return enough }); !errors.Is(err, enough) || n != 1 {
		t.Errorf("%v after %d", err, n)
	}
	s = serve(t, func(w http.ResponseWriter, _ map[string]any, _ int) { reply200(w, whole) })
	if _, err := s.client(model.OpenAI).Stream(t.Context(), model.Request{}, nil); !model.IsKind(err, model.KindUnsupported) {
		t.Error(err)
	}
}

// Answers that break off, servers that hang or are gone, and callers who leave.
func TestTransport(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	cut := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Length", "4096")
		_, _ = io.WriteString(w, body)
	}
	r := model.Request{Messages: []model.Message{{Role: model.User, Text: "x"}}}
	s := serve(t, func(w http.ResponseWriter, _ map[string]any, _ int) { cut(w, whole[:40]) })
	if _, err := s.client(model.OpenAI).Complete(t.Context(), r); !model.IsKind(err, model.KindTruncated) {
		t.Errorf("cut: %v", err)
	}
	s = serve(t, func(w http.ResponseWriter, _ map[string]any, _ int) { cut(w, stream(piece("a"))) })
	if _, err := s.client(model.OpenAI).Stream(t.Context(), r, func(string) error { return nil }); !model.IsKind(err, model.KindTruncated) {
		t.Errorf("cut stream: %v", err)
	}
	s = serve(t, func(http.ResponseWriter, map[string]any, int) { <-hang })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.client(model.OpenAI).Complete(ctx, r); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("hanging: %v", err)
	}
	late := s.client(model.OpenAI)
	late.cfg.HTTP = &http.Client{Timeout: 20 * time.Millisecond}
	if _, err := late.Complete(t.Context(), r); !model.IsKind(err, model.KindTimeout) {
		t.Errorf("time-out of the transport: %v", err)
	}
	gone := s.client(model.OpenAI)
	gone.cfg.Base = "http://127.0.0.1:1/v1"
	if _, err := gone.Complete(t.Context(), r); !model.IsKind(err, model.KindUnavailable) || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("gone: %v", err)
	}
}

func FuzzEvents(f *testing.F) {
	f.Add(stream(piece("a"), finished, "[DONE]"))
	f.Add("data\n\n:x\n\ndata:\n\ndata: [DONE]")
	f.Fuzz(func(t *testing.T, s string) {
		e := newEvents(strings.NewReader(s))
		for {
			data, err := e.next()
			if err != nil {
				break
			}
			if len(data) > len(s) {
				t.Error("made up")
			}
		}
		_, _ = readStream(t.Context(), strings.NewReader(s), func(string) error { return nil })
	})
}

package otlp

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestOffByDefault(t *testing.T) {
	for _, env := range []map[string]string{
		{}, {"OTEL_SERVICE_NAME": "x"}, {"OTEL_EXPORTER_OTLP_ENDPOINT": ""},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "true"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER": "none"},
	} {
		e, err := Start(t.Context(), "1", func(n string) string { return env[n] }, slog.New(slog.DiscardHandler))
		if e != nil || err != nil || e.Tracer() != nil {
			t.Errorf("%v: %v %v", env, e, err)
		}
		e.Flush(t.Context())
		e.Close(t.Context())
	}
}

func TestSpansLeave(t *testing.T) {
	got := make(chan []byte, 4)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("X-Team") != "a" {
			t.Errorf("%s %v %v", r.URL.Path, r.Header, err)
		}
		got <- raw
	}))
	defer srv.Close()
	for name, value := range map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": srv.URL, "OTEL_EXPORTER_OTLP_HEADERS": "x-team=a", "OTEL_SERVICE_NAME": "gate-eu", "OTEL_TRACES_SAMPLER": ""} {
		t.Setenv(name, value)
	}
	env := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": srv.URL}
	e, err := Start(t.Context(), "1.2.3", func(n string) string { return env[n] }, slog.New(slog.DiscardHandler))
	if err != nil || e == nil {
		t.Fatal(err)
	}
	_, span := e.Tracer().Start(t.Context(), "tools/call list_minds")
	span.End()
	e.Flush(t.Context())
	raw := <-got
	for _, word := range []string{"tools/call list_minds", "gate-eu", "1.2.3"} {
		if !bytes.Contains(raw, []byte(word)) {
			t.Errorf("no %q in %q", word, raw)
		}
	}
	e.Close(t.Context())
}

func TestOtherProtocols(t *testing.T) {
	for name, value := range map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_TRACES_EXPORTER": "zipkin"} {
		env := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", name: value}
		if _, err := Start(t.Context(), "1", func(n string) string { return env[n] }, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not name %s", err, name)
		}
	}
}

package telemetry

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestMetrics(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	m := NewMetrics("1.2.3", now)
	m.Call(Call{Surface: "mcp", Tool: "list_minds", Outcome: "ok", Duration: 30 * time.Millisecond})
	m.Call(Call{Surface: "mcp", Tool: "list_minds", Outcome: "ok", Duration: 2 * time.Second})
	m.Call(Call{Surface: "mcp", Tool: "what \"a\" tool", Outcome: "NOT_FOUND", Duration: time.Minute})
	clock := now
	h := m.Count("mcp", func() time.Time { clock = clock.Add(time.Second); return clock }, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTooManyRequests)
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
	}))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/mcp?secret", nil))
	w := httptest.NewRecorder()
	m.ServeHTTP(w, nil)
	for _, line := range []string{
		"# TYPE mindgate_tool_call_duration_seconds histogram",
		`mindgate_tool_call_duration_seconds_bucket{surface="mcp",tool="list_minds",outcome="ok",le="0.025"} 0`,
		`mindgate_tool_call_duration_seconds_bucket{surface="mcp",tool="list_minds",outcome="ok",le="0.05"} 1`,
		`mindgate_tool_call_duration_seconds_bucket{surface="mcp",tool="list_minds",outcome="ok",le="+Inf"} 2`,
		`mindgate_tool_call_duration_seconds_sum{surface="mcp",tool="list_minds",outcome="ok"} 2.03`,
		`mindgate_tool_call_duration_seconds_count{surface="mcp",tool="invalid",outcome="NOT_FOUND"} 1`,
		`mindgate_http_request_duration_seconds_bucket{surface="mcp",status="429",le="1"} 1`,
		`mindgate_build_info{version="1.2.3"} 1`,
	} {
		if !strings.Contains(w.Body.String(), line+"\n") {
			t.Errorf("no line %s in\n%s", line, w.Body)
		}
	}
	if strings.Contains(w.Body.String(), "secret") {
		t.Error("a path of a caller")
	}
}

// Whatever labels come, memory has a bound.
func TestMetricsStayBounded(t *testing.T) {
	m := NewMetrics("", time.Time{})
	for i := range 3 * maxSeries {
		m.Call(Call{Surface: "mcp", Tool: "t" + strconv.Itoa(i), Outcome: "ok"})
	}
	if len(m.calls) > maxSeries+1 {
		t.Errorf("%d series", len(m.calls))
	}
}

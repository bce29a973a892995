package telemetry

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Metrics counts what a process does and tells it in Prometheus' text format.
// Labels are names of ours (tools, codes, surfaces, statuses): nothing of a
// caller, no account, no content.
type Metrics struct {
	version string
	started time.Time
	running atomic.Int64

	mu       sync.Mutex
	calls    map[[3]string]*timing // surface, tool, outcome
	requests map[[2]string]*timing // surface, status
}

// NewMetrics counts from now on.
func NewMetrics(version string, now time.Time) *Metrics {
	return &Metrics{version: version, started: now, calls: map[[3]string]*timing{}, requests: map[[2]string]*timing{}}
}

// buckets of durations, in seconds.
var buckets = [...]float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25}

type timing struct {
	count   uint64
	sum     float64
	buckets [len(buckets)]uint64
}

func (t *timing) add(d time.Duration) {
	s := d.Seconds()
	t.count++
	t.sum += s
	for i, b := range buckets {
		if s <= b {
			t.buckets[i]++
		}
	}
}

// maxSeries bounds the memory, whatever a mistake may make of a label.
const maxSeries = 2000

func add[K comparable](m map[K]*timing, k, other K, d time.Duration) {
	t := m[k]
	if t == nil {
		if len(m) >= maxSeries {
			k = other
		}
		if t = m[k]; t == nil {
			t = &timing{}
			m[k] = t
		}
	}
	t.add(d)
}

// Call counts a tool call.
func (m *Metrics) Call(c Call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	add(m.calls, [3]string{shaped(name, c.Surface), shaped(name, c.Tool), shaped(name, c.Outcome)}, [3]string{"other", "other", "other"}, c.Duration)
}

// Count counts the requests of a handler under the surface's name.
func (m *Metrics) Count(surface string, now func() time.Time, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := now()
		m.running.Add(1)
		s := &statusOf{ResponseWriter: w}
		defer func() {
			m.running.Add(-1)
			m.mu.Lock()
			defer m.mu.Unlock()
			add(m.requests, [2]string{surface, strconv.Itoa(s.code())}, [2]string{"other", "other"}, now().Sub(started))
		}()
		next.ServeHTTP(s, r)
	})
}

type statusOf struct {
	http.ResponseWriter
	status int
}

func (s *statusOf) code() int {
	if s.status == 0 {
		return http.StatusOK
	}
	return s.status
}

// WriteHeader notes the status.
func (s *statusOf) WriteHeader(status int) {
	if s.status == 0 && status >= 200 {
		s.status = status
	}
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController find the real writer.
func (s *statusOf) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// ServeHTTP writes all figures.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, m.Text())
}

// Text is the exposition, sorted, so that two of them compare.
func (m *Metrics) Text() string {
	var b strings.Builder
	m.mu.Lock()
	histogram(&b, "mindgate_tool_call_duration_seconds", "Tool calls by surface, tool and outcome (ok or a code).", m.calls,
		func(k [3]string) string { return fmt.Sprintf("surface=%q,tool=%q,outcome=%q", k[0], k[1], k[2]) })
	histogram(&b, "mindgate_http_request_duration_seconds", "HTTP requests by surface and status.", m.requests,
		func(k [2]string) string { return fmt.Sprintf("surface=%q,status=%q", k[0], k[1]) })
	m.mu.Unlock()
	gauge := func(name, help, labels string, v float64) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s gauge\n%s%s %s\n", name, help, name, name, labels, number(v))
	}
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	gauge("mindgate_http_requests_running", "HTTP requests that are being answered.", "", float64(m.running.Load()))
	gauge("mindgate_build_info", "Always 1.", fmt.Sprintf("{version=%q}", m.version), 1)
	gauge("process_start_time_seconds", "Start of the process since 1970.", "", float64(m.started.UnixMilli())/1000)
	gauge("go_goroutines", "Goroutines that exist.", "", float64(runtime.NumGoroutine()))
	gauge("go_memstats_heap_alloc_bytes", "Bytes of heap in use.", "", float64(mem.HeapAlloc))
	gauge("go_memstats_sys_bytes", "Bytes obtained from the system.", "", float64(mem.Sys))
	return b.String()
}

func histogram[K comparable](b *strings.Builder, name, help string, m map[K]*timing, labels func(K) string) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s histogram\n", name, help, name)
	series := make(map[string]*timing, len(m))
	for k, t := range m {
		series[labels(k)] = t
	}
	for _, l := range slices.Sorted(maps.Keys(series)) {
		t := series[l]
		for i, limit := range buckets {
			fmt.Fprintf(b, "%s_bucket{%s,le=%q} %d\n", name, l, number(limit), t.buckets[i])
		}
		fmt.Fprintf(b, "%s_bucket{%s,le=\"+Inf\"} %d\n%s_sum{%s} %s\n%s_count{%s} %d\n", name, l, t.count, name, l, number(t.sum), name, l, t.count)
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

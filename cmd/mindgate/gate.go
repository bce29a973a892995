package main

import (
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// gate answers 503 until the folder is open, so that whoever waits for
// /healthz is not refused a connection, and again once the process is to end.
type gate struct {
	version string
	handler atomic.Pointer[http.Handler]

	mu      sync.Mutex
	calls   int
	closing bool
	idle    chan struct{} // closed when closing and no call is left
}

func newGate(version string) *gate { return &gate{version: version, idle: make(chan struct{})} }

func (g *gate) open(h http.Handler) { g.handler.Store(&h) }

// ServeHTTP passes a call on while the gate is open.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := g.handler.Load()
	if h == nil || !g.enter() {
		g.notReady(w, r)
		return
	}
	defer g.leave()
	(*h).ServeHTTP(w, r)
}

func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closing {
		g.calls++
	}
	return !g.closing
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls--
	if g.closing && g.calls == 0 {
		close(g.idle)
	}
}

// drain refuses new calls and waits for those in flight, at most for d.
func (g *gate) drain(d time.Duration) {
	g.mu.Lock()
	g.closing = true
	if g.calls == 0 {
		close(g.idle)
	}
	g.mu.Unlock()
	select {
	case <-g.idle:
	case <-time.After(d):
	}
}

func (g *gate) notReady(w http.ResponseWriter, r *http.Request) {
	body := map[string]any{"ok": false, "version": g.version, "reason": "the gateway is starting or stopping"}
	if r.URL.Path != "/healthz" {
		body = map[string]any{
			"statusCode": 503, "statusMessage": "Service Unavailable", "message": "The gateway is starting or stopping; try again in a second.",
			"url": r.URL.Path, "error": true, "data": map[string]any{"code": "QUEUE_UNAVAILABLE"},
		}
		w.Header().Set("Retry-After", "1")
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "private, no-store")
	w.WriteHeader(http.StatusServiceUnavailable)
	_ = json.NewEncoder(w).Encode(body)
}

package main

import (
	"fmt"
	"net"
	"net/http"

	"github.com/mindgate-dev/mindgate/cmd/mindgate/local"
)

// links is where the links in results lead while a client works on a folder over
// pipes: to the server of the folder, or to this process when there is none, since
// a download address that nobody serves is worth nothing.
type links struct {
	URL    string
	listen net.Listener // nil: somebody else serves
	server *http.Server
	gate   *gate
}

// findLinks decides for a folder. What this process opens is on this machine
// alone, at a port that the system chooses, and ends with it.
func findLinks(dir string) (*links, error) {
	if at, ok := local.Serving(dir); ok {
		return &links{URL: at}, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("cannot listen on 127.0.0.1 for the links in results: %w; name the gateway's address with --public-url", err)
	}
	gate := newGate(version())
	return &links{URL: "http://" + l.Addr().String(), listen: l, gate: gate, server: newServer(gate)}, nil
}

// serve answers through h until stop.
func (l *links) serve(h http.Handler) {
	if l.listen == nil {
		return
	}
	l.gate.open(h)
	go func() { _ = l.server.Serve(l.listen) }()
}

func (l *links) stop() error {
	if l.listen == nil {
		return nil
	}
	l.gate.drain(drain)
	_ = l.listen.Close() // one that never served is not the server's to close
	return stop(l.server)
}

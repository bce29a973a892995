package mcpserver

import (
	"bytes"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

const eventStream = "text/event-stream"

// accepts is what a client's Accept says of the two forms of an answer.
type accepts struct {
	events float64 // weight of text/event-stream; 0 unless it is named
	first  bool    // the stream is named before anything that means JSON
	json   float64 // weight of JSON
}

// acceptsOf reads Accept (RFC 9110, section 12.5.1). Only a client that names
// event streams takes them: a wildcard is what tools send that know nothing of
// them.
func acceptsOf(h http.Header) accepts {
	var a accepts
	named := 0 // the most exact name of JSON so far
	for part := range strings.SplitSeq(strings.Join(h.Values("Accept"), ","), ",") {
		kind, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		weight := 1.0
		if q, ok := params["q"]; ok {
			if weight, err = strconv.ParseFloat(q, 64); err != nil || !(weight >= 0 && weight <= 1) {
				continue
			}
		}
		if kind == eventStream {
			a.events, a.first = weight, named == 0
			continue
		}
		if exact := map[string]int{"*/*": 1, "application/*": 2, "application/json": 3}[kind]; exact > named {
			named, a.json = exact, weight
		}
	}
	return a
}

// prefersEvents tells whether a client would rather have a stream: it gives it
// more weight than JSON, or the same and names it first. Clients that take both
// name JSON first, as the protocol's own examples do.
func prefersEvents(h http.Header) bool {
	a := acceptsOf(h)
	return a.events > a.json || a.events > 0 && a.events == a.json && a.first
}

// takesEvents tells whether a client can read a stream at all.
func takesEvents(h http.Header) bool { return acceptsOf(h).events > 0 }

// writeFor is write in the form that the client prefers: the answer to one
// request may be a stream with this one event. That needs no host that streams,
// as the answer is whole. Refusals with a status of their own stay JSON.
func (a reply) writeFor(w http.ResponseWriter, r *http.Request) {
	if a.status != http.StatusOK || !bytes.HasPrefix(a.body, []byte("{")) || !prefersEvents(r.Header) {
		a.write(w)
		return
	}
	eventHeader(w.Header())
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(asEvent(a.body))
}

func eventHeader(h http.Header) {
	h.Set("Content-Type", eventStream)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no") // proxies that would wait for more
}

// asEvent is a message as an event of a stream.
func asEvent(message []byte) []byte {
	out := make([]byte, 0, len(message)+32)
	out = append(out, "event: message\n"...)
	for line := range bytes.Lines(message) {
		out = append(append(append(out, "data: "...), bytes.TrimRight(line, "\r\n")...), '\n')
	}
	return append(out, '\n')
}

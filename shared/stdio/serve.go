package stdio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Handler answers one JSON-RPC message. It sends each message for the client
// (the answer, or progress before it) through send; a notification sends none.
type Handler interface {
	Handle(ctx context.Context, message []byte, send func([]byte) error)
}

// Bounds of what is under way. The reading never waits for a call: a client
// must always be able to cancel one and to ask whether we live.
const (
	maxInFlight     = 16       // calls that run at once
	maxPings        = 16       // of their own, so that calls cannot hold them up
	maxWaiting      = 4096     // calls that wait for their turn
	maxWaitingBytes = 64 << 20 // of their messages, beside the first
)

// noticeTime is how long a notification may take.
const noticeTime = 10 * time.Second

// grace is how long calls that run may still take after the input has ended.
const grace = 800 * time.Millisecond

// Serve answers messages from in on out until in ends, which is nil, or ctx
// does. Nothing but protocol is ever written to out. Requests run side by side,
// those above the bound wait, and those above the bound of the queue are refused
// with -32005. initialize and notifications run in order, apart from the reading;
// requests wait for what is agreed before them, a ping and a cancellation for
// nothing.
func Serve(ctx context.Context, in io.Reader, out io.Writer, h Handler) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &serving{
		h: h, w: NewWriter(out), cancel: cancel, calls: map[string]*call{},
		slots: make(chan struct{}, maxInFlight), pings: make(chan struct{}, maxPings), ended: make(chan struct{}, 1),
	}
	defer cancel()
	frames := make(chan read)
	go pump(ctx, NewReader(in, 0), frames)
	for {
		select {
		case <-ctx.Done():
			s.wait()
			return s.result(ctx.Err())
		case f := <-frames:
			if errors.Is(f.err, io.EOF) {
				s.wait()
				return s.result(nil)
			}
			if f.err != nil {
				s.wait()
				return s.result(fmt.Errorf("stdio: read: %w", f.err))
			}
			s.take(ctx, f.frame)
		}
	}
}

type read struct {
	frame Frame
	err   error
}

func pump(ctx context.Context, r *Reader, out chan<- read) {
	for {
		f, err := r.Next()
		select {
		case out <- read{f, err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

type serving struct {
	h      Handler
	w      *Writer
	cancel context.CancelFunc
	slots  chan struct{}
	pings  chan struct{}
	ended  chan struct{} // something has come to its end
	wg     sync.WaitGroup

	mu      sync.Mutex
	calls   map[string]*call // requests by id, running or waiting
	waiting int              // requests without a slot
	bytes   int              // of their messages
	broken  error            // the first failed write

	// Closed when the last message of its kind is done; the reading's alone.
	agreed, noticed <-chan struct{}
}

// call is one request that runs or waits.
type call struct{ stop context.CancelFunc }

func (s *serving) result(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return fmt.Errorf("stdio: write: %w", s.broken)
	}
	return err
}

// wait lets the calls come to their end. One that hangs ends within the grace;
// as long as calls wait for their turn and others end, all are answered.
func (s *serving) wait() {
	done := make(chan struct{})
	go func() { s.wg.Wait(); close(done) }()
	t := time.NewTimer(grace)
	defer t.Stop()
	defer s.cancel()
	for {
		select {
		case <-done:
			return
		case <-t.C:
			return
		case <-s.ended:
			s.mu.Lock()
			more := s.waiting > 0
			s.mu.Unlock()
			if more {
				t.Reset(grace)
			}
		}
	}
}

func (s *serving) send(f Framing) func([]byte) error {
	return func(body []byte) error {
		err := s.w.Write(body, f)
		if err != nil {
			s.mu.Lock()
			if s.broken == nil {
				s.broken = err
			}
			s.mu.Unlock()
			s.cancel() // nobody reads any more
		}
		return err
	}
}

func (s *serving) take(ctx context.Context, f Frame) {
	send := s.send(f.Framing)
	if f.Bad != nil {
		_ = send(refusal(nil, -32700, "Parse error: "+f.Bad.Error()))
		return
	}
	m := peek(f.Body)
	if m.Method == "notifications/cancelled" {
		s.mu.Lock()
		if c, known := s.calls[string(m.Params.RequestID)]; known {
			c.stop()
		}
		s.mu.Unlock()
	}
	notification := m.ID == nil && m.Method != ""
	if !s.enqueue(len(f.Body)) {
		if !notification {
			_ = send(refusal(m.ID, -32005, "Too many requests wait for their turn; send this one again when others have been answered"))
		}
		return
	}
	if notification || m.Method == "initialize" {
		s.inOrder(ctx, m, f.Body, send)
		return
	}
	slots, before := s.slots, s.agreed
	if m.Method == "ping" {
		slots, before = s.pings, nil
	}
	callCtx, stop := context.WithCancel(ctx)
	id, c := string(m.ID), &call{stop}
	if m.ID != nil {
		s.mu.Lock()
		s.calls[id] = c
		s.mu.Unlock()
	}
	s.wg.Go(func() {
		defer s.leave(id, c)
		if before != nil {
			select {
			case <-before:
			case <-callCtx.Done():
			}
		}
		select {
		case slots <- struct{}{}:
			s.dequeue(len(f.Body))
		case <-callCtx.Done():
			s.dequeue(len(f.Body))
			return
		}
		defer func() { <-slots }()
		if callCtx.Err() != nil {
			return // both were ready
		}
		s.h.Handle(callCtx, f.Body, func(b []byte) error {
			if callCtx.Err() != nil && ctx.Err() == nil {
				return nil // cancelled by the client, which wants no answer
			}
			return send(b)
		})
	})
}

// inOrder handles what has an order of its own, apart from the reading: what is
// agreed (initialize, notifications/initialized) one after another, and all other
// notifications behind it and behind each other. A notification that takes too
// long is given up: it has no answer, and nothing may wait for it for ever.
func (s *serving) inOrder(ctx context.Context, m head, body []byte, send func([]byte) error) {
	before, done := []<-chan struct{}{s.agreed}, make(chan struct{})
	if m.Method == "initialize" || m.Method == "notifications/initialized" {
		s.agreed = done
	} else {
		before = append(before, s.noticed)
		s.noticed = done
	}
	s.wg.Go(func() {
		defer s.end()
		defer close(done)
		for _, b := range before {
			if b != nil {
				<-b
			}
		}
		s.dequeue(len(body))
		if m.Method != "initialize" {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, noticeTime)
			defer cancel()
		}
		s.h.Handle(ctx, body, send)
	})
}

// enqueue counts a request that waits, or tells that the queue is full.
func (s *serving) enqueue(size int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting >= maxWaiting || s.waiting > 0 && s.bytes+size > maxWaitingBytes {
		return false
	}
	s.waiting++
	s.bytes += size
	return true
}

func (s *serving) dequeue(size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting--
	s.bytes -= size
}

// leave forgets a request that has ended.
func (s *serving) leave(id string, c *call) {
	s.mu.Lock()
	if s.calls[id] == c {
		delete(s.calls, id)
	}
	s.mu.Unlock()
	c.stop()
	s.end()
}

// end tells that something has come to its end.
func (s *serving) end() {
	select {
	case s.ended <- struct{}{}:
	default:
	}
}

// head is what the codec needs to know of a message.
type head struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params headParams      `json:"params"`
}

type headParams struct {
	RequestID       json.RawMessage `json:"requestId"`
	Name            string          `json:"name"`
	URI             string          `json:"uri"`
	ProtocolVersion string          `json:"protocolVersion"`
	Meta            struct {
		ProtocolVersion string `json:"io.modelcontextprotocol/protocolVersion"`
	} `json:"_meta"`
}

// peek reads what it can; a message of another shape is the server's to refuse.
func peek(body []byte) head {
	var m head
	var outer struct {
		ID     json.RawMessage `json:"id"`
		Method json.RawMessage `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(body, &outer) != nil {
		return m
	}
	m.ID = outer.ID
	_ = json.Unmarshal(outer.Method, &m.Method)
	_ = json.Unmarshal(outer.Params, &m.Params)
	return m
}

func refusal(id json.RawMessage, code int, message string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	raw, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message},
	})
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}`)
	}
	return raw
}

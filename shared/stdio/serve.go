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

// maxInFlight bounds the calls that run at once.
const maxInFlight = 16

// grace is how long calls that run may still take after the input has ended.
const grace = 800 * time.Millisecond

// Serve answers messages from in on out until in ends, which is nil, or ctx
// does. Nothing but protocol is ever written to out. Requests run side by side;
// initialize and notifications run alone and in order.
func Serve(ctx context.Context, in io.Reader, out io.Writer, h Handler) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &serving{h: h, w: NewWriter(out), cancel: cancel, calls: map[string]context.CancelFunc{}, slots: make(chan struct{}, maxInFlight)}
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
	wg     sync.WaitGroup

	mu     sync.Mutex
	calls  map[string]context.CancelFunc // running requests by id
	broken error                         // the first failed write
}

func (s *serving) result(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return fmt.Errorf("stdio: write: %w", s.broken)
	}
	return err
}

func (s *serving) wait() {
	done := make(chan struct{})
	go func() { s.wg.Wait(); close(done) }()
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
	s.cancel()
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
		if stop, running := s.calls[string(m.Params.RequestID)]; running {
			stop()
		}
		s.mu.Unlock()
	}
	if m.ID == nil || m.Method == "initialize" {
		s.h.Handle(ctx, f.Body, send)
		return
	}
	callCtx, stop := context.WithCancel(ctx)
	id := string(m.ID)
	s.mu.Lock()
	s.calls[id] = stop
	s.mu.Unlock()
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		stop()
		return
	}
	s.wg.Add(1)
	go func() {
		defer func() {
			s.mu.Lock()
			delete(s.calls, id)
			s.mu.Unlock()
			stop()
			<-s.slots
			s.wg.Done()
		}()
		s.h.Handle(callCtx, f.Body, func(b []byte) error {
			if callCtx.Err() != nil && ctx.Err() == nil {
				return nil // cancelled by the client, which wants no answer
			}
			return send(b)
		})
	}()
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

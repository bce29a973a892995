package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
)

// Budget is the longest that one call may take: a gateway waits 30 s.
const Budget = 25 * time.Second

// Payload ceilings of a result, in bytes of its structured content. A function
// may answer 6 MB; a result leaves it as data and as the same data in a text,
// inside an event that escapes both: about 2.6 times in all.
const (
	MaxResultLambda = 2 << 20
	MaxResultLocal  = 20 << 20
)

// DispatchOptions are what a dispatcher needs. Registry and Catalogue are
// required; the rest has defaults.
type DispatchOptions struct {
	Registry  *Registry
	Catalogue *catalog.Catalogue // any superset of the registry
	MaxResult int                // bytes; 0 is MaxResultLocal
	Budget    time.Duration      // 0 is Budget; larger values are cut to it
	Clock     clock.Clock        // nil is the system clock
	Log       *slog.Logger       // nil discards
	// Prepare puts the services that handlers look up into the context.
	Prepare func(context.Context) context.Context
	// Audit gets one line a call, after it; nil writes it to Log. It never holds
	// arguments or results.
	Audit func(context.Context, telemetry.Call)
}

// Dispatcher runs calls against the tools of one process. The same dispatcher
// stands behind the in-process invoker and behind a tool's function.
type Dispatcher struct{ o DispatchOptions }

// NewDispatcher checks that each registered tool is in the catalogue.
func NewDispatcher(o DispatchOptions) (*Dispatcher, error) {
	if o.Registry == nil || o.Catalogue == nil {
		return nil, errors.New("tool: a dispatcher needs a registry and a catalogue")
	}
	for _, n := range o.Registry.Names() {
		if d, ok := o.Catalogue.Lookup(n); !ok || d.Name != n {
			return nil, fmt.Errorf("tool: %s is not in the catalogue", n)
		}
	}
	if o.MaxResult <= 0 {
		o.MaxResult = MaxResultLocal
	}
	if o.Budget <= 0 || o.Budget > Budget {
		o.Budget = Budget
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Audit == nil {
		o.Audit = func(ctx context.Context, c telemetry.Call) {
			telemetry.Audit(telemetry.WithLogger(ctx, o.Log), c)
		}
	}
	return &Dispatcher{o}, nil
}

// Dispatch runs one call: name, scopes, arguments, deadline, handler, size. It
// always answers; what went wrong is in Answer.Error.
func (d *Dispatcher) Dispatch(ctx context.Context, e Envelope) Answer {
	started := d.o.Clock.Now()
	answer, err := d.run(ctx, e)
	if err != nil {
		answer = Answer{Error: d.refused(e, err)}
	}
	outcome, surface := "ok", "mcp"
	switch {
	case gaveUp(err):
		outcome = Cancelled
	case answer.Error != nil:
		outcome = answer.Error.Code
	}
	if e.Protocol == "rest" {
		surface = e.Protocol
	}
	d.o.Audit(ctx, telemetry.Call{
		Tool: e.Tool, Account: e.Principal.Account, Workspace: e.Principal.Workspace, ArgsSHA256: Fingerprint(e.Args),
		Outcome: outcome, Duration: d.o.Clock.Now().Sub(started), RequestID: e.RequestID, Surface: surface, Traceparent: e.Traceparent,
	})
	return answer
}

func (d *Dispatcher) run(ctx context.Context, e Envelope) (Answer, error) {
	def, ok := d.o.Catalogue.Lookup(e.Tool)
	if !ok {
		return Answer{}, unknown(e.Tool)
	}
	t, ok := d.o.Registry.Get(def.Name)
	if !ok {
		return Answer{}, unknown(e.Tool)
	}
	if missing := def.Missing(e.Principal.Has); len(missing) > 0 {
		return Answer{}, fault.New(fault.InsufficientScope, "%s needs the scope %s, which this credential does not have. Use a key or token that has it.",
			def.Name, strings.Join(missing, " and ")).With("missing", missing)
	}
	args, err := def.Prepare(e.Args)
	if err != nil {
		return Answer{}, err
	}
	ctx = account.With(ctx, e.Principal)
	if d.o.Prepare != nil {
		ctx = d.o.Prepare(ctx)
	}
	deadline := d.o.Clock.Now().Add(d.o.Budget)
	if !e.Deadline.IsZero() && e.Deadline.Before(deadline) {
		deadline = e.Deadline
	}
	// The wait is relative, so that a held clock does not end a call at once.
	ctx, cancel := context.WithTimeout(ctx, deadline.Sub(d.o.Clock.Now()))
	defer cancel()
	out, err := d.guarded(ctx, t, args, e)
	if err != nil {
		return Answer{}, err
	}
	return d.encode(def, out)
}

// guarded runs the handler apart, so that neither a panic nor a handler that
// ignores its context takes the caller with it.
func (d *Dispatcher) guarded(ctx context.Context, t Tool, args json.RawMessage, e Envelope) (any, error) {
	type outcome struct {
		out any
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				d.o.Log.ErrorContext(ctx, "tool panicked", "tool", e.Tool, "requestId", e.RequestID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				done <- outcome{err: fmt.Errorf("tool %s panicked", e.Tool)}
			}
		}()
		out, err := t.Invoke(ctx, args)
		done <- outcome{out, err}
	}()
	select {
	case o := <-done:
		if o.err != nil && ctx.Err() != nil && errors.Is(o.err, ctx.Err()) {
			return nil, late(ctx, t.Name)
		}
		return o.out, o.err
	case <-ctx.Done():
		return nil, late(ctx, t.Name)
	}
}

// Cancelled is the outcome, in the audit line, of a call whose caller left. It
// says nothing against the tool, so it is apart from DEADLINE_EXCEEDED.
const Cancelled = "CANCELLED"

func gaveUp(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Code == fault.DeadlineExceeded && errors.Is(f, context.Canceled)
}

func late(ctx context.Context, name string) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fault.New(fault.DeadlineExceeded, "The call of %s was cancelled before it ended. Read the saved state before you repeat a write.", name).Because(ctx.Err())
	}
	return Late(name).Because(ctx.Err())
}

// Late is the refusal of a call that took longer than it may.
func Late(name string) *fault.Error {
	return fault.New(fault.DeadlineExceeded, "%s did not end within its time. Read the saved state before you repeat a write; a read may be repeated at once.", name)
}

func unknown(name string) error {
	if len(name) > 64 {
		name = strings.ToValidUTF8(name[:64], "")
	}
	return fault.New(fault.NotFound, "There is no tool named %q. tools/list names the tools that exist here.", name)
}

func (d *Dispatcher) encode(def *catalog.Definition, out any) (Answer, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return Answer{}, fmt.Errorf("tool %s: encode result: %w", def.Name, err)
	}
	raw := bytes.TrimRight(b.Bytes(), "\n")
	if len(raw) == 0 || raw[0] != '{' {
		return Answer{}, fmt.Errorf("tool %s: result is no JSON object", def.Name)
	}
	if len(raw) > d.o.MaxResult {
		return Answer{}, TooLarge(def, len(raw), d.o.MaxResult)
	}
	return Answer{Structured: raw, Text: string(raw)}, nil
}

// TooLarge is the refusal of a result above the payload ceiling; it says how to
// ask for less with the arguments that the tool has.
func TooLarge(def *catalog.Definition, size, ceiling int) error {
	way := "Ask for less in one call."
	var in struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(def.Input, &in) == nil {
		has := func(n string) bool { _, ok := in.Properties[n]; return ok }
		switch {
		case has("limit") && has("offset"):
			way = "Ask for fewer rows: a smaller limit, then go on with offset."
		case has("questionId"):
			way = "Ask for one question with questionId."
		case has("format"):
			way = "Choose a shorter form (length, kind) or a text format, or fetch the file over REST."
		}
	}
	return fault.New(fault.PayloadTooLarge, "The result of %s has %d bytes; at most %d fit into one answer. %s", def.Name, size, ceiling, way).
		With("bytes", size).With("limitBytes", ceiling)
}

// refused is the wire form of an error. What is not a refusal is logged with
// its cause and shown without it, under the request id.
func (d *Dispatcher) refused(e Envelope, err error) *WireError {
	f := fault.From(err)
	if f.Code.Status() >= 500 && !gaveUp(err) {
		d.o.Log.Error("tool failed", "tool", e.Tool, "requestId", e.RequestID, "workspace", e.Principal.Workspace, "error", err.Error())
		if e.RequestID != "" {
			f = f.With("requestId", e.RequestID)
		}
	}
	return Refused(f)
}

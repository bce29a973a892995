package tool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// Errors of the Invoker port: the call did not reach its tool, or the tool did
// not answer. A refusal by the tool is not an error but Answer.Error.
var (
	ErrUnavailable = errors.New("tool: the tool cannot be reached now")         // may be repeated later
	ErrTooLarge    = errors.New("tool: the call does not fit into one payload") // send less
	ErrBroken      = errors.New("tool: the tool ended without an answer")
)

// InProcess runs calls in this process. Each call still goes through the JSON
// of its envelope both ways, so that every host runs what every other runs.
func InProcess(d *Dispatcher) Invoker { return inProcess{d} }

type inProcess struct{ d *Dispatcher }

func (p inProcess) Invoke(ctx context.Context, e Envelope, progress func(Progress)) (Answer, error) {
	raw, err := json.Marshal(e)
	if err != nil {
		return Answer{}, fmt.Errorf("tool: encode envelope: %w", err)
	}
	if progress != nil {
		ctx = context.WithValue(ctx, progressKey{}, progress)
	}
	out, err := handle(ctx, p.d, raw, "")
	if err != nil {
		return Answer{}, err
	}
	return ReadAnswer(out)
}

type progressKey struct{}

// Report tells the caller how far a call has come, where the host can pass it
// on; elsewhere it does nothing.
func Report(ctx context.Context, p Progress) {
	if f, ok := ctx.Value(progressKey{}).(func(Progress)); ok {
		f(p)
	}
}

// LambdaHandler is the handler of a tool's function, for lambda.Start: one
// envelope in, one answer out. only names the one tool that this function may
// run (variable TOOL); empty is every tool of the registry.
func LambdaHandler(d *Dispatcher, only string) func(context.Context, json.RawMessage) (json.RawMessage, error) {
	return func(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
		return handle(ctx, d, raw, only)
	}
}

func handle(ctx context.Context, d *Dispatcher, raw []byte, only string) (json.RawMessage, error) {
	var e Envelope
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, fmt.Errorf("tool: envelope: %w", err)
	}
	var a Answer
	if only != "" && e.Tool != only {
		a = Answer{Error: d.refused(e, unknown(e.Tool))}
	} else {
		a = d.Dispatch(ctx, e)
	}
	if a.Text == string(a.Structured) {
		a.Text = "" // the reader fills it in again; half the payload
	}
	return encodeAnswer(a)
}

func encodeAnswer(a Answer) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		return nil, fmt.Errorf("tool: encode answer: %w", err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// ReadAnswer reads what a tool's function returned. An answer without a text of
// its own has its structured content as text.
func ReadAnswer(raw []byte) (Answer, error) {
	var a Answer
	if err := json.Unmarshal(raw, &a); err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if a.Error == nil && len(a.Structured) == 0 {
		return Answer{}, fmt.Errorf("%w: neither result nor error", ErrBroken)
	}
	if a.Text == "" {
		a.Text = string(a.Structured)
	}
	return a, nil
}

// Fingerprint is what an audit line says of arguments: their SHA-256 as sent.
func Fingerprint(args []byte) string {
	sum := sha256.Sum256(args)
	return hex.EncodeToString(sum[:])
}

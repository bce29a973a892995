package local

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// Status of a step row.
const (
	open   = 0
	left   = 1
	failed = 2
)

type stepKey struct {
	exec          int64
	path          string
	step, attempt int
}

// step is one row: a state as entered, and how it was left.
type step struct {
	step       int
	state      string
	entered    int64 // milliseconds
	input      value
	vars       value // an object
	attempt    int   // retries so far
	retries    []int // by retrier
	due        int64 // Wait, back-off, time-out of a token; 0: none
	token      string
	dispatches int // of the attempt, that have not come back
	status     int
	output     json.RawMessage
	next       string
	err        *workflow.Error
	events     int64

	children  int   // of a Map or Parallel, once known
	passed    any   // output, decoded
	varsAfter value // what the next state sees

	journalled bool // read from the journal: its last dispatch may have been lost
	uncounted  bool // the dispatch that a journalled row counts has not happened yet
}

// value is JSON in both forms; each is made from the other when asked for.
type value struct {
	raw     json.RawMessage
	decoded any
}

func (v *value) json() json.RawMessage {
	if v.raw == nil {
		v.raw = encode(v.decoded)
	}
	return v.raw
}

func (v *value) data() any {
	if v.decoded == nil && v.raw != nil {
		_ = json.Unmarshal(v.raw, &v.decoded)
	}
	return v.decoded
}

// encode writes decoded JSON without the escapes that HTML would need.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return json.RawMessage("{}") // unreachable: expressions give plain JSON only
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// result is how a step came out.
type result struct {
	raw    json.RawMessage // of a task or token
	data   any             // of a Map or Parallel; wins over raw
	err    *workflow.Error
	answer bool // it came by the task token
	final  bool // Retry does not see it
}

const stepColumns = `step, state, entered, input, vars, attempt, retries, due, token, dispatches, status, output, next, error, cause`

type scanner interface{ Scan(...any) error }

func scanStep(row scanner, before ...any) (*step, error) {
	s := &step{journalled: true, err: &workflow.Error{}}
	var input, vars, output []byte
	var retries string
	err := row.Scan(append(before, &s.step, &s.state, &s.entered, &input, &vars, &s.attempt, &retries, &s.due,
		&s.token, &s.dispatches, &s.status, &output, &s.next, &s.err.Name, &s.err.Cause)...)
	if err != nil {
		return nil, err
	}
	s.input.raw, s.vars.raw, s.output = input, vars, output
	if s.err.Name == "" {
		s.err = nil
	}
	return s, json.Unmarshal([]byte(retries), &s.retries)
}

func (t *tx) insertStep(exec int64, path string, s *step) error {
	name, cause := named(s.err)
	_, err := t.exec(`INSERT INTO steps(exec, path, `+stepColumns+`, events) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		exec, path, s.step, s.state, s.entered, []byte(s.input.json()), []byte(s.vars.json()), s.attempt, retriesText(s.retries),
		s.due, s.token, s.dispatches, s.status, []byte(s.output), s.next, name, cause, s.events)
	if err == nil && s.token != "" {
		err = t.insertToken(exec, path, s)
	}
	return err
}

func (t *tx) insertToken(exec int64, path string, s *step) error {
	_, err := t.exec(`INSERT INTO tokens(token, exec, path, step, attempt, status) VALUES(?,?,?,?,?,'open')`,
		s.token, exec, path, s.step, s.attempt)
	return err
}

// leaveStep closes an open row; exactly one must be touched.
func (t *tx) leaveStep(exec int64, path string, s *step) error {
	name, cause := named(s.err)
	n, err := t.exec(`UPDATE steps SET status = ?, output = ?, next = ?, error = ?, cause = ?, events = ?
		WHERE exec = ? AND path = ? AND step = ? AND status = 0`,
		s.status, []byte(s.output), s.next, name, cause, s.events, exec, path, s.step)
	if err == nil && n != 1 {
		err = errStale
	}
	return err
}

// againStep journals the next attempt of an open row.
func (t *tx) againStep(exec int64, path string, s *step) error {
	n, err := t.exec(`UPDATE steps SET attempt = ?, retries = ?, due = ?, token = ?, dispatches = ?
		WHERE exec = ? AND path = ? AND step = ? AND status = 0`,
		s.attempt, retriesText(s.retries), s.due, s.token, s.dispatches, exec, path, s.step)
	if err == nil && n != 1 {
		return errStale
	}
	if err == nil && s.token != "" {
		err = t.insertToken(exec, path, s)
	}
	return err
}

// closeToken ends a token. One that was answered already cannot be closed by a
// time-out or an error: the answer wins.
func (t *tx) closeToken(token string, answered bool) error {
	if token == "" {
		return nil
	}
	if answered {
		_, err := t.exec(`UPDATE tokens SET status = 'used' WHERE token = ?`, token)
		return err
	}
	var status string
	if err := t.row(`SELECT status FROM tokens WHERE token = ?`, []any{token}, &status); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return errStale
		}
		return err
	}
	if status == "answered" {
		return errAnswered
	}
	_, err := t.exec(`UPDATE tokens SET status = 'closed' WHERE token = ?`, token)
	return err
}

func named(e *workflow.Error) (name, cause string) {
	if e == nil {
		return "", ""
	}
	return e.Name, cut(e.Cause)
}

func retriesText(r []int) string {
	if len(r) == 0 {
		return "[]"
	}
	raw, _ := json.Marshal(r)
	return string(raw)
}

func stamp(ms int64) string {
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

func childPath(parent string, s *step, index int) string {
	return fmt.Sprintf("%s/%d.%d#%d", parent, s.step, s.attempt, index)
}

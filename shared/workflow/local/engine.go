// Package local runs state machines inside the process. Its journal is a
// SQLite file, so executions go on after kill -9 at any point.
//
// An execution is a set of frames (the top level, each Map item, each branch),
// a frame is a list of steps, and one transaction leaves a step and enters the
// next. Nothing is replayed from the start: a frame goes on from its last row.
// States without an effect (Pass, Choice, Succeed, Fail) share the transaction
// of the step before them.
//
//   - Tasks run at least once: a crash between dispatch and transition sends
//     them out again, with the same payload and, for a waiting task, the same
//     token. After five dispatches that ended in a crash the step fails with
//     "Crashed", which Retry does not see and Catch does.
//   - Variables and $states are read as they were on entry; what Assign sets
//     counts from the next state, and inside a Map item or branch stays there.
//   - A failed item or branch fails its Map or Parallel with its own error and
//     cancels its siblings; their rows may stay open and mean nothing.
//   - Retry: the first retrier that matches decides, each has its counter.
//     States.TaskFailed matches all but States.Timeout; States.ALL everything;
//     neither matches States.Runtime nor States.DataLimitExceeded.
//   - A journal that cannot be written for a while (full disk, busy file, failed
//     reading or writing) halts nothing: the step waits and tries again.
//   - So many executions work at once. A free place goes to the workspace, as the
//     input names it, that holds the fewest, so none starves the others. Waiting
//     for a place counts against no TimeoutSeconds.
//   - Limits as on AWS: 256 KiB a value, 25,000 events, 1 s an expression.
package local

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"sync"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
)

// Options of an engine.
type Options struct {
	Path      string            // the journal's file
	Machines  map[string][]byte // name to ASL, with "${TaskName}" as it stands in the file
	Tasks     workflow.Tasks    // needed by the process that runs
	Clock     clock.Clock       // default clock.System
	Rand      io.Reader         // of task tokens, default crypto/rand
	MaxActive int               // executions that work at once, shared fairly by workspace; default 32
	Logger    *slog.Logger      // default none

	maxEvents  int64                   // default 25,000; tests lower it
	expression time.Duration           // default 1 s
	crash      func(point string) bool // tests: true abandons the engine there
	faulty     func() error            // tests: what the file says to the next transaction of a job
}

// Engine is the embedded engine. Any process that opens the file may start,
// stop, describe and answer; the one that calls Run does the work.
type Engine struct {
	opt      Options
	journal  *journal
	ev       *evaluator
	machines map[string]*machine
	timers   *timers
	slots    *slots

	random sync.Mutex // one token at a time reads Rand

	mu      sync.Mutex
	defs    map[string]*asl.Definition // by sha
	ctx     context.Context            // of Run; nil before
	execs   map[int64]*execution
	waiting map[string]await // by task token
	calls   map[*step]*frame // dispatched and not yet returned
	broken  error            // the journal failed for good
	stalled int              // transactions and readings of jobs that wait for a better moment
	trouble error            // why, of the last one that failed
	halt    context.CancelCauseFunc
	dead    bool // a test's crash
}

type machine struct {
	sha  string
	body []byte
	def  *asl.Definition
}

type await struct {
	frame *frame
	id    int64
}

var _ workflow.Engine = (*Engine)(nil)

// Open checks the machines and opens the journal. It does not run anything.
func Open(ctx context.Context, opt Options) (*Engine, error) {
	if opt.Clock == nil {
		opt.Clock = clock.System{}
	}
	if opt.Rand == nil {
		opt.Rand = rand.Reader
	}
	if opt.MaxActive <= 0 {
		opt.MaxActive = 32
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	if opt.maxEvents == 0 {
		opt.maxEvents = 25_000
	}
	if opt.expression == 0 {
		opt.expression = time.Second
	}
	e := &Engine{
		opt: opt, ev: newEvaluator(opt.expression), machines: map[string]*machine{},
		timers: newTimers(opt.Clock), slots: newSlots(opt.MaxActive),
		defs: map[string]*asl.Definition{}, execs: map[int64]*execution{},
		waiting: map[string]await{}, calls: map[*step]*frame{},
	}
	for name, body := range opt.Machines {
		if problems := asl.Check(body, asl.Options{}); len(problems) > 0 {
			return nil, fmt.Errorf("workflow: machine %s: %s (%d problems)", name, problems[0], len(problems))
		}
		def, err := asl.Parse(body)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(body)
		m := &machine{sha: hex.EncodeToString(sum[:]), body: body, def: def}
		e.machines[name], e.defs[m.sha] = m, def
	}
	var err error
	if e.journal, err = openJournal(ctx, opt.Path); err != nil {
		return nil, err
	}
	return e, nil
}

// Close gives the file back. Run must have returned.
func (e *Engine) Close() error { return e.journal.close() }

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,80}$`)

// Start journals the execution as running; the process that runs takes it up.
func (e *Engine) Start(ctx context.Context, name, id string, input json.RawMessage) error {
	m := e.machines[name]
	if m == nil {
		return fmt.Errorf("%w: %s", workflow.ErrUnknownMachine, name)
	}
	if !nameForm.MatchString(id) {
		return fmt.Errorf("workflow: %q is no execution name: 1 to 80 letters, digits, _ and -", id)
	}
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	if err := workflow.CheckValue(input); err != nil {
		return err
	}
	var row int64
	err := e.do(func(t *tx) error {
		row = 0
		now := millis(e.opt.Clock.Now())
		if _, err := t.exec(`INSERT OR IGNORE INTO definitions(sha, machine, body) VALUES(?,?,?)`, m.sha, name, m.body); err != nil {
			return err
		}
		n, err := t.exec(`INSERT OR IGNORE INTO executions(machine, name, definition_sha, input, start, status) VALUES(?,?,?,?,?,'RUNNING')`,
			name, id, m.sha, []byte(input), now)
		if err != nil || n == 0 {
			return err
		}
		return t.row(`SELECT id FROM executions WHERE machine = ? AND name = ?`, []any{name, id}, &row)
	})
	if err != nil {
		return err
	}
	if row != 0 {
		e.take(row, labelOf(input))
	}
	return nil
}

// Stop writes the status first and cancels then.
func (e *Engine) Stop(ctx context.Context, name, id, cause string) error {
	var row int64
	err := e.do(func(t *tx) error {
		row = 0
		err := t.row(`SELECT id FROM executions WHERE machine = ? AND name = ?`, []any{name, id}, &row)
		if errors.Is(err, sql.ErrNoRows) {
			return refusal{workflow.ErrNotFound}
		}
		if err != nil {
			return err
		}
		n, err := t.exec(`UPDATE executions SET status = 'ABORTED', stop = ?, cause = ? WHERE id = ? AND status = 'RUNNING'`,
			millis(e.opt.Clock.Now()), cut(cause), row)
		if err != nil || n == 0 {
			return err
		}
		_, err = t.exec(`UPDATE tokens SET status = 'closed' WHERE exec = ? AND status = 'open'`, row)
		return err
	})
	var r refusal
	if errors.As(err, &r) {
		return r.error
	}
	if err == nil {
		e.drop(row)
	}
	return err
}

// Describe reads one execution.
func (e *Engine) Describe(ctx context.Context, name, id string) (workflow.Execution, error) {
	x := workflow.Execution{Machine: name, Name: id}
	var status string
	var start, stop int64
	var input, output []byte
	err := e.journal.db.QueryRowContext(ctx,
		`SELECT input, start, stop, status, output, error, cause FROM executions WHERE machine = ? AND name = ?`, name, id).
		Scan(&input, &start, &stop, &status, &output, &x.Error, &x.Cause)
	if errors.Is(err, sql.ErrNoRows) {
		return x, workflow.ErrNotFound
	}
	x.Status, x.Input, x.Output = workflow.Status(status), input, output
	x.StartedAt, x.StoppedAt = fromMillis(start), fromMillis(stop)
	return x, err
}

// Succeed answers a token with an output.
func (e *Engine) Succeed(ctx context.Context, token string, output json.RawMessage) error {
	if err := workflow.CheckValue(output); err != nil {
		return err
	}
	return e.answer(token, output, "", "")
}

// Fail answers a token with an error.
func (e *Engine) Fail(ctx context.Context, token, name, cause string) error {
	if name == "" {
		name = taskFailed
	}
	return e.answer(token, nil, name, cut(cause))
}

func (e *Engine) answer(token string, output json.RawMessage, name, cause string) error {
	err := e.do(func(t *tx) error {
		n, err := t.exec(`UPDATE tokens SET status = 'answered', output = ?, error = ?, cause = ? WHERE token = ? AND status = 'open'`,
			[]byte(output), name, cause, token)
		if err == nil && n == 0 {
			err = refusal{workflow.ErrTokenClosed}
		}
		return err
	})
	var r refusal
	if errors.As(err, &r) {
		return r.error
	}
	if err == nil {
		e.answered(token, answerOf(output, name, cause))
	}
	return err
}

func (e *Engine) answered(token string, r result) {
	e.mu.Lock()
	w, ok := e.waiting[token]
	e.mu.Unlock()
	if ok {
		r.answer = true
		w.frame.wake(w.id, r)
	}
}

func answerOf(output json.RawMessage, name, cause string) result {
	if name != "" {
		return result{err: &workflow.Error{Name: name, Cause: cause}}
	}
	return result{raw: output}
}

// Prune deletes the steps and tokens of executions that ended before a time;
// the executions themselves stay. It returns how many it cleared.
func (e *Engine) Prune(ctx context.Context, before time.Time) (int, error) {
	total := 0
	for ctx.Err() == nil {
		rows, err := e.journal.db.QueryContext(ctx, `SELECT id FROM executions WHERE status <> 'RUNNING' AND stop < ?
			AND EXISTS(SELECT 1 FROM steps WHERE exec = executions.id) LIMIT 100`, millis(before))
		if err != nil {
			return total, err
		}
		ids, err := scanIDs(rows)
		if err != nil || len(ids) == 0 {
			return total, err
		}
		if err := e.do(func(t *tx) error {
			for _, id := range ids {
				for _, q := range []string{`DELETE FROM steps WHERE exec = ?`, `DELETE FROM tokens WHERE exec = ?`} {
					if _, err := t.exec(q, id); err != nil {
						return err
					}
				}
			}
			return nil
		}); err != nil {
			return total, err
		}
		total += len(ids)
	}
	return total, ctx.Err()
}

func scanIDs(rows *sql.Rows) ([]int64, error) {
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// do writes to the journal; a test's crash leaves nothing more to be written.
func (e *Engine) do(fn func(*tx) error) error {
	return e.journal.do(func(t *tx) error {
		e.mu.Lock()
		dead := e.dead
		e.mu.Unlock()
		if dead {
			return refusal{errClosed}
		}
		return fn(t)
	})
}

// crashed tells whether a test wants the engine to be abandoned here.
func (e *Engine) crashed(point string) bool {
	if e.opt.crash == nil || !e.opt.crash(point) {
		return false
	}
	e.mu.Lock()
	e.dead = true
	halt := e.halt
	e.mu.Unlock()
	if halt != nil {
		halt(errCrash)
	}
	return true
}

var errCrash = errors.New("crashed on request")

// cut keeps texts from the outside within Step Functions' limit.
func cut(s string) string {
	const limit = 32 << 10
	if len(s) > limit {
		return s[:limit]
	}
	return s
}

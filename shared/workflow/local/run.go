package local

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
)

// pollEvery is how often the runner looks for what other processes wrote.
const pollEvery = 100 * time.Millisecond

// grace is how long Run waits for tasks that ignore their context.
const grace = 5 * time.Second

// Run does the work until ctx ends: first it takes up every running execution,
// oldest first. Only one process may run a file; the caller holds a lock for
// that. It returns nil when ctx ended, else why the journal failed.
func (e *Engine) Run(ctx context.Context) error {
	for name, m := range e.machines {
		for _, task := range m.def.Tasks() {
			if e.opt.Tasks[task] == nil {
				return fmt.Errorf("workflow: machine %s calls task %s, which is not registered", name, task)
			}
		}
	}
	runCtx, halt := context.WithCancelCause(ctx)
	defer halt(nil)
	e.mu.Lock()
	if e.ctx != nil {
		e.mu.Unlock()
		return errors.New("workflow: engine runs or ran already")
	}
	e.ctx, e.halt = runCtx, halt
	e.mu.Unlock()
	timersDone := make(chan struct{})
	go func() { defer close(timersDone); e.timers.run(runCtx) }()
	e.poll(runCtx)
	e.slots.close()
	<-timersDone
	e.settle()
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.broken
}

// settle waits for what runs and takes back the dispatches that a clean stop
// interrupted: they did not end in a crash.
func (e *Engine) settle() {
	idle := make(chan struct{})
	go func() { e.slots.wg.Wait(); close(idle) }()
	patience := time.NewTimer(grace)
	defer patience.Stop()
	select {
	case <-idle:
	case <-patience.C:
		e.opt.Logger.Warn("workflow: tasks did not stop in time; they will be sent out again", "after", grace)
	}
	e.mu.Lock()
	var interrupted []stepKey
	for s, f := range e.calls {
		interrupted = append(interrupted, stepKey{f.x.id, f.path, s.step, s.attempt})
	}
	e.mu.Unlock()
	if len(interrupted) == 0 {
		return
	}
	_ = e.do(func(t *tx) error {
		for _, k := range interrupted {
			if _, err := t.exec(`UPDATE steps SET dispatches = max(dispatches - 1, 0) WHERE exec = ? AND path = ? AND step = ? AND attempt = ? AND status = 0`,
				k.exec, k.path, k.step, k.attempt); err != nil {
				return err
			}
		}
		return nil
	})
}

// poll looks for executions, answers and stops that other processes wrote. It
// asks for the rows only when the file has changed.
func (e *Engine) poll(ctx context.Context) {
	var conn *sql.Conn
	err := e.read(ctx, func() (err error) {
		conn, err = e.journal.db.Conn(ctx)
		return err
	})
	if err != nil {
		if ctx.Err() == nil {
			e.fail(err)
		}
		return
	}
	defer conn.Close()
	// Real time: it looks at the file, not at the jobs' time.
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	seen := int64(-1)
	for {
		var version int64
		if err := conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version); err == nil && version != seen {
			if err := e.look(ctx); err != nil && ctx.Err() == nil {
				e.opt.Logger.Error("workflow: cannot read the journal", "error", err)
			} else {
				seen = version
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (e *Engine) look(ctx context.Context) error {
	e.mu.Lock()
	before := make([]int64, 0, len(e.execs))
	for id := range e.execs {
		before = append(before, id)
	}
	e.mu.Unlock()
	rows, err := e.journal.db.QueryContext(ctx, `SELECT id FROM executions WHERE status = 'RUNNING' ORDER BY id`)
	if err != nil {
		return err
	}
	ids, err := scanIDs(rows)
	if err != nil {
		return err
	}
	known := make(map[int64]bool, len(before))
	for _, id := range before {
		known[id] = true
	}
	running := make(map[int64]bool, len(ids))
	for _, id := range ids {
		running[id] = true
		if known[id] {
			continue
		}
		var input []byte
		err := e.journal.db.QueryRowContext(ctx, `SELECT input FROM executions WHERE id = ?`, id).Scan(&input)
		if err != nil {
			return err
		}
		e.take(id, labelOf(input))
	}
	for _, id := range before {
		if !running[id] {
			e.drop(id)
		}
	}
	answers, err := e.journal.db.QueryContext(ctx, `SELECT token, output, error, cause FROM tokens WHERE status = 'answered'`)
	if err != nil {
		return err
	}
	defer answers.Close()
	for answers.Next() {
		var token, name, cause string
		var output []byte
		if err := answers.Scan(&token, &output, &name, &cause); err != nil {
			return err
		}
		e.answered(token, answerOf(output, name, cause))
	}
	return answers.Err()
}

// take makes an execution active, if this engine runs and has not yet.
func (e *Engine) take(id int64, label string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx == nil || e.ctx.Err() != nil || e.execs[id] != nil || e.dead {
		return
	}
	x := &execution{e: e, id: id, work: work{label: label}}
	x.ctx, x.cancel = context.WithCancel(e.ctx)
	e.execs[id] = x
	e.slots.run(x, x.load)
}

// labelOf names whom an execution works for: the workspace in its input. Those
// that name none share a label.
func labelOf(input json.RawMessage) string {
	var of struct {
		Workspace string `json:"workspace"`
	}
	_ = json.Unmarshal(input, &of) // what is no object names nobody
	return of.Workspace
}

// drop forgets an execution that ended or was stopped.
func (e *Engine) drop(id int64) {
	e.mu.Lock()
	x := e.execs[id]
	delete(e.execs, id)
	if x != nil {
		for token := range x.tokens {
			delete(e.waiting, token)
		}
	}
	e.mu.Unlock()
	if x != nil {
		x.cancel()
	}
}

// fail halts the engine: the journal is damaged or not ours any more, and no
// waiting mends that. Run returns the error.
func (e *Engine) fail(err error) {
	if errors.Is(err, errClosed) {
		return
	}
	e.mu.Lock()
	if e.ctx != nil && e.ctx.Err() == nil && e.broken == nil {
		e.broken = fmt.Errorf("workflow: journal: %w", err)
	}
	halt := e.halt
	e.mu.Unlock()
	e.opt.Logger.Error("workflow: journal failed; jobs stop", "error", err)
	if halt != nil {
		halt(err)
	}
}

// definition gives the machine that an execution was started with.
func (e *Engine) definition(ctx context.Context, sha string) (*asl.Definition, error) {
	e.mu.Lock()
	def := e.defs[sha]
	e.mu.Unlock()
	if def != nil {
		return def, nil
	}
	var body []byte
	if err := e.journal.db.QueryRowContext(ctx, `SELECT body FROM definitions WHERE sha = ?`, sha).Scan(&body); err != nil {
		return nil, err
	}
	def, err := asl.Parse(body)
	if err == nil {
		e.mu.Lock()
		e.defs[sha] = def
		e.mu.Unlock()
	}
	return def, err
}

package local

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
)

// execution is an active one.
type execution struct {
	e      *Engine
	id     int64
	ctx    context.Context
	cancel context.CancelFunc
	work   work                // guarded by slots
	tokens map[string]struct{} // guarded by the engine; created on need

	machine, name string
	def           *asl.Definition
	start         int64
	input         value
	events        atomic.Int64
	rows          map[string]*step // last row of each frame, while loading
}

// load reads the execution from the journal and goes on from its last rows.
func (x *execution) load() {
	status, events := "", int64(0)
	err := x.e.read(x.ctx, func() (err error) {
		status, events, err = x.fetch()
		return err
	})
	if err != nil {
		if x.ctx.Err() == nil {
			x.e.fail(err)
		}
		return
	}
	if status != string(workflow.Running) {
		x.e.drop(x.id)
		return
	}
	x.events.Store(events)
	top := &frame{x: x, graph: &x.def.Graph, ctx: x.ctx}
	if row := x.rows[""]; row != nil {
		top.restore(row)
		return
	}
	top.begin(x.input, value{raw: []byte("{}")})
}

// fetch reads what the journal has of the execution, if it still runs.
func (x *execution) fetch() (status string, events int64, err error) {
	var sha string
	var input []byte
	db := x.e.journal.db
	err = db.QueryRowContext(x.ctx, `SELECT machine, name, definition_sha, input, start, status FROM executions WHERE id = ?`, x.id).
		Scan(&x.machine, &x.name, &sha, &input, &x.start, &status)
	if err != nil || status != string(workflow.Running) {
		return status, 0, err
	}
	x.input = value{raw: input}
	x.input.data() // decoded before frames share it
	if x.def, err = x.e.definition(x.ctx, sha); err != nil {
		return status, 0, err
	}
	if err = x.lastRows(); err != nil || len(x.rows) == 0 {
		return status, 0, err
	}
	err = db.QueryRowContext(x.ctx, `SELECT coalesce(sum(events), 0) FROM steps WHERE exec = ?`, x.id).Scan(&events)
	return status, events, err
}

func (x *execution) lastRows() error {
	rows, err := x.e.journal.db.QueryContext(x.ctx, `SELECT path, `+stepColumns+` FROM steps s
		WHERE exec = ? AND step = (SELECT max(step) FROM steps WHERE exec = s.exec AND path = s.path)`, x.id)
	if err != nil {
		return err
	}
	defer rows.Close()
	x.rows = map[string]*step{}
	for rows.Next() {
		var path string
		s, err := scanStep(rows, &path)
		if err != nil {
			return err
		}
		x.rows[path] = s
	}
	return rows.Err()
}

// events that a step costs, counted as Step Functions' history does.
func eventsOf(st *asl.State, s *step, items int) int64 {
	if st == nil {
		return 2
	}
	switch st.Type {
	case "Task":
		return 2 + 3*int64(s.attempt+1)
	case "Map", "Parallel":
		return 4 + 2*int64(items)
	}
	return 2
}

// bindings of one state: what its expressions may read.
func (f *frame) bindings(s *step, more map[string]any) map[string]any {
	x := f.x
	id := "urn:mindgate:execution:" + x.machine + ":" + x.name
	context := map[string]any{
		"Execution":    map[string]any{"Id": id, "Name": x.name, "Input": x.input.decoded, "StartTime": stamp(x.start)},
		"State":        map[string]any{"Name": s.state, "EnteredTime": stamp(s.entered), "RetryCount": float64(s.attempt)},
		"StateMachine": map[string]any{"Id": "urn:mindgate:machine:" + x.machine, "Name": x.machine},
	}
	for at := f; at != nil; at = at.parent {
		if at.item != nil {
			context["Map"] = at.item.context()
			break
		}
	}
	if s.token != "" {
		context["Task"] = map[string]any{"Token": s.token}
	}
	states := map[string]any{"input": s.input.data(), "context": context}
	for k, v := range more {
		states[k] = v
	}
	b := map[string]any{}
	if vars, ok := s.vars.data().(map[string]any); ok {
		for k, v := range vars {
			b[k] = v
		}
	}
	b["states"] = states
	return b
}

// item is the element of a Map that a frame works on.
type item struct {
	index int
	value any
}

func (i *item) context() map[string]any {
	return map[string]any{"Item": map[string]any{"Index": float64(i.index), "Value": i.value}}
}

// end finishes the execution in the transaction that leaves its last step.
func (x *execution) end(t *tx, last *step) error {
	now := millis(x.e.opt.Clock.Now())
	status := workflow.Succeeded
	if last.status == failed {
		status = workflow.Failed
	}
	name, cause := named(last.err)
	if _, err := t.exec(`UPDATE executions SET status = ?, stop = ?, output = ?, error = ?, cause = ? WHERE id = ? AND status = 'RUNNING'`,
		string(status), now, []byte(last.output), name, cause, x.id); err != nil {
		return err
	}
	_, err := t.exec(`UPDATE tokens SET status = 'closed' WHERE exec = ? AND status = 'open'`, x.id)
	return err
}

// below closes the tokens of the frames under a step that was left or is
// tried again, of whichever attempt.
func (x *execution) below(t *tx, path string, s *step) error {
	prefix := fmt.Sprintf("%s/%d.", path, s.step)
	_, err := t.exec(`UPDATE tokens SET status = 'closed' WHERE exec = ? AND status = 'open' AND substr(path, 1, ?) = ?`,
		x.id, len(prefix), prefix)
	return err
}

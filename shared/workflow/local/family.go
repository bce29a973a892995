package local

import (
	"context"
	"fmt"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
)

// family is the children of one Map or Parallel step.
type family struct {
	f      *frame // the parent
	await  int64
	st     *asl.State
	items  []any // of a Map
	ctx    context.Context
	cancel context.CancelFunc

	mu      sync.Mutex
	results []any
	next    int // the next child to begin
	live    int // begun and not ended
	missing int // not ended
	over    bool
}

// open begins the children of the step under f, or finds them again.
func (f *frame) open(st *asl.State) {
	k := &family{f: f, st: st}
	n := len(st.Branches)
	if st.Type == "Map" {
		v, err := f.x.e.ev.template(st.Items, f.bindings(f.cur, nil))
		list, ok := v.([]any)
		if err == nil && !ok {
			err = workflow.Errorf(queryError, "Items of state %s is not an array", st.Name)
		}
		if err != nil {
			f.soon(result{err: err})
			return
		}
		k.items, n = list, len(list)
	}
	f.cur.children = n
	if limit := f.x.e.opt.maxEvents; int64(n) > limit {
		f.soon(result{err: workflow.Errorf(runtimeError, "%d children pass the maximum number of history events (%d)", n, limit), final: true})
		return
	}
	if n == 0 {
		f.soon(result{data: []any{}})
		return
	}
	k.results, k.missing = make([]any, n), n
	k.ctx, k.cancel = context.WithCancel(f.ctx)
	f.cur.vars.data() // decoded before the children share it
	k.await = f.arm()
	k.more()
}

// more begins children as far as the concurrency allows.
func (k *family) more() {
	limit := len(k.results)
	if k.st.Type == "Map" && k.st.MaxConcurrency > 0 {
		limit = k.st.MaxConcurrency
	}
	for {
		k.mu.Lock()
		if k.over || k.next == len(k.results) || k.live >= limit {
			k.mu.Unlock()
			return
		}
		i := k.next
		k.next++
		k.live++
		k.mu.Unlock()
		k.f.x.e.slots.run(k.f.x, func() { k.child(i) })
	}
}

// child begins or restores child i.
func (k *family) child(i int) {
	if k.ctx.Err() != nil {
		return
	}
	p := k.f
	c := &frame{x: p.x, parent: p, kids: k, index: i, path: childPath(p.path, p.cur, i), ctx: k.ctx}
	if k.st.Type == "Map" {
		c.graph, c.item = k.st.Processor, &item{i, k.items[i]}
	} else {
		c.graph = k.st.Branches[i]
	}
	if row := p.x.rows[c.path]; row != nil {
		c.restore(row)
		return
	}
	input := value{raw: p.cur.input.raw, decoded: p.cur.input.decoded}
	if k.st.Type == "Map" {
		input = value{decoded: k.items[i]}
		if k.st.HasItemSelector {
			v, err := p.x.e.ev.template(k.st.ItemSelector, c.selecting(p.cur))
			if err != nil {
				k.fail(err)
				return
			}
			input = value{decoded: v}
		}
	}
	if size := len(input.json()); size > workflow.MaxValue {
		k.fail(workflow.Errorf(largeError, "item %d of state %s has %d bytes; at most %d may pass", i, k.st.Name, size, workflow.MaxValue))
		return
	}
	c.begin(input, value{raw: p.cur.vars.raw, decoded: p.cur.vars.decoded})
}

// selecting binds what ItemSelector reads: the Map's input and this item.
func (f *frame) selecting(parent *step) map[string]any {
	s := *parent
	return f.bindings(&s, nil)
}

func (k *family) done(i int, v any) {
	k.mu.Lock()
	if k.over {
		k.mu.Unlock()
		return
	}
	k.results[i] = v
	k.live--
	k.missing--
	finished := k.missing == 0
	k.over = finished
	k.mu.Unlock()
	if finished {
		k.cancel()
		k.f.wake(k.await, result{data: k.results})
		return
	}
	k.more()
}

// fail ends the step with the first child's error and cancels the others.
func (k *family) fail(err *workflow.Error) {
	k.mu.Lock()
	over := k.over
	k.over = true
	k.mu.Unlock()
	if over {
		return
	}
	k.cancel()
	if err == nil {
		err = &workflow.Error{Name: runtimeError, Cause: fmt.Sprintf("a child of state %s failed", k.st.Name)}
	}
	k.f.wake(k.await, result{err: err})
}

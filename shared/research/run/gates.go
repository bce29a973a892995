package run

import (
	"sync"

	"golang.org/x/sync/semaphore"
)

// gates bound the calls of each model connection over all runs of a process, so that
// two runs do not ask one provider twice as much at once. A gate is kept while
// somebody works behind it.
type gates struct {
	mu sync.Mutex
	by map[string]*gate
}

type gate struct {
	calls *semaphore.Weighted
	users int
}

// enter gives the gate of a connection; leave ends the use of it.
func (g *gates) enter(connection string, calls int) (_ *semaphore.Weighted, leave func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.by == nil {
		g.by = map[string]*gate{}
	}
	at, ok := g.by[connection]
	if !ok {
		at = &gate{calls: semaphore.NewWeighted(int64(calls))}
		g.by[connection] = at
	}
	at.users++
	return at.calls, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if at.users--; at.users == 0 {
			delete(g.by, connection)
		}
	}
}

// caller names the model connection that answers a run: one of the workspace, or the
// installation's model, which all workspaces share.
func (r runRow) caller(ws string) string {
	if c := r.Engine.ModelConnection; c != nil {
		return ws + "/" + c.ID
	}
	return "/" + r.Engine.Name
}

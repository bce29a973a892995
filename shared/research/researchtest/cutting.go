package researchtest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// Cutting is a store that is cut off at one access: before it is done, or after it,
// so that its answer is lost. What comes next finds the store again, as whoever
// repeats the call of a process that ended does.
type Cutting struct {
	records.Store
	mu      sync.Mutex
	ops, at int
	after   bool
}

// Begin counts anew and cuts at one access; at 0 none.
func (c *Cutting) Begin(at int, after bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ops, c.at, c.after = 0, at, after
}

// Done tells that everything ended before the access that was to be cut.
func (c *Cutting) Done() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at > c.ops
}

// Repeat does again what failed because the store was cut off.
func (c *Cutting) Repeat(t testing.TB, do func() error) {
	t.Helper()
	for range 20 {
		err := do()
		if err == nil {
			return
		}
		if !errors.Is(err, records.ErrUnavailable) && !errors.Is(err, records.ErrConflict) {
			t.Fatal(err)
		}
	}
	t.Fatal("it never ends")
}

func (c *Cutting) cut(do func() error) error {
	c.mu.Lock()
	c.ops++
	hit, after := c.ops == c.at, c.after
	c.mu.Unlock()
	if !hit {
		return do()
	}
	if after {
		if err := do(); err != nil {
			return err
		}
	}
	return records.ErrUnavailable
}

func (c *Cutting) Get(ctx context.Context, k records.Key) (it records.Item, err error) {
	err = c.cut(func() error { it, err = c.Store.Get(ctx, k); return err })
	return it, err
}

func (c *Cutting) BatchGet(ctx context.Context, keys []records.Key) (items []records.Item, err error) {
	err = c.cut(func() error { items, err = c.Store.BatchGet(ctx, keys); return err })
	return items, err
}

func (c *Cutting) Put(ctx context.Context, it records.Item, conds ...records.Cond) (out records.Item, err error) {
	err = c.cut(func() error { out, err = c.Store.Put(ctx, it, conds...); return err })
	return out, err
}

func (c *Cutting) Update(ctx context.Context, k records.Key, expect int64, fn func(*records.Item) error) (out records.Item, err error) {
	err = c.cut(func() error { out, err = c.Store.Update(ctx, k, expect, fn); return err })
	return out, err
}

func (c *Cutting) Delete(ctx context.Context, k records.Key, conds ...records.Cond) error {
	return c.cut(func() error { return c.Store.Delete(ctx, k, conds...) })
}

func (c *Cutting) Add(ctx context.Context, k records.Key, d records.Delta) (n int64, err error) {
	err = c.cut(func() error { n, err = c.Store.Add(ctx, k, d); return err })
	return n, err
}

func (c *Cutting) Transact(ctx context.Context, token string, actions ...records.Action) error {
	return c.cut(func() error { return c.Store.Transact(ctx, token, actions...) })
}

func (c *Cutting) Query(ctx context.Context, q records.Query) (page records.Page, err error) {
	err = c.cut(func() error { page, err = c.Store.Query(ctx, q); return err })
	return page, err
}

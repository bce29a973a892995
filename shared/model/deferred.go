package model

import (
	"context"
	"sync"
)

// Deferred is a client that is opened at its first call, for where opening costs a
// read of a secret that most processes never need. An opening that fails fails the
// call and is tried again at the next.
func Deferred(who Info, open func(ctx context.Context) (Client, error)) Client {
	return &deferred{who: who, open: open}
}

type deferred struct {
	who  Info
	open func(context.Context) (Client, error)

	mu     sync.Mutex
	client Client
}

func (d *deferred) Info() Info { return d.who }

func (d *deferred) get(ctx context.Context) (Client, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.client != nil {
		return d.client, nil
	}
	c, err := d.open(ctx)
	if err == nil {
		d.client = c
	}
	return c, err
}

func (d *deferred) Complete(ctx context.Context, r Request) (Response, error) {
	c, err := d.get(ctx)
	if err != nil {
		return Response{}, err
	}
	return c.Complete(ctx, r)
}

func (d *deferred) Stream(ctx context.Context, r Request, delta func(string) error) (Response, error) {
	c, err := d.get(ctx)
	if err != nil {
		return Response{}, err
	}
	return c.Stream(ctx, r, delta)
}

func (d *deferred) CallTool(ctx context.Context, r Request, t Tool) (Response, error) {
	c, err := d.get(ctx)
	if err != nil {
		return Response{}, err
	}
	return callTool(ctx, c, r, t)
}

// Package modeltest gives models for tests: what they answer is written down
// beforehand, and what they were asked is recorded.
package modeltest

import (
	"context"
	"strings"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// Client is a model that answers by a function. It is safe for concurrent use.
type Client struct {
	// Answer gives the answer to a request; n counts the calls from 0.
	Answer func(n int, r model.Request) (model.Response, error)
	Name   string // of the model; "scripted" when empty

	mu    sync.Mutex
	asked []model.Request
}

// Says makes a model that gives these texts in turn, and the last one from then on.
func Says(texts ...string) *Client {
	return &Client{Answer: func(n int, r model.Request) (model.Response, error) {
		t := texts[min(n, len(texts)-1)]
		return model.Response{Text: t, Stop: model.StopEnd, Usage: model.Usage{Input: int64(len(r.System)) / 4, Output: int64(len(t)) / 4}}, nil
	}}
}

// Fails makes a model that fails in these ways in turn; nil is an answer "OK".
func Fails(errs ...error) *Client {
	return &Client{Answer: func(n int, _ model.Request) (model.Response, error) {
		if err := errs[min(n, len(errs)-1)]; err != nil {
			return model.Response{}, err
		}
		return model.Response{Text: "OK", Stop: model.StopEnd}, nil
	}}
}

// Info names it.
func (c *Client) Info() model.Info {
	name := c.Name
	if name == "" {
		name = "scripted"
	}
	return model.Info{Provider: "test", Model: name}
}

// Complete records the request and answers it.
func (c *Client) Complete(ctx context.Context, r model.Request) (model.Response, error) {
	if err := ctx.Err(); err != nil {
		return model.Response{}, err
	}
	c.mu.Lock()
	n := len(c.asked)
	c.asked = append(c.asked, r)
	c.mu.Unlock()
	return c.Answer(n, r)
}

// Stream gives the answer word by word.
func (c *Client) Stream(ctx context.Context, r model.Request, delta func(string) error) (model.Response, error) {
	res, err := c.Complete(ctx, r)
	if err != nil {
		return res, err
	}
	for piece := range strings.SplitAfterSeq(res.Text, " ") {
		if piece == "" {
			continue
		}
		if err := delta(piece); err != nil {
			return res, err
		}
	}
	return res, nil
}

// CallTool answers like Complete; the text is the arguments.
func (c *Client) CallTool(ctx context.Context, r model.Request, _ model.Tool) (model.Response, error) {
	res, err := c.Complete(ctx, r)
	res.JSON = model.FindJSON(res.Text)
	return res, err
}

// Asked gives the requests so far, oldest first.
func (c *Client) Asked() []model.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]model.Request(nil), c.asked...)
}

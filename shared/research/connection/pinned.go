package connection

import (
	"context"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// pinned is a model that is asked only while its connection stands, and whose
// answer counts only if the connection stands when it is given: a call may take
// longer than a decision to revoke.
type pinned struct {
	model.Client
	still func(context.Context) error
}

func (c *pinned) Complete(ctx context.Context, r model.Request) (model.Response, error) {
	return c.while(ctx, func() (model.Response, error) { return c.Client.Complete(ctx, r) })
}

// Stream gives on no piece that ends a sentence, nor the one behind it, without a
// look: whoever shows a reply by sentences shows none that came after the end.
// Within a sentence nobody looks, which keeps it to two reads a sentence.
func (c *pinned) Stream(ctx context.Context, r model.Request, delta func(string) error) (model.Response, error) {
	ended := false
	return c.while(ctx, func() (model.Response, error) {
		return c.Client.Stream(ctx, r, func(piece string) error {
			ends := strings.ContainsAny(piece, ".!?…。！？\n")
			if ends || ended {
				if err := c.still(ctx); err != nil {
					return err
				}
			}
			ended = ends
			return delta(piece)
		})
	})
}

// CallTool has the model call a tool, where its adapter can.
func (c *pinned) CallTool(ctx context.Context, r model.Request, t model.Tool) (model.Response, error) {
	caller, ok := c.Client.(model.ToolCaller)
	if !ok {
		return model.Response{}, &model.Error{Kind: model.KindUnsupported}
	}
	return c.while(ctx, func() (model.Response, error) { return caller.CallTool(ctx, r, t) })
}

// while makes a call with a look before it and one after. Of an answer that is
// refused nothing is left but what it used.
func (c *pinned) while(ctx context.Context, call func() (model.Response, error)) (model.Response, error) {
	if err := c.still(ctx); err != nil {
		return model.Response{}, err
	}
	res, err := call()
	if err == nil {
		err = c.still(ctx)
	}
	if err != nil {
		return model.Response{Usage: res.Usage}, err
	}
	return res, nil
}

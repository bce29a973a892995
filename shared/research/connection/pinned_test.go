package connection_test

import (
	"context"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
	"github.com/mindgate-dev/mindgate/shared/research/connection"
)

// M-301: what is revoked while its model speaks answers nothing more: neither the
// whole reply nor a sentence that ends after it.
func TestRevokedWhileItSpeaks_M301(t *testing.T) {
	for name, ask := range map[string]func(context.Context, model.Client, func()) (string, error){
		"whole": func(ctx context.Context, c model.Client, _ func()) (string, error) {
			res, err := c.Complete(ctx, model.Request{})
			return res.Text, err
		},
		"a tool": func(ctx context.Context, c model.Client, _ func()) (string, error) {
			res, err := c.(model.ToolCaller).CallTool(ctx, model.Request{}, model.Tool{})
			return res.Text + string(res.JSON), err
		},
		"streamed": func(ctx context.Context, c model.Client, revoke func()) (string, error) {
			shown := ""
			res, err := c.Stream(ctx, model.Request{}, func(s string) error {
				if shown += s; strings.HasSuffix(shown, "late. And ") {
					revoke()
				}
				return nil
			})
			if shown != "Trains are late. And more will " || res.Text != "" { // a sentence without its end is not shown by who reads it
				t.Errorf("shown %q", shown)
			}
			return "", err
		},
		"at the very end": func(ctx context.Context, c model.Client, revoke func()) (string, error) {
			res, err := c.Stream(ctx, model.Request{}, func(s string) error {
				if strings.HasPrefix(s, "come.") {
					revoke()
				}
				return nil
			})
			return res.Text, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ctx := as(t, "team", account.Team, account.Owner)
			c := w.verified(t, ctx)
			revoke := func() {
				if err := w.Delete(ctx, c.ID); err != nil {
					t.Error(err)
				}
			}
			deps := w.deps
			deps.Open = func(context.Context, model.Settings, string) (model.Client, error) {
				return &modeltest.Client{Answer: func(int, model.Request) (model.Response, error) {
					if name == "whole" || name == "a tool" {
						revoke()
					}
					return model.Response{Text: "Trains are late. And more will come.", Stop: model.StopEnd, Usage: model.Usage{Input: 7}}, nil
				}}, nil
			}
			client, err := connection.New(deps).Select(ctx, ref(c))
			if err != nil {
				t.Fatal(err)
			}
			got, err := ask(ctx, client, revoke)
			code(t, err, fault.ModelConnectionStale)
			if got != "" {
				t.Errorf("given on: %q", got)
			}
		})
	}
}

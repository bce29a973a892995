package domain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/restapi"
	"github.com/mindgate-dev/mindgate/shared/tool"
	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/shared/workflow/lambdatask"
)

// Handler is a function's handler, for lambda.Start.
type Handler = func(context.Context, json.RawMessage) (json.RawMessage, error)

func open(ctx context.Context) (*host.Host, *research.Research, error) {
	h, err := host.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	r, err := Research(h)
	return h, r, err
}

// Tool is the function of the one tool that TOOL names.
func Tool(ctx context.Context, tools []tool.Tool) (Handler, error) {
	h, r, err := open(ctx)
	if err != nil {
		return nil, err
	}
	if h.Env.Tool == "" {
		return nil, errors.New("TOOL is not set: it names the tool that this function is")
	}
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		return nil, err
	}
	if _, ok := registry.Get(h.Env.Tool); !ok {
		return nil, fmt.Errorf("TOOL is %q, which is no tool of this binary", h.Env.Tool)
	}
	d, err := tool.NewDispatcher(tool.DispatchOptions{
		Registry: registry, Catalogue: catalog.Minds().Only(registry.Names()), MaxResult: tool.MaxResultLambda, Clock: h.Clock, Log: h.Log,
		Prepare: func(ctx context.Context) context.Context { return research.With(ctx, r) },
	})
	if err != nil {
		return nil, err
	}
	return tool.LambdaHandler(d, h.Env.Tool), nil
}

// Expired settles jobs past their deadline, by machine.
type Expired = map[string]func(context.Context, jobs.Job) error

// Task is the function of the one task that TASK names; "Sweep" is the sweeper.
func Task(ctx context.Context, tasks func(*research.Research) workflow.Tasks, expired func(*research.Research) Expired) (Handler, error) {
	h, r, err := open(ctx)
	if err != nil {
		return nil, err
	}
	if h.Env.Task == "Sweep" {
		return sweeper(r, expired(r)), nil
	}
	task, ok := tasks(r)[h.Env.Task]
	if !ok {
		return nil, fmt.Errorf("TASK is %q, which is no task of this binary", h.Env.Task)
	}
	return lambdatask.Handler(task), nil
}

func sweeper(r *research.Research, expired Expired) Handler {
	return func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		started, failed, err := r.Jobs.Sweep(ctx, expired)
		removed, trouble := r.Exports.Sweep(ctx)
		err = errors.Join(err, r.Clear(ctx))
		if err = errors.Join(err, trouble); err != nil {
			return nil, err
		}
		return json.Marshal(map[string]int{"started": started, "failed": failed, "removed": removed})
	}
}

// REST is the whole REST surface of the stack.
func REST(ctx context.Context, version string) (http.Handler, error) {
	h, r, err := open(ctx)
	if err != nil {
		return nil, err
	}
	if h.Env.BootstrapKey != "" {
		if _, err := r.Accounts.EnsureBootstrap(ctx, h.Env.BootstrapKey); err != nil {
			return nil, err
		}
	}
	callers, _, err := h.Callers()
	if err != nil {
		return nil, err
	}
	return restapi.New(restapi.Config{
		Research: r, Authenticator: callers, PublicURL: h.Env.PublicURL, Version: version, Limiter: h.Limiter(), Origins: h.Env.Origins,
		MaxBody: middleware.MaxBodyLambda, StreamTime: restapi.StreamTime, Clock: h.Clock, IDs: h.IDs, Log: h.Log,
	})
}

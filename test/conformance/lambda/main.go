// Command lambda is a function that serves the gateway with its fixtures: the
// same front, engine and event adapter as the router function, over a data
// folder instead of AWS. It exists for the conformance suite alone; what is
// deployed has no fixtures.
package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/mindgate-dev/mindgate/cmd/mindgate/local"
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/apigw"
	"github.com/mindgate-dev/mindgate/shared/middleware"
)

func main() {
	handler, err := open(context.Background())
	if err != nil {
		slog.Error("the function cannot start", "error", err.Error())
		os.Exit(1)
	}
	lambda.Start(handler)
}

func open(ctx context.Context) (any, error) {
	url := os.Getenv("MINDGATE_PUBLIC_URL")
	h, err := local.Open(ctx, local.Options{Dir: os.Getenv("MINDGATE_DATA"), PublicURL: url, Plans: account.DefaultPlans(), Fixtures: true})
	if err != nil {
		return nil, err
	}
	if _, err := h.Research.Accounts.EnsureBootstrap(ctx, os.Getenv("MINDGATE_BOOTSTRAP_KEY")); err != nil {
		return nil, err
	}
	handler, err := h.Handler(local.Surfaces{PublicURL: url, Version: "conformance", Limiter: middleware.NoLimit{}})
	if err != nil {
		return nil, err
	}
	return apigw.Handler(handler, apigw.Options{}), nil
}

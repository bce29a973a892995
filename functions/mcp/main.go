// Command mcp is the router function: it speaks MCP and calls the function of
// each tool. It links no tool, so that its first start stays short.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"
	awslambda "github.com/aws/aws-sdk-go-v2/service/lambda"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/apigw"
	"github.com/mindgate-dev/mindgate/shared/tool/lambdainvoke"
)

func main() {
	serve, err := open(context.Background())
	if err != nil {
		log.Fatal("the router cannot start: ", err) // no logger stands yet; the rest function ends alike
	}
	lambda.Start(serve)
}

func open(ctx context.Context) (handler, error) {
	h, err := host.Open(ctx)
	if err != nil {
		return nil, err
	}
	tracer, flushed, err := spans(h)
	if err != nil {
		return nil, err
	}
	invoker := lambdainvoke.New(lambdainvoke.Options{Client: awslambda.NewFromConfig(h.AWS), Prefix: h.Env.FunctionPrefix})
	gateway, err := router(h, invoker, tracer)
	if err != nil {
		return nil, err
	}
	return flushed(apigw.Handler(gateway, apigw.Options{})), nil
}

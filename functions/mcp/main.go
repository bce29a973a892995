// Command mcp is the router function: it speaks MCP and calls the function of
// each tool. It links no tool, so that its first start stays short.
package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	awslambda "github.com/aws/aws-sdk-go-v2/service/lambda"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/apigw"
	"github.com/mindgate-dev/mindgate/shared/tool/lambdainvoke"
)

func main() {
	h, err := host.Open(context.Background())
	if err == nil {
		invoker := lambdainvoke.New(lambdainvoke.Options{Client: awslambda.NewFromConfig(h.AWS), Prefix: h.Env.FunctionPrefix})
		gateway, wrong := router(h, invoker)
		if err = wrong; err == nil {
			lambda.Start(apigw.Handler(gateway, apigw.Options{}))
		}
	}
	slog.Error("the router cannot start", "error", err.Error())
	os.Exit(1)
}

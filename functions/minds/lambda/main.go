// Command lambda is the function of one tool of the minds toolset; TOOL names it.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/mindgate-dev/mindgate/functions/host/domain"
	"github.com/mindgate-dev/mindgate/functions/minds"
)

func main() {
	handler, err := domain.Tool(context.Background(), minds.Registry())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(handler)
}

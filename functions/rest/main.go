// Command rest is the REST surface of the stack, behind the HTTP API.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/functions/host/domain"
	"github.com/mindgate-dev/mindgate/shared/apigw"
)

func main() {
	h, err := domain.REST(context.Background(), host.Version())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(apigw.Handler(h, apigw.Options{}))
}

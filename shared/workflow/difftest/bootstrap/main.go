//go:build aws

// Command bootstrap is the scripted task that TASK names, as a Lambda function.
package main

import (
	"context"
	"log"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/config"
	awssfn "github.com/aws/aws-sdk-go-v2/service/sfn"

	"github.com/mindgate-dev/mindgate/shared/workflow/difftest/scripted"
	"github.com/mindgate-dev/mindgate/shared/workflow/lambdatask"
	"github.com/mindgate-dev/mindgate/shared/workflow/sfn"
)

func main() {
	cfg, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	answers := sfn.New(awssfn.NewFromConfig(cfg), nil)
	lambda.Start(lambdatask.Handler(scripted.Task(os.Getenv("TASK"), os.Getenv("SCRIPT_DIR"), answers)))
}

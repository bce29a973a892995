// Command lambda is the function of one task of a state machine, or the
// sweeper; TASK names it.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/mindgate-dev/mindgate/functions/host/domain"
	"github.com/mindgate-dev/mindgate/functions/jobs"
	_ "github.com/mindgate-dev/mindgate/shared/extract/parsers" // files are read by this program, started anew
)

func main() {
	handler, err := domain.Task(context.Background(), jobs.Tasks, jobs.Expired)
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(handler)
}

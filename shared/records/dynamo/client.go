package dynamo

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/mindgate-dev/mindgate/shared/awsbody"
)

// NewClient makes the SDK's client for New. It sends each request from a body of
// its own, so that no write is lost and sent twice; awsbody says why.
func NewClient(cfg aws.Config, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.NewFromConfig(awsbody.Config(cfg), options...)
}

// Package stack opens a deployed stack from outside, as the command line does.
// It stands apart from package host so that no function links its client.
package stack

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/smithy-go"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/secrets"
)

// Accounts opens the accounts of a deployed stack from the tables that its
// outputs name. Region and credentials are those of the AWS command line, and
// AWS_ENDPOINT_URL is honoured.
func Accounts(ctx context.Context, name string) (*account.Service, error) {
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, fmt.Errorf("AWS configuration: %w", err)
	}
	if cfg.Region == "" {
		return nil, errors.New("no AWS region is set; set AWS_REGION to the region of the stack")
	}
	outputs, err := outputsOf(ctx, cfg, name)
	if err != nil {
		return nil, err
	}
	for _, output := range []string{"RecordsTable", "IdempotencyTable"} {
		if outputs[output] == "" {
			return nil, fmt.Errorf("the stack %s has no output %s; is it a stack of Mindgate's template.yaml?", name, output)
		}
	}
	// Cursors of this process never leave it, so a key of its own will do, and
	// whoever makes keys need not be allowed to read the signing secret.
	own := make([]byte, secrets.MasterSize)
	if _, err := rand.Read(own); err != nil {
		return nil, err
	}
	ring, err := secrets.NewRing(own)
	if err != nil {
		return nil, err
	}
	store, err := host.Tables(cfg, outputs["RecordsTable"], outputs["IdempotencyTable"], ring)
	if err != nil {
		return nil, err
	}
	return account.New(account.Config{Records: store, Clock: clock.System{}, IDs: clock.RandomIDs{}, Plans: account.DefaultPlans()}), nil
}

func outputsOf(ctx context.Context, cfg aws.Config, stack string) (map[string]string, error) {
	out, err := cloudformation.NewFromConfig(cfg).DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &stack})
	var refused smithy.APIError
	if errors.As(err, &refused) && refused.ErrorCode() == "ValidationError" {
		return nil, fmt.Errorf("there is no stack %s in %s; AWS_REGION and AWS_PROFILE choose where to look", stack, cfg.Region)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the stack %s: %w", stack, err)
	}
	if len(out.Stacks) == 0 {
		return nil, fmt.Errorf("there is no stack %s in %s", stack, cfg.Region)
	}
	values := map[string]string{}
	for _, o := range out.Stacks[0].Outputs {
		values[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
	}
	return values, nil
}

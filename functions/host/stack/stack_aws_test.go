//go:build aws

package stack

import (
	_ "embed"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/google/uuid"
)

// A stack with just the tables, in the form of template.yaml.
//
//go:embed testdata/tables.yaml
var tables string

// Keys of a deployed stack are made through its outputs. AWS_ENDPOINT_URL names
// the double; without it the test fails, so that it is never skipped by accident.
func TestKeysOfAStack(t *testing.T) {
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Fatal("set AWS_ENDPOINT_URL (and AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) to the double to test against")
	}
	ctx := t.Context()
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		t.Fatal(err)
	}
	name := "mindgate-" + uuid.NewString()[:8]
	cloud := cloudformation.NewFromConfig(cfg)
	if _, err := cloud.CreateStack(ctx, &cloudformation.CreateStackInput{StackName: &name, TemplateBody: &tables}); err != nil {
		t.Fatal(err)
	}
	ready := cloudformation.NewStackCreateCompleteWaiter(cloud, func(o *cloudformation.StackCreateCompleteWaiterOptions) { o.MinDelay = time.Second })
	if err := ready.Wait(ctx, &cloudformation.DescribeStacksInput{StackName: aws.String(name)}, time.Minute); err != nil {
		t.Fatal(err)
	}
	accounts, err := Accounts(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	secret, key, err := accounts.CreateKey(ctx, "ada", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := accounts.Authenticate(ctx, secret)
	if err != nil || p.Name != "ada" {
		t.Fatalf("the key does not open the door: %+v, %v", p, err)
	}
	keys, err := accounts.ListKeys(ctx, "ada")
	if err != nil || len(keys) != 1 || keys[0].ID != key.ID {
		t.Errorf("keys: %v, %v", keys, err)
	}
	if _, err := Accounts(ctx, "no-such-stack"); err == nil || !strings.Contains(err.Error(), "there is no stack no-such-stack") {
		t.Errorf("unknown stack: %v", err)
	}
}

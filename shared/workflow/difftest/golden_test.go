//go:build aws

package difftest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	awssfn "github.com/aws/aws-sdk-go-v2/service/sfn"
	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
	"github.com/mindgate-dev/mindgate/shared/workflow/sfn"
)

// doubleDiffers are allowed expressions that the double's engine answers
// otherwise than the reference.
var doubleDiffers = map[string]string{
	"$distinct([1,1])":           "one value comes back bare; write [$distinct(x)]",
	"$string($states.input.big)": "prints an exponent; the interpreter refuses it",
}

// Each allowed expression of the golden file, as the Output of a Pass state,
// gives the reference's value on the double.
func TestGoldenOnTheDouble(t *testing.T) {
	raw, err := os.ReadFile("../local/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Data map[string]json.RawMessage
		Rows []struct {
			Data, Expr string
			Value      json.RawMessage
		}
	}
	if err := json.Unmarshal(raw, &golden); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		t.Fatal(err)
	}
	client := awssfn.NewFromConfig(cfg)
	stamp := time.Now().UTC().Format("150405")
	var group errgroup.Group
	group.SetLimit(8)
	for i, row := range golden.Rows {
		if _, problems := asl.Inspect(row.Expr); len(problems) > 0 {
			continue
		}
		group.Go(func() error {
			name := fmt.Sprintf("golden-%s-%d", stamp, i)
			body, err := json.Marshal(map[string]any{"QueryLanguage": "JSONata", "StartAt": "P", "States": map[string]any{
				"P": map[string]any{"Type": "Pass", "Output": "{% " + row.Expr + " %}", "End": true}}})
			if err != nil {
				return err
			}
			made, err := client.CreateStateMachine(ctx, &awssfn.CreateStateMachineInput{Name: &name, Definition: aws.String(string(body)), RoleArn: aws.String(role)})
			if err != nil {
				return err
			}
			e := sfn.New(client, map[string]string{"g": *made.StateMachineArn})
			x, err := runOne(ctx, e, testCase{Machine: "g", Name: fmt.Sprint(i)}, golden.Data[row.Data])
			if err != nil {
				return fmt.Errorf("%s: %w", row.Expr, err)
			}
			fails := row.Value == nil
			same := fails == (x.Status == workflow.Failed) && (fails || reflect.DeepEqual(decoded(t, x.Output), decoded(t, row.Value)))
			if _, known := doubleDiffers[row.Expr]; !same && !known {
				t.Errorf("%q: %s %s %s, the reference has %s", row.Expr, x.Status, x.Output, x.Cause, row.Value)
			} else if same && known {
				t.Errorf("%q: no longer differs; take it off the list", row.Expr)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}

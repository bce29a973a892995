// Command output prints one output of a deployed stack.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
)

func main() {
	stack := flag.String("stack", "", "name of the deployed stack")
	key := flag.String("key", "", "name of the output")
	flag.Parse()
	value, err := read(context.Background(), *stack, *key)
	if err != nil {
		fmt.Fprintln(os.Stderr, "output:", err)
		os.Exit(1)
	}
	fmt.Println(value)
}

func read(ctx context.Context, stack, key string) (string, error) {
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return "", err
	}
	out, err := cloudformation.NewFromConfig(cfg).DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &stack})
	if err != nil {
		return "", err
	}
	for _, s := range out.Stacks {
		for _, o := range s.Outputs {
			if *o.OutputKey == key {
				return *o.OutputValue, nil
			}
		}
	}
	return "", fmt.Errorf("stack %s has no output %s", stack, key)
}

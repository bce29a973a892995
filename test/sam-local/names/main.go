// Command names prints the environment that the functions of a deployed stack
// have, in the form that `sam local --env-vars` takes: `sam local` resolves
// references to logical names only.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
)

func main() {
	stack := flag.String("stack", "", "name of the deployed stack")
	flag.Parse()
	if err := print(*stack); err != nil {
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	}
}

func print(stack string) error {
	ctx := context.Background()
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return err
	}
	client := lambda.NewFromConfig(cfg)
	out := map[string]map[string]string{}
	for logical, name := range map[string]string{"McpFunction": "mcp", "RestFunction": "rest"} {
		full := stack + "-" + name
		f, err := client.GetFunctionConfiguration(ctx, &lambda.GetFunctionConfigurationInput{FunctionName: &full})
		if err != nil {
			return err
		}
		if f.Environment == nil || len(f.Environment.Variables) == 0 {
			return fmt.Errorf("%s has no environment", full)
		}
		out[logical] = f.Environment.Variables
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

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
	"strings"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
)

func main() {
	endpoint := flag.String("endpoint", "", "where the containers find the double of AWS")
	flag.Usage = func() { fmt.Fprintln(flag.CommandLine.Output(), "usage: names --endpoint URL LOGICAL=FUNCTION...") }
	flag.Parse()
	if err := run(*endpoint, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	}
}

func run(endpoint string, functions []string) error {
	ctx := context.Background()
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return err
	}
	client := lambda.NewFromConfig(cfg)
	out := map[string]map[string]string{}
	for _, f := range functions {
		logical, name, ok := strings.Cut(f, "=")
		if !ok {
			return fmt.Errorf("%q is not LOGICAL=FUNCTION", f)
		}
		got, err := client.GetFunctionConfiguration(ctx, &lambda.GetFunctionConfigurationInput{FunctionName: &name})
		if err != nil {
			return err
		}
		if got.Environment == nil || len(got.Environment.Variables) == 0 {
			return fmt.Errorf("%s has no environment", name)
		}
		out[logical] = got.Environment.Variables
		out[logical]["AWS_ENDPOINT_URL"] = endpoint
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

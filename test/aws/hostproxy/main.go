// Command hostproxy makes a deployed HTTP API on a local double of AWS
// reachable at a plain address: the double tells APIs apart by their Host
// header, which ordinary clients cannot set.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
)

func main() {
	stack := flag.String("stack", "", "name of the deployed stack")
	listen := flag.String("listen", "127.0.0.1:0", "address to listen on")
	target := flag.String("target", "", "host and port of the double")
	flag.Parse()
	if err := serve(*stack, *listen, *target); err != nil {
		fmt.Fprintln(os.Stderr, "hostproxy:", err)
		os.Exit(1)
	}
}

func serve(stack, listen, target string) error {
	id, err := apiID(context.Background(), stack)
	if err != nil {
		return err
	}
	to := &url.URL{Scheme: "http", Host: target}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = id + ".execute-api.localhost:" + to.Port()
	}}
	return http.ListenAndServe(listen, proxy)
}

// apiID reads the id of the HTTP API from the stack's outputs.
func apiID(ctx context.Context, stack string) (string, error) {
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
			if *o.OutputKey == "ApiId" {
				return *o.OutputValue, nil
			}
		}
	}
	return "", fmt.Errorf("stack %s has no output ApiId", stack)
}

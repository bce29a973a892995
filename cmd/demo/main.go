// Command demo does the main job of Mindgate end to end, as any MCP client
// could: it makes 48 synthetic Minds by the margins of a published survey, puts
// three of its questions to them, gives them the published distribution for one
// of the three, and compares the answers with the published shares.
//
// It uses the gateway at MINDGATE_URL with MINDGATE_API_KEY when both are set,
// else a temporary one of its own.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	server := flag.String("server", "bin/mindgate", "program that is started when MINDGATE_URL and MINDGATE_API_KEY are not both set")
	out := flag.String("out", ".", "folder for report.md and answers.csv")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), `Usage: demo [flags]

48 synthetic Minds answer three questions of a published survey. Uses the gateway
at MINDGATE_URL with MINDGATE_API_KEY when both are set, else a temporary one.

`)
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *server, *out); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, server, out string) error {
	url, key := os.Getenv("MINDGATE_URL"), os.Getenv("MINDGATE_API_KEY")
	if url == "" || key == "" {
		own, err := startServer(ctx, server)
		if err != nil {
			return err
		}
		defer own.stop()
		url, key = own.url, own.key
		fmt.Printf("A temporary gateway runs at %s.\n", url)
	} else {
		fmt.Printf("Using the gateway at %s.\n", url)
	}
	s, err := readSurvey()
	if err != nil {
		return err
	}
	g, err := connect(ctx, url, key)
	if err != nil {
		return err
	}
	defer g.session.Close()
	return research{g: g, s: s, out: out, w: os.Stdout}.do(ctx)
}

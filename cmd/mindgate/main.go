// Command mindgate is the gateway in one process, and the tools around it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	_ "github.com/mindgate-dev/mindgate/shared/extract/parsers" // files are read by this program, started anew
)

// Exit codes.
const (
	exitFailed = 1 // it was tried and did not work
	exitUsage  = 2 // wrong arguments, or no credential: nothing was tried
)

type commands struct {
	Serve   serveCommand   `cmd:"" help:"Run the gateway: MCP and REST on one address, with one data folder."`
	MCP     mcpCommand     `cmd:"" name:"mcp" help:"Speak MCP on stdin and stdout, over a data folder or bridging to a gateway."`
	Key     keyCommand     `cmd:"" help:"Make, list and revoke API keys."`
	Account accountCommand `cmd:"" help:"Tell which account a person of an OAuth issuer acts for."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// exitError ends the program with a code and one line on stderr.
type exitError struct {
	code int
	text string
}

func (e *exitError) Error() string { return e.text }

func exitf(code int, format string, args ...any) error {
	return &exitError{code, fmt.Sprintf(format, args...)}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// run is the whole program but for the process around it.
func run(ctx context.Context, args []string, s streams) (code int) {
	// kong ends the program through Exit; this turns it into a return.
	type exited int
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(exited)
			if !ok {
				panic(r)
			}
			code = int(e)
		}
	}()
	parser, err := kong.New(&commands{},
		kong.Name("mindgate"),
		kong.Description("An open gateway for MCP clients: synthetic research over MCP and REST."),
		kong.Writers(s.out, s.err),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(s),
	)
	if err != nil {
		fmt.Fprintln(s.err, "mindgate:", err)
		return exitFailed
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	cmd, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(s.err, "mindgate: %v (see mindgate --help)\n", err)
		return exitUsage
	}
	if err := cmd.Run(); err != nil {
		var e *exitError
		if errors.As(err, &e) {
			fmt.Fprintln(s.err, "mindgate:", e.text)
			return e.code
		}
		fmt.Fprintln(s.err, "mindgate:", err)
		return exitFailed
	}
	return 0
}

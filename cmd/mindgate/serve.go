package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/mindgate-dev/mindgate/cmd/mindgate/local"
	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/functions/host/welcome"
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
	"github.com/mindgate-dev/mindgate/shared/telemetry/otlp"
)

// drain is how long calls in flight may take after a signal.
const drain = 10 * time.Second

type serveCommand struct {
	Addr      string `help:"Address to listen on, by default 127.0.0.1:8080." placeholder:"HOST:PORT" default:"127.0.0.1:8080" env:"MINDGATE_ADDR"`
	Data      string `help:"Data folder, by default .data; it is made if it is not there." placeholder:"DIR" default:".data" env:"MINDGATE_DATA"`
	PublicURL string `help:"Address that clients and links use, when it is not the one listened on." placeholder:"URL" env:"MINDGATE_PUBLIC_URL"`
	Origins   string `help:"Browser origins that may call, separated by commas, such as https://app.example.com." placeholder:"LIST" env:"MINDGATE_ORIGINS"`
	Metrics   string `help:"Who may read /metrics: this machine (local), all who reach the address (all), or nobody (off)." default:"local" enum:"local,all,off" env:"MINDGATE_METRICS"`
	issuer
	settings
}

// Help names what is read from the environment alone.
func (serveCommand) Help() string {
	return `Variables without a flag, so that no secret stands in a list of processes:

  MINDGATE_BOOTSTRAP_KEY   key of the first owner (minds_ and 48 hex digits); without it the first start makes one
  MINDGATE_SECRET_KEY      master secret of 32 bytes, in hex or base64, instead of DIR/secret.key
  MINDGATE_EMBEDDINGS_KEY  key of the embeddings server, where it wants one
  MINDGATE_MODEL_KEY       key of the language model, where it wants one
  MINDGATE_SEARCH_KEY      key of the search engine, where it wants one
  MINDGATE_MAIL_PASSWORD   password of the mail server, where it has a user
  MINDGATE_FIXTURES        1 serves test-only tools, prompts and resources too; for tests of clients, never for people
  OTEL_EXPORTER_OTLP_*     where spans go, as OpenTelemetry defines it (HTTP); none are made without them

Stop it with Ctrl-C or SIGTERM: calls in flight get ten seconds. Jobs go on at the next start.`
}

// Run serves until ctx ends.
func (c serveCommand) Run(ctx context.Context, s streams) error {
	plans, err := c.plans()
	if err != nil {
		return err
	}
	if err := c.issuer.check(); err != nil {
		return err
	}
	if key := os.Getenv("MINDGATE_BOOTSTRAP_KEY"); key != "" {
		if err := account.CheckBootstrap(key); err != nil {
			return exitf(exitUsage, "%v", err)
		}
	}
	claim, err := local.TakeServe(c.Data, "http://"+c.Addr)
	if err != nil {
		return err
	}
	defer claim.Release()
	listener, err := listen(c.Addr)
	if err != nil {
		return err
	}
	url := strings.TrimRight(c.PublicURL, "/")
	if url == "" {
		url = "http://" + reachable(listener.Addr())
	}
	if err := claim.Address(url); err != nil {
		return errors.Join(err, listener.Close())
	}
	gate := newGate(version())
	server := newServer(gate)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	err = c.work(ctx, s, plans, url, gate, served)
	return errors.Join(err, stop(server))
}

// work opens the folder behind the gate and returns when the process is to end.
func (c serveCommand) work(ctx context.Context, s streams, plans account.Plans, url string, gate *gate, served <-chan error) error {
	log, err := c.logger(s.err)
	if err != nil {
		return err
	}
	o, err := c.options(c.Data, url, plans, log)
	if err != nil {
		return err
	}
	h, err := local.Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() {
		if err := h.Close(); err != nil {
			log.Error("closing the data folder", "error", err)
		}
	}()
	key, err := firstKey(ctx, h, os.Getenv("MINDGATE_BOOTSTRAP_KEY"))
	if err != nil {
		return err
	}
	spans, err := otlp.Start(ctx, version(), os.Getenv, log)
	if err != nil {
		return exitf(exitUsage, "%v", err)
	}
	defer spans.Close(ctx)
	var metrics *telemetry.Metrics
	if c.Metrics != "off" {
		metrics = telemetry.NewMetrics(version(), clock.System{}.Now())
	}
	handler, err := h.Handler(local.Surfaces{
		PublicURL: url, Version: version(), Origins: host.List(c.Origins),
		Slots: middleware.NewMemorySlots(c.Calls), Tracer: spans.Tracer(), Stream: true, Metrics: metrics, MetricsAll: c.Metrics == "all",
		Limiter: c.limiter(), Issuer: c.issuer.of(), Command: keyCommandLine(h.Dir),
	})
	if err != nil {
		return err
	}
	jobs, endJobs := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- h.RunJobs(jobs) }()
	defer endJobs()
	gate.open(handler)
	announce(s.out, h, url, key)
	attention(s.out, o.FetchAllow)
	var failed error
	select {
	case <-ctx.Done():
		fmt.Fprintln(s.out, "Stopping; calls in flight get ten seconds.")
		gate.drain(drain)
		endJobs()
		return <-ended
	case failed = <-served:
		endJobs()
		return errors.Join(fmt.Errorf("the address stopped answering: %w", failed), <-ended)
	case failed = <-ended:
		gate.drain(drain)
		return failed
	}
}

func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, exitf(exitFailed, "%s is in use by another program; stop it, or choose another port with --addr, such as --addr 127.0.0.1:8081", addr)
	case errors.Is(err, syscall.EACCES):
		return nil, exitf(exitFailed, "this user may not listen on %s; choose a port above 1023 with --addr", addr)
	case err != nil:
		return nil, exitf(exitUsage, "cannot listen on %q: %v; --addr takes HOST:PORT, such as 127.0.0.1:8080", addr, err)
	}
	return l, nil
}

// reachable names the address as a client on this machine uses it.
func reachable(a net.Addr) string {
	h, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	if ip := net.ParseIP(h); ip != nil && ip.IsUnspecified() {
		h = "127.0.0.1"
	}
	return net.JoinHostPort(h, port)
}

// firstKey makes the owner and its key at the first start. It returns the
// secret only when it was made now.
func firstKey(ctx context.Context, h *local.Host, given string) (string, error) {
	accounts := h.Research.Accounts
	if given != "" {
		_, err := accounts.EnsureBootstrap(ctx, given)
		return "", err
	}
	_, err := accounts.ListKeys(ctx, account.BootstrapName)
	if !errors.Is(err, account.ErrNoAccount) {
		return "", err
	}
	secret, _, err := accounts.CreateKey(ctx, account.BootstrapName, account.Enterprise, nil)
	return secret, err
}

func keyCommandLine(dir string) string {
	return program() + " key create --data " + quoted(dir) + " --account NAME"
}

func announce(w io.Writer, h *local.Host, url, key string) {
	dir := h.Dir
	fmt.Fprintf(w, "Mindgate %s is ready.\n\n", version())
	fmt.Fprintf(w, "  MCP        %s/mcp\n  REST       %s/api/v1   (reference: %s/docs)\n  Data       %s\n  Answers    %s\n\n", url, url, url, dir, h.Answers)
	if key == "" {
		fmt.Fprintf(w, "Another key:  %s\nHow to connect each client:  %s/\n\n", keyCommandLine(dir), url)
		return
	}
	fmt.Fprintf(w, "Your API key (only its hash is stored; this is the one time it is shown):\n\n  %s\n\n", key)
	path, err := os.Executable()
	if err != nil {
		path = "mindgate"
	}
	// Over the folder a client works whether the server runs or not.
	pipes := welcome.Stdio{Program: path, Args: []string{"mcp", "--toolset", "minds", "--find-tools", "--data", dir}}
	for _, c := range welcome.Clients(url, key, pipes) {
		fmt.Fprintf(w, "%s, %s:\n\n%s\n\n", c.Name, c.Where, indent(c.Text))
	}
	fmt.Fprintf(w, "%s\n\nAnother key:  %s\n", welcome.Note, keyCommandLine(dir))
}

// attention tells on the terminal what the log has said, as few read both.
func attention(w io.Writer, allowed []string) {
	if len(allowed) > 0 {
		fmt.Fprintf(w, "ATTENTION: links may lead to %s although that is not public (MINDGATE_FETCH_ALLOW).\nThat is for development on your own machine: anybody with a key can have it fetched.\n\n", strings.Join(allowed, ", "))
	}
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }

// stop ends the server; what is still open after the drain is cut.
func stop(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return server.Close()
	}
	return nil
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/cmd/mindgate/local"
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/mcpserver"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/stdio"
)

type mcpCommand struct {
	Toolset   string `help:"Toolset to serve." default:"minds" enum:"minds" env:"MINDGATE_TOOLSET"`
	Data      string `help:"Data folder; a server may run on it at the same time." placeholder:"DIR" default:".data" env:"MINDGATE_DATA"`
	URL       string `help:"Address of a gateway to bridge to, instead of a data folder, such as https://host.example.com/mcp." placeholder:"URL"`
	PublicURL string `help:"Address that links use; by default that of the server on the folder, or of this process while it runs." placeholder:"URL" env:"MINDGATE_PUBLIC_URL"`
	choice
	settings
}

// Help names what is read from the environment alone.
func (mcpCommand) Help() string {
	return `Variables without a flag, so that no secret stands in a list of processes:

  MINDGATE_API_KEY         key of the caller (minds_ and 48 hex digits)
  MINDGATE_BOOTSTRAP_KEY   taken when MINDGATE_API_KEY is not set; a new data folder gets it as its first owner's key
  MINDGATE_SECRET_KEY      master secret, instead of DIR/secret.key
  MINDGATE_EMBEDDINGS_KEY  key of the embeddings server, where it wants one
  MINDGATE_MODEL_KEY       key of the language model, where it wants one
  MINDGATE_SEARCH_KEY      key of the search engine, where it wants one
  MINDGATE_MAIL_PASSWORD   password of the mail server, where it has a user
  MINDGATE_FIXTURES        1 serves test-only tools, prompts and resources too; for tests of clients, never for people

Without a key, or with one that is unknown, it ends with 2 and says which command makes one.`
}

// Run speaks MCP until stdin ends.
func (c mcpCommand) Run(ctx context.Context, s streams) error {
	key := strings.TrimSpace(os.Getenv("MINDGATE_API_KEY"))
	if key == "" {
		key = strings.TrimSpace(os.Getenv("MINDGATE_BOOTSTRAP_KEY"))
	}
	if key == "" {
		return exitf(exitUsage, "no key is set in MINDGATE_API_KEY; make one with: %s", c.makeKey())
	}
	if c.URL != "" {
		return c.bridge(ctx, s, key)
	}
	return c.local(ctx, s, key)
}

// makeKey is the command that makes a key for where this command looks.
func (c mcpCommand) makeKey() string {
	if c.URL != "" {
		return program() + " key create --data DIR --account NAME (on the gateway's machine, or --stack NAME for a deployed one)"
	}
	return program() + " key create --data " + quoted(c.Data) + " --account NAME"
}

func (c mcpCommand) unknownKey() error {
	return exitf(exitUsage, "the key in MINDGATE_API_KEY is not known here; make one with: %s", c.makeKey())
}

func (c mcpCommand) bridge(ctx context.Context, s streams, key string) error {
	url := strings.TrimRight(c.URL, "/")
	if !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") {
		return exitf(exitUsage, "--url is %q; it must start with https:// or http://, such as https://host.example.com/mcp", c.URL)
	}
	client := stdio.Network()
	chosen := mcpserver.ChoiceHeader(c.choice.choice())
	if err := c.probe(ctx, client, s, url, key, chosen); err != nil {
		return err
	}
	return ended(ctx, stdio.Serve(ctx, s.in, s.out, stdio.Remote(url, key, client, chosen)))
}

// probe asks the gateway once whether it is there and knows the key.
// A choice of tools that it refuses ends here, a name that it leaves out is told.
func (c mcpCommand) probe(ctx context.Context, client *http.Client, s streams, url, key string, chosen http.Header) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	ask := []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(ask))
	if err != nil {
		return exitf(exitUsage, "--url is %q: %v", c.URL, err)
	}
	for name, values := range chosen {
		req.Header[name] = values
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := client.Do(req)
	if err != nil {
		return exitf(exitFailed, "no gateway answers at %s: %v; check --url, and that the gateway runs", url, err)
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusUnauthorized:
		return c.unknownKey()
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return exitf(exitFailed, "%s has no MCP endpoint; the address ends in /mcp", url)
	case http.StatusBadRequest:
		if why := refusal(resp.Body); why != "" && len(chosen) > 0 {
			return exitf(exitUsage, "the gateway does not take the choice of tools: %s", why)
		}
	}
	if ignored := resp.Header.Get("X-Mcp-Ignored"); ignored != "" {
		fmt.Fprintf(s.err, "mindgate: the gateway has nothing by these names and leaves them out: %s\n", ignored)
	}
	return nil
}

// refusal reads the sentence of a JSON-RPC error, on one line.
func refusal(body io.Reader) string {
	var reply struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.NewDecoder(io.LimitReader(body, 64<<10)).Decode(&reply) != nil {
		return ""
	}
	return strings.Join(strings.Fields(reply.Error.Message), " ")
}

func (c mcpCommand) local(ctx context.Context, s streams, key string) error {
	plans, err := c.plans()
	if err != nil {
		return err
	}
	log, err := c.logger(s.err)
	if err != nil {
		return err
	}
	bootstrap := os.Getenv("MINDGATE_BOOTSTRAP_KEY")
	if !local.Exists(c.Data) && bootstrap == "" {
		return exitf(exitUsage, "the data folder %s is new and knows no key; make one with: %s", c.Data, c.makeKey())
	}
	at := &links{URL: strings.TrimRight(c.PublicURL, "/")}
	if at.URL == "" {
		if at, err = findLinks(c.Data); err != nil {
			return err
		}
	}
	defer func() {
		if err := at.stop(); err != nil {
			log.Error("closing the address of links", "error", err)
		}
	}()
	url := at.URL
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
	if err := c.know(ctx, h, key, bootstrap); err != nil {
		return err
	}
	tools, _, err := h.Tools()
	if err != nil {
		return err
	}
	if wrong := mcpserver.UnknownNames(tools, c.choice.choice()); wrong != "" {
		return exitf(exitUsage, "%s", wrong)
	}
	handler, err := h.Handler(local.Surfaces{PublicURL: url, Version: version(), Slots: middleware.NewMemorySlots(c.Calls), Limiter: c.limiter(), Stream: true})
	if err != nil {
		return err
	}
	at.serve(handler)
	jobs, endJobs := context.WithCancel(context.WithoutCancel(ctx))
	jobsEnded := make(chan error, 1)
	go func() { jobsEnded <- h.RunJobs(jobs) }()
	err = ended(ctx, stdio.Serve(ctx, s.in, s.out, stdio.Local(handler, key, mcpserver.ChoiceHeader(c.choice.choice()))))
	endJobs()
	return errors.Join(err, <-jobsEnded)
}

// know proves the key, and gives a folder without an owner its first one.
func (c mcpCommand) know(ctx context.Context, h *local.Host, key, bootstrap string) error {
	if bootstrap != "" {
		_, err := h.Research.Accounts.ListKeys(ctx, account.BootstrapName)
		if errors.Is(err, account.ErrNoAccount) {
			if _, err := h.Research.Accounts.EnsureBootstrap(ctx, bootstrap); err != nil {
				return exitf(exitUsage, "%v", err)
			}
		}
	}
	_, err := h.Research.Accounts.Authenticate(ctx, key)
	if fault.Is(err, fault.Unauthorized) {
		return c.unknownKey()
	}
	if err != nil {
		return fmt.Errorf("the key could not be checked: %w", err)
	}
	return nil
}

// ended takes the end of the process as the end of the conversation.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

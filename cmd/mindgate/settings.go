package main

import (
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/mindgate-dev/mindgate/cmd/mindgate/local"
	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/embed/choose"
	"github.com/mindgate-dev/mindgate/shared/fixtures"
	"github.com/mindgate-dev/mindgate/shared/mail"
	"github.com/mindgate-dev/mindgate/shared/mail/smtp"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
	"github.com/mindgate-dev/mindgate/shared/websearch"
)

// settings are what serve and mcp share.
type settings struct {
	Rate      *int   `name:"rate-per-minute" help:"Requests that one account may make in a minute; 0 is no limit. Without it 300, and the first owner (plan enterprise) is counted but never refused." placeholder:"N" env:"MINDGATE_RATE_PER_MINUTE"`
	Calls     int    `name:"concurrent-calls" help:"Tool calls of one account that may run at once; 0 is no cap." default:"256" env:"MINDGATE_CONCURRENT_CALLS"`
	Responses string `name:"responses-per-month" help:"Synthetic responses that a workspace may ask in a calendar month, instead of its plan's allowance." placeholder:"N" env:"MINDGATE_RESPONSES_PER_MONTH"`
	Plans     string `help:"JSON file with the limits of the plans; what it does not name keeps its built-in value." placeholder:"FILE" env:"MINDGATE_PLANS"`
	Allow     string `name:"fetch-allow" help:"host:port pairs that may be fetched although they are not public, separated by commas; for development only." placeholder:"LIST" env:"MINDGATE_FETCH_ALLOW"`
	Search    string `name:"search-provider" help:"Search engine that training with web research asks: brave, tavily or searxng. Without one nothing is researched." placeholder:"NAME" env:"MINDGATE_SEARCH_PROVIDER"`
	SearchAt  string `name:"search-endpoint" help:"Address of the SearXNG instance, such as https://search.example.com." placeholder:"URL" env:"MINDGATE_SEARCH_ENDPOINT"`
	Embed     string `name:"embeddings" help:"What finds knowledge by its meaning: auto (minilm where its weights are, else hashed), hashed, minilm, bedrock:MODEL, or openai:MODEL[#DIMENSIONS][@URL] for any server of that protocol." placeholder:"NAME" default:"auto" env:"MINDGATE_EMBEDDINGS"`
	ModelDir  string `name:"model-dir" help:"Directory of the weights that make models fetches; without it they are looked for beside the program and in models." placeholder:"DIR" env:"MINDGATE_MODEL_DIR"`
	Model     string `name:"model" help:"Language model for whoever names no connection, as provider:model with a provider of openai, openai_compatible, anthropic or bedrock, such as openai:gpt-5. Without one the offline engine answers." placeholder:"NAME" env:"MINDGATE_MODEL"`
	ModelAt   string `name:"model-endpoint" help:"Address of the model's server up to /v1, such as http://127.0.0.1:11434/v1; needed with openai_compatible." placeholder:"URL" env:"MINDGATE_MODEL_ENDPOINT"`
	Connect   string `name:"model-connections" help:"Whether teams may connect models of their own: on or off. Their keys are kept sealed in the data folder." default:"on" enum:"on,off" env:"MINDGATE_MODEL_CONNECTIONS"`
	MailAt    string `name:"mail-server" help:"Mail server that delivers invitations, as smtp://[user@]host[:587] or smtps://[user@]host[:465]. Without one nobody is written to, and each invitation says so." placeholder:"URL" env:"MINDGATE_MAIL_SERVER"`
	MailFrom  string `name:"mail-from" help:"Sender of invitations, such as Mindgate <research@example.com>." placeholder:"ADDRESS" env:"MINDGATE_MAIL_FROM"`
	LogLevel  string `help:"Least level that goes to stderr: debug, info, warn or error." default:"warn" enum:"debug,info,warn,error" env:"MINDGATE_LOG_LEVEL"`
	LogFormat string `help:"Form of log lines: text, json, or auto (text on a terminal)." default:"auto" enum:"auto,json,text" env:"MINDGATE_LOG_FORMAT"`
}

// plans reads the plans and checks the rate.
func (c settings) plans() (account.Plans, error) {
	if c.Rate != nil && *c.Rate < 0 {
		return account.Plans{}, exitf(exitUsage, "--rate-per-minute is %d; it must be 0 (no limit) or more", *c.Rate)
	}
	if c.Calls < 0 {
		return account.Plans{}, exitf(exitUsage, "--concurrent-calls is %d; it must be 0 (no cap) or more", c.Calls)
	}
	p, err := account.LoadPlans(c.Plans, c.Responses)
	if err != nil {
		return account.Plans{}, exitf(exitUsage, "%v", err)
	}
	return p, nil
}

// search is the engine that training asks; its key has no flag.
func (c settings) search() (websearch.Config, error) {
	s := websearch.Config{Provider: c.Search, Key: os.Getenv("MINDGATE_SEARCH_KEY"), Endpoint: c.SearchAt}
	if err := websearch.Check(s); err != nil {
		return s, exitf(exitUsage, "%v", err)
	}
	return s, nil
}

// options are what a gateway on a data folder is opened with, reachable at url.
func (c settings) options(dir, url string, plans account.Plans, log *slog.Logger) (local.Options, error) {
	search, err := c.search()
	if err != nil {
		return local.Options{}, err
	}
	embeddings, err := c.embeddings()
	if err != nil {
		return local.Options{}, err
	}
	platform, err := c.model()
	if err != nil {
		return local.Options{}, err
	}
	mail, err := c.mail()
	if err != nil {
		return local.Options{}, err
	}
	return local.Options{
		Mail: mail, Dir: dir, PublicURL: url, SecretKey: os.Getenv("MINDGATE_SECRET_KEY"), Plans: plans, FetchAllow: c.allowed(log),
		Search: search, Embeddings: embeddings, Model: platform, Connections: c.Connect == "on", Fixtures: withFixtures(), Log: log,
	}, nil
}

// embeddings is what finds knowledge by its meaning; its key has no flag.
func (c settings) embeddings() (local.Embeddings, error) {
	choice, err := choose.Parse(c.Embed)
	if err != nil {
		return local.Embeddings{}, exitf(exitUsage, "%v", err)
	}
	return local.Embeddings{Choice: choice, ModelDir: c.ModelDir, Key: os.Getenv("MINDGATE_EMBEDDINGS_KEY")}, nil
}

// model is the model of the installation; its key has no flag.
func (c settings) model() (local.Model, error) {
	if c.Model == "" {
		if c.ModelAt != "" {
			return local.Model{}, exitf(exitUsage, "--model-endpoint is set without --model; name the model too")
		}
		return local.Model{}, nil
	}
	set, err := model.ParseName(c.Model)
	if err != nil {
		return local.Model{}, exitf(exitUsage, "--model: %v", err)
	}
	set.Endpoint = c.ModelAt
	return local.Model{Settings: set, Key: os.Getenv("MINDGATE_MODEL_KEY")}, nil
}

// mail delivers invitations; nil where no server is named. Its password has no flag.
func (c settings) mail() (mail.Sender, error) {
	if c.MailAt == "" {
		if c.MailFrom != "" {
			return nil, exitf(exitUsage, "--mail-from is set without --mail-server; name the server too")
		}
		return nil, nil
	}
	s, err := smtp.New(smtp.Options{Server: c.MailAt, Password: os.Getenv("MINDGATE_MAIL_PASSWORD"), From: c.MailFrom, Clock: clock.System{}, IDs: clock.RandomIDs{}})
	if err != nil {
		return nil, exitf(exitUsage, "--mail-server: %v", err)
	}
	return s, nil
}

// allowed lists what may be fetched although it is not public, and says so:
// whoever may name a link may then read from there.
func (c settings) allowed(log *slog.Logger) []string {
	pairs := host.List(c.Allow)
	if len(pairs) > 0 {
		log.Warn("MINDGATE_FETCH_ALLOW is set: callers can have these hosts fetched although they are not public; for development only", "allowed", strings.Join(pairs, ", "))
	}
	return pairs
}

// logger writes to w; stdout is never for logs.
func (c settings) logger(w io.Writer) (*slog.Logger, error) {
	l, err := telemetry.ParseLevel(c.LogLevel)
	if err != nil {
		return nil, err
	}
	return telemetry.New(telemetry.Options{Writer: w, Level: l, Format: telemetry.Format(c.LogFormat)})
}

// withFixtures tells whether the test-only catalogue is wanted. It is no flag,
// so that nobody finds it among the settings of a server.
func withFixtures() bool { return os.Getenv(fixtures.Variable) == "1" }

// limiter counts the requests of an account. A rate that is set holds for all;
// by default the first owner, who has no limits, is
// counted but never refused.
func (c settings) limiter() middleware.Limiter {
	if c.Rate != nil {
		return middleware.NewMemory(*c.Rate, clock.System{})
	}
	return middleware.Exempt{Limiter: middleware.NewMemory(middleware.DefaultLimit, clock.System{}), Plan: account.Enterprise}
}

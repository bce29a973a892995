// Package host is what a function on AWS is wired from: its environment, the
// AWS clients and the ports over them. It links no local adapter and no
// research, so that the router stays small; package domain beside it adds the
// research.
package host

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/websearch"
)

// Env is the environment of a function, as template.yaml sets it.
type Env struct {
	Stage          string   // MINDGATE_STAGE
	PublicURL      string   // MINDGATE_PUBLIC_URL, without a slash at the end
	Origins        []string // MINDGATE_ORIGINS, separated by commas
	RatePerMinute  int      // MINDGATE_RATE_PER_MINUTE; 0 is no limit
	Concurrent     int      // MINDGATE_CONCURRENT_CALLS; 0 is no cap
	Plans          account.Plans
	Issuer         Issuer            // MINDGATE_OIDC_*
	FetchAllow     []string          // MINDGATE_FETCH_ALLOW, separated by commas; refused on Lambda
	RecordsTable   string            // MINDGATE_RECORDS_TABLE
	Idempotency    string            // MINDGATE_IDEMPOTENCY_TABLE
	Bucket         string            // MINDGATE_BUCKET
	SecretARN      string            // MINDGATE_SECRET_ARN
	FunctionPrefix string            // MINDGATE_FUNCTION_PREFIX
	Machines       map[string]string // MACHINE_<NAME>: machine name -> ARN
	Tool, Task     string            // TOOL or TASK: what this function is
	BootstrapKey   string            // MINDGATE_BOOTSTRAP_KEY
	Search         Search            // MINDGATE_SEARCH_*
	MailFrom       string            // MINDGATE_MAIL_FROM: sender of invitations, an identity of SES; empty: nobody is written to
	Embeddings     Embeddings        // MINDGATE_EMBEDDINGS, MINDGATE_MODEL_DIR
	Model          Model             // MINDGATE_MODEL, MINDGATE_MODEL_ENDPOINT, MINDGATE_MODEL_KEY
	// Connections of teams to models of their own: MINDGATE_MODEL_CONNECTIONS, on
	// or off (default). Their keys stand under MINDGATE_VAULT_PREFIX.
	ModelConnections bool
	VaultPrefix      string
}

// Model is the language model of the installation; the zero value is none.
type Model struct {
	Name      string // MINDGATE_MODEL: provider:model
	Endpoint  string // MINDGATE_MODEL_ENDPOINT
	KeySecret string // MINDGATE_MODEL_KEY: name of the secret that holds the key
}

// Embeddings is what finds knowledge by its meaning; the zero value is auto.
type Embeddings struct {
	Name      string // MINDGATE_EMBEDDINGS
	ModelDir  string // MINDGATE_MODEL_DIR
	KeySecret string // MINDGATE_EMBEDDINGS_KEY: name of the secret that holds the key
}

// Search is the search engine that training asks; the zero value is none.
type Search struct {
	Provider  string // MINDGATE_SEARCH_PROVIDER: brave, tavily or searxng
	KeySecret string // MINDGATE_SEARCH_KEY: name of the secret that holds the key
	Endpoint  string // MINDGATE_SEARCH_ENDPOINT
}

// FromEnvironment reads the environment of this process.
func FromEnvironment() (Env, error) { return ReadEnv(os.Environ()) }

// ReadEnv reads NAME=value lines. It names every variable that is missing or
// malformed at once.
func ReadEnv(lines []string) (Env, error) {
	values := variables(lines)
	var problems []string
	need := func(name string) string {
		if values[name] == "" {
			problems = append(problems, name+" is not set")
		}
		return values[name]
	}
	e := Env{
		Stage: values["MINDGATE_STAGE"], PublicURL: strings.TrimRight(values["MINDGATE_PUBLIC_URL"], "/"),
		Origins: List(values["MINDGATE_ORIGINS"]), RatePerMinute: middleware.DefaultLimit,
		FetchAllow: List(values["MINDGATE_FETCH_ALLOW"]), RecordsTable: need("MINDGATE_RECORDS_TABLE"),
		Idempotency: need("MINDGATE_IDEMPOTENCY_TABLE"), Bucket: values["MINDGATE_BUCKET"],
		SecretARN: need("MINDGATE_SECRET_ARN"), FunctionPrefix: values["MINDGATE_FUNCTION_PREFIX"],
		Machines: machines(values), Tool: values["TOOL"], Task: values["TASK"], BootstrapKey: values["MINDGATE_BOOTSTRAP_KEY"],
		Embeddings: Embeddings{
			Name: values["MINDGATE_EMBEDDINGS"], ModelDir: values["MINDGATE_MODEL_DIR"], KeySecret: values["MINDGATE_EMBEDDINGS_KEY"],
		},
		Model:    Model{Name: values["MINDGATE_MODEL"], Endpoint: values["MINDGATE_MODEL_ENDPOINT"], KeySecret: values["MINDGATE_MODEL_KEY"]},
		MailFrom: values["MINDGATE_MAIL_FROM"],
		Search:   Search{Provider: values["MINDGATE_SEARCH_PROVIDER"], KeySecret: values["MINDGATE_SEARCH_KEY"], Endpoint: values["MINDGATE_SEARCH_ENDPOINT"]},
	}
	switch on := values["MINDGATE_MODEL_CONNECTIONS"]; on {
	case "", "off":
	case "on":
		e.ModelConnections, e.VaultPrefix = true, need("MINDGATE_VAULT_PREFIX")
	default:
		problems = append(problems, fmt.Sprintf("MINDGATE_MODEL_CONNECTIONS is %q; it must be on or off", on))
	}
	// On Lambda such a pair would open the account's own network to callers.
	if len(e.FetchAllow) > 0 && (values["AWS_LAMBDA_RUNTIME_API"] != "" || values["AWS_LAMBDA_FUNCTION_NAME"] != "") {
		problems = append(problems, "MINDGATE_FETCH_ALLOW is set; it is for a developer's own machine and is refused on Lambda")
	}
	if err := websearch.Check(websearch.Config{Provider: e.Search.Provider, Key: e.Search.KeySecret, Endpoint: e.Search.Endpoint}); err != nil {
		problems = append(problems, err.Error())
	}
	whole := func(name string, into *int) {
		s := values[name]
		if s == "" {
			return
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			problems = append(problems, fmt.Sprintf("%s is %q; it must be a whole number, 0 or more", name, s))
		}
		*into = n
	}
	whole("MINDGATE_RATE_PER_MINUTE", &e.RatePerMinute)
	whole("MINDGATE_CONCURRENT_CALLS", &e.Concurrent)
	plans, err := account.LoadPlans(values["MINDGATE_PLANS"], values["MINDGATE_RESPONSES_PER_MONTH"])
	if err != nil {
		problems = append(problems, err.Error())
	}
	e.Plans = plans
	issuer, wrong := readIssuer(values)
	problems, e.Issuer = append(problems, wrong...), issuer
	if len(problems) > 0 {
		return Env{}, fmt.Errorf("the environment of this function is not complete: %s", strings.Join(problems, "; "))
	}
	return e, nil
}

func variables(lines []string) map[string]string {
	values := make(map[string]string, len(lines))
	for _, l := range lines {
		name, value, _ := strings.Cut(l, "=")
		values[name] = strings.TrimSpace(value)
	}
	return values
}

// machines reads MACHINE_MIND_TRAINING as mind-training.
func machines(values map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if rest, ok := strings.CutPrefix(name, "MACHINE_"); ok && values[name] != "" {
			out[strings.ToLower(strings.ReplaceAll(rest, "_", "-"))] = values[name]
		}
	}
	return out
}

// List splits a variable at its commas and drops blanks.
func List(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

package open

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/model"
)

// names is a resolver without a network.
type names map[string]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if a, ok := n[host]; ok {
		return []netip.Addr{netip.MustParseAddr(a)}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

func guard(t *testing.T, allow ...string) *fetch.Guard {
	t.Helper()
	g, err := fetch.NewGuard(fetch.Options{Resolver: names{"inside.example.com": "10.0.0.7", "loop.example.com": "127.0.0.1"}, Allow: allow})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Settings that cannot work are refused before any call, and name the field.
func TestSettings(t *testing.T) {
	open := New(Options{Guard: guard(t)})
	for name, c := range map[string]struct {
		s      model.Settings
		secret string
		field  string // empty: opened
		code   fault.Code
	}{
		"openai":               {model.Settings{Provider: "openai", Model: "gpt-5"}, "k", "", ""},
		"openai, no key":       {model.Settings{Provider: "openai", Model: "gpt-5"}, "", "secret", fault.Validation},
		"compatible":           {model.Settings{Provider: "openai_compatible", Model: "llama3.1:8b", Endpoint: "https://models.example.com"}, "", "", ""},
		"compatible, nowhere":  {model.Settings{Provider: "openai_compatible", Model: "m"}, "", "endpoint", fault.Validation},
		"anthropic":            {model.Settings{Provider: "anthropic", Model: "claude"}, "k", "", ""},
		"anthropic, no key":    {model.Settings{Provider: "anthropic", Model: "claude"}, "", "secret", fault.Validation},
		"bedrock, key pair":    {model.Settings{Provider: "bedrock", Model: "m", Region: "eu-central-1"}, "id:secret", "", ""},
		"bedrock, session":     {model.Settings{Provider: "bedrock", Model: "m", Region: "us-gov-west-1"}, "id:secret:to:ken", "", ""},
		"bedrock, API key":     {model.Settings{Provider: "bedrock", Model: "m", Region: "eu-central-1"}, "ABSKabc", "", ""},
		"bedrock, no key":      {model.Settings{Provider: "bedrock", Model: "m", Region: "eu-central-1"}, "", "secret", fault.Validation},
		"bedrock, no region":   {model.Settings{Provider: "bedrock", Model: "m"}, "k", "region", fault.Validation},
		"bedrock, a host":      {model.Settings{Provider: "bedrock", Model: "m", Region: "evil.example.com/"}, "k", "region", fault.Validation},
		"region elsewhere":     {model.Settings{Provider: "openai", Model: "m", Region: "eu-central-1"}, "k", "region", fault.Validation},
		"no provider":          {model.Settings{Model: "m"}, "k", "provider", fault.Validation},
		"another provider":     {model.Settings{Provider: "gemini", Model: "m"}, "k", "provider", fault.Validation},
		"no model":             {model.Settings{Provider: "openai"}, "k", "model", fault.Validation},
		"a model in words":     {model.Settings{Provider: "openai", Model: "the best"}, "k", "model", fault.Validation},
		"a long model":         {model.Settings{Provider: "openai", Model: strings.Repeat("x", 257)}, "k", "model", fault.Validation},
		"no address":           {model.Settings{Provider: "openai_compatible", Model: "m", Endpoint: "models"}, "", "endpoint", fault.Validation},
		"a user":               {model.Settings{Provider: "openai_compatible", Model: "m", Endpoint: "https://a:b@models.example.com"}, "", "endpoint", fault.Validation},
		"a query":              {model.Settings{Provider: "openai_compatible", Model: "m", Endpoint: "https://models.example.com/?key=1"}, "", "endpoint", fault.Validation},
		"plain http":           {model.Settings{Provider: "openai_compatible", Model: "m", Endpoint: "http://models.example.com/v1"}, "", "endpoint", fault.UnsafeURL},
		"loopback":             {model.Settings{Provider: "openai_compatible", Model: "m", Endpoint: "http://127.0.0.1:11434/v1"}, "", "endpoint", fault.UnsafeURL},
		"metadata":             {model.Settings{Provider: "anthropic", Model: "m", Endpoint: "https://169.254.169.254/"}, "k", "endpoint", fault.UnsafeURL},
		"metadata for bedrock": {model.Settings{Provider: "bedrock", Model: "m", Region: "eu-central-1", Endpoint: "http://169.254.170.2/"}, "k", "endpoint", fault.UnsafeURL},
		"another port":         {model.Settings{Provider: "openai", Model: "m", Endpoint: "https://models.example.com:22/v1"}, "k", "endpoint", fault.UnsafeURL},
	} {
		client, err := open(t.Context(), c.s, c.secret)
		if c.field == "" {
			if err != nil || client.Info() != (model.Info{Provider: c.s.Provider, Model: c.s.Model}) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		f := fault.From(err)
		if err == nil || f.Code != c.code || f.Data["field"] != c.field || strings.Contains(f.Message, "127.0.0.1") {
			t.Errorf("%s: %v %v", name, f, f.Data)
		}
		if c.secret != "" && len(c.secret) > 1 && strings.Contains(err.Error(), c.secret) {
			t.Errorf("%s: tells the secret", name)
		}
	}
}

const answer = `{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}`

// An own server on this machine is reached only when the operator allows it; a
// name that leads inside is refused at the call (M-112, M-113), and a redirect is
// not followed, so that no key goes along.
func TestCallsGoThroughTheGuard(t *testing.T) {
	stolen := 0
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { stolen++ }))
	defer thief.Close()
	own := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/chat/completions":
			_, _ = io.WriteString(w, answer)
		default:
			http.Redirect(w, r, thief.URL, http.StatusTemporaryRedirect)
		}
	}))
	defer own.Close()
	u, _ := url.Parse(own.URL)
	ask := func(g *fetch.Guard, endpoint string) error {
		c, err := New(Options{Guard: g})(t.Context(), model.Settings{Provider: model.OpenAICompatible, Model: "m", Endpoint: endpoint}, "key")
		if err != nil {
			return err
		}
		_, err = c.Complete(t.Context(), model.Request{Messages: []model.Message{{Role: model.User, Text: "x"}}})
		return err
	}
	thiefURL, _ := url.Parse(thief.URL)
	allowing := guard(t, u.Host, thiefURL.Host)
	if err := ask(allowing, own.URL); err != nil {
		t.Errorf("allowed: %v", err)
	}
	if err := ask(allowing, own.URL+"/elsewhere"); err == nil || stolen != 0 {
		t.Errorf("redirected: %v, %d", err, stolen)
	}
	for _, host := range []string{"inside.example.com", "loop.example.com", "nowhere.example.com"} {
		if err := ask(guard(t), "https://"+host+"/v1"); !model.IsKind(err, model.KindInvalid) || strings.Contains(err.Error(), "10.0.0.7") {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// A Bedrock API key goes over https alone, an access key signs.
func TestBedrockKeyNeedsHTTPS(t *testing.T) {
	open := New(Options{Guard: guard(t, "127.0.0.1:9")})
	s := model.Settings{Provider: model.Bedrock, Model: "m", Region: "eu-central-1", Endpoint: "http://127.0.0.1:9"}
	if _, err := open(t.Context(), s, "ABSKabc"); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
	if _, err := open(t.Context(), s, "id:secret"); err != nil {
		t.Error(err)
	}
}

// The service's own role pays only where it is given.
func TestRole(t *testing.T) {
	cfg := aws.Config{Region: "eu-west-1", Credentials: aws.AnonymousCredentials{}}
	open := New(Options{Guard: guard(t), AWS: func(context.Context) (aws.Config, error) { return cfg, nil }})
	if _, err := open(t.Context(), model.Settings{Provider: model.Bedrock, Model: "m"}, ""); err != nil {
		t.Error(err)
	}
}

// Package open turns settings into a client of the right provider. It is the one
// place that links all of them.
package open

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/anthropic"
	"github.com/mindgate-dev/mindgate/shared/model/bedrock"
	"github.com/mindgate-dev/mindgate/shared/model/openai"
)

// Options of New.
type Options struct {
	Guard *fetch.Guard // no address is called that it does not allow
	Clock clock.Clock
	// AWS gives the service's own role, for Bedrock without a secret. Leave it out
	// where callers bring their settings: they would spend on our account.
	AWS func(ctx context.Context) (aws.Config, error)
}

// New gives the opener. Its clients share one pool of connections and repeat
// nothing by themselves: wrap them in model.Retrying to answer, leave them bare to
// be probed.
func New(o Options) model.Opener {
	hc := guarded(o.Guard)
	return func(ctx context.Context, s model.Settings, secret string) (model.Client, error) {
		if err := Check(o.Guard, s); err != nil {
			return nil, err
		}
		switch s.Provider {
		case model.OpenAI, model.OpenAICompatible:
			if s.Provider == model.OpenAI && secret == "" {
				return nil, keyNeeded(s.Provider)
			}
			return openai.New(openai.Config{Provider: s.Provider, Base: base(s.Endpoint), Model: s.Model, Key: secret, HTTP: hc, Clock: o.Clock}), nil
		case model.Anthropic:
			if secret == "" {
				return nil, keyNeeded(s.Provider)
			}
			return anthropic.New(anthropic.Config{Base: s.Endpoint, Model: s.Model, Key: secret, HTTP: hc, Clock: o.Clock}), nil
		}
		cfg, err := awsConfig(ctx, o, s, secret, hc)
		if err != nil {
			return nil, err
		}
		return bedrock.New(cfg, s.Model), nil
	}
}

var (
	modelName = regexp.MustCompile(`^[\x21-\x7e]{1,256}$`)
	region    = regexp.MustCompile(`^[a-z]{2,4}(-[a-z]+)+-[0-9]{1,2}$`)
)

// Check tells what is wrong with settings, but for the secret; it needs no network.
func Check(guard *fetch.Guard, s model.Settings) error {
	invalid := func(field, format string, args ...any) error {
		return fault.New(fault.Validation, format, args...).With("field", field)
	}
	known := false
	for _, p := range model.Providers {
		known = known || p == s.Provider
	}
	switch {
	case !known:
		return invalid("provider", "provider must be one of %s.", strings.Join(model.Providers, ", "))
	case !modelName.MatchString(s.Model):
		return invalid("model", "model must be the provider's id of a model, 1 to 256 visible ASCII characters without a space, e.g. \"llama3.1:8b\".")
	case s.Provider == model.OpenAICompatible && s.Endpoint == "":
		return invalid("endpoint", "endpoint is needed with openai_compatible: the address up to /v1, e.g. \"https://models.example.com/v1\".")
	case s.Region != "" && s.Provider != model.Bedrock:
		return invalid("region", "region belongs to bedrock alone; leave it out.")
	case s.Region != "" && !region.MatchString(s.Region):
		return invalid("region", "region must be the name of an AWS region, e.g. \"eu-central-1\".")
	}
	if s.Endpoint == "" {
		return nil
	}
	u, err := url.Parse(s.Endpoint)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return invalid("endpoint", "endpoint must be a plain address without user, query or fragment, e.g. \"https://models.example.com/v1\".")
	}
	if err := guard.CheckAddress(s.Endpoint, fetch.File); err != nil {
		return fault.New(fault.UnsafeURL, "endpoint is refused: it must be a public https address, e.g. https://models.example.com/v1. A server of one's own network works only where the operator allows its host and port.").With("field", "endpoint").Because(err)
	}
	return nil
}

func keyNeeded(provider string) error {
	return fault.New(fault.Validation, "%s needs the key of your account there.", provider).With("field", "secret")
}

// base adds the /v1 that a bare host needs.
func base(endpoint string) string {
	if u, err := url.Parse(endpoint); err == nil && endpoint != "" && strings.Trim(u.Path, "/") == "" {
		return strings.TrimRight(endpoint, "/") + "/v1"
	}
	return endpoint
}

// awsConfig makes the configuration of a Bedrock client. A secret is an access key
// ("id:secret" or "id:secret:session token") or a Bedrock API key.
func awsConfig(ctx context.Context, o Options, s model.Settings, secret string, hc *http.Client) (aws.Config, error) {
	var cfg aws.Config
	switch {
	case secret == "" && o.AWS == nil:
		return cfg, fault.New(fault.Validation, "bedrock needs a key of your account: a Bedrock API key, or \"<access key id>:<secret access key>\".").With("field", "secret")
	case secret == "":
		var err error
		if cfg, err = o.AWS(ctx); err != nil {
			return cfg, err
		}
	case strings.Contains(secret, ":"):
		part := strings.SplitN(secret, ":", 3)
		keys := aws.Credentials{AccessKeyID: part[0], SecretAccessKey: part[1], Source: "connection"}
		if len(part) == 3 {
			keys.SessionToken = part[2]
		}
		cfg.Credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return keys, nil })
	case strings.HasPrefix(s.Endpoint, "http:"):
		return cfg, fault.New(fault.Validation, "a Bedrock API key is sent over https alone; give an https endpoint, or an access key.").With("field", "endpoint")
	default:
		cfg.BearerAuthTokenProvider = token(secret)
		cfg.AuthSchemePreference = []string{"httpBearerAuth"}
	}
	if s.Region != "" {
		cfg.Region = s.Region
	}
	if cfg.Region == "" {
		return cfg, fault.New(fault.Validation, "region is needed with bedrock, e.g. \"eu-central-1\".").With("field", "region")
	}
	if s.Endpoint != "" {
		cfg.BaseEndpoint, cfg.HTTPClient = aws.String(strings.TrimRight(s.Endpoint, "/")), hc
	}
	return cfg, nil
}

// maxBody bounds the bytes of one answer, a stream's frames included.
const maxBody = 32 << 20

// guarded is an HTTP client that goes only where the guard allows, follows no
// redirect (it would carry the key along), knows no proxy and no cookie, and reads
// at most maxBody bytes. How long a call may take is for the caller's context.
func guarded(guard *fetch.Guard) *http.Client {
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: bounded{&http.Transport{
			DialContext: guard.DialContext, TLSHandshakeTimeout: 10 * time.Second, ForceAttemptHTTP2: true,
			MaxIdleConnsPerHost: 16, IdleConnTimeout: 60 * time.Second, MaxResponseHeaderBytes: 64 << 10,
		}},
	}
}

type bounded struct{ *http.Transport }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.Transport.RoundTrip(r)
	if res != nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, maxBody), res.Body}
	}
	return res, err
}

package connection

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/model"
)

// The limits of one team's connections.
const (
	pageSize       = 50
	maxConnections = 100
	maxName        = 100   // characters
	maxModel       = 200   // characters
	maxSecret      = 8_192 // bytes
	maxRegion      = 40
)

func invalid(field, format string, args ...any) error {
	return fault.New(fault.Validation, format, args...).With("field", field)
}

// line checks a text of one line.
func line(field, s string, most int) error {
	n := utf8.RuneCountInString(s)
	switch {
	case n < 1 || n > most:
		return invalid(field, "%s has %d characters; it must have 1 to %d.", field, n, most)
	case strings.ContainsFunc(s, unicode.IsControl):
		return invalid(field, "%s holds a line break or another control character; leave it out.", field)
	}
	return nil
}

// secretOf checks a key; its text never gets into the refusal.
func secretOf(secret string) error {
	switch {
	case len(secret) > maxSecret:
		return invalid("secret", "secret has %d bytes; at most %d are kept.", len(secret), maxSecret)
	case strings.ContainsFunc(secret, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }):
		return invalid("secret", "secret holds a line break or another character that no key has; paste the key alone.")
	case strings.TrimSpace(secret) != secret:
		return invalid("secret", "secret begins or ends with a blank; paste the key alone.")
	}
	return nil
}

// settings checks what a connection leads to. It makes no call to a provider.
func (s *Service) settings(ctx context.Context, p account.Principal, c model.Settings, secret string) error {
	if !slices.Contains(model.Providers, c.Provider) {
		return invalid("provider", "provider must be one of %s.", strings.Join(model.Providers, ", "))
	}
	if err := line("model", c.Model, maxModel); err != nil {
		return err
	}
	if err := secretOf(secret); err != nil {
		return err
	}
	switch c.Provider {
	case model.Bedrock:
		switch {
		case c.Endpoint != "":
			return invalid("endpoint", "endpoint is not for bedrock; give region, such as eu-central-1, and leave endpoint out.")
		case c.Region == "":
			return invalid("region", "region is missing; bedrock needs one, such as eu-central-1.")
		case secret == "" && p.Plan != account.Enterprise:
			// The role of the installation is its operator's, and so is the bill.
			return invalid("secret", "secret is missing; with bedrock it is accessKeyId:secretAccessKey of your own account.")
		}
		return line("region", c.Region, maxRegion)
	case model.OpenAICompatible:
		if c.Endpoint == "" {
			return invalid("endpoint", "endpoint is missing; openai_compatible needs the base address of the server, such as https://models.example.com/v1.")
		}
	default:
		if secret == "" {
			return invalid("secret", "secret is missing; %s needs the key of your own account.", c.Provider)
		}
	}
	if c.Region != "" {
		return invalid("region", "region is for bedrock alone; leave it out.")
	}
	if c.Endpoint == "" {
		return nil
	}
	return s.endpoint(ctx, c.Endpoint)
}

// endpoint passes an address by the guard (M-110): a team's key goes nowhere
// that a fetch may not go.
func (s *Service) endpoint(ctx context.Context, address string) error {
	if s.d.Guard == nil {
		return fault.New(fault.UnsafeURL, "endpoint cannot be checked here, so it is refused.").With("field", "endpoint")
	}
	err := s.d.Guard.CheckURL(ctx, address, fetch.Page)
	var f *fault.Error
	if errors.As(err, &f) {
		return fault.New(f.Code, "endpoint: %s", f.Message).With("field", "endpoint").Because(err)
	}
	return err
}

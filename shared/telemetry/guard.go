package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"time"
)

// handler adds the request's attributes and lets nothing pass that may be
// content or a secret.
type handler struct{ inner slog.Handler }

func (h handler) Enabled(ctx context.Context, l slog.Level) bool { return h.inner.Enabled(ctx, l) }

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	clean := slog.NewRecord(r.Time, r.Level, scrub(r.Message), r.PC)
	req := RequestOf(ctx)
	for _, a := range []slog.Attr{slog.String("request", req.ID), slog.String("tool", req.Tool), slog.String("workspace", req.Workspace)} {
		if v := a.Value.String(); v != "" {
			clean.AddAttrs(slog.String(a.Key, scrub(v)))
		}
	}
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(redact(a))
		return true
	})
	return h.inner.Handle(ctx, clean)
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = redact(a)
	}
	return handler{inner: h.inner.WithAttrs(clean)}
}

func (h handler) WithGroup(name string) slog.Handler {
	return handler{inner: h.inner.WithGroup(name)}
}

// private are the words that make an attribute private when its key is one of
// them or holds one as a part ("apiKey", "prompt_text").
var private = map[string]bool{
	"answer": true, "answers": true, "args": true, "argument": true, "arguments": true, "auth": true, "authorization": true,
	"body": true, "content": true, "cookie": true, "credential": true, "credentials": true, "description": true, "email": true, "input": true,
	"key": true, "keys": true, "knowledge": true, "output": true, "params": true, "password": true, "payload": true, "persona": true, "prompt": true,
	"query": true, "question": true, "questions": true, "reply": true, "secret": true, "secrets": true, "signature": true, "text": true, "token": true, "tokens": true,
	"transcript": true, "url": true, "uri": true, "link": true,
}

const (
	hidden   = "[redacted]"
	maxValue = 500 // bytes of one string; longer ones are content, whatever their key
)

// redact keeps numbers, times, short strings under innocent keys, and errors
// and Stringers as scrubbed text. All else (bytes, maps, structs, slices) may
// hold content and is named by its type only.
func redact(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	if v.Kind() == slog.KindGroup {
		group := v.Group()
		clean := make([]slog.Attr, len(group))
		for i, g := range group {
			clean[i] = redact(g)
			if isPrivate(a.Key) {
				clean[i] = slog.String(g.Key, hidden)
			}
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(clean...)}
	}
	switch v.Kind() {
	case slog.KindBool, slog.KindInt64, slog.KindUint64, slog.KindFloat64, slog.KindDuration, slog.KindTime:
		return slog.Attr{Key: a.Key, Value: v}
	}
	if isPrivate(a.Key) {
		return slog.String(a.Key, hidden)
	}
	if v.Kind() == slog.KindString {
		return slog.String(a.Key, scrub(v.String()))
	}
	switch x := v.Any().(type) {
	case nil:
		return slog.Any(a.Key, nil)
	case error:
		return slog.String(a.Key, scrub(safely(x.Error)))
	case time.Month, time.Weekday, slog.Level:
		return slog.String(a.Key, fmt.Sprint(x))
	case fmt.Stringer:
		return slog.String(a.Key, scrub(safely(x.String)))
	}
	return slog.String(a.Key, fmt.Sprintf("[omitted: %T]", v.Any()))
}

// safely survives a nil pointer behind an interface.
func safely(f func() string) (s string) {
	defer func() {
		if recover() != nil {
			s = "[nil]"
		}
	}()
	return f()
}

// isPrivate splits a key into words at case changes and other signs.
func isPrivate(key string) bool {
	word := make([]byte, 0, len(key))
	end := func() bool {
		p := private[strings.ToLower(string(word))]
		word = word[:0]
		return p
	}
	for i := range len(key) {
		c := key[i]
		switch {
		case c >= 'A' && c <= 'Z':
			// A capital starts a word, unless it goes on one of capitals (APIKey is
			// API and Key).
			if i > 0 && (!upper(key[i-1]) || i+1 < len(key) && lower(key[i+1])) && end() {
				return true
			}
			word = append(word, c)
		case lower(c):
			word = append(word, c)
		default:
			if end() {
				return true
			}
		}
	}
	return end()
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }
func lower(c byte) bool { return c >= 'a' && c <= 'z' }

// secretText finds what is a secret wherever it stands: our keys, bearer
// tokens, JSON web tokens, keys of AWS and of model providers, passwords and
// signatures in addresses, and our own download links.
var secretText = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`minds_[0-9a-f]{16,}`,
	`\b(?:bearer|basic)\s+[a-z0-9._~+/=-]{8,}`,
	`\beyJ[a-z0-9_-]{8,}\.[a-z0-9_-]+(?:\.[a-z0-9_-]*)?`,
	`\b(?:sk|pk|rk)-[a-z0-9_-]{12,}`,
	`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
	`://[^/\s@]+@`,
	`\b(?:x-amz-[a-z-]+|sig|signature|token|key|api_key|apikey|access_token|code|secret|password)=[^&\s"]+`,
	`/download/[a-z0-9_.-]{16,}`,
}, "|"))

// signs are cheap to look for; without one of them the expression cannot match.
var signs = []string{"minds_", "bearer", "basic", "eyj", "sk-", "pk-", "rk-", "akia", "asia", "@", "=", "/download/", "ſ"} // the last folds to s

func suspicious(s string) bool {
	s = strings.ToLower(s)
	for _, sign := range signs {
		if strings.Contains(s, sign) {
			return true
		}
	}
	return false
}

// scrub hides secrets in text and cuts what is too long to be a mere message.
func scrub(s string) string {
	if suspicious(s) {
		s = secretText.ReplaceAllString(s, hidden)
	}
	if len(s) > maxValue {
		s = strings.ToValidUTF8(s[:maxValue], "") + fmt.Sprintf("… [%d bytes cut]", len(s)-maxValue)
	}
	return s
}

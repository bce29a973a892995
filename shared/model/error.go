package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Kind is the sort of a failure, the same for every provider.
type Kind string

// The kinds.
const (
	KindAuth         Kind = "auth"            // the key is missing, wrong, or may not use this model
	KindUnknownModel Kind = "unknown_model"   // no model by this name here
	KindQuota        Kind = "quota"           // the account has no credit left, or its limit is reached
	KindRateLimited  Kind = "rate_limited"    // too many calls for the moment
	KindOverloaded   Kind = "overloaded"      // the provider is too busy
	KindTimeout      Kind = "timeout"         // no whole answer in time
	KindInvalid      Kind = "invalid_request" // the provider does not take the request
	KindUnsupported  Kind = "unsupported"     // the model cannot do what was asked of it
	KindFiltered     Kind = "content_filter"  // the provider or the model declined the content
	KindTruncated    Kind = "truncated"       // the answer broke off
	KindMalformed    Kind = "malformed"       // the answer is not in the form that was asked for
	KindUnavailable  Kind = "unavailable"     // the provider cannot be reached, or fails by itself
)

// Error is a failed call. It never holds a prompt, an answer or a key: of what
// the provider says only its short code is kept, since its sentences may repeat
// any of them.
type Error struct {
	Kind       Kind
	Status     int           // HTTP status, 0 when there was none
	Code       string        // the provider's own code, such as model_not_found; may be empty
	RetryAfter time.Duration // how long the provider asks to wait; 0 when it does not say
	Detail     string        // our own words on what is wrong; may be empty
	Usage      Usage         // what the failed call used, as far as it is known
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("model: ")
	b.WriteString(e.Kind.Words())
	var more []string
	if e.Detail != "" {
		more = append(more, e.Detail)
	}
	if e.Status != 0 {
		more = append(more, "HTTP "+strconv.Itoa(e.Status))
	}
	if e.Code != "" {
		more = append(more, e.Code)
	}
	if len(more) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(more, ", "))
	}
	return b.String()
}

// Words says the kind to a person.
func (k Kind) Words() string {
	switch k {
	case KindAuth:
		return "the provider does not accept the key for this model"
	case KindUnknownModel:
		return "the provider knows no model by this name"
	case KindQuota:
		return "the account at the provider has no quota left"
	case KindRateLimited:
		return "the provider limits the calls for the moment"
	case KindOverloaded:
		return "the provider is overloaded"
	case KindTimeout:
		return "the provider gave no whole answer in time"
	case KindInvalid:
		return "the provider does not take the request"
	case KindUnsupported:
		return "the model cannot do this"
	case KindFiltered:
		return "the provider or the model declined the content"
	case KindTruncated:
		return "the answer broke off"
	case KindMalformed:
		return "the answer is not in the form that was asked for"
	}
	return "the provider cannot be reached or fails"
}

// Retryable tells whether the same call may succeed a little later.
func (e *Error) Retryable() bool {
	switch e.Kind {
	case KindRateLimited, KindOverloaded, KindTimeout, KindTruncated, KindUnavailable:
		return true
	}
	return false
}

// KindOf is the kind of a failed call; of another error it is unavailable.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return KindTimeout
	}
	return KindUnavailable
}

// IsKind reports whether err is a failed call of this kind.
func IsKind(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}

// FromTransport reads an error that came instead of an answer. It is the
// context's own error when that ended, so that a cancelled caller is no
// provider's fault; net errors lose their text, which may name an address.
func FromTransport(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if fault.Is(err, fault.UnsafeURL) {
		return &Error{Kind: KindInvalid, Detail: "this address may not be called, or its host is not found"}
	}
	var n net.Error
	if errors.As(err, &n) && n.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		return &Error{Kind: KindTimeout}
	}
	return &Error{Kind: KindUnavailable, Detail: "no connection"}
}

// FromLibrary reads an error of a provider's own library that is no refusal of
// the provider: an answer that ends too early, no connection, or a failure that
// we put in ourselves; nil for what is none of these.
func FromLibrary(ctx context.Context, err error) error {
	var transport *url.Error
	var network net.Error
	var ours *Error
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) && !errors.As(err, &transport):
		return &Error{Kind: KindTruncated}
	case errors.As(err, &transport), errors.As(err, &network), errors.Is(err, context.DeadlineExceeded):
		return FromTransport(ctx, err)
	case errors.As(err, &ours):
		return ours
	}
	return nil
}

// Safe keeps a provider's code if it looks like one: at most 64 letters, digits,
// dots, dashes and underscores. Anything else might be a sentence.
func Safe(code string) string {
	if len(code) > 64 {
		return ""
	}
	for _, c := range code {
		if c != '.' && c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return ""
		}
	}
	return code
}

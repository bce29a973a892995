package webpage

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// Reason sorts refusals for a program.
type Reason string

// The reasons.
const (
	Robots      Reason = "robots"      // robots.txt refuses it, or could not be read
	Status      Reason = "status"      // the server answered, but not with the content
	TooLarge    Reason = "too_large"   // more than MaxBytes
	Timeout     Reason = "timeout"     // slower than the time of the Getter
	Unreachable Reason = "unreachable" // no connection, or one that broke
	MediaType   Reason = "media_type"  // the content is not what its header says, or nothing that holds text or a picture
	Encoding    Reason = "encoding"    // in a compression that was not asked for
)

// Refused says why there is nothing: in words for the caller, who gave the
// address, and without an address that a name was looked up to (M-115). What
// the guard itself refuses stays its UNSAFE_URL or VALIDATION.
type Refused struct {
	Code      Reason
	Message   string // what, why, and a way out
	Temporary bool   // the same address may do later
	cause     error
}

func (e *Refused) Error() string { return e.Message }

// Unwrap gives the cause, for the log.
func (e *Refused) Unwrap() error { return e.cause }

// refusal puts an error into words. The caller's own end stays what it is.
func refusal(caller context.Context, total time.Duration, err error) error {
	if caller.Err() != nil {
		return caller.Err()
	}
	var known *Refused
	if errors.As(err, &known) {
		return known
	}
	var f *fault.Error
	if errors.As(err, &f) && f.Code != fault.PayloadTooLarge {
		return f
	}
	var answered fetch.StatusError
	var untrusted *tls.CertificateVerificationError
	switch {
	case f != nil:
		return &Refused{Code: TooLarge, cause: err, Message: fmt.Sprintf("The content at this address is larger than %d MiB. Give a smaller one, or its parts.", MaxBytes>>20)}
	case errors.As(err, &answered):
		return ofStatus(answered)
	case errors.Is(err, context.DeadlineExceeded):
		return &Refused{Code: Timeout, Temporary: true, cause: err, Message: fmt.Sprintf("The server did not send the content within %d seconds. Try again later, or save the content and give it as a file.", int(total.Seconds()))}
	case errors.Is(err, fetch.ErrEncoding):
		return &Refused{Code: Encoding, cause: err, Message: "The server sends the content in a compression that was not asked for. Save it and give it as a file."}
	case errors.As(err, &untrusted):
		return &Refused{Code: Unreachable, cause: err, Message: "The server's certificate does not prove that it is the host of this address. Check the link."}
	}
	return &Refused{Code: Unreachable, Temporary: true, cause: err, Message: "The server cannot be reached, or it broke off. Check the link, or try again later."}
}

func ofStatus(s fetch.StatusError) *Refused {
	r := &Refused{Code: Status, cause: s}
	switch {
	case s.Status == http.StatusUnauthorized || s.Status == http.StatusForbidden:
		r.Message = "The server refuses access (%d). If it needs a login, save the content and give it as a file."
	case s.Status == http.StatusNotFound || s.Status == http.StatusGone:
		r.Message = "The server has nothing at this address (%d). Check the link."
	case s.Status == http.StatusTooManyRequests || s.Status >= 500:
		r.Message, r.Temporary = "The server is busy or failing (%d). Try again later.", true
	case s.Status >= 300 && s.Status < 400:
		r.Message = "The server redirects without a target (%d). Check the link."
	default:
		r.Message = "The server does not give the content (%d). Check the link."
	}
	r.Message = fmt.Sprintf(r.Message, s.Status)
	return r
}

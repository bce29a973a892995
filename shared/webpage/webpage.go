// Package webpage gets one web page or one file for the service: through the
// guard of package fetch, within what robots.txt allows, and never more than
// was asked for. It reads nothing; package extract does.
package webpage

import (
	"context"
	"errors"
	"io"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// Fetched is what an address gave. Close its Body, which is never nil.
type Fetched struct {
	URL       string // where it came from, after redirects
	MediaType string // without parameters, such as text/html; by content, with the header's word where that fits
	Charset   string // of the header, when it names one
	Filename  string // from Content-Disposition or the address; a plain name that is safe to store and to show
	Size      int64  // bytes of the decoded content by the server's word; -1 when it gives none
	// Body gives the decoded content, at most 50 MiB in at most 20 s, counted
	// from the start of the request. What passes a limit is a *Refused.
	Body        io.ReadCloser
	Validators  Validators // for the next reading of the same address
	NotModified bool       // it is as it was: Body is empty
}

// Validators tell a server which version is known here already.
type Validators struct{ ETag, LastModified string }

// Reason sorts refusals for a program.
type Reason string

// The reasons.
const (
	Robots      Reason = "robots"      // robots.txt refuses it, or could not be read
	Status      Reason = "status"      // the server answered, but not with the content
	TooLarge    Reason = "too_large"   // more than the limit
	Timeout     Reason = "timeout"     // slower than the limit
	Unreachable Reason = "unreachable" // no connection, or one that broke
	MediaType   Reason = "media_type"  // the content is not what its header says, or nothing that is read here
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

// Options of New.
type Options struct {
	Agent string // who we are to a server; "Mindgate/1 (+https://…)" by default
	Clock clock.Clock
}

// Getter gets pages and files. It is safe for concurrent use; one per process
// is enough.
type Getter struct{}

// New makes a Getter over a client of package fetch.
func New(client *fetch.Client, o Options) *Getter { return &Getter{} }

// Page gets one web page or document over http or https if robots.txt of its
// host lets us. With validators of an earlier reading an unchanged page is not
// sent again.
func (g *Getter) Page(ctx context.Context, rawURL string, since Validators) (Fetched, error) {
	return Fetched{}, errors.New("webpage: not built yet")
}

// File gets one file over https (M-111).
func (g *Getter) File(ctx context.Context, rawURL string) (Fetched, error) {
	return Fetched{}, errors.New("webpage: not built yet")
}

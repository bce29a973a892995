// Package fetch keeps the service from being sent where a caller may not go:
// every address that a caller names is checked before a byte is asked for, and
// again when the connection is made (behaviour.md, section 8).
package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Kind is what an address is for.
type Kind int

// The kinds (M-111).
const (
	Page  Kind = iota // a web page: http or https, at most 2,000 characters
	File              // a file or spreadsheet: https, at most 2,000 characters
	Asset             // an image, document or video of a Study: https, at most 4,000 characters
)

// Resolver looks up the addresses of a name; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Options of NewGuard. The zero value is right for production.
type Options struct {
	Resolver Resolver // the system's by default
	// Allow lists exact host:port pairs that pass without any check of scheme,
	// name, port or address: for development and tests on this machine only
	// (MINDGATE_FETCH_ALLOW).
	Allow []string
}

// Guard checks addresses. It is safe for concurrent use.
type Guard struct {
	resolver Resolver
	allow    map[string]bool
	dial     func(ctx context.Context, network, address string) (net.Conn, error)
	dialFree func(ctx context.Context, network, address string) (net.Conn, error)
}

// NewGuard refuses an entry of Allow that is no host:port pair.
func NewGuard(opt Options) (*Guard, error) {
	g := &Guard{resolver: opt.Resolver, allow: map[string]bool{}}
	if g.resolver == nil {
		g.resolver = rooted{net.DefaultResolver}
	}
	for _, pair := range opt.Allow {
		clean, err := allowedPair(pair)
		if err != nil {
			return nil, err
		}
		g.allow[clean] = true
	}
	free := &net.Dialer{Timeout: dialTimeout}
	g.dialFree = free.DialContext
	g.dial = (&net.Dialer{Timeout: dialTimeout, Control: onlyPublic}).DialContext
	return g, nil
}

// allowedPair reads one exact host:port pair: no pattern, no range, no network,
// no service's name.
func allowedPair(pair string) (string, error) {
	host, port, err := net.SplitHostPort(strings.TrimSpace(pair))
	if err != nil {
		return "", fmt.Errorf("MINDGATE_FETCH_ALLOW: %q is no host:port pair, such as 127.0.0.1:9000", pair)
	}
	host = lower(host)
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Zone() != "" || a.String() != host {
			return "", fmt.Errorf("MINDGATE_FETCH_ALLOW: write the address of %q as %s", pair, a.WithZone(""))
		}
	} else if host == "" || endsInNumber(host) || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
		return "", fmt.Errorf("MINDGATE_FETCH_ALLOW: %q names no host; each pair is one exact host and port, without a pattern", pair)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || strconv.FormatUint(n, 10) != port {
		return "", fmt.Errorf("MINDGATE_FETCH_ALLOW: the port of %q is not a number from 1 to 65535", pair)
	}
	return net.JoinHostPort(host, port), nil
}

// rooted looks names up from the root, never below a search domain of this
// machine, which would turn a public name into one of our network.
type rooted struct{ r *net.Resolver }

func (r rooted) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	return r.r.LookupNetIP(ctx, network, host+".")
}

// lookupTimeout bounds one look-up, whatever the caller's deadline.
const lookupTimeout = 5 * time.Second

// CheckURL tells whether the service may fetch raw. It returns UNSAFE_URL,
// without any resolved address in its text (M-115), VALIDATION when raw is too
// long, or the context's error.
func (g *Guard) CheckURL(ctx context.Context, raw string, kind Kind) error {
	t, err := g.parse(raw, kind)
	if err != nil {
		return err
	}
	return g.checkTarget(ctx, t, kind)
}

// CheckAddress is CheckURL without the look-up of the name: syntax, scheme,
// port, the name itself and literal addresses. It needs no network.
func (g *Guard) CheckAddress(raw string, kind Kind) error {
	_, err := g.parse(raw, kind)
	return err
}

func (g *Guard) checkTarget(ctx context.Context, t target, kind Kind) error {
	if t.allowed || t.addr.IsValid() {
		return nil
	}
	_, err := g.resolve(ctx, t.host, kind)
	return err
}

// resolve gives the addresses of a name if every one of them is public. One
// that is not spoils all, or a caller could have us try until it is used (M-112).
func (g *Guard) resolve(ctx context.Context, host string, kind Kind) ([]netip.Addr, error) {
	bounded, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	addrs, err := g.resolver.LookupNetIP(bounded, "ip", host)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || len(addrs) == 0 {
		return nil, refuse(kind, "its host name cannot be found").Because(withoutAddress(err))
	}
	for _, a := range addrs {
		if !Public(a) {
			return nil, refuse(kind, "its host is not on the public internet")
		}
	}
	return addrs, nil
}

// withoutAddress keeps the sort of a look-up's failure for the log. The whole
// text would name our resolver.
func withoutAddress(err error) error {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return errors.New("look-up: " + dns.Err)
	}
	return errors.New("look-up: no answer")
}

func refuse(kind Kind, why string) *fault.Error {
	scheme := "https"
	if kind == Page {
		scheme = "http or https"
	}
	return fault.New(fault.UnsafeURL, "The %s is refused: %s. Give a public %s address, such as https://www.example.com/page.", kind.noun(), why, scheme)
}

func (k Kind) noun() string {
	switch k {
	case File:
		return "file address"
	case Asset:
		return "asset address"
	}
	return "link"
}

// maxLength is in characters (M-111).
func (k Kind) maxLength() int {
	if k == Asset {
		return 4000
	}
	return 2000
}

package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// dialTimeout bounds one attempt at one address.
const dialTimeout = 10 * time.Second

// DialContext connects to host:port as CheckURL allows it. It looks the name
// up by itself and connects to an address of that answer, so a name that
// answers otherwise the second time gains nothing (M-113).
func (g *Guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, refuse(Page, "it is not a well-formed address")
	}
	host = lower(host)
	if g.allow[net.JoinHostPort(host, port)] {
		return g.dialFree(ctx, network, address)
	}
	if port != "80" && port != "443" {
		return nil, refuse(Page, "its port is neither 80 nor 443")
	}
	var addrs []netip.Addr
	if a, err := netip.ParseAddr(host); err == nil {
		if !Public(a) {
			return nil, refuse(Page, "its host is not on the public internet")
		}
		addrs = []netip.Addr{a}
	} else if addrs, err = g.resolve(ctx, host, Page); err != nil {
		return nil, err
	}
	failed := errors.New("fetch: no address of the host answers")
	for _, a := range addrs {
		conn, err := g.dial(ctx, network, net.JoinHostPort(a.String(), port))
		if err == nil {
			return conn, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, failed // without the addresses that were tried (M-115)
}

// onlyPublic is the last look, at the very address that the socket is about to
// connect to.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil || !Public(ap.Addr()) {
		return refuse(Page, "its host is not on the public internet")
	}
	return nil
}

package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// names is a resolver with fixed answers.
type names map[string][]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	list, ok := n[host]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, Server: "10.9.8.7:53"}
	}
	var all []netip.Addr
	for _, s := range list {
		all = append(all, netip.MustParseAddr(s))
	}
	return all, nil
}

var known = names{
	"example.com":           {"93.184.215.14"},
	"www.example.com":       {"93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"},
	"my_site.example.com":   {"93.184.215.14"},
	"xn--bcher-kva.example": {"93.184.215.14"},
	"nat64.example.com":     {"64:ff9b::5db8:d70e"},
	"mapped.example.com":    {"::ffff:93.184.215.14"},
	"empty.example.com":     {},
	"loop.example.com":      {"127.0.0.1"},
	"loop6.example.com":     {"::1"},
	"private.example.com":   {"10.1.2.3"},
	"cgn.example.com":       {"100.64.0.1"},
	"meta.example.com":      {"169.254.169.254"},
	"meta6.example.com":     {"fd00:ec2::254"},
	"mixed.example.com":     {"93.184.215.14", "192.168.0.1"},
	"mixed6.example.com":    {"93.184.215.14", "fe80::1"},
	"map10.example.com":     {"::ffff:10.0.0.1"},
	"nat10.example.com":     {"64:ff9b::a00:1"},
	"compat.example.com":    {"::127.0.0.1"},
	"sixto4.example.com":    {"2002:7f00:1::"},
	"teredo.example.com":    {"2001:0:4136:e378:8000:63bf:3fff:fdd2"},
	"zone.example.com":      {"2606:4700::1111%eth0"},
}

func guard(t testing.TB, opt Options) *Guard {
	t.Helper()
	if opt.Resolver == nil {
		opt.Resolver = known
	}
	g, err := NewGuard(opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestOrdinaryAddresses(t *testing.T) {
	g := guard(t, Options{})
	for _, raw := range []string{
		"https://www.example.com", "http://www.example.com/", "HTTPS://WWW.Example.COM/Path?q=a@b.c#part", "https://www.example.com:443/", "http://www.example.com:80/",
		"https://www.example.com/a%20b?u=http://127.0.0.1/", "https://www.example.com/#/users/@me", "https://www.example.com?mail=a@b.c", "https://my_site.example.com/",
		"https://93.184.215.14/", "https://[2606:4700::1111]/", "https://[2606:4700::ABCD]:443/", "https://bücher.example/", "https://BÜCHER.example/", "https://xn--bcher-kva.example/",
		"https://nat64.example.com/", "https://mapped.example.com/", "https://www.example.com/ü?ö#ä",
	} {
		if err := g.CheckURL(t.Context(), raw, Page); err != nil {
			t.Errorf("%q: %v", raw, err)
		}
		if err := g.CheckAddress(raw, Page); err != nil {
			t.Errorf("%q without look-up: %v", raw, err)
		}
	}
}

// M-111: files and assets want https; lengths are in characters.
func TestKindsAndLengths(t *testing.T) {
	g := guard(t, Options{})
	long := func(n int) string {
		const head = "https://www.example.com/"
		return head + strings.Repeat("é", n-len(head))
	}
	for _, c := range []struct {
		raw  string
		kind Kind
		want fault.Code
	}{
		{"http://www.example.com", Page, ""}, {"http://www.example.com", File, fault.UnsafeURL}, {"http://www.example.com", Asset, fault.UnsafeURL},
		{long(2000), Page, ""}, {long(2001), Page, fault.Validation},
		{long(2000), File, ""}, {long(2001), File, fault.Validation},
		{long(4000), Asset, ""}, {long(4001), Asset, fault.Validation},
	} {
		err := g.CheckURL(t.Context(), c.raw, c.kind)
		if c.want == "" && err != nil || c.want != "" && !fault.Is(err, c.want) {
			t.Errorf("%.40s… (%d characters), kind %d: %v, want %q", c.raw, len([]rune(c.raw)), c.kind, err, c.want)
		}
	}
}

// CheckAddress never asks the resolver.
func TestCheckAddressNeedsNoNetwork(t *testing.T) {
	g := guard(t, Options{Resolver: resolverFunc(func() ([]netip.Addr, error) {
		t.Error("looked up")
		return nil, errors.New("no network")
	})})
	if err := g.CheckAddress("https://www.example.com", Page); err != nil {
		t.Error(err)
	}
	if err := g.CheckAddress("https://127.0.0.1", Page); !fault.Is(err, fault.UnsafeURL) {
		t.Error(err)
	}
}

type resolverFunc func() ([]netip.Addr, error)

func (f resolverFunc) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) { return f() }

func TestAllow(t *testing.T) {
	g := guard(t, Options{Allow: []string{"127.0.0.1:9000", " Localhost:80 ", "[::1]:443"}})
	for _, raw := range []string{"http://127.0.0.1:9000/x", "http://localhost/", "https://[::1]/"} {
		if err := g.CheckURL(t.Context(), raw, File); err != nil {
			t.Errorf("%q: %v", raw, err)
		}
	}
	for _, raw := range []string{"http://127.0.0.1:9001/", "http://127.0.0.1/", "http://localhost:81/", "http://u@127.0.0.1:9000/", "ftp://127.0.0.1:9000/"} {
		if err := g.CheckURL(t.Context(), raw, Page); !fault.Is(err, fault.UnsafeURL) {
			t.Errorf("%q: %v", raw, err)
		}
	}
	for _, bad := range []string{
		"127.0.0.1", ":80", "host:", "http://x:1/", "*:80", "*.example.com:80", "127.0.0.1:*", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:http", "127.0.0.1:080",
		"127.0.0.1:8000-9000", "10.0.0.0/8:80", "[::1%lo]:80", "127.1:80", "0x7f000001:80", "[0::1]:80", "a b:80", "user@host:80", "ümlaut:80",
	} {
		if _, err := NewGuard(Options{Allow: []string{bad}}); err == nil {
			t.Errorf("%q was taken for a pair", bad)
		}
	}
}

func TestCancelledLookUpIsNoRefusal(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g := guard(t, Options{Resolver: resolverFunc(func() ([]netip.Addr, error) { cancel(); return nil, ctx.Err() })})
	if err := g.CheckURL(ctx, "https://www.example.com", Page); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, s := range []string{
		"https://www.example.com/", "http://127.0.0.1", "http://[::1]:80/", "http://0x7f.1", "https://a@b", "https://bücher.example#@x", "https://[64:ff9b::7f00:1]", `http:\\x`, "http://%31",
		"http://①.example", "http://xn--a.b", "http://1.1.1.1.",
	} {
		f.Add(s)
	}
	g := guard(f, Options{Resolver: resolverFunc(func() ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("93.184.215.14")}, nil
	})})
	f.Fuzz(func(t *testing.T, s string) {
		err := g.CheckURL(t.Context(), s, Page)
		if err != nil {
			if !fault.Is(err, fault.UnsafeURL) && !fault.Is(err, fault.Validation) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		// What passes is read the same by the parser that connects, is public,
		// and passes again in its clean form.
		u, perr := url.Parse(s)
		if perr != nil || u.User != nil || u.Host == "" {
			t.Fatalf("%q passes but reads as %v, %v", s, u, perr)
		}
		tg, err := g.parse(s, Page)
		if err != nil {
			t.Fatal(err)
		}
		if tg.addr.IsValid() && !Public(tg.addr) || !tg.addr.IsValid() && !strings.Contains(tg.host, ".") || !isASCII(tg.host) {
			t.Fatalf("%q passes as host %q", s, tg.host)
		}
		clean := tg.url.String()
		again, err := g.parse(clean, Asset) // percent signs may have made it longer
		if err != nil && tg.url.Scheme == "https" && len(clean) < 4000 {
			t.Fatalf("%q passes, %q does not: %v", s, clean, err)
		}
		if err == nil && again.host != tg.host {
			t.Fatalf("%q: host %q, then %q", s, tg.host, again.host)
		}
	})
}

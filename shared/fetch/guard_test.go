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

// M-111, M-112, M-115
func TestHostileAddresses(t *testing.T) {
	g := guard(t, Options{})
	for _, raw := range []string{
		// not an address, or of another scheme
		"", " ", "example.com", "www.example.com/page", "//www.example.com", "https:www.example.com", "https:/www.example.com",
		"https://", "https:///path", "https://:443/", "https://?x", "https://#x", "ftp://www.example.com", "file:///etc/passwd",
		"file://www.example.com/etc/passwd", "data:text/html,x", "data://www.example.com/x", "gopher://www.example.com", "javascript://www.example.com/%0aalert(1)",
		"jar:https://www.example.com!/", "unix:///var/run/docker.sock",
		// characters on which parsers disagree
		" https://www.example.com", "https://www.example.com ", "https://www.example.com\n", "https://www.exa\tmple.com", "https://www.example.com\x00",
		`https://www.example.com\@127.0.0.1/`, `https:\\127.0.0.1\`, "https://www.example.com/\u200bx", "https://www.exam\u00adple.com", "https://\xff.example.com",
		"https://www.example.com\u2028/", "https://www.example.com\u3000/",
		// user-info and fragments
		"https://user@www.example.com", "https://user:pass@www.example.com", "https://www.example.com@127.0.0.1", "https://@www.example.com",
		"https://www.example.com#@127.0.0.1/", "https://127.0.0.1#@www.example.com/", "https://www.example.com:80@127.0.0.1:80/",
		// ports
		"https://www.example.com:8080", "https://www.example.com:22", "https://www.example.com:0", "https://www.example.com:", "https://www.example.com:0443",
		"https://www.example.com:443:80", "https://www.example.com:-1", "https://www.example.com:65979", "https://www.example.com:http",
		// names near us
		"http://localhost", "http://LOCALHOST/", "http://localhost.", "http://www.localhost", "http://router", "http://printer.local", "http://metadata.google.internal/",
		"http://a.b.INTERNAL", "http://nas.home.arpa", "http://localhost.localdomain", "http://local", "http://internal",
		"http://.example.com", "http://www..example.com", "http://www.example.com.", "http://www.example.com..", "http://-x.example.com", "http://x-.example.com",
		"http://www.exa*mple.com", "http://www.example.com'", "http://" + strings.Repeat("a", 64) + ".com", "http://" + strings.Repeat("abcdefg.", 32) + "com",
		// literal IPv4 that is not public
		"http://0.0.0.0", "http://10.0.0.1", "http://100.64.1.1", "http://100.127.255.255", "http://127.0.0.1", "http://127.255.255.254", "http://169.254.169.254/latest/meta-data/",
		"http://172.16.0.1", "http://172.31.255.255", "http://192.0.0.192", "http://192.0.2.1", "http://192.88.99.1", "http://192.168.1.1", "http://198.18.0.1", "http://198.19.255.255",
		"http://198.51.100.1", "http://203.0.113.1", "http://224.0.0.1", "http://239.255.255.255", "http://240.0.0.1", "http://255.255.255.255", "http://168.63.129.16",
		// spellings of IPv4
		"http://127.1", "http://127.0.1", "http://0177.0.0.1", "http://0x7f.0.0.1", "http://0x7f000001", "http://0X7F000001", "http://2130706433", "http://017700000001",
		"http://127.0.0.01", "http://127.0.0.1.", "http://1.2.3.4.5", "http://256.256.256.256", "http://8.8.8", "http://134744072", "http://0x8.8.8.8", "http://010.8.8.8",
		"http://www.example.1", "http://www.example.0x1", "http://www.0x", "http://127。0。0。1", "http://①②⑦.⓪.⓪.①", "http://１２７.0.0.1", "http://127%2e0.0.1", "http://%31%32%37.0.0.1",
		// literal IPv6
		"http://[::1]", "http://[::]", "http://[0:0:0:0:0:0:0:1]", "http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]", "http://[::ffff:93.184.215.14]", "http://[::127.0.0.1]",
		"http://[fc00::1]", "http://[fd00:ec2::254]", "http://[fe80::1]", "http://[fe80::1%25eth0]", "http://[fe80::1%eth0]", "http://[fec0::1]", "http://[ff02::1]", "http://[2001::1]",
		"http://[2001:db8::1]", "http://[2002:7f00:1::]", "http://[3fff::1]", "http://[100::1]", "http://[5f00::1]", "http://[64:ff9b::7f00:1]", "http://[64:ff9b::10.0.0.1]", "http://[64:ff9b:1::808:808]",
		"http://[2606:4700:0:0:0:0:0:1111]", "http://[2606:4700::01111]", "http://2606:4700::1111", "http://[93.184.215.14]", "http://[", "http://[]", "http://[www.example.com]", "http://[::1",
		// other alphabets
		"http://ｌｏｃａｌｈｏｓｔ", "http://localhoſt", "http://www.ｅxample.com", "http://www。example。com", "http://www․example.com", "http://xn--.example", "http://xn--a.example",
		"http://xn--localhost-.example", "http://foo.\u212A\u212A", "http://a\u202eb.example", "http://℀.example", "http://ⓛⓞⓒⓐⓛ.example",
		// what names turn out to be
		"https://unknown.example.com", "https://empty.example.com", "https://loop.example.com", "https://loop6.example.com", "https://private.example.com", "https://cgn.example.com",
		"https://meta.example.com", "https://meta6.example.com", "https://mixed.example.com", "https://mixed6.example.com", "https://map10.example.com", "https://nat10.example.com",
		"https://compat.example.com", "https://sixto4.example.com", "https://teredo.example.com", "https://zone.example.com",
	} {
		err := g.CheckURL(t.Context(), raw, Page)
		if !fault.Is(err, fault.UnsafeURL) {
			t.Errorf("%q: %v, want UNSAFE_URL", raw, err)
			continue
		}
		msg := fault.From(err).Message
		for _, list := range known {
			for _, a := range list {
				if !strings.Contains(raw, a) && strings.Contains(msg, a) {
					t.Errorf("%q: the text names %s: %s", raw, a, msg)
				}
			}
		}
		if strings.Contains(err.Error(), "10.9.8.7") || strings.Contains(msg, "pass@") {
			t.Errorf("%q: the text says too much: %v", raw, err)
		}
	}
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
	for _, bad := range []string{"127.0.0.1", ":80", "host:", "http://x:1/"} {
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

package fetch

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// target is an address that passed every check but the look-up.
type target struct {
	url     *url.URL // host in lower-case ASCII
	host    string
	addr    netip.Addr // valid when the host is a literal
	allowed bool       // a pair of Options.Allow
}

// parse is strict where parsers are known to disagree: what two programs could
// read as two hosts is refused, not guessed.
func (g *Guard) parse(raw string, kind Kind) (target, error) {
	if n := utf8.RuneCountInString(raw); n > kind.maxLength() {
		return target{}, fault.New(fault.Validation, "The %s has %d characters; at most %d are allowed. Use a shorter address.", kind.noun(), n, kind.maxLength())
	}
	if !utf8.ValidString(raw) || strings.ContainsFunc(raw, func(r rune) bool {
		return r == '\\' || unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError
	}) {
		return target{}, refuse(kind, "it holds a space, a backslash or a character that cannot be seen")
	}
	_, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return target{}, refuse(kind, "it does not start with a scheme and a host")
	}
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
		// Old parsers look for '@' first and would go to what stands behind it.
		if rest[i] == '#' && strings.Contains(rest[i:], "@") {
			return target{}, refuse(kind, "its fragment looks like a host")
		}
	}
	switch {
	case authority == "":
		return target{}, refuse(kind, "it names no host")
	case strings.Contains(authority, "@"):
		return target{}, refuse(kind, "it carries a user name or password")
	case strings.Contains(authority, "%"):
		return target{}, refuse(kind, "its host is written with percent signs")
	case strings.HasSuffix(authority, ":"):
		return target{}, refuse(kind, "its port is empty")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return target{}, refuse(kind, "it is not a well-formed address") // the error would quote it
	}
	return g.inspect(u, kind)
}

// inspect checks what a parser made of an address; redirects come in here.
func (g *Guard) inspect(u *url.URL, kind Kind) (target, error) {
	if u.Scheme != "http" && u.Scheme != "https" {
		return target{}, refuse(kind, "its scheme is not http or https")
	}
	if u.User != nil {
		return target{}, refuse(kind, "it carries a user name or password")
	}
	clean := *u
	t := target{url: &clean, host: lower(u.Hostname())}
	port := u.Port()
	if g.allow[net.JoinHostPort(t.host, defaultPort(u.Scheme, port))] {
		t.allowed = true
		return t, nil
	}
	if u.Scheme == "http" && kind != Page {
		return target{}, refuse(kind, "it is not https")
	}
	if port != "" && port != "80" && port != "443" {
		return target{}, refuse(kind, "its port is neither 80 nor 443")
	}
	if strings.HasPrefix(u.Host, "[") || endsInNumber(t.host) {
		a, err := netip.ParseAddr(t.host)
		// Other spellings of an address serve only to hide it.
		if err != nil || a.Zone() != "" || a.Is4In6() || a.String() != t.host || a.Is6() != strings.HasPrefix(u.Host, "[") {
			return target{}, refuse(kind, "its host is an IP address in an unusual spelling")
		}
		if !Public(a) {
			return target{}, refuse(kind, "its host is not on the public internet")
		}
		t.addr = a
		return t, nil
	}
	host, why := dnsName(t.host)
	if why != "" {
		return target{}, refuse(kind, why)
	}
	t.host, clean.Host = host, host
	if port != "" {
		clean.Host = net.JoinHostPort(host, port)
	}
	return t, nil
}

func defaultPort(scheme, port string) string {
	switch {
	case port != "":
		return port
	case scheme == "http":
		return "80"
	}
	return "443"
}

// endsInNumber tells, as browsers do, that a host would be read as IPv4: its
// last label is decimal, octal or hexadecimal.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" {
		return false
	}
	if strings.HasPrefix(last, "0x") {
		return strings.Trim(last[2:], "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}

// local are the names of machines and networks near us (RFC 6761, 6762, 8375,
// and .internal by ICANN's resolution of 2024).
var local = []string{"localhost", "localdomain", "local", "internal", "home.arpa"}

// dnsName gives a name in ASCII, or why it is refused.
func dnsName(host string) (ascii, why string) {
	labels := strings.Split(host, ".")
	for i, label := range labels {
		if label == "" {
			return "", "its host name has an empty part or ends in a dot"
		}
		if isASCII(label) && !strings.HasPrefix(label, "xn--") {
			if strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" || label[0] == '-' || label[len(label)-1] == '-' {
				return "", "its host is not a DNS name"
			}
			continue
		}
		a, err := idna.Lookup.ToASCII(label)
		// A label that turns into plain letters, digits or dots was a disguise.
		if err != nil || !strings.HasPrefix(a, "xn--") || isASCII(label) && a != label {
			return "", "its host name is not a valid international name"
		}
		labels[i] = a
	}
	ascii = strings.Join(labels, ".")
	if len(ascii) > 253 {
		return "", "its host name is longer than 253 characters"
	}
	for _, label := range labels {
		if len(label) > 63 {
			return "", "a part of its host name is longer than 63 characters"
		}
	}
	for _, name := range local {
		if ascii == name || strings.HasSuffix(ascii, "."+name) {
			return "", "its host name is one of a local network"
		}
	}
	if len(labels) < 2 {
		return "", "its host name is a single word"
	}
	return ascii, ""
}

// lower leaves other alphabets alone: their folding may give ASCII, and then a
// disguise would pass for a plain name.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

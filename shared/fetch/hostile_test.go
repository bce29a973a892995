package fetch

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// hostile are addresses that must never be asked, by what makes them so.
var hostile = []struct {
	class string
	urls  []string
}{
	{"not an address, or of another scheme", []string{
		"", " ", "example.com", "www.example.com/page", "//www.example.com", "https:www.example.com", "https:/www.example.com",
		"https://", "https:///path", "https://:443/", "https://?x", "https://#x", "ftp://www.example.com", "file:///etc/passwd",
		"file://www.example.com/etc/passwd", "data:text/html,x", "data://www.example.com/x", "gopher://www.example.com", "javascript://www.example.com/%0aalert(1)",
		"jar:https://www.example.com!/", "unix:///var/run/docker.sock",
		"dict://www.example.com:11211/stat", "ldap://www.example.com", "ws://www.example.com", "wss://www.example.com", "blob:https://www.example.com/x", "view-source:https://www.example.com", "http+unix://%2Fvar%2Frun%2Fdocker.sock/info", "about:blank", "netdoc:///etc/passwd", "https:", "http//www.example.com",
	}},
	{"characters on which parsers disagree", []string{
		" https://www.example.com", "https://www.example.com ", "https://www.example.com\n", "https://www.exa\tmple.com", "https://www.example.com\x00",
		`https://www.example.com\@127.0.0.1/`, `https:\\127.0.0.1\`, "https://www.example.com/\u200bx", "https://www.exam\u00adple.com", "https://\xff.example.com",
		"https://www.example.com\u2028/", "https://www.example.com\u3000/",
	}},
	{"user-info and fragments", []string{
		"https://user@www.example.com", "https://user:pass@www.example.com", "https://www.example.com@127.0.0.1", "https://@www.example.com",
		"https://www.example.com#@127.0.0.1/", "https://127.0.0.1#@www.example.com/", "https://www.example.com:80@127.0.0.1:80/",
	}},
	{"ports", []string{
		"https://www.example.com:8080", "https://www.example.com:22", "https://www.example.com:0", "https://www.example.com:", "https://www.example.com:0443",
		"https://www.example.com:443:80", "https://www.example.com:-1", "https://www.example.com:65979", "https://www.example.com:http",
	}},
	{"names near us", []string{
		"http://localhost", "http://LOCALHOST/", "http://localhost.", "http://www.localhost", "http://router", "http://printer.local", "http://metadata.google.internal/",
		"http://a.b.INTERNAL", "http://nas.home.arpa", "http://localhost.localdomain", "http://local", "http://internal",
		"http://.example.com", "http://www..example.com", "http://www.example.com.", "http://www.example.com..", "http://-x.example.com", "http://x-.example.com",
		"http://www.exa*mple.com", "http://www.example.com'", "http://" + strings.Repeat("a", 64) + ".com", "http://" + strings.Repeat("abcdefg.", 32) + "com",
		"http://kubernetes.default.svc.cluster.local", "http://instance-data.ec2.internal", "http://host.docker.internal/", "http://LocalHost.LocalDomain:80/", "http://xn--localhost", "http://_", "http://com",
	}},
	{"literal IPv4 that is not public", []string{
		"http://0.0.0.0", "http://10.0.0.1", "http://100.64.1.1", "http://100.127.255.255", "http://127.0.0.1", "http://127.255.255.254", "http://169.254.169.254/latest/meta-data/",
		"http://172.16.0.1", "http://172.31.255.255", "http://192.0.0.192", "http://192.0.2.1", "http://192.88.99.1", "http://192.168.1.1", "http://198.18.0.1", "http://198.19.255.255",
		"http://198.51.100.1", "http://203.0.113.1", "http://224.0.0.1", "http://239.255.255.255", "http://240.0.0.1", "http://255.255.255.255", "http://168.63.129.16",
		"http://169.254.170.2/v2/credentials", "http://100.100.100.200", "http://0.0.0.1", "http://192.0.0.8", "http://233.252.0.1", "http://172.17.0.1:80",
	}},
	{"spellings of IPv4", []string{
		"http://127.1", "http://127.0.1", "http://0177.0.0.1", "http://0x7f.0.0.1", "http://0x7f000001", "http://0X7F000001", "http://2130706433", "http://017700000001",
		"http://127.0.0.01", "http://127.0.0.1.", "http://1.2.3.4.5", "http://256.256.256.256", "http://8.8.8", "http://134744072", "http://0x8.8.8.8", "http://010.8.8.8",
		"http://www.example.1", "http://www.example.0x1", "http://www.0x", "http://127。0。0。1", "http://①②⑦.⓪.⓪.①", "http://１２７.0.0.1", "http://127%2e0.0.1", "http://%31%32%37.0.0.1",
		"http://0x7f.1", "http://0x7F.0x0.0x0.0x1", "http://0177.0x0.0.1", "http://00000177.0.0.1", "http://127.0.0.1.:80", "http://0", "http://0x0", "http://0xa9fea9fe", "http://2852039166", "http://169.254.43518", "http://0251.0376.0251.0376", "http://127.000.000.001", "http://127.0.0.1%00.example.com", "http://١٢٧.0.0.1", "http://127.0.0.१", "http://127.0.0.1。", "http://127．0．0．1", "http://127｡0｡0｡1", "http://𝟏𝟐𝟕.0.0.1", "http://4294967297",
	}},
	{"literal IPv6", []string{
		"http://[::1]", "http://[::]", "http://[0:0:0:0:0:0:0:1]", "http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]", "http://[::ffff:93.184.215.14]", "http://[::127.0.0.1]",
		"http://[fc00::1]", "http://[fd00:ec2::254]", "http://[fe80::1]", "http://[fe80::1%25eth0]", "http://[fe80::1%eth0]", "http://[fec0::1]", "http://[ff02::1]", "http://[2001::1]",
		"http://[2001:db8::1]", "http://[2002:7f00:1::]", "http://[3fff::1]", "http://[100::1]", "http://[5f00::1]", "http://[64:ff9b::7f00:1]", "http://[64:ff9b::10.0.0.1]", "http://[64:ff9b:1::808:808]",
		"http://[2606:4700:0:0:0:0:0:1111]", "http://[2606:4700::01111]", "http://2606:4700::1111", "http://[93.184.215.14]", "http://[", "http://[]", "http://[www.example.com]", "http://[::1",
		"http://[::ffff:169.254.169.254]", "http://[::ffff:0:127.0.0.1]", "http://[0:0:0:0:0:ffff:127.0.0.1]", "http://[2001:0:7f00:1::]", "http://[2001:0000:4136:e378:8000:63bf:80ff:fffe]", "http://[2002:a9fe:a9fe::1]", "http://[64:ff9b::a9fe:a9fe]", "http://[fe80::1%25lo]:80/", "http://[::1%2525lo]", "http://[::1]:443/", "http://[::1].example.com", "http://[v1.fe80::a]", "http://::1/", "http://0:0:0:0:0:0:0:1/", "http://[ff0e::1]", "http://[2001:10::1]", "http://[2001:20::1]", "http://[::]:80/",
	}},
	{"other alphabets", []string{
		"http://ｌｏｃａｌｈｏｓｔ", "http://localhoſt", "http://www.ｅxample.com", "http://www。example。com", "http://www․example.com", "http://xn--.example", "http://xn--a.example",
		"http://xn--localhost-.example", "http://foo.\u212A\u212A", "http://a\u202eb.example", "http://℀.example", "http://ⓛⓞⓒⓐⓛ.example",
		"http://lоcalhost", "http://ⅼocalhost", "http://localhost\u0307", "http://𝓁ocalhost", "http://LOCALHOſT", "http://xn--lcalhost-54g", "http://localhost。", "http://local\u00adhost", "http://l\u200docalhost.example", "http://ˡocalhost", "http://www.example\u3002com", "http://printer。local",
	}},
	{"what names turn out to be", []string{
		"https://unknown.example.com", "https://empty.example.com", "https://loop.example.com", "https://loop6.example.com", "https://private.example.com", "https://cgn.example.com",
		"https://meta.example.com", "https://meta6.example.com", "https://mixed.example.com", "https://mixed6.example.com", "https://map10.example.com", "https://nat10.example.com",
		"https://compat.example.com", "https://sixto4.example.com", "https://teredo.example.com", "https://zone.example.com",
	}},
	{"too long", []string{"https://www.example.com/" + strings.Repeat("a", 1977), "https://" + strings.Repeat("a.", 1000) + "com/"}},
}

// M-111, M-112, M-115
func TestHostileAddresses(t *testing.T) {
	g := guard(t, Options{})
	n := 0
	for _, c := range hostile {
		for _, raw := range c.urls {
			n++
			err := g.CheckURL(t.Context(), raw, Page)
			if !fault.Is(err, fault.UnsafeURL) && !(c.class == "too long" && fault.Is(err, fault.Validation)) {
				t.Errorf("%s: %.80q: %v, want UNSAFE_URL", c.class, raw, err)
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
	t.Logf("%d addresses", n)
	if n < 60 {
		t.Errorf("only %d addresses", n)
	}
}

// M-113: a redirect reaches nothing that the address itself would not. What is
// no address of its own, such as "x/y", is a place on the same host.
func TestHostileRedirects(t *testing.T) {
	var to string
	r := newRig(t, known, Limits{}, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Host != "example.com" || req.URL.Path != "/start" {
			return
		}
		w.Header()["Location"] = []string{to}
		w.WriteHeader(http.StatusFound)
	}))
	for _, c := range hostile {
		for _, raw := range c.urls {
			if !strings.Contains(raw, ":") || strings.ContainsAny(raw, "\n\x00") || strings.TrimSpace(raw) != raw {
				continue // relative, or no header's value
			}
			to = raw
			before := len(r.dialled)
			res, err := r.Get(t.Context(), "https://example.com/start", Page)
			if err == nil {
				_ = res.Body.Close()
				t.Errorf("%s: %.80q: followed to %s", c.class, raw, res.URL)
			}
			// The text says that the redirect is at fault, and no more (M-115).
			if f := fault.From(err); f.Code == fault.UnsafeURL && (!strings.Contains(f.Message, "redirects") || strings.Contains(f.Message, "127.")) {
				t.Errorf("%s: %.80q: %s", c.class, raw, f.Message)
			}
			r.mu.Lock()
			for _, a := range r.dialled[before:] {
				if a != "93.184.215.14:443" {
					t.Errorf("%s: %.80q: dialled %s", c.class, raw, a)
				}
			}
			r.mu.Unlock()
		}
	}
}

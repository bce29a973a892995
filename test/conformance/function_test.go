//go:build conformance

package conformance

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// A function behind the emulator answers every row of the table byte for byte
// as net/http does, less what names the moment or the request.
func TestFunctionAnswersAsHTTP(t *testing.T) {
	local := served(t).URL
	for _, event := range []string{"2.0", "1.0"} {
		remote := function(t, event)
		for _, c := range table() {
			if c.local {
				continue
			}
			t.Run(event+"/"+c.what, func(t *testing.T) {
				want, got := c.send(t, local), c.send(t, remote)
				c.check(t, got)
				if got.status != want.status || ownText(got.body) != ownText(want.body) {
					t.Errorf("function %d %.500s\nnet/http %d %.500s", got.status, got.body, want.status, want.body)
				}
				for _, name := range slices.Concat(names(want.header), names(got.header)) {
					if g, w := strings.Join(got.header.Values(name), ", "), strings.Join(want.header.Values(name), ", "); g != w {
						t.Errorf("header %s: function %q, net/http %q", name, g, w)
					}
				}
			})
		}
	}
}

// names are the headers that mean something to a client.
func names(h http.Header) []string {
	var out []string
	for n := range h {
		switch n {
		case "Date", "Content-Length", "X-Request-Id", "Traceparent":
			continue
		}
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// ownText takes the build's version out: the two are built apart.
func ownText(body string) string {
	return strings.NewReplacer(`"version":"dev"`, `"version":"-"`, `"version":"conformance"`, `"version":"-"`).Replace(body)
}

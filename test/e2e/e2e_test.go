// Package e2e walks through the real program as its clients do: MCP with the
// official SDK, REST, stdio and the command line.
package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

func TestMain(m *testing.M) {
	site = httptest.NewServer(http.HandlerFunc(page))
	code := m.Run()
	site.Close()
	gateway.Remove()
	os.Exit(code)
}

func start(t *testing.T, env ...string) *gateway.Server {
	t.Helper()
	return gateway.Start(t, t.TempDir(), gateway.FreeAddress(t), gateway.NewKey(), append(env, reachSite())...)
}

// site is a web site that trainings may read; the guard lets it through by name
// and port alone.
var site *httptest.Server

func reachSite() string { return "MINDGATE_FETCH_ALLOW=" + strings.TrimPrefix(site.URL, "http://") }

func page(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/profile" {
		http.NotFound(w, r) // robots.txt as well: everything may be read
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, `<!doctype html><html lang="en"><head><title>Notes of a grill cook</title></head><body>
<nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
<article><h1>Notes of a grill cook</h1>
<p>I have written about steak for eleven years, and I still turn it once a minute. A cast-iron pan is my favourite tool,
because it keeps its heat when the meat goes in.</p>
<p>I buy my steak at the market in Harbour Street. I distrust thermometers with a radio, and I never marinate a rib eye.</p>
<p>My readers ask for cheaper cuts, so this year I tested flat iron, bavette and hanger over beech charcoal. Bavette won.</p>
</article><footer>All rights reserved</footer></body></html>`)
}

// patience is how long a job may take on a busy machine.
const patience = 20 * time.Second

type fields = map[string]any

// published is a distribution as docs/evidence.md describes it.
const published = `{
  "question": "How do you like your steak prepared?",
  "options": [
    {"label": "Rare", "share": 0.05}, {"label": "Medium rare", "share": 0.38},
    {"label": "Medium", "share": 0.31}, {"label": "Medium Well", "share": 0.18}, {"label": "Well", "share": 0.08}
  ],
  "n": 430, "source": "Steak survey", "dates": "2014", "population": "Adults in the United States"
}`

const steak = "How do you like your steak prepared? Rare / Medium rare / Medium / Medium Well / Well"

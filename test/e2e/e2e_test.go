// Package e2e walks through the real program as its clients do: MCP with the
// official SDK, REST, stdio and the command line.
package e2e

import (
	"os"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

func TestMain(m *testing.M) {
	code := m.Run()
	gateway.Remove()
	os.Exit(code)
}

func start(t *testing.T, env ...string) *gateway.Server {
	t.Helper()
	return gateway.Start(t, t.TempDir(), gateway.FreeAddress(t), gateway.NewKey(), env...)
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

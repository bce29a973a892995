//go:build aws

package aws

import (
	"os"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
	"github.com/mindgate-dev/mindgate/test/e2e/showcase"
)

// The showcase through the deployed template. Both sources are uploaded: a page
// on this machine cannot be fetched from there, since functions refuse the
// exception from the guard of fetches (MINDGATE_FETCH_ALLOW) that a loopback
// address would need.
func TestShowcaseOnTheDeployedTemplate(t *testing.T) {
	s := gateway.At(os.Getenv("MINDGATE_URL"), os.Getenv("MINDGATE_API_KEY"))
	mind := showcase.Made(t, s)
	report, page := showcase.Uploaded(t, s, mind)
	t.Run("REST", func(t *testing.T) { showcase.Hold(t, report, page, showcase.OverREST(t, s, mind)) })
	t.Run("MCP", func(t *testing.T) { showcase.Hold(t, report, page, showcase.OverMCP(t, s.MCP(t), mind)) })
}

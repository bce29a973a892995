package e2e

import (
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/showcase"
)

// Where attention goes on a picture of a question, over REST (M-230, M-231, M-232).
func TestHeatmapOverREST(t *testing.T) {
	s := start(t)
	mind := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Viewer", "mode": "clone", "personaContext": "Age: 34"}).Text("data", "id")
	ready(t, s, mind)
	showcase.Heatmap(t, s, mind)
}

package e2e

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
	"github.com/mindgate-dev/mindgate/test/e2e/showcase"
)

// library serves the report and the page of the showcase.
func library(t *testing.T) (url, allow string) {
	t.Helper()
	mux := http.NewServeMux() // robots.txt is not there: everything may be read
	for path, file := range map[string]struct {
		kind    string
		content []byte
	}{"/report.pdf": {"application/pdf", showcase.Report}, "/page.html": {"text/html; charset=utf-8", showcase.Page}} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", file.kind)
			_, _ = w.Write(file.content)
		})
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL, "MINDGATE_FETCH_ALLOW=" + strings.TrimPrefix(s.URL, "http://")
}

func TestShowcaseOverMCP(t *testing.T) {
	site, allow := library(t)
	c := gateway.Start(t, t.TempDir(), gateway.FreeAddress(t), gateway.NewKey(), allow).MCP(t)
	mind := showcase.MadeOverMCP(t, c)
	report, page := showcase.Linked(t, c, mind, site)
	showcase.Hold(t, report, page, showcase.OverMCP(t, c, mind))
}

// Over REST, with what finds by words alone and, where its weights are, with the
// model that finds by meaning.
func TestShowcaseOverREST(t *testing.T) {
	for _, embeddings := range []string{"hashed", "minilm"} {
		t.Run(embeddings, func(t *testing.T) {
			models, err := filepath.Abs("../../models")
			if err != nil {
				t.Fatal(err)
			}
			if found, _ := filepath.Glob(models + "/minilm*"); embeddings == "minilm" && len(found) == 0 {
				t.Skip("make models fetches the weights")
			}
			s := start(t, "MINDGATE_EMBEDDINGS="+embeddings, "MINDGATE_MODEL_DIR="+models)
			mind := showcase.Made(t, s)
			report, page := showcase.Uploaded(t, s, mind)
			showcase.Hold(t, report, page, showcase.OverREST(t, s, mind))
		})
	}
}

// One process, no server, no port: a client that speaks over pipes.
func TestShowcaseInOneProcess(t *testing.T) {
	site, allow := library(t)
	dir := t.TempDir()
	key, _, code := run(t, nil, "key", "create", "--data", dir, "--account", "me", "--plan", "team")
	if code != 0 {
		t.Fatalf("exit %d", code)
	}
	cmd := stdio(t, strings.TrimSpace(key), "--data", dir)
	cmd.Env = append(cmd.Env, allow)
	c := gateway.Stdio(t, cmd)
	mind := showcase.MadeOverMCP(t, c)
	report, page := showcase.Linked(t, c, mind, site)
	showcase.Hold(t, report, page, showcase.OverMCP(t, c, mind))
}

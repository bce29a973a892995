package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/stdio"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// The same engine answers on pipes, in process and through the bridge, with the
// same answers.
func TestPipes(t *testing.T) {
	h := fixture(t, nil)
	srv := httptest.NewServer(h)
	defer srv.Close()
	lines := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"create_panel","arguments":{"name":"ü"}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list_audiences",` + statelessMeta + `}}`,
		`{"jsonrpc":"2.0","id":5,"method":"server/discover","params":{` + statelessMeta + `}}`,
		`{"jsonrpc":"2.0","id":6,"method":"foo/bar"}`,
		`{"jsonrpc":"2.0","id":7,"method":"ping","method":"ping"}`,
	}
	for _, line := range lines {
		var local, bridged bytes.Buffer
		if err := stdio.Serve(t.Context(), strings.NewReader(line+"\n"), &local, stdio.Local(h, "owner")); err != nil {
			t.Fatal(err)
		}
		if err := stdio.Serve(t.Context(), strings.NewReader(line+"\n"), &bridged, stdio.Remote(srv.URL+"/mcp", "owner", srv.Client())); err != nil {
			t.Fatal(err)
		}
		if local.String() != bridged.String() || (local.Len() == 0) != strings.Contains(line, "notifications/") {
			t.Errorf("%s\nin process %s\nbridge     %s", line, local.String(), bridged.String())
		}
	}
	var out bytes.Buffer
	if err := stdio.Serve(t.Context(), strings.NewReader(lines[0]+"\n"), &out, stdio.Local(h, "revoked")); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"id":1,`) && !strings.Contains(out.String(), `"id":1}`) || !strings.Contains(out.String(), "-32001") {
		t.Errorf("%s", out.String())
	}
}

// A call on pipes reports its progress before its answer, in process as through
// the bridge.
func TestPipesProgress(t *testing.T) {
	step := tool.Progress{Done: 1, Total: 2, Message: "half"}
	registry, err := tool.NewRegistry(tool.Tool{Name: "list_minds", Invoke: func(ctx context.Context, _ json.RawMessage) (any, error) {
		tool.Report(ctx, step)
		return answer, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.Minds().Only(registry.Names())
	d, err := tool.NewDispatcher(tool.DispatchOptions{Registry: registry, Catalogue: c})
	if err != nil {
		t.Fatal(err)
	}
	h := fixture(t, func(o *Options) { o.Catalogue, o.Invoker, o.Stream = c, tool.InProcess(d), true })
	srv := httptest.NewServer(h)
	defer srv.Close()
	for how, pipe := range map[string]stdio.Handler{
		"in process": stdio.Local(h, "owner"), "bridge": stdio.Remote(srv.URL+"/mcp", "owner", srv.Client()),
	} {
		var out bytes.Buffer
		if err := stdio.Serve(t.Context(), strings.NewReader(withToken+"\n"), &out, pipe); err != nil {
			t.Fatal(err)
		}
		got := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(got) != 2 || !strings.Contains(got[0], `"progressToken":"p-1"`) || !strings.Contains(got[0], `"message":"half"`) || !strings.Contains(got[1], `"result"`) {
			t.Errorf("%s: %s", how, out.String())
		}
	}
}

func BenchmarkNetworkCalls(b *testing.B) {
	srv := httptest.NewServer(fixture(b, nil))
	defer srv.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			req, err := http.NewRequest(http.MethodPost, srv.URL+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_minds","arguments":{"limit":3}}}`))
			if err != nil {
				b.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Authorization", "Bearer owner")
			resp, err := client.Do(req)
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

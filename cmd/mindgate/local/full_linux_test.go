package local

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A full disk is told alike over REST and by a tool: try again later, with the
// id of the request and no word of the inside (M-11, M-12).
func TestFullDiskIsTold(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("no small disk can be made here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	h := openHost(t, Options{Dir: dir})
	post := caller(t, h, http.MethodPost)
	mind := func(i int) string {
		return fmt.Sprintf(`{"name":"Ada %d","mode":"clone","personaContext":"Age: 30"}`, i)
	}
	if status, body, _ := post("/api/v1/minds", mind(0)); status != http.StatusCreated {
		t.Fatalf("%d %v", status, body)
	}
	f, err := os.Create(filepath.Join(dir, "ballast"))
	for err == nil {
		_, err = f.Write(make([]byte, 512))
	}
	_ = f.Close()
	full := func(code, requestID any, message string) {
		t.Helper()
		if code != "STORAGE_UNAVAILABLE" || !strings.Contains(message, "no room") || strings.Contains(message, dir) {
			t.Errorf("%v %q", code, message)
		}
		if id, _ := requestID.(string); id == "" {
			t.Error("the request has no id")
		}
	}
	var status int
	var body map[string]any
	var header http.Header
	for i := range 50 { // the write-ahead log may have some room left
		if status, body, header = post("/api/v1/minds", mind(i+1)); status != http.StatusCreated {
			break
		}
	}
	data, _ := body["data"].(map[string]any)
	message, _ := body["message"].(string)
	full(data["code"], data["requestId"], message)
	if status != http.StatusBadGateway || header.Get("Retry-After") != "5" {
		t.Errorf("%d, Retry-After %q", status, header.Get("Retry-After"))
	}
	_, body, _ = post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_mind","arguments":{"name":"Bo","mode":"clone","personaContext":"Age: 31"}}}`)
	result, _ := body["result"].(map[string]any)
	structured, _ := result["structuredContent"].(map[string]any)
	refused, _ := structured["error"].(map[string]any)
	if refused == nil {
		t.Fatalf("%v", body)
	}
	data, _ = refused["data"].(map[string]any)
	message, _ = refused["message"].(string)
	full(refused["code"], data["requestId"], message)
	if refused["retryable"] != true {
		t.Error("the refusal is not retryable")
	}
}

package faults

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// A disk that runs full in the middle of the work ends nothing: calls are told
// to come back, and once there is room the same process finishes every job that
// it has acknowledged.
func TestDiskRunsFull(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("no small disk can be made here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	s := gateway.Start(t, filepath.Join(dir, "data"), gateway.FreeAddress(t), gateway.NewKey())
	fill := func() {
		f, err := os.OpenFile(filepath.Join(dir, "ballast"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		for err == nil {
			_, err = f.Write(make([]byte, 512))
		}
		_ = f.Close()
	}
	var made []string
	var refused gateway.Answer
	for i := range 200 {
		if i == 8 {
			fill()
		}
		a, err := s.Call(t.Context(), http.MethodPost, "/api/v1/minds", map[string]any{
			"name": fmt.Sprintf("Mind %d", i), "mode": "clone", "personaContext": "Age: 40",
		})
		if err != nil {
			t.Fatalf("%v\n%s", err, s.Log())
		}
		if a.Status >= 300 {
			refused = a
			break
		}
		made = append(made, a.Text("data", "id"))
	}
	if refused.Status != http.StatusBadGateway || refused.Text("data", "code") != "STORAGE_UNAVAILABLE" {
		t.Errorf("a full disk: %d %s", refused.Status, refused.Body)
	}
	if err := os.Remove(filepath.Join(dir, "ballast")); err != nil {
		t.Fatal(err)
	}
	for _, id := range made {
		gateway.Eventually(t, 30*time.Second, "Mind "+id, func() bool {
			return s.Must(t, 200, "GET", "/api/v1/minds/"+id+"/training", nil).At("readyToChat") == true
		})
	}
	gateway.Eventually(t, 30*time.Second, "health", func() bool {
		a, err := s.Call(t.Context(), http.MethodGet, "/healthz", nil)
		return err == nil && a.Status == http.StatusOK
	})
	t.Logf("%d Minds were acknowledged, all are ready", len(made))
}

package boot_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/idempotency/boot"
)

const childDir = "BOOT_TEST_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if _, err := boot.Start(dir, "child"); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("up")
		bufio.NewReader(os.Stdin).ReadString('\n') // until it is killed
		return
	}
	os.Exit(m.Run())
}

func start(t *testing.T, dir, id string) *boot.Run {
	t.Helper()
	r, err := boot.Start(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// A killed process has ended, a living one has not, and nobody ends itself.
func TestKilledProcessHasEnded(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "up\n" {
		t.Fatalf("%q, %v", line, err)
	}
	r := start(t, dir, "mine")
	if r.Ended("child") {
		t.Fatal("the living child is said to have ended")
	}
	if r.Ended(r.ID()) {
		t.Fatal("a run is said to have ended by itself")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if !r.Ended("child") {
		t.Fatal("the killed child is said to run")
	}
}

func TestRuns(t *testing.T) {
	dir := t.TempDir()
	a := start(t, dir, "a")
	b := start(t, dir, "b") // clears away what is dead, not a
	if b.Ended("a") || a.Ended("b") {
		t.Fatal("a living run is said to have ended")
	}
	if _, err := boot.Start(dir, "a"); err == nil {
		t.Fatal("a second run with one name")
	}
	if b.Ended("a") {
		t.Fatal("the attempt ended the first")
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if !b.Ended("a") || !b.Ended("never was") || b.Ended("") || b.Ended("../x") {
		t.Fatal("what has ended is told wrongly")
	}
	for _, id := range []string{"", "../x", "a.b", `a\b`} {
		if _, err := boot.Start(dir, id); err == nil {
			t.Errorf("id %q was taken", id)
		}
	}
}

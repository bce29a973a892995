package e2e

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
	"github.com/mindgate-dev/mindgate/test/e2e/showcase"
)

// The commands that the README gives to newcomers do what it says they do.
func TestReadme(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl")
	}
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```sh\nKEY=minds_...\n")
	commands, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("the README has no commands for a report")
	}
	s := gateway.Start(t, t.TempDir(), gateway.FreeAddress(t), gateway.NewKey())
	commands = strings.Replace(commands, "http://127.0.0.1:8080", s.URL, 1)
	ctx, cancel := context.WithTimeout(t.Context(), showcase.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, bash, "-e", "-c", "KEY="+s.Key+"\n"+commands)
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	answers := strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
	if len(answers) != 2 || !strings.Contains(answers[0], "From report.pdf, page 2: ") || !strings.Contains(answers[0], "418 times") ||
		!strings.Contains(answers[1], `"fallback":true`) {
		t.Errorf("%s", out)
	}
}

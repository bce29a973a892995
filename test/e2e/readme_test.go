package e2e

import (
	"context"
	"encoding/json"
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
	commands, rest, found := strings.Cut(rest, "```")
	_, rest, more := strings.Cut(rest, "```sh\nBRIEF=")
	brief, _, ended := strings.Cut(rest, "```")
	if !found || !more || !ended {
		t.Fatal("the README has no commands for a report and a brief")
	}
	commands += "BRIEF=" + brief
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
	if len(answers) != 3 || !strings.Contains(answers[0], "From report.pdf, page 2: ") || !strings.Contains(answers[0], "418 times") ||
		!strings.Contains(answers[1], `"fallback":true`) {
		t.Errorf("%s", out)
	}
	var made struct {
		Data struct {
			MindCount int `json:"mindCount"`
			Minds     []struct {
				CohortProfile map[string]string `json:"cohortProfile"`
			} `json:"minds"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(answers[len(answers)-1]), &made); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	women := 0
	for _, m := range made.Data.Minds {
		if m.CohortProfile["Gender"] == "Woman" {
			women++
		}
	}
	if made.Data.MindCount != 60 || women != 36 {
		t.Errorf("%d members, %d of them women", made.Data.MindCount, women)
	}
}

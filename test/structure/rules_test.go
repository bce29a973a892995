package structure

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	ruleHead  = regexp.MustCompile(`(?m)^\*\*(M-\d+)\*\*`)
	ruleCited = regexp.MustCompile(`\bM-(\d+)\b|_M(\d+)`)
)

// Rules that the page names are proven, and rules that tests prove are named.
func TestRulesAndTestsAgree(t *testing.T) {
	page, err := os.ReadFile("../../docs/rules/minds.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range ruleHead.FindAllStringSubmatch(string(page), -1) {
		named[m[1]] = true
	}
	cited := citedRules(t)
	if len(named) < 30 || len(cited) < 30 {
		t.Fatalf("only %d rules named and %d cited", len(named), len(cited))
	}
	for rule := range named {
		if cited[rule] == "" {
			t.Errorf("docs/rules/minds.md has %s, but no test cites it", rule)
		}
	}
	for rule, file := range cited {
		if !named[rule] {
			t.Errorf("%s cites %s, which is not in docs/rules/minds.md", file, rule)
		}
	}
}

// citedRules finds the rules that tests and transcripts cite, each with a file.
func citedRules(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() != ".." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "dist" || d.Name() == "node_modules" || d.Name() == "structure") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".txtar") {
			return nil
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range ruleCited.FindAllStringSubmatch(string(raw), -1) {
			out["M-"+m[1]+m[2]] = path
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

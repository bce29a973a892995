package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

var variable = regexp.MustCompile(`(?:MINDGATE|OTEL)_[A-Z_]*[A-Z]`)

// The page of the configuration and the help name every flag and variable that
// there is, and none that is not.
func TestConfigurationIsComplete(t *testing.T) {
	raw, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	help := ""
	for _, leaf := range parser.Model.Leaves(false) {
		var out bytes.Buffer
		path := strings.Fields(leaf.Path())
		if code := run(t.Context(), append(path, "--help"), streams{strings.NewReader(""), &out, &out}); code != 0 {
			t.Fatalf("%s --help: %d", leaf.Path(), code)
		}
		text := out.String()
		help += text
		for _, flags := range leaf.AllFlags(false) {
			for _, f := range flags {
				if f.Name == "help" {
					continue
				}
				if !strings.Contains(text, "--"+f.Name) {
					t.Errorf("%s --help does not name --%s", leaf.Path(), f.Name)
				}
				if !strings.Contains(page, "--"+f.Name) {
					t.Errorf("docs/configuration.md does not name --%s of %s", f.Name, leaf.Path())
				}
				for _, env := range f.Envs {
					known[env] = true
					if !strings.Contains(text, "$"+env) {
						t.Errorf("%s --help does not name %s", leaf.Path(), env)
					}
				}
			}
		}
	}
	for _, env := range environment(t, ".", "local", "../../shared/fixtures", "../../shared/telemetry/otlp") {
		known[env] = true
		if strings.HasPrefix(env, "MINDGATE_") && !strings.Contains(help, env) {
			t.Errorf("no command's help names %s", env)
		}
	}
	if len(known) < 25 {
		t.Fatalf("only %d variables were found", len(known))
	}
	named := map[string]bool{}
	for _, env := range variable.FindAllString(page, -1) {
		named[env] = true
		if !known[env] {
			t.Errorf("docs/configuration.md names %s, which nothing reads", env)
		}
	}
	for env := range known {
		if !named[env] {
			t.Errorf("docs/configuration.md does not name %s", env)
		}
	}
}

// environment lists the variables that stand as a whole in a string of the
// folders' code.
func environment(t *testing.T, folders ...string) []string {
	t.Helper()
	quoted := regexp.MustCompile(`"(` + variable.String() + `)"`)
	var out []string
	for _, dir := range folders {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", dir, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range quoted.FindAllStringSubmatch(string(raw), -1) {
				out = append(out, m[1])
			}
		}
	}
	return out
}

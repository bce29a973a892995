// Package structure holds the tree to its plan: which package may import which,
// and what may be linked into which binary.
package structure

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/mindgate-dev/mindgate/"

// layers from the top down. A package may import its own layer and those below.
// The longest matching prefix decides.
var layers = []struct {
	name     string
	prefixes []string
}{
	{"programs", []string{"cmd/", "infra", "test/"}},
	{"functions", []string{"functions/"}},
	{"surfaces", []string{"shared/mcpserver", "shared/restapi", "shared/stdio", "shared/middleware", "shared/apigw", "shared/fixtures"}},
	{"tools", []string{"shared/tool", "shared/catalog"}},
	{"domain", []string{"shared/account", "shared/jobs", "shared/research", "shared/research/plandraft"}},
	{"engines", []string{"shared/stats", "shared/report", "shared/simulate", "shared/answer", "shared/persona", "shared/brief", "shared/grounding", "shared/segment", "shared/allocate", "shared/method", "shared/consistency", "shared/planner", "shared/research/plan"}},
	{"kit", []string{"shared/", "statemachines"}},
}

// adapters may be imported by programs and functions only (and by each other's
// tests): the layers between know ports.
var adapters = []string{
	"shared/records/sqlite", "shared/records/dynamo", "shared/blobs/folder", "shared/blobs/s3",
	"shared/workflow/local", "shared/workflow/sfn", "shared/secrets/file", "shared/secrets/aws", "shared/secrets/rows",
	"shared/tool/lambdainvoke", "shared/telemetry/otlp", "shared/embed/bedrock", "shared/embed/openai", "shared/embed/choose",
	"shared/model/open", "shared/model/openai", "shared/model/anthropic", "shared/model/bedrock",
	"shared/mail/smtp", "shared/mail/ses",
}

func layerOf(pkg string) int {
	best, length := -1, -1
	for i, l := range layers {
		for _, p := range l.prefixes {
			if strings.HasPrefix(pkg, p) && len(p) > length {
				best, length = i, len(p)
			}
		}
	}
	return best
}

func TestImportsPointDownwards(t *testing.T) {
	for pkg, imports := range listImports(t) {
		from := layerOf(pkg)
		if from < 0 {
			t.Errorf("%s is in no layer: place it in layers_test.go", pkg)
			continue
		}
		for _, dep := range imports {
			dep, ours := strings.CutPrefix(dep, module)
			if !ours {
				continue
			}
			to := layerOf(dep)
			if to < 0 {
				t.Errorf("%s imports %s, which is in no layer", pkg, dep)
				continue
			}
			if to < from {
				t.Errorf("%s (%s) imports %s (%s): arrows point downwards only", pkg, layers[from].name, dep, layers[to].name)
			}
			if strings.HasSuffix(pkg, "test") {
				continue // suites and test hosts choose adapters, as programs do
			}
			if slices.Contains(adapters, dep) && layers[from].name != "programs" && layers[from].name != "functions" && !slices.Contains(adapters, pkg) {
				t.Errorf("%s imports the adapter %s: take the port instead", pkg, dep)
			}
		}
	}
}

// A domain package is the same in every host, so it knows no AWS client, no
// HTTP server and no database.
func TestDomainKnowsNoHost(t *testing.T) {
	for pkg, imports := range listImports(t) {
		name := ""
		if l := layerOf(pkg); l >= 0 {
			name = layers[l].name
		}
		if name != "domain" && name != "engines" {
			continue
		}
		for _, dep := range imports {
			for _, banned := range []string{"github.com/aws/", "modernc.org/sqlite", "database/sql", "net/http"} {
				if dep == banned || strings.HasSuffix(banned, "/") && strings.HasPrefix(dep, banned) {
					t.Errorf("%s imports %s", pkg, dep)
				}
			}
		}
	}
}

// Cold starts stay short because no function carries the local host.
func TestFunctionsCarryNoLocalHost(t *testing.T) {
	for _, main := range []string{"functions/mcp", "functions/rest", "functions/minds/lambda", "functions/jobs/lambda"} {
		deps := strings.Fields(goList(t, "-tags", "lambda.norpc,grpcnotrace", "-deps", "./"+main))
		if len(deps) < 50 {
			t.Fatalf("%s: only %d dependencies listed", main, len(deps))
		}
		for _, dep := range deps {
			for _, banned := range []string{"modernc.org/sqlite", "github.com/blues/jsonata-go", module + "shared/workflow/local", module + "shared/records/sqlite", module + "shared/blobs/folder", module + "shared/oauth/oauthtest", "text/template", module + "shared/fixtures", "gonum.org/v1/gonum/graph"} {
				if dep == banned {
					t.Errorf("%s links %s", main, dep)
				}
			}
		}
	}
}

// The router embeds the catalogue and calls tools; it holds no domain.
func TestRouterCarriesNoResearch(t *testing.T) {
	for _, dep := range strings.Fields(goList(t, "-deps", "./functions/mcp")) {
		for _, banned := range []string{module + "shared/research", module + "shared/simulate", module + "shared/answer", module + "shared/model", "github.com/anthropics/", "github.com/aws/aws-sdk-go-v2/service/bedrockruntime"} {
			if strings.HasPrefix(dep, banned) {
				t.Errorf("the router links %s", dep)
			}
		}
	}
}

// Readers of files are linked where files are read: they carry a WebAssembly
// runtime and a PDF engine.
func TestOnlyJobsCarryReadersOfFiles(t *testing.T) {
	for _, main := range []string{"functions/mcp", "functions/rest", "functions/minds/lambda"} {
		for _, dep := range strings.Fields(goList(t, "-tags", "lambda.norpc,grpcnotrace", "-deps", "./"+main)) {
			for _, banned := range []string{module + "shared/extract/parsers", module + "shared/extract/pdfium", module + "shared/tabular/biff", "github.com/xuri/excelize", "github.com/tetratelabs/wazero", "codeberg.org/readeck/go-readability"} {
				if strings.HasPrefix(dep, banned) {
					t.Errorf("%s links %s", main, dep)
				}
			}
		}
	}
	for _, main := range []string{"cmd/mindgate", "functions/jobs/lambda"} {
		if !slices.Contains(strings.Fields(goList(t, "-deps", "./"+main)), module+"shared/extract/parsers") {
			t.Errorf("%s cannot read files", main)
		}
	}
}

// No package is named after nothing in particular.
func TestPackagesAreNamedAfterWhatTheyGive(t *testing.T) {
	for pkg := range listImports(t) {
		switch filepath.Base(pkg) {
		case "util", "utils", "common", "helpers", "helper", "base", "manager", "misc":
			t.Errorf("%s: name it after what it gives", pkg)
		}
	}
}

// listImports gives the imports of every package, tests left out.
func listImports(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for line := range strings.Lines(goList(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")) {
		fields := strings.Fields(line)
		if pkg, ours := strings.CutPrefix(fields[0], module); ours {
			out[pkg] = fields[1:]
		}
	}
	if len(out) < 10 {
		t.Fatalf("only %d packages listed", len(out))
	}
	return out
}

func goList(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = "../.."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	return string(out)
}

package restapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/mindgate-dev/mindgate/shared/catalog/contract"
)

func contractFile(t *testing.T) []byte {
	t.Helper()
	raw, err := contract.Files.ReadFile("minds/rest.json")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// What stands in the table for the reader is what the contract says.
func TestTableAgreesWithTheContract(t *testing.T) {
	all, err := parseContract(contractFile(t))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, o := range table() {
		a, ok := all[o.id]
		if o.own != nil {
			if ok {
				t.Errorf("%s is in the contract and described here too", o.id)
			}
			continue
		}
		if !ok {
			t.Errorf("the contract has no operation %s", o.id)
			continue
		}
		if seen[o.id] {
			t.Errorf("%s stands in the table twice", o.id)
		}
		seen[o.id] = true
		if a.Method != o.method || a.Path != o.path {
			t.Errorf("%s: table %s %s, contract %s %s", o.id, o.method, o.path, a.Method, a.Path)
		}
		o.agreed = a
		o.agreed.Request.Query = worded(a.Request.Query)
		if _, err := o.ready(); err != nil {
			t.Errorf("%s: %v", o.id, err)
		}
	}
}

func TestEmbeddedContractIsCurrent(t *testing.T) {
	want, err := Compact(contractFile(t))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, contractJSON) {
		t.Error("operations.gen.json is stale: run go generate ./shared/restapi")
	}
}

func TestOpenAPIDocumentIsCurrent(t *testing.T) {
	doc, err := Document(contractJSON, "http://127.0.0.1:8080", "1")
	if err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile("../../docs/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(have, text) {
		t.Error("docs/openapi.yaml is stale: run go generate ./shared/restapi")
	}
}

// Every operation is described: id, answer, refusals, and a reference to a
// schema that exists.
func TestOpenAPIDocumentIsWhole(t *testing.T) {
	doc, err := Document(contractJSON, "http://127.0.0.1:8080", "1")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			OperationID string
			Responses   map[string]any
			Parameters  []struct{ In, Name string }
		}
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatal(err)
	}
	if read.OpenAPI != "3.1.0" {
		t.Errorf("version %q", read.OpenAPI)
	}
	n := 0
	for path, methods := range read.Paths {
		for method, o := range methods {
			n++
			good := false
			for status := range o.Responses {
				good = good || status[0] == '2' || status == "302"
			}
			if !good || o.OperationID == "" {
				t.Errorf("%s %s: no id or no good answer", method, path)
			}
			for _, name := range pathParameters(path) {
				found := false
				for _, p := range o.Parameters {
					found = found || p.In == "path" && p.Name == name
				}
				if !found {
					t.Errorf("%s %s does not declare {%s}", method, path, name)
				}
			}
		}
	}
	if n != len(table()) {
		t.Errorf("%d operations described, %d in the table", n, len(table()))
	}
}

func TestReferencePageStandsAlone(t *testing.T) {
	contract, err := readContract()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := bind(table(), contract)
	if err != nil {
		t.Fatal(err)
	}
	text := reference(rows, "1")
	for _, o := range rows {
		if !strings.Contains(text, `id="`+o.id+`"`) {
			t.Errorf("%s is missing", o.id)
		}
	}
	for _, bad := range []string{"<script", "<link", "@import", "src=", "url(http"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page loads something: %s", bad)
		}
	}
	if !strings.Contains(text, http.MethodPost) {
		t.Error("no methods")
	}
}

package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/catalog/contract"
	"github.com/mindgate-dev/mindgate/shared/catalog/listing"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

func contractTools(t *testing.T) []listing.Tool {
	t.Helper()
	raw, err := contract.Tools("minds")
	if err != nil {
		t.Fatal(err)
	}
	var tools []listing.Tool
	if err := json.Unmarshal(raw, &tools); err != nil {
		t.Fatal(err)
	}
	return tools
}

func TestCatalogueFileIsCurrent(t *testing.T) {
	raw, err := contract.Tools("minds")
	if err != nil {
		t.Fatal(err)
	}
	want, err := listing.Compact(raw)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("minds.gen.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatal("minds.gen.json is stale: run go generate ./shared/catalog")
	}
}

// Each example of the contract: a valid one passes, an invalid one is refused
// with a field, a rule and a 400.
func TestContractExamples(t *testing.T) {
	for _, tool := range contractTools(t) {
		d, ok := Minds().Lookup(tool.Name)
		if !ok {
			t.Fatalf("%s is not in the catalogue", tool.Name)
		}
		for _, x := range tool.Examples {
			t.Run(tool.Name+"/"+x.Why, func(t *testing.T) {
				out, err := d.Prepare(x.Arguments)
				if x.Valid {
					if err != nil {
						t.Fatalf("refused a valid example: %v", err)
					}
					if again, err := d.Prepare(out); err != nil || !bytes.Equal(again, out) {
						t.Fatalf("prepared arguments are not stable: %v\n%s\n%s", err, out, again)
					}
					return
				}
				if strings.Contains(x.Why, "mapped before validation") {
					return // shows that the name is an alias only, see TestAliases
				}
				var f *fault.Error
				if !errors.As(err, &f) || f.Status() != 400 {
					t.Fatalf("want a 400, got %v", err)
				}
				problems, _ := f.Data["errors"].([]Problem)
				if len(problems) == 0 || f.Message == "" {
					t.Fatalf("no problem named: %v", f)
				}
				t.Log(f.Code, f.Message)
			})
		}
	}
}

package grounding

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Every shape that goes out fits the contract's schema of it.
func TestShapesFitTheContract(t *testing.T) {
	raw, err := os.ReadFile("../catalog/contract/minds/schemas.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schemas.json", doc); err != nil {
		t.Fatal(err)
	}
	check := func(t *testing.T, def string, value any) {
		t.Helper()
		schema, err := compiler.Compile("schemas.json#/$defs/" + def)
		if err != nil {
			t.Fatal(err)
		}
		raw, ok := value.([]byte)
		if !ok {
			if raw, err = json.Marshal(value); err != nil {
				t.Fatal(err)
			}
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", def, err)
		}
	}
	for name, b := range briefs {
		t.Run(name, func(t *testing.T) {
			c := composed(t, Input{Brief: b, Material: []Material{{Title: "m", Text: "52 % of people live in cities.\nAge,Share\n12-15,10\n16-70,90\nMarital status,Share\nMarried,40\nSingle,60\n"}}})
			for _, d := range append(c.Distributions, c.Review...) {
				check(t, "GroundingDistribution", d)
			}
			for _, f := range c.Findings {
				check(t, "SourceFinding", f)
			}
			check(t, "Coverage", c.Coverage)
			s := Snapshot{Kind: KindImport, Distributions: c.Distributions, ReviewDistributions: c.Review, Sources: c.Sources, HardConstraints: c.HardConstraints}
			out, err := s.Canonical()
			if err != nil {
				t.Fatal(err)
			}
			check(t, "GroundingSnapshot", out)
			if _, err := ParseSnapshot(string(out)); err != nil {
				t.Error(err)
			}
		})
	}
}

package run_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// fits holds a value to a shape of the contract.
func fits(t testing.TB, def string, v any) {
	t.Helper()
	raw, err := os.ReadFile("../../catalog/contract/minds/schemas.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schemas.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schemas.json#/$defs/" + def)
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	in, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(in); err != nil {
		t.Errorf("%s: %v\n%.2000s", def, err, out)
	}
}

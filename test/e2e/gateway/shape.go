package gateway

import (
	"bytes"
	"encoding/json"
	"strconv"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mindgate-dev/mindgate/shared/catalog/contract"
)

var responses = sync.OnceValues(func() (map[string]map[string]json.RawMessage, error) {
	raw, err := contract.Files.ReadFile("minds/rest.json")
	if err != nil {
		return nil, err
	}
	var list []struct {
		OperationID string                     `json:"operationId"`
		Response    map[string]json.RawMessage `json:"response"`
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	out := map[string]map[string]json.RawMessage{}
	for _, o := range list {
		out[o.OperationID] = o.Response
	}
	return out, nil
})

// Shape fails the test unless an answer has the shape that the contract gives
// the operation for its status.
func Shape(t testing.TB, operation string, a Answer) {
	t.Helper()
	all, err := responses()
	if err != nil {
		t.Fatal(err)
	}
	status := strconv.Itoa(a.Status)
	raw, ok := all[operation][status]
	if !ok { // one of several media types
		raw, ok = all[operation][status+" application/json"]
	}
	if !ok || raw[0] != '{' {
		raw, ok = all[operation]["201"] // a replay answers the same under 200
		if !ok {
			t.Fatalf("%s: the contract has no shape for %d", operation, a.Status)
		}
	}
	// Where the contract says oneOf, an answer may fit a second form that
	// requires nothing.
	raw = bytes.ReplaceAll(raw, []byte(`"oneOf"`), []byte(`"anyOf"`))
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("mem:///s", schema); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///s")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.Body))
	if err != nil {
		t.Fatalf("%s: %v: %s", operation, err, a.Body)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%s answered another shape: %v\n%s", operation, err, a.Body)
	}
}

package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// publishedOutput is a tool's output schema as the resource gives it.
func publishedOutput(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	var got struct{ OutputSchema json.RawMessage }
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(got.OutputSchema)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("mem:output", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:output")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A client that checks structured content against the full schema takes a
// refusal too (M-12), and neither an empty object nor half of a refusal.
func TestRefusalsFitTheFullSchema(t *testing.T) {
	h := fixture(t, func(o *Options) { o.Catalogue = catalog.Minds() })
	refusal, err := json.Marshal(result(tool.Answer{Error: tool.Refused(fault.New(fault.PlanLimit, "No more Studies.").With("limit", 3))}).StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range catalog.Minds().WithFinder().All() {
		for _, query := range []string{"", "?refs=none"} {
			w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"`+schemaURI(d.Name)+query+`"}}`)
			var reply struct {
				Result struct{ Contents []struct{ Text string } }
			}
			if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || len(reply.Result.Contents) != 1 {
				t.Fatalf("%s: %.300s", d.Name, w.Body)
			}
			schema := publishedOutput(t, reply.Result.Contents[0].Text)
			for content, fits := range map[string]bool{
				string(refusal): true, `{"error":{"code":"X"}}`: false, `{"error":"text"}`: false, `[]`: false,
			} {
				v, err := jsonschema.UnmarshalJSON(strings.NewReader(content))
				if err != nil {
					t.Fatal(err)
				}
				if err := schema.Validate(v); (err == nil) != fits && (fits || d.CheckResult(json.RawMessage(content)) != nil) {
					t.Errorf("%s%s: %s fits: %v (%v)", d.Name, query, content, err == nil, err)
				}
			}
		}
	}
}

// References go on leading to what they name once a result's schema stands
// beside a refusal's.
func TestOrRefusalKeepsReferences(t *testing.T) {
	out, err := orRefusal(json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"$defs":{"A":{"const":1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	schema := publishedOutput(t, `{"outputSchema":`+string(out)+`}`)
	for content, fits := range map[string]bool{
		`{"a":1}`: true, `{"a":2}`: false, `{}`: false,
		`{"error":{"code":"X","status":400,"message":"m","retryable":false}}`: true,
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != fits {
			t.Errorf("%s: %v", content, err)
		}
	}
}

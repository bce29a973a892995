// Package tooltest holds tools to their contract: its examples, its schemas and
// the transcripts that show a tool's whole conversation.
//
// A package of tools uses it so:
//
//	d := …                                   // a dispatcher over the registry
//	tooltest.Structs(t, registry, catalog.Minds())
//	tooltest.Examples(t, registry, caller)
//	tooltest.Transcripts(t, "testdata/*.txtar", tooltest.Conversation{Call: caller})
package tooltest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/catalog/contract"
	"github.com/mindgate-dev/mindgate/shared/catalog/listing"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// Caller calls one tool as some principal; as is empty for the main one.
type Caller func(ctx context.Context, as, name string, args json.RawMessage) tool.Answer

// Dispatched makes a Caller of a dispatcher. principals[""] is the main caller;
// others are named in transcripts ("call as other"). Names are looked up as a
// router does (old names, folded names), and each answer that is a result is
// checked against the tool's full result schema.
func Dispatched(t testing.TB, d *tool.Dispatcher, c *catalog.Catalogue, principals map[string]account.Principal) Caller {
	invoker := tool.InProcess(d)
	return func(ctx context.Context, as, name string, args json.RawMessage) tool.Answer {
		t.Helper()
		p, ok := principals[as]
		if !ok {
			t.Fatalf("no principal is named %q", as)
		}
		def, ok := c.Lookup(name)
		if !ok {
			t.Fatalf("no tool is named %q", name)
		}
		answer, err := invoker.Invoke(ctx, tool.Envelope{
			Tool: def.Name, Args: catalog.Rename(name, args), Principal: p, RequestID: "test", Protocol: "test",
		}, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if answer.Error == nil {
			if err := def.CheckResult(answer.Structured); err != nil {
				t.Errorf("%s: the result does not fit the contract: %v\n%s", name, err, answer.Structured)
			}
		}
		return answer
	}
}

// Examples runs the contract's examples of every registered tool: a valid one
// gets past argument checking, an invalid one is refused there.
func Examples(t *testing.T, r *tool.Registry, call Caller) {
	t.Helper()
	for _, c := range contractTools(t) {
		if _, ok := r.Get(c.Name); !ok {
			continue
		}
		for _, x := range c.Examples {
			t.Run(c.Name+"/"+x.Why, func(t *testing.T) {
				answer := call(t.Context(), "", c.Name, x.Arguments)
				refused := answer.Error != nil && answer.Error.Data["errors"] != nil &&
					(answer.Error.Code == string(fault.Validation) || answer.Error.Code == string(fault.ConfirmationRequired) || answer.Error.Code == string(fault.TrainMembersOptOutRemoved))
				switch {
				case x.Valid && answer.Error != nil && answer.Error.Code == string(fault.Validation) && (refused || namesStored[c.Name] == ""):
					t.Errorf("a valid example is refused: %s", answer.Error.Message)
				case x.Valid && answer.Error != nil && answer.Error.Code == string(fault.Internal):
					t.Errorf("a valid example fails inside: %s", answer.Error.Message)
				case !x.Valid && !refused && !usesAlias(c, x.Arguments):
					t.Errorf("an invalid example is not refused as such: %+v", answer)
				}
			})
		}
	}
}

// namesStored are tools whose valid examples name things that no test stores,
// where the contract answers that with VALIDATION as well: only a refusal by the
// schema counts against them.
var namesStored = map[string]string{
	"import_audience_sources": "a missing or foreign file is an input error",
}

// usesAlias: an example that shows an old argument name as invalid means the
// schema; a call maps the name first.
func usesAlias(c listing.Tool, args json.RawMessage) bool {
	var given map[string]json.RawMessage
	if json.Unmarshal(args, &given) != nil {
		return false
	}
	for alias := range c.ArgumentAliases {
		if _, ok := given[strings.SplitN(alias, ".", 2)[0]]; ok {
			return true
		}
	}
	return false
}

func contractTools(t testing.TB) []listing.Tool {
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

// Result checks a value against the full result schema of a tool.
func Result(t testing.TB, c *catalog.Catalogue, name string, value any) {
	t.Helper()
	def, ok := c.Lookup(name)
	if !ok {
		t.Fatalf("no tool is named %q", name)
	}
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := def.CheckResult(raw); err != nil {
		t.Errorf("%s: the result does not fit the contract: %v\n%s", name, err, raw)
	}
}

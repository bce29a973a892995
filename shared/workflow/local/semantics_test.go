package local

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// machineOf wraps states, the first of which is named A.
func machineOf(states string) string {
	return `{"QueryLanguage":"JSONata","StartAt":"A","States":{` + states + `}}`
}

// taskState writes a Task named n; rest are its further fields.
func taskState(n, task, payload, rest string) string {
	return fmt.Sprintf(`"%s":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"${%s}","Payload":%s},"TimeoutSeconds":60,%s}`, n, task, payload, rest)
}

const payloadOut = `"Output":"{% $states.result.Payload %}"`

// semanticsTasks: Echo gives its payload, Fails fails with the name in it,
// FailsOnce only the first time, Nothing gives nothing, Nulls and Large what
// may not travel, Wrapped an error that is none of ours.
func semanticsTasks() workflow.Tasks {
	var once atomic.Bool
	return workflow.Tasks{
		"Echo": echo,
		"Fails": func(_ context.Context, p json.RawMessage) (json.RawMessage, error) {
			var in struct{ Name string }
			_ = json.Unmarshal(p, &in)
			return nil, &workflow.Error{Name: in.Name, Cause: "as told"}
		},
		"FailsOnce": func(_ context.Context, p json.RawMessage) (json.RawMessage, error) {
			if once.CompareAndSwap(false, true) {
				return nil, workflow.Errorf("Transient", "first time")
			}
			return p, nil
		},
		"Nothing": func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil },
		"Nulls": func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`{"a":null}`), nil
		},
		"Large":   func(context.Context, json.RawMessage) (json.RawMessage, error) { return big(257 << 10), nil },
		"Wrapped": func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, fmt.Errorf("plain") },
		"Panics":  func(context.Context, json.RawMessage) (json.RawMessage, error) { panic("boom") },
	}
}

// Each row of the table of semantics as a small machine. want is the output, or
// "!" and the error's name.
func TestSemantics(t *testing.T) {
	catchAll := `"Catch":[{"ErrorEquals":["States.ALL"],"Output":{"caught":"{% $states.errorOutput.Error %}"},"Next":"Z"}],"End":true`
	end := `"Z":{"Type":"Pass","End":true}`
	pass := func(output string) string { return `"A":{"Type":"Pass","Output":` + output + `,"End":true}` }
	for _, c := range []struct{ row, states, input, want string }{
		{"{% %}: blank before makes it an expression no more, so it is refused when built; plain text stays", pass(`"just text"`), `{}`, `"just text"`},
		{"{% %}: concatenation", pass(`"{% 'x ' & $states.input.a %}"`), `{"a":"b"}`, `"x b"`},
		{"{% %}: keys are never evaluated", pass(`{"$states.input.a":1}`), `{"a":"b"}`, `{"$states.input.a":1}`},
		{"missing: no result fails", pass(`"{% $states.input.nope %}"`), `{}`, "!States.QueryEvaluationError"},
		{"missing: no result in a member fails", pass(`{"a":"{% $states.input.nope %}"}`), `{}`, "!States.QueryEvaluationError"},
		{"missing: the key disappears inside an object constructor", pass(`"{% {'a': $states.input.nope, 'b': 1} %}"`), `{}`, `{"b":1}`},
		{"missing = 3 is false", pass(`"{% $states.input.nope = 3 %}"`), `{}`, `false`},
		{"missing guarded", pass(`"{% $exists($states.input.n) and $states.input.n > 3 %}"`), `{}`, `false`},
		{"$sum of wrapped nothing is 0", pass(`"{% $sum([$states.input.items.n]) %}"`), `{}`, `0`},
		{"$sum of nothing has no result", pass(`"{% $sum($states.input.items.n) %}"`), `{}`, "!States.QueryEvaluationError"},
		{"one becomes no array", pass(`"{% $states.input.items.id %}"`), `{"items":[{"id":"a"}]}`, `"a"`},
		{"one in brackets stays", pass(`"{% [$states.input.items.id] %}"`), `{"items":[{"id":"a"}]}`, `["a"]`},
		{"none in brackets is empty", pass(`"{% [$states.input.items.id] %}"`), `{"items":[]}`, `[]`},
		{"an empty list at the end of a path stays", pass(`"{% $states.input.items %}"`), `{"items":[]}`, `[]`},
		{"types: Seconds as text fails", `"A":{"Type":"Wait","Seconds":"{% '1' %}","End":true}`, `{}`, "!States.QueryEvaluationError"},
		{"types: Seconds with a fraction fails", `"A":{"Type":"Wait","Seconds":"{% 1.5 %}","End":true}`, `{}`, "!States.QueryEvaluationError"},
		{"types: a condition that is not boolean fails", `"A":{"Type":"Choice","Choices":[{"Condition":"{% 1 %}","Next":"Z"}],"Default":"Z"},` + end, `{}`, "!States.QueryEvaluationError"},
		{"types: 1.0 is 1", pass(`"{% $states.input.n = 1 %}"`), `{"n":1.0}`, `true`},
		{"output default: Pass gives the input", `"A":{"Type":"Pass","End":true}`, `{"a":1}`, `{"a":1}`},
		{"output default: Wait gives the input", `"A":{"Type":"Wait","Seconds":0,"End":true}`, `{"a":1}`, `{"a":1}`},
		{"output default: Choice gives the input", `"A":{"Type":"Choice","Choices":[{"Condition":"{% false %}","Next":"Z"}],"Default":"Z"},` + end, `{"a":1}`, `{"a":1}`},
		{"output of a rule", `"A":{"Type":"Choice","Choices":[{"Condition":"{% true %}","Output":{"b":2},"Next":"Z"}],"Default":"Z"},` + end, `{"a":1}`, `{"b":2}`},
		{"output default: Succeed gives the input", `"A":{"Type":"Succeed"}`, `{"a":1}`, `{"a":1}`},
		{"output default: Map gives the results in item order", `"A":{"Type":"Map","Items":"{% $states.input %}","MaxConcurrency":2,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true}`, `[3,1,2]`, `[3,1,2]`},
		{"output default: Parallel gives the branches' results", `"A":{"Type":"Parallel","Branches":[{"StartAt":"I","States":{"I":{"Type":"Pass","Output":1,"End":true}}},{"StartAt":"J","States":{"J":{"Type":"Pass","End":true}}}],"End":true}`, `{"a":1}`, `[1,{"a":1}]`},
		{"catch: the error output replaces the input", taskState("A", "Fails", `{"Name":"Boom"}`, payloadOut+`,"Catch":[{"ErrorEquals":["Boom"],"Next":"Z"}],"End":true`) + `,"Z":{"Type":"Pass","Output":"{% {'e': $states.input.Error, 'm': $parse($states.input.Cause).errorMessage, 'old': $states.input.keep} %}","End":true}`, `{"keep":1}`, `{"e":"Boom","m":"as told"}`},
		{"catch: Output carries the input on", taskState("A", "Fails", `{"Name":"Boom"}`, payloadOut+`,"Catch":[{"ErrorEquals":["Boom"],"Output":"{% $states.input %}","Next":"Z"}],"End":true`) + "," + end, `{"keep":1}`, `{"keep":1}`},
		{"invoke: the result is an envelope", taskState("A", "Echo", `"{% $states.input %}"`, `"Output":"{% $states.result.Payload.a %}","End":true`), `{"a":1}`, `1`},
		{"invoke: a task that gives nothing has no Payload", taskState("A", "Nothing", `{}`, payloadOut+`,"End":true`), `{}`, "!States.QueryEvaluationError"},
		{"invoke: nothing may be left unread", taskState("A", "Nothing", `{}`, `"Output":"{% $states.input %}","End":true`), `{"a":1}`, `{"a":1}`},
		{"invoke: null in a result", taskState("A", "Nulls", `{}`, payloadOut+","+catchAll) + "," + end, `{}`, `{"caught":"NullInResult"}`},
		{"assign: Output sees the variables as on entry, the next state the new ones", `"A":{"Type":"Pass","Assign":{"x":1},"Next":"B"},"B":{"Type":"Pass","Assign":{"x":2},"Output":"{% $x %}","Next":"C"},"C":{"Type":"Pass","Output":"{% [$states.input, $x] %}","End":true}`, `{}`, `[1,2]`},
		{"assign: a Map item reads outer variables", `"A":{"Type":"Pass","Assign":{"x":10},"Next":"B"},"B":{"Type":"Map","Items":[1,2],"MaxConcurrency":1,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","Output":"{% $x + $states.input %}","End":true}}},"End":true}`, `{}`, `[11,12]`},
		{"assign: what items assign stays inside", `"A":{"Type":"Map","Items":[1,2],"MaxConcurrency":1,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","Assign":{"y":"{% $states.input %}"},"Next":"J"},"J":{"Type":"Pass","Output":"{% $y * 10 %}","End":true}}},"End":true}`, `{}`, `[10,20]`},
		{"assign: in Catch", taskState("A", "Fails", `{"Name":"Boom"}`, payloadOut+`,"Catch":[{"ErrorEquals":["Boom"],"Assign":{"e":"{% $states.errorOutput.Error %}"},"Next":"Z"}],"End":true`) + `,"Z":{"Type":"Pass","Output":"{% $e %}","End":true}`, `{}`, `"Boom"`},
		{"assign: in a Choice rule", `"A":{"Type":"Choice","Choices":[{"Condition":"{% true %}","Assign":{"r":5},"Next":"Z"}],"Default":"Y"},"Y":{"Type":"Succeed"},"Z":{"Type":"Pass","Output":"{% $r %}","End":true}`, `{}`, `5`},
		{"$states.result: in Assign of a Task", taskState("A", "Echo", `{"n":7}`, payloadOut+`,"Assign":{"n":"{% $states.result.Payload.n %}"},"Next":"Z"`) + `,"Z":{"Type":"Pass","Output":"{% $n %}","End":true}`, `{}`, `7`},
		{"context: fields", `"A":{"Type":"Pass","Output":"{% [$states.context.Execution.Name, $states.context.State.Name, $states.context.StateMachine.Name, $states.context.Execution.Input.a, $states.context.State.RetryCount] %}","End":true}`, `{"a":1}`, `["x","A","m",1,0]`},
		{"context: Map.Item in ItemSelector and inside", `"A":{"Type":"Map","Items":["a","b"],"MaxConcurrency":2,"ItemSelector":{"i":"{% $states.context.Map.Item.Index %}","v":"{% $states.context.Map.Item.Value %}"},"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","Output":"{% [$states.input.i, $states.input.v, $states.context.Map.Item.Index] %}","End":true}}},"End":true}`, `{}`, `[[0,"a",0],[1,"b",1]]`},
		{"Map: an empty list gives an empty list", `"A":{"Type":"Map","Items":"{% $states.input.l %}","MaxConcurrency":2,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true}`, `{"l":[]}`, `[]`},
		{"Map: Items that is no array fails", `"A":{"Type":"Map","Items":"{% $states.input.l.id %}","MaxConcurrency":2,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true}`, `{"l":[{"id":"a"}]}`, "!States.QueryEvaluationError"},
		{"Map: fails with the item's own error", `"A":{"Type":"Map","Items":["Boom","Boom"],"MaxConcurrency":1,"ItemProcessor":{"StartAt":"I","States":{` + taskState("I", "Fails", `{"Name":"{% $states.input %}"}`, payloadOut+`,"End":true`) + `}},"End":true}`, `{}`, "!Boom"},
		{"Map: Catch", `"A":{"Type":"Map","Items":["Boom"],"MaxConcurrency":1,"ItemProcessor":{"StartAt":"I","States":{` + taskState("I", "Fails", `{"Name":"{% $states.input %}"}`, payloadOut+`,"End":true`) + `}},` + catchAll + `},` + end, `{}`, `{"caught":"Boom"}`},
		{"Map in a Map", `"A":{"Type":"Map","Items":[[1,2],[3]],"MaxConcurrency":2,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Map","Items":"{% $states.input %}","MaxConcurrency":2,"ItemProcessor":{"StartAt":"J","States":{"J":{"Type":"Pass","Output":"{% $states.input * 2 %}","End":true}}},"End":true}}},"End":true}`, `{}`, `[[2,4],[6]]`},
		{"Parallel: fails with the branch's own error", `"A":{"Type":"Parallel","Branches":[{"StartAt":"F","States":{"F":{"Type":"Fail","Error":"Branch","Cause":"c"}}}],` + catchAll + `},` + end, `{}`, `{"caught":"Branch"}`},
		{"Fail: error and cause", `"A":{"Type":"Fail","Error":"{% 'E' & $states.input.n %}","Cause":"c"}`, `{"n":1}`, "!E1"},
		{"retry: spent goes to Catch", taskState("A", "Fails", `{"Name":"Boom"}`, payloadOut+`,"Retry":[{"ErrorEquals":["Boom"],"MaxAttempts":0}],`+catchAll) + "," + end, `{}`, `{"caught":"Boom"}`},
		{"retry: the first that matches decides", taskState("A", "FailsOnce", `{}`, payloadOut+`,"Retry":[{"ErrorEquals":["Transient"],"MaxAttempts":0},{"ErrorEquals":["States.ALL"],"MaxAttempts":2}],`+catchAll) + "," + end, `{}`, `{"caught":"Transient"}`},
		{"retry: an error in Output is caught like a task's", taskState("A", "Echo", `{}`, `"Output":"{% $states.result.Payload.nope %}",`+catchAll) + "," + end, `{}`, `{"caught":"States.QueryEvaluationError"}`},
		{"an error in Arguments is caught like a task's", taskState("A", "Echo", `{"a":"{% $states.input.nope %}"}`, payloadOut+","+catchAll) + "," + end, `{}`, `{"caught":"States.QueryEvaluationError"}`},
		{"names: States.TaskFailed matches a task's error", taskState("A", "Fails", `{"Name":"Own"}`, payloadOut+`,"Catch":[{"ErrorEquals":["States.TaskFailed"],"Output":"{% $states.errorOutput.Error %}","Next":"Z"}],"End":true`) + "," + end, `{}`, `"Own"`},
		{"names: States.TaskFailed does not match States.Timeout", taskState("A", "Fails", `{"Name":"States.Timeout"}`, payloadOut+`,"Catch":[{"ErrorEquals":["States.TaskFailed"],"Next":"Z"}],"End":true`) + "," + end, `{}`, "!States.Timeout"},
		{"names: States.ALL does not match States.DataLimitExceeded", taskState("A", "Large", `{}`, payloadOut+","+catchAll) + "," + end, `{}`, "!States.DataLimitExceeded"},
		{"names: States.ALL does not match States.Runtime", taskState("A", "Fails", `{"Name":"States.Runtime"}`, payloadOut+","+catchAll) + "," + end, `{}`, "!States.Runtime"},
		{"names: a Go error's type name", taskState("A", "Wrapped", `{}`, payloadOut+","+catchAll) + "," + end, `{}`, `{"caught":"errorString"}`},
		{"names: a panic's type name", taskState("A", "Panics", `{}`, payloadOut+","+catchAll) + "," + end, `{}`, `{"caught":"string"}`},
		{"default when no rule matches", `"A":{"Type":"Choice","Choices":[{"Condition":"{% $states.input.a = 2 %}","Next":"Z"}],"Default":"Y"},"Y":{"Type":"Pass","Output":"default","End":true},` + end, `{"a":1}`, `"default"`},
		{"limit: an output of 257 KiB", `"A":{"Type":"Pass","Output":"{% $pad('x', 263168) %}","End":true}`, `{}`, "!States.DataLimitExceeded"},
		{"limit: variables of 257 KiB", `"A":{"Type":"Pass","Assign":{"v":"{% $pad('x', 263168) %}"},"End":true}`, `{}`, "!States.DataLimitExceeded"},
		{"limit: a payload of 257 KiB", taskState("A", "Echo", `"{% $pad('x', 263168) %}"`, payloadOut+`,"End":true`), `{}`, "!States.DataLimitExceeded"},
		{"limit: an expression of more than a second", pass(`"{% $count([1..900000].($reduce([1..900000], function($a, $b){ $a + $b }))) %}"`), `{}`, "!States.QueryEvaluationError"},
	} {
		t.Run(c.row, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, map[string]string{"m": machineOf(c.states)}, semanticsTasks(), nil)
			r.run()
			r.start("m", "x", c.input)
			x := r.wait("m", "x")
			name, fails := strings.CutPrefix(c.want, "!")
			switch {
			case fails:
				if x.Status != workflow.Failed || x.Error != name {
					t.Errorf("%s %q (%s) %s, want the error %s", x.Status, x.Error, x.Cause, x.Output, name)
				}
			case x.Status != workflow.Succeeded || !sameJSON(t, x.Output, c.want):
				t.Errorf("%s %s (%s) %s, want %s", x.Status, x.Error, x.Cause, x.Output, c.want)
			}
		})
	}
}

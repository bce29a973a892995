package mcpserver

import (
	"strings"
	"testing"
)

// An id comes back as it was written, whoever answers: the engine, its cached
// list, or the front.
func TestIDsComeBack(t *testing.T) {
	h := fixture(t, func(o *Options) { o.Stream = true })
	for _, id := range []string{
		`0`, `-0`, `-7`, `9007199254740993`, `-9007199254740993`, `100000000000000003`,
		`""`, `"a"`, `"\u0041"`, `"a\"b\\"`, `"\ud83d\ude00 \u00e9 <&>"`, `"\\ud800"`, `"😀"`,
	} {
		for what, rest := range map[string]string{
			"ping":        `"method":"ping"`,
			"list":        `"method":"tools/list"`,
			"list again":  `"method":"tools/list"`,
			"call":        `"method":"tools/call","params":{"name":"list_minds","arguments":{}}`,
			"stream":      `"method":"tools/call","params":{"name":"list_minds","arguments":{},"_meta":{"progressToken":1}}`,
			"no tool":     `"method":"tools/call","params":{"name":"nope"}`,
			"no method":   `"method":"nope"`,
			"wrong type":  `"method":"tools/call","params":{"name":5}`,
			"no argument": `"method":"tools/call","params":[]`,
		} {
			w := post(t, h, `{"jsonrpc":"2.0","id":`+id+`,`+rest+`}`, "Accept: application/json, text/event-stream")
			if !strings.HasPrefix(w.Body.String(), `{"jsonrpc":"2.0","id":`+id+`,`) {
				t.Errorf("%s, id %s: %.200s", what, id, w.Body)
			}
		}
	}
}

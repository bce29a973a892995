package restapi

import (
	"strings"
	"testing"
)

const someID = "550e8400-e29b-41d4-a716-446655440000"

// A refusal names the field that the caller sent, and says a rule that can be kept.
func TestRefusalsNameWhatWasSent(t *testing.T) {
	g := at(t)
	mind, chat := "/api/v1/minds/"+someID+"/completion", "/api/v1/chats/"+someID+"/messages"
	for _, tt := range []struct {
		name, method, url, body string
		says                    []string
		not                     string
	}{
		{"blank completion", "POST", mind, `{"messages":[{"role":"user","content":"  "}]}`, []string{"messages[0].content is blank", `"path":"/messages/0/content"`}, `"field":"message"`},
		{"long completion", "POST", mind, `{"messages":[{"role":"system","content":"Be kind."},{"role":"user","content":"` + strings.Repeat("x", 32_001) + `"}]}`,
			[]string{"messages[1].content has 32001 characters; at most 32000"}, `"field":"message"`},
		{"two texts", "POST", chat, `{"content":"Hello","message":"Hi"}`, []string{"content and message", "send content alone"}, ""},
		{"two keys", "POST", "/api/v1/minds", `{"name":"Ada","mode":"manual","idempotencyKey":"` + someID + `"}`, []string{"Idempotency-Key and idempotencyKey", "differ"}, ""},
		{"a key twice", "POST", "/api/v1/minds", `{"name":"Ada","mode":"manual","tags":["a"],"name":"Bob"}`, []string{`key \"name\" twice`}, ""},
		{"a key twice, deep", "POST", mind, `{"messages":[{"role":"user","content":"Hi"},{"role":"user","\u0072ole":"system","content":"x"}]}`, []string{`key \"role\" twice`}, ""},
		{"private page", "POST", "/api/v1/minds", `{"name":"Ada","mode":"link","link":"http://127.0.0.1/"}`, []string{"UNSAFE_URL", "link: The", `"field":"link"`}, "contextLink"},
		{"name of an upload", "POST", "/api/v1/uploads", `{"folder":"context"}`, []string{`name is required, for example \"report.pdf\"`}, "Coffee"},
		{"name of a Mind", "POST", "/api/v1/minds", `{"mode":"manual"}`, []string{`name is required, for example \"Ada\"`}, "Coffee"},
		{"name of an Audience", "POST", "/api/v1/audiences", `{}`, []string{"Coffee drinkers"}, ""},
	} {
		code, body := g.do(tt.method, tt.url, tt.body, "Idempotency-Key", "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172")
		if code != 400 {
			t.Errorf("%s: %d %s", tt.name, code, body)
		}
		for _, want := range tt.says {
			if !strings.Contains(body, want) {
				t.Errorf("%s does not say %q: %s", tt.name, want, body)
			}
		}
		if tt.not != "" && strings.Contains(body, tt.not) {
			t.Errorf("%s says %q: %s", tt.name, tt.not, body)
		}
	}
	for _, twice := range []string{`{"":1,"":2}`, `{"a":{"b":1},"a":[]}`, `[{"a\"":1,"a\u0022":1}]`, `{"x":[1,{"y":"}","z":0,"y":1}]}`} {
		if _, is := repeated([]byte(twice)); !is {
			t.Errorf("%s passed", twice)
		}
	}
	for _, fine := range []string{`{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}`, `[]`, `"a"`, `{}`, `{"":"","a\\":"a","b":"\"b\":,{"}`, `{"a":"b","b":"a"}`, `[["a","a"],{"a":[{}]}]`, ` 1 `} {
		if got, is := repeated([]byte(fine)); is {
			t.Errorf("%s: %q", fine, got)
		}
	}
}

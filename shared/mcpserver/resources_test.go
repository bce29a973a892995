package mcpserver

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/catalog"
)

func TestMatch(t *testing.T) {
	for uri, want := range map[string]string{
		"mindgate://studies/abc":                         "study abc",
		"mindgate://studies/a%20b%2Fc":                   "study a b/c",
		"mindgate://studies/abc/analytics":               "study-analytics abc",
		"mindgate://audiences/x":                         "audience x",
		"mindgate://research-methods":                    "research-methods ",
		"mindgate://studies/":                            "",
		"mindgate://studies/%20":                         "",
		"mindgate://studies/%zz":                         "",
		"mindgate://studies/a/b":                         "",
		"mindgate://studies":                             "",
		"https://studies/abc":                            "",
		"mindgate://studies/a/analytics/b":               "",
		"mindgate://studies/" + strings.Repeat("a", 500): "",
	} {
		src, value, ok := match(uri)
		got := ""
		if ok {
			got = src.name + " " + value
		}
		if got != want {
			t.Errorf("%s: %q, want %q", uri, got, want)
		}
	}
}

// Each template reads a tool of the contract that changes nothing, with
// arguments that the tool has; what it takes, it can address.
func TestSources(t *testing.T) {
	for _, src := range sources {
		d, ok := catalog.Minds().Lookup(src.tool)
		if !ok || !d.Annotations.ReadOnly {
			t.Errorf("%s reads %s", src.uri, src.tool)
			continue
		}
		for _, value := range []string{brandID, "A name"} {
			args, ok := src.arguments(value)
			if !ok {
				continue // takes ids only
			}
			if _, err := d.Prepare(args); err != nil {
				t.Errorf("%s with %q: %v", src.uri, value, err)
			}
			if src.argument == "" {
				continue
			}
			back, got, ok := match(src.address(value))
			if !ok || back.name != src.name || got != value {
				t.Errorf("%s does not come back from %s", value, src.address(value))
			}
		}
	}
}

// A resource that the scopes do not cover is refused before anything runs, and
// says what is missing; it is not in the list either.
func TestResourceScopes(t *testing.T) {
	h := rich(t, func(o *Options) {
		o.Authenticator = keys{"minds": {Account: "a", Workspace: "w", Scopes: []string{"sparks:read"}, Method: "api_key"}}
	})
	ask := func(body string) *httptest.ResponseRecorder {
		return at(t, h, "/mcp", body, "Authorization: Bearer minds")
	}
	w := ask(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"mindgate://studies/` + brandID + `"}}`)
	if w.Code != http.StatusForbidden || !strings.Contains(w.Header().Get("WWW-Authenticate"), `error="insufficient_scope"`) || !strings.Contains(w.Body.String(), "flows:read") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := ask(`{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}`); strings.Contains(w.Body.String(), "mindgate://studies") {
		t.Errorf("%s", w.Body)
	}
	if w := ask(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"mindgate://tools"}}`); strings.Contains(w.Body.String(), "create_study") || !strings.Contains(w.Body.String(), "list_minds") {
		t.Errorf("%s", w.Body)
	}
	if w := ask(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"mindgate://tools/create_study/schema"}}`); !strings.Contains(w.Body.String(), "Resource not found") {
		t.Errorf("%s", w.Body)
	}
	if w := ask(`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"mindgate://studies/{study}"},"argument":{"name":"study","value":""}}}`); !strings.Contains(w.Body.String(), `"values":[]`) {
		t.Errorf("%s", w.Body)
	}
}

// The full schema of each tool can be read, is the one that is enforced, and
// can be had without references.
func TestSchemaResource(t *testing.T) {
	h := fixture(t, func(o *Options) { o.Catalogue = catalog.Minds() })
	for _, d := range catalog.Minds().All() {
		for _, query := range []string{"", "?refs=none"} {
			w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"`+schemaURI(d.Name)+query+`"}}`)
			var reply struct {
				Result struct{ Contents []struct{ Text string } }
			}
			if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || len(reply.Result.Contents) != 1 {
				t.Fatalf("%s: %.300s", d.Name, w.Body)
			}
			var got struct {
				Name                      string
				InputSchema, OutputSchema struct{ Type string }
			}
			if err := json.Unmarshal([]byte(reply.Result.Contents[0].Text), &got); err != nil || got.Name != d.Name || got.InputSchema.Type != "object" {
				t.Errorf("%s: %v %+v", d.Name, err, got)
			}
			if query == "" && !strings.Contains(reply.Result.Contents[0].Text, string(d.Input)) {
				t.Errorf("%s: not the schema that is enforced", d.Name)
			}
		}
	}
}

// A name behind the first page is found by the tool's own search.
func TestCompletionBehindThePage(t *testing.T) {
	h := rich(t, nil)
	for typed, want := range map[string]string{
		"bran": `["Brand Perception"]`, "550E8400": `["` + brandID + `"]`, "zzz": `[]`,
	} {
		w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"mindgate://studies/{study}"},"argument":{"name":"study","value":"`+typed+`"}}}`)
		if !strings.Contains(w.Body.String(), `"values":`+want) {
			t.Errorf("%s: %s", typed, w.Body)
		}
	}
	w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"mindgate://tools/{name}/schema{?refs}"},"argument":{"name":"name","value":"stud"}}}`)
	if !strings.Contains(w.Body.String(), `"values":["create_study","ask_study","list_studies","get_study_status"]`) {
		t.Errorf("%s", w.Body)
	}
}

func TestFitting(t *testing.T) {
	rows := []record{{"1a", "Twins"}, {"2b", "twins"}, {"3c", "Plain"}, {brandID, brandID}, {"5e", ""}}
	for typed, want := range map[string]string{"": "1a 2b Plain " + brandID + " 5e", "twin": "1a 2b", "pl": "Plain", "3c": "3c", "no": ""} {
		if got := strings.Join(fitting(rows, true, typed), " "); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}

func TestIcons(t *testing.T) {
	h := fixture(t, nil)
	for path, mime := range map[string]string{iconPathPNG: "image/png", iconPathSVG: "image/svg+xml"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != 200 || w.Header().Get("Content-Type") != mime || w.Body.Len() == 0 || w.Body.Len() > 4096 {
			t.Errorf("%s: %d %v %d", path, w.Code, w.Header(), w.Body.Len())
		}
		w = httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodDelete, path, nil))
		if w.Code != 405 || !strings.Contains(w.Body.String(), "jsonrpc") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// Prompts name tools that are here, and no others.
func TestPromptsNameToolsThatExist(t *testing.T) {
	all := catalog.Minds()
	for _, c := range []*catalog.Catalogue{all, all.Only([]string{"list_audiences", "create_study", "ask_study", "list_studies", "get_study_status"})} {
		has := func(name string) bool { _, ok := c.Lookup(name); return ok }
		for _, p := range prompts {
			if !p.can(has) {
				continue
			}
			text := p.write(has, map[string]string{"objective": "O", "topic": "T", "study": "S", "question": "Q", "audience": "A", "mind": brandID})
			if len(text) > 4000 || strings.Contains(text, "%!") {
				t.Errorf("%s: %d %s", p.name, len(text), text)
			}
			for _, d := range all.All() {
				if strings.Contains(text, d.Name) && !has(d.Name) {
					t.Errorf("%s names %s", p.name, d.Name)
				}
			}
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("mindgate://studies/a%20b")
	f.Add("mindgate://tools/x/schema?refs=none")
	f.Add("\x7f") // Go quotes it in a way that is no JSON
	h := rich(f, nil)
	f.Fuzz(func(t *testing.T, uri string) {
		if src, value, ok := match(uri); ok && src.argument != "" {
			if _, again, ok := match(src.address(value)); !ok || again != value {
				t.Fatalf("%q", uri)
			}
		}
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": map[string]any{"uri": uri}})
		if err != nil {
			return
		}
		if w := post(t, h, string(body)); !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%s", w.Body)
		}
		_, _ = url.Parse(uri)
	})
}

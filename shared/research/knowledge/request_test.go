package knowledge_test

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
)

func TestReadAdd(t *testing.T) {
	yes := true
	for body, want := range map[string]knowledge.AddRequest{
		`{"link":"https://example.com/a","description":"Trend"}`:                               {Link: "https://example.com/a", Description: "Trend"},
		`{"keywords":["solar"],"regeneratePrompt":true}`:                                       {Keywords: []string{"solar"}, RegeneratePrompt: &yes},
		`{"file":{"name":"h.pdf","url":"https://example.com/h.pdf","type":"application/pdf"}}`: {File: &knowledge.RemoteFile{Name: "h.pdf", URL: "https://example.com/h.pdf", Type: "application/pdf"}},
		`{"text":"Hello."}`: {Text: "Hello."},
	} {
		got, err := knowledge.ReadAdd([]byte(body))
		if err != nil || got.Link != want.Link || got.Text != want.Text || got.Description != want.Description || len(got.Keywords) != len(want.Keywords) ||
			(got.File == nil) != (want.File == nil) || got.File != nil && *got.File != *want.File || (got.RegeneratePrompt == nil) != (want.RegeneratePrompt == nil) {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
	}
	for body, says := range map[string]string{
		``: "JSON object", `[]`: "JSON object", `null`: "JSON object", `{}`: "none of", `{"description":"x"}`: "none of",
		`{"link":5}`: "link must be a text", `{"link":" "}`: "blank", `{"link":null}`: "not be null",
		`{"link":"https://a.b","keywords":["x"]}`: "not a known field beside keywords",
		`{"link":"https://a.b","colour":"red"}`:   "colour",
		`{"keywords":"solar"}`:                    "list of texts", `{"keywords":[]}`: "at least one", `{"keywords":[5]}`: "list of texts",
		`{"file":"x"}`: "object", `{"file":{"name":"a"}}`: "name and a url", `{"file":{"name":"a","url":"b","size":1}}`: "size",
		`{"file":{"name":"a","url":"` + strings.Repeat("u", 4001) + `"}}`:           "4000",
		`{"file":{"name":"a","url":"b","type":"` + strings.Repeat("t", 256) + `"}}`: "file.type has 256",
		`{"text":""}`: "blank", `{"text":"x","regeneratePrompt":"yes"}`: "true or false",
	} {
		_, err := knowledge.ReadAdd([]byte(body))
		if !fault.Is(err, fault.Validation) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func FuzzReadAdd(f *testing.F) {
	for _, seed := range []string{`{"link":"https://example.com"}`, `{"keywords":["a"]}`, `{"file":{"name":"a","url":"b"}}`, `{"text":"x"}`, `[`, `{"file":null}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := knowledge.ReadAdd(body)
		if err != nil {
			if fault.From(err).Status() != 400 || len(err.Error()) > 2_000 {
				t.Errorf("%q: %v", body, err)
			}
			return
		}
		ways := 0
		for _, there := range []bool{r.File != nil, len(r.Keywords) > 0, r.Link != "", r.Text != ""} {
			if there {
				ways++
			}
		}
		if ways != 1 {
			t.Errorf("%q gives %d ways", body, ways)
		}
	})
}

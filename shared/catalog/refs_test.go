package catalog

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestInline(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"object"}`: `{"type":"object"}`,
		`{"$defs":{"a":{"type":"string"}},"properties":{"x":{"$ref":"#/$defs/a"}}}`:                                         `{"properties":{"x":{"type":"string"}}}`,
		`{"$defs":{"a":{"type":"string"}},"properties":{"x":{"$ref":"#/$defs/a","description":"X"}}}`:                       `{"properties":{"x":{"description":"X","type":"string"}}}`,
		`{"$defs":{"a":{"type":"string","minLength":1}},"properties":{"x":{"$ref":"#/$defs/a","minLength":2}}}`:             `{"properties":{"x":{"allOf":[{"minLength":1,"type":"string"},{"minLength":2}]}}}`,
		`{"$defs":{"a":{"$ref":"#/$defs/b~1c"},"b/c":{"type":"null"}},"items":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}`: `{"items":[{"type":"null"},{"type":"null"}]}`,
		`{"properties":{"$ref":{"type":"string"}}}`:                                                                         `{"properties":{"$ref":{"type":"string"}}}`,
		`{"$defs":{"a":{"properties":{"a":{"$ref":"#/$defs/a"}}}},"properties":{"x":{"$ref":"#/$defs/a"}}}`:                 "",
		`{"$ref":"#"}`:                         "",
		`{"$ref":"https://example.com/other"}`: "",
		`{"$ref":"#/$defs/none"}`:              "",
	} {
		got, err := Inline(json.RawMessage(in))
		if want == "" {
			if err == nil {
				t.Errorf("%s: %s", in, got)
			}
			continue
		}
		if err != nil || string(got) != want {
			t.Errorf("%s: %s %v, want %s", in, got, err, want)
		}
	}
	for _, d := range Minds().All() {
		for _, s := range []json.RawMessage{d.Input, d.Output} {
			if got, err := Inline(s); err != nil || strings.Contains(string(got), `"$ref":"`) {
				t.Errorf("%s: %v", d.Name, err)
			}
		}
	}
}

func FuzzInline(f *testing.F) {
	f.Add(`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`)
	f.Add(`{"$defs":{"a":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"}],"b":[{"$ref":"#/$defs/c"},{"$ref":"#/$defs/c"}],"c":1},"x":{"$ref":"#/$defs/a"}}`)
	f.Fuzz(func(_ *testing.T, schema string) { _, _ = Inline(json.RawMessage(schema)) })
}

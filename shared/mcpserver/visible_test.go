package mcpserver

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/catalog/listing"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain\tand\nlines":            "plain\tand\nlines",
		"Grüße, 東京, Ω":                 "Grüße, 東京, Ω",
		"a\u200bb\u202ec\u2066d\u2069": "abcd",
		"\ufeffx\u00ad\u0000\u009b":    "x",
		"tag\U000e0041\U000e007f":      "tag",
		"x\ufe01\U000e0101":            "x",
		"می\u200cخواهم":                "می\u200cخواهم", // a joiner at work
		"a\u200cb":                     "ab",
		"می\u200c\u200c\u200cخواهم":    "میخواهم",
		"👩\u200d🔬 ❤\ufe0f 1\ufe0f":     "👩\u200d🔬 ❤\ufe0f 1\ufe0f",
		"👩\u200d\u200d":                "👩",
		"\u2028line\u3164":             "line",
	} {
		if got := clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// For any text: the revealed JSON is the same value and shows every character;
// cleaning is idempotent and takes away only what cannot be seen.
func TestVisibleLaws(t *testing.T) {
	hidden := []rune{0x200b, 0x200c, 0x200d, 0x202e, 0x2066, 0xe0041, 0xfe0f, 0xad, 'a', 'م', '👩', '"', '\\', '\n', 0x7f, '1', ' '}
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.SampledFrom(hidden)).Draw(t, "s")) + rapid.String().Draw(t, "t")
		raw, err := json.Marshal(map[string]string{"name": s})
		if err != nil {
			t.Fatal(err)
		}
		shown := revealed(string(raw))
		if suspect(shown) >= 0 {
			t.Fatalf("%q hides something", shown)
		}
		var a, b any
		if json.Unmarshal(raw, &a) != nil || json.Unmarshal([]byte(shown), &b) != nil || !reflect.DeepEqual(a, b) {
			t.Fatalf("%s is not %s", shown, raw)
		}
		if c := clean(s); clean(c) != c || suspect(c) >= 0 {
			t.Fatalf("%q", c)
		}
	})
}

func FuzzVisible(f *testing.F) {
	f.Add("a\u200b\xff\U000e0041")
	f.Fuzz(func(t *testing.T, s string) {
		if got := clean(s); utf8.ValidString(s) && !utf8.ValidString(got) || len(got) > len(s) {
			t.Fatalf("%q", got)
		}
		if json.Valid([]byte(s)) && !json.Valid([]byte(revealed(s))) {
			t.Fatalf("%q", revealed(s))
		}
	})
}

// The members that are marked exist in the contract.
func TestForeignMembersExist(t *testing.T) {
	for name, members := range foreign {
		d, ok := catalog.Minds().Lookup(name)
		if !ok {
			t.Errorf("no tool %s", name)
			continue
		}
		var out struct{ Properties map[string]any }
		if err := json.Unmarshal(d.Output, &out); err != nil {
			t.Fatal(err)
		}
		for _, m := range members {
			if _, ok := out.Properties[m]; !ok {
				t.Errorf("%s has no %s", name, m)
			}
		}
	}
	for name := range linked {
		if _, ok := catalog.Minds().Lookup(name); !ok {
			t.Errorf("no tool %s", name)
		}
	}
}

func TestUntrusted(t *testing.T) {
	for in, want := range map[string]string{`{"studies":[]}`: "", `{"studies":[1]}`: "/studies", `{"studies":null}`: "", `{}`: "", `{"other":[1]}`: "", `not json`: ""} {
		if got := strings.Join(untrusted("list_studies", partsOf(tool.Answer{Structured: json.RawMessage(in)})), " "); got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}

// A refusal is valid by the output schema that the list shows: clients check
// structured content by it, refusals too (M-12).
func TestRefusalsFitListedOutput(t *testing.T) {
	refusal, err := json.Marshal(map[string]any{"error": tool.Refused(errNoAnswer)})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range catalog.Minds().WithFinder().All() {
		short := &catalog.Definition{Name: d.Name, Input: d.Input, Output: d.ListedOutput}
		if _, err := catalog.New("x", short); err != nil {
			t.Fatal(err)
		}
		if err := short.CheckResult(refusal); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
	if _, err := listing.Output([]byte(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`)); err != nil {
		t.Error(err)
	}
}

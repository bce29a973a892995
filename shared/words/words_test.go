package words

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func split(text string) []string {
	var out []string
	Each(text, func(w []byte) { out = append(out, string(w)) })
	return out
}

func TestWordsOfManyLanguagesFold(t *testing.T) {
	for text, want := range map[string]string{
		"Don't STOP, please!":           "dont stop please",
		"Don’t stop":                    "dont stop",
		"Crème brûlée":                  "creme brulee",
		"Straße Über ÜBER":              "straße uber uber",
		"ΣΊΣΥΦΟΣ σίσυφος":               "σισυφοσ σισυφοσ",
		"Йога и чай":                    "йога и чай",
		"हिन्दी भाषा":                   "हिन्दी भाषा",
		"東京都":                           "東京 京都",
		"東":                             "東",
		"iPhone15 ２０２５年":                "iphone15 2025 年",
		"ﬁne ﬁsh":                       "fine fish",
		"co\u00adop":                    "coop",
		"a-b_c 3.5%":                    "a b c 3 5",
		"مرحبا بالعالم":                 "مرحبا بالعالم",
		"   \n\t ":                      "",
		strings.Repeat("x", 200) + " y": strings.Repeat("x", 64) + " y",
		"bad \xff\xfe bytes":            "bad bytes",
	} {
		want := norm.NFKD.String(want)
		if got := strings.Join(split(text), " "); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

func TestPlainTextIsSplitTheSameBothWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~\n]{0,80}`).Draw(t, "text")
		// One letter of another alphabet at the end takes the general way.
		general := split(text + " é")
		if plain := split(text); !slices.Equal(plain, general[:len(general)-1]) {
			t.Fatalf("%q: %q and %q", text, plain, general)
		}
	})
}

func TestStems(t *testing.T) {
	for word, want := range map[string]string{"prices": "price", "running": "run", "2025": "2025", "чай": "чай", "us": "us"} {
		if got, also := Stem(word), Stem(want); got != also {
			t.Errorf("%s: %s, and %s: %s", word, got, want, also)
		}
	}
}

func FuzzEach(f *testing.F) {
	for _, s := range []string{"plain text", "東京 é\u0301", "\xff\u0e01", "don't", "e\u0301\u0301\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		Each(s, func(b []byte) {
			w := string(b)
			if w == "" || len(w) > maxLength+utf8.UTFMax || !utf8.ValidString(w) {
				t.Fatalf("%q gives %q", s, w)
			}
			Stem(w)
		})
	})
}

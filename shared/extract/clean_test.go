package extract_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

func TestClean(t *testing.T) {
	cases := map[string]string{
		"  plain  ":                              "plain",
		"two  blanks\tand a tab":                 "two blanks and a tab",
		"line\r\nbreak\n\n\nmore\u2028end":       "line\nbreak\nmore\nend",
		"Gro\u0308\u00dfe":                       "Größe",
		"e\ufb03cient \ufb01nal":                 "efficient final",
		"soft\u00adhyphen\u200b zero\ufeff":      "softhyphen zero",
		"abc\u202edef\u202c \u2066x\u2069":       "abcdef x",
		"hi\U000e0068\U000e0069\U000e007f there": "hi there", // hidden in tags
		"می\u200cخواهم 👩\u200d🔬 a\u200db":        "می\u200cخواهم 👩\u200d🔬 ab",
		"\uf0b7 item \ue000":                     "• item",
		"\u00a0no\u3000break\u00a0":              "no break",
		"bell\a null\x00 esc\x1b[31m":            "bell null esc[31m",
		"bad \xff byte":                          "bad byte",
	}
	for in, want := range cases {
		if got := extract.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCleanIsWellFormedAndFinal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got := extract.Clean(rapid.String().Draw(t, "text"))
		if !utf8.ValidString(got) || !norm.NFC.IsNormalString(got) || strings.TrimSpace(got) != got {
			t.Fatalf("%q", got)
		}
		if strings.ContainsFunc(got, func(c rune) bool { return c != '\n' && unicode.IsControl(c) || c >= 0x202a && c <= 0x202e }) {
			t.Fatalf("%q has controls", got)
		}
		if again := extract.Clean(got); again != got {
			t.Fatalf("%q becomes %q", got, again)
		}
	})
}

// A long paragraph is divided between sentences, and nothing of it is lost.
func TestLongTextIsDivided(t *testing.T) {
	text := strings.Repeat("Ein Satz mit Umlauten wie ä, ö und ü. ", 2000)
	got, _, err := read(t, extract.Options{Kind: extract.Text}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(strings.TrimSpace(got), "\n")
	if len(blocks) < 5 {
		t.Fatalf("%d blocks", len(blocks))
	}
	var all []string
	for _, b := range blocks {
		b = strings.TrimPrefix(b, "[|] ")
		if len(b) > 8<<10 || !strings.HasSuffix(b, ".") {
			t.Errorf("block of %d bytes ends with %q", len(b), b[len(b)-10:])
		}
		all = append(all, b)
	}
	if strings.Join(all, " ") != strings.TrimSpace(text) {
		t.Error("text was lost")
	}
}

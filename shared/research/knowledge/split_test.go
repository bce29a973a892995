package knowledge

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func passages(t interface{ Fatal(...any) }, cut func(r *strings.Reader, emit func(string) error) error, text string) []string {
	var out []string
	if err := cut(strings.NewReader(text), func(s string) error { out = append(out, s); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func plain(r *strings.Reader, emit func(string) error) error { return split(r, emit) }

func TestSplitEndsAtSentences(t *testing.T) {
	sentence := "The price of a cup rose by nine percent in spring. "
	for i, p := range passages(t, plain, strings.Repeat(sentence, 40)) {
		if !strings.HasSuffix(p, ".") || !strings.HasPrefix(p, "The price") {
			t.Errorf("passage %d is %q", i, p)
		}
		if n := utf8.RuneCountInString(p); n > maxPassage {
			t.Errorf("passage %d has %d characters", i, n)
		}
	}
}

func TestSplitPrefersParagraphs(t *testing.T) {
	first := strings.TrimSpace(strings.Repeat("One sentence here. ", 15))
	got := passages(t, plain, first+"\n\n"+strings.Repeat("And another one there. ", 20))
	if got[0] != first {
		t.Errorf("the first passage is %q", got[0])
	}
}

func TestSplitRefusesBytes(t *testing.T) {
	err := split(strings.NewReader("caf\xe9 au lait"), func(string) error { return nil })
	if !errors.Is(err, errNotText) {
		t.Errorf("Latin-1 gives %v", err)
	}
	if got := passages(t, plain, " \n\t\n"); len(got) != 0 {
		t.Errorf("a blank text gives %q", got)
	}
	if got := passages(t, plain, "\ufeffHello"); len(got) != 1 || got[0] != "Hello" {
		t.Errorf("a byte order mark stays: %q", got)
	}
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// Nothing but white space is lost, no passage is too long.
func TestSplitLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-zäß。.!? \n]{0,40}`)).Draw(t, "words")
		text := strings.Join(words, " ")
		got := passages(t, plain, text)
		if letters(strings.Join(got, "")) != letters(text) {
			t.Fatalf("lost something of %q: %q", text, got)
		}
		for _, p := range got {
			if n := utf8.RuneCountInString(p); n == 0 || n > maxPassage {
				t.Fatalf("a passage of %d characters", n)
			}
		}
	})
}

func TestSplitCSV(t *testing.T) {
	got := passages(t, func(r *strings.Reader, emit func(string) error) error { return splitCSV(r, emit) },
		"\ufeffBrand,Price,Note\nAcme,\"3,50\",\nZorro,4,\"says \"\"hi\"\"\",extra\n")
	want := []string{"Brand: Acme; Price: 3,50", `Brand: Zorro; Price: 4; Note: says "hi"; extra`}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q, want %q", got, want)
	}
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte("One. Two! Three?"))
	f.Add([]byte("a,b\n\"1"))
	f.Add([]byte("\xef\xbb\xbf\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, cut := range []func() error{
			func() error { return split(bytes.NewReader(raw), check(t)) },
			func() error { return splitCSV(bytes.NewReader(raw), check(t)) },
		} {
			_ = cut()
		}
	})
}

func check(t *testing.T) func(string) error {
	return func(s string) error {
		if n := utf8.RuneCountInString(s); n == 0 || n > maxPassage || !utf8.ValidString(s) {
			t.Fatalf("a passage of %d characters: %q", n, s)
		}
		return nil
	}
}

func TestKindOf_M271(t *testing.T) {
	for _, tt := range []struct {
		name, head, want string
	}{
		{"notes.txt", "Hello", kindText},
		{"NOTES.MD", "# Hello", kindMarkdown},
		{"rows.csv", "a,b", kindCSV},
		{"survey.json", " {\"question\":1}", kindJSON},
		{`C:\files\survey.json`, "\ufeff[]", kindJSON},
		{"long.txt", strings.Repeat("x", sniffBytes-1) + "\xc3", kindText}, // the last character is cut in two
		{"paper.pdf", "%PDF-1.7", ""},
		{"paper.txt", "%PDF-1.7", ""},
		{"image.txt", "\x89PNG\r\n\x1a\n", ""},
		{"latin1.txt", "caf\xe9 au lait", ""},
		{"survey.json", "hello", ""},
		{"none", "Hello", ""},
		{"empty.txt", "", ""},
	} {
		got, err := kindOf(tt.name, []byte(tt.head))
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
		if err != nil && !strings.Contains(err.Error(), "txt, md, csv and json") {
			t.Errorf("%s: the refusal does not name the accepted kinds: %v", tt.name, err)
		}
	}
}

// A heading stays apart from the text under it, and list items from each other:
// a quote must not run over them.
func TestSplitKeepsMarkdownStructure(t *testing.T) {
	for text, want := range map[string]string{
		"# Likes\nI love sour\nbread.": "# Likes\nI love sour bread.",
		"Intro:\n- one\n- two\n\nEnd.": "Intro:\n- one\n- two\nEnd.",
		"One line\nand another.":       "One line and another.",
		"## A\n\n## B\r\nText.":        "## A\n## B\nText.",
	} {
		if got := passages(t, plain, text); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

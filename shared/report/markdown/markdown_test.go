package markdown

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/report"
)

var update = flag.Bool("update", false, "write the golden files")

func sample() report.Report {
	return report.Report{
		Title: "Steak | doneness *study*",
		Meta:  []report.MetaItem{{Label: "Engine", Value: "offline-respondent 1.0.0 (simulated)"}},
		Blocks: []report.Block{
			report.Callout{Tone: report.Limitation, Title: "What the answers rest on", Text: "100% of answers rest on published or imported figures."},
			report.Heading{Level: 1, Text: "1. How do you like your steak?"},
			report.Paragraph{Text: "First line\n- not a list\n\n# not a heading"},
			report.Figures{Items: []report.Figure{{Label: "Medium rare", Value: "38.4%", Low: "34.0%", High: "43.0%", Base: 432}}},
			report.Table{Caption: "Answers", Columns: []report.Column{{Label: "Option"}, {Label: "Share", Align: report.Right}},
				Rows: [][]string{{"A | B", "10%"}, {"`code`\nnew", "90%"}}, Note: "Base: 432."},
			report.List{Ordered: true, Items: []string{"one", "two\nlines"}},
			report.Quote{Text: "I like it <b>rare</b>.", Speaker: "Mia", Evidence: "stated"},
			report.Chart{Kind: report.Bar, Title: "Shares", Categories: []string{"Rare", "Well"}, Series: []report.Series{{Name: "All", Values: []float64{5.32, 8.3}}}, Unit: "%", Decimals: 1, Base: 432, Alt: "Few like it rare.", Foot: "Synthetic answers.", MinShown: report.Standard},
			report.Paragraph{Text: "Only in the long one.", MinShown: report.Detailed},
		},
	}
}

// M-224: equal reports give equal bytes; the form is held by a golden file.
func TestWriteGoldenM224(t *testing.T) {
	var b, again, brief bytes.Buffer
	if err := Write(&b, sample(), report.Standard); err != nil {
		t.Fatal(err)
	}
	if err := Write(&again, sample(), report.Standard); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("two writes differ")
	}
	const golden = "testdata/sample.md"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("got:\n%s", b.String())
	}
	if err := Write(&brief, sample(), report.Brief); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(brief.String(), "Few like it rare") || strings.Contains(b.String(), "Only in the long one") {
		t.Error("the length filter does not hold")
	}
}

func TestValidate(t *testing.T) {
	for name, r := range map[string]report.Report{
		"no title":  {},
		"short row": {Title: "t", Blocks: []report.Block{report.Table{Columns: []report.Column{{Label: "a"}}, Rows: [][]string{{}}}}},
		"series":    {Title: "t", Blocks: []report.Block{report.Chart{Categories: []string{"a"}, Series: []report.Series{{}}}}},
	} {
		if Write(&bytes.Buffer{}, r, report.Standard) == nil {
			t.Errorf("%s was rendered", name)
		}
	}
}

// unescape undoes backslash escapes as CommonMark does.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Whatever a text holds, it comes back as text and opens no markup.
func FuzzInline(f *testing.F) {
	for _, s := range []string{"", "# a", "1. a", "- a", "a | b", "`x`", "<script>", "[a](b)", "&amp;", "\\", "a\\", "= =", "~~x~~", "12345678901. a", "\t x", "a\nb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Inline(s)
		if strings.ContainsAny(got, "\n\r\t") {
			t.Fatalf("%q holds a line break", got)
		}
		if back := unescape(got); back != oneLine(s) {
			t.Fatalf("%q -> %q -> %q", s, got, back)
		}
		for i := 0; i < len(got); i++ {
			if got[i] == '\\' {
				i++
				continue
			}
			if strings.IndexByte(marks, got[i]) >= 0 {
				t.Fatalf("%q has a bare %q", got, got[i])
			}
		}
	})
}

package tabular

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

func book(t testing.TB, fill func(*excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	fill(f)
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// What two other programs wrote is read as it was meant: texts shared and inline,
// dates by their formats, numbers without noise.
func TestWorkbooks(t *testing.T) {
	t.Run("openpyxl", func(t *testing.T) {
		raw, err := os.ReadFile("testdata/openpyxl.xlsx")
		if err != nil {
			t.Fatal(err)
		}
		got := mustRead(t, raw, Options{Name: "a.xlsx"})
		if got.sheet != "Données 数据" || len(got.rows) != 60 {
			t.Fatalf("%q, %d rows", got.sheet, len(got.rows))
		}
		same(t, "rows", got.rows[:4], [][]string{
			{"1", "Łódź", "2024-02-28 23:59:31", "2024-02-29", "06:01:00", "0.025", "FALSE", "", "0.3"},
			{"2", "東京", "2024-02-28 23:59:32", "2024-03-01", "06:02:00", "0.05", "TRUE", "", "0.5"},
			{"3", "🍳 Home", "2024-02-28 23:59:33", "2024-03-02", "06:03:00", "0.075", "FALSE", "", "0.7"},
			{"4", "two lines", "2024-02-28 23:59:34", "2024-03-03", "06:04:00", "0.1", "TRUE", "", "0.9"},
		})
		if notes := strings.Join(got.notes, "\n"); !strings.Contains(notes, "never calculated count as empty: 60") || !strings.Contains(notes, `not "Cover", "lists"`) {
			t.Errorf("notes %q", got.notes)
		}
	})
	t.Run("excelize", func(t *testing.T) {
		raw := book(t, func(f *excelize.File) {
			date, _ := f.NewStyle(&excelize.Style{NumFmt: 14})
			own, _ := f.NewStyle(&excelize.Style{CustomNumFmt: new(`dd\.mm\.yyyy`)})
			for i, row := range [][]any{{"id", "day", "own", "text", "gap", "last"}, {1, 45658, 45659, "a", nil, true}, {2, 45660, 45661.5, "_x0041_ b", nil, 1e300}} {
				_ = f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row)
			}
			_ = f.SetCellStyle("Sheet1", "B2", "B3", date)
			_ = f.SetCellStyle("Sheet1", "C2", "C3", own)
			_ = f.SetCellFormula("Sheet1", "E3", "1/0")
		})
		got := mustRead(t, raw, Options{Name: "a.xls"}) // whatever its name says
		same(t, "rows", got.rows, [][]string{
			{"1", "2025-01-01", "2025-01-02", "a", "", "TRUE"},
			{"2", "2025-01-03", "2025-01-04 12:00:00", "A b", "", "1e+300"},
		})
	})
}

// Cell for cell what another reader finds in the same workbook, for texts and
// plain numbers.
func TestWorkbooksAgreeWithExcelize(t *testing.T) {
	words := []string{"Yes", "No", "Don't know", "Żółć", "数据", "a & b < c", "x\"y", ""}
	raw := book(t, func(f *excelize.File) {
		w, err := f.NewStreamWriter("Sheet1")
		if err != nil {
			t.Fatal(err)
		}
		for r := range 500 {
			row := make([]any, 12)
			for c := range row {
				switch {
				case r == 0:
					row[c] = fmt.Sprintf("q%d", c)
				case c == 0:
					row[c] = r
				case (r+c)%5 == 0:
					row[c] = float64(r) / 8
				default:
					row[c] = words[(r*7+c*3)%len(words)]
				}
			}
			_ = w.SetRow(fmt.Sprintf("A%d", r+1), row)
		}
		_ = w.Flush()
	})
	f, err := excelize.OpenReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := f.GetRows("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	got := mustRead(t, raw, Options{})
	for i, row := range want[1:] {
		for len(row) < 12 {
			row = append(row, "")
		}
		if !slices.Equal(got.rows[i], row) {
			t.Fatalf("row %d: %q, want %q", i, got.rows[i], row)
		}
	}
}

// The data is found beside covers and lists, or by its name.
func TestSheets(t *testing.T) {
	raw := book(t, func(f *excelize.File) {
		_ = f.SetSheetName("Sheet1", "Codebook")
		for i := range 5 {
			_ = f.SetSheetRow("Codebook", fmt.Sprintf("A%d", i+1), &[]any{fmt.Sprintf("q%d", i), "what it is"})
		}
		_, _ = f.NewSheet("Data")
		for i := range 400 {
			_ = f.SetSheetRow("Data", fmt.Sprintf("A%d", i+1), &[]any{i, i * i, "x", i % 3, i % 7})
		}
		_, _ = f.NewSheet("Empty")
	})
	for sheet, want := range map[string]string{"": "Data", "Codebook": "Codebook", " codebook ": "Codebook"} {
		if got := mustRead(t, raw, Options{Sheet: sheet}); got.sheet != want {
			t.Errorf("sheet %q: %q is read", sheet, got.sheet)
		}
	}
	_, err := readAll(t, raw, Options{Sheet: "Wave 2"})
	if codeOf(err) != CodeNoSheet || !strings.Contains(err.Error(), `"Codebook", "Data", "Empty"`) {
		t.Errorf("err = %v", err)
	}
	if _, err := readAll(t, raw, Options{Sheet: "Empty"}); codeOf(err) != CodeEmpty {
		t.Errorf("err = %v", err)
	}
}

// part replaces one part of a workbook.
func part(t testing.TB, raw []byte, name string, content func([]byte) []byte) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		w, err := z.Create(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		body := b.Bytes()
		if f.Name == name {
			body = content(body)
		}
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func small(t testing.TB) []byte {
	return book(t, func(f *excelize.File) {
		for i := range 20 {
			_ = f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &[]any{i, "x", i * 2})
		}
	})
}

// What is not whole is never read as if it were; what unpacks without end ends.
func TestHostileWorkbooks(t *testing.T) {
	raw := small(t)
	const sheet, texts = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"cut in the middle of its rows": {part(t, raw, sheet, func(b []byte) []byte { return b[:len(b)*2/3] }), CodeDamaged},
		"without its texts":             {part(t, raw, texts, func([]byte) []byte { return []byte("<sst/>") }), CodeDamaged},
		"declares entities":             {part(t, raw, sheet, func(b []byte) []byte { return append([]byte(`<!DOCTYPE a [<!ENTITY b "c">]>`), b...) }), CodeDamaged},
		"cut short":                     {raw[:len(raw)/2], CodeDamaged},
		"a Word document":               {mustFile(t, "../extract/testdata/report.docx"), CodeMislabelled},
		"an old Word document":          {mustFile(t, "../extract/testdata/report.doc"), CodeMislabelled},
		"with a password":               {mustFile(t, "../extract/testdata/password.docx"), CodePassword},
		"a cell far to the right":       {part(t, raw, sheet, func(b []byte) []byte { return bytes.Replace(b, []byte(`r="A1"`), []byte(`r="ZZZ1"`), 1) }), CodeDamaged},
		"texts without end": {part(t, raw, texts, func([]byte) []byte {
			return slices.Concat([]byte("<sst>"), bytes.Repeat([]byte("<si><t>"+strings.Repeat("x", 1000)+"</t></si>"), 120_000), []byte("</sst>"))
		}), CodeTooLarge},
		"rows without end": {part(t, raw, sheet, func([]byte) []byte {
			return slices.Concat([]byte("<worksheet><sheetData><row><c t='str'><v>a</v></c></row>"), bytes.Repeat([]byte(`<row><c><v>1</v></c><c><v>2</v></c></row>`), 201_000), []byte("</sheetData></worksheet>"))
		}), CodeTooManyRows},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			if _, err := readAll(t, c.raw, Options{Name: "a.xlsx", Memory: 128 << 20}); codeOf(err) != c.want {
				t.Errorf("err = %v, want %s", err, c.want)
			}
			if d := time.Since(start); d > 30*time.Second {
				t.Errorf("took %s", d)
			}
		})
	}
}

func mustFile(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// A reading that is left in the middle leaves no process behind, and one that
// takes too long ends.
func TestWorkbooksThatAreLeftOrSlow(t *testing.T) {
	raw := small(t)
	for range 20 { // more than may be read at once
		r, err := Open(t.Context(), bytes.NewReader(raw), int64(len(raw)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, err := readAll(t, raw, Options{Time: time.Nanosecond})
	if p := new(Problem); !errors.As(err, &p) || p.Code != CodeTimeout || !strings.Contains(p.Message, "CSV") {
		t.Errorf("err = %v", err)
	}
}

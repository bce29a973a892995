package tabular

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/xuri/excelize/v2"
)

// respondents makes a CSV of so many bytes and 200 columns.
func respondents(size int) []byte {
	var b bytes.Buffer
	b.WriteString("id")
	for c := 1; c < 200; c++ {
		fmt.Fprintf(&b, ",q%04d", c)
	}
	b.WriteByte('\n')
	answers := []string{"Yes", "No", "Often", "Rarely", "", "\"Never, and not open to it\"", "Very important", "3"}
	for r := 0; b.Len() < size; r++ {
		fmt.Fprint(&b, r)
		for c := 1; c < 200; c++ {
			b.WriteByte(',')
			b.WriteString(answers[(r*31+c*17)%len(answers)])
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// BenchmarkCSV reads 50 MiB of 200 columns; what it holds at a time is the
// buffer.
func BenchmarkCSV(b *testing.B) {
	raw := respondents(50 << 20)[:50<<20]
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(b.Context(), bytes.NewReader(raw), int64(len(raw)), Options{})
		if err != nil {
			b.Fatal(err)
		}
		for {
			if _, err = r.Next(); err != nil {
				break
			}
		}
		if err != io.EOF {
			b.Fatal(err)
		}
	}
}

// BenchmarkXLSX reads a workbook of 50,000 rows and 20 columns, in the process of
// its own that does it.
func BenchmarkXLSX(b *testing.B) {
	raw := book(b, func(f *excelize.File) {
		w, err := f.NewStreamWriter("Sheet1")
		if err != nil {
			b.Fatal(err)
		}
		answers := []any{"Yes", "No", 3, 4.25, "Often", nil, "Never, and not open to it", 12}
		for r := range 50_000 {
			row := make([]any, 20)
			for c := range row {
				row[c] = answers[(r*31+c*17)%len(answers)]
			}
			row[0] = r
			_ = w.SetRow(fmt.Sprintf("A%d", r+1), row)
		}
		_ = w.Flush()
	})
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		r, err := Open(b.Context(), bytes.NewReader(raw), int64(len(raw)), Options{})
		if err != nil {
			b.Fatal(err)
		}
		rows := 0
		for {
			if _, err = r.Next(); err != nil {
				break
			}
			rows++
		}
		if err != io.EOF || rows != 49_999 {
			b.Fatal(rows, err)
		}
	}
}

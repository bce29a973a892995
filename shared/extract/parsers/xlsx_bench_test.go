package parsers

import (
	"archive/zip"
	"bytes"
	"fmt"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/extract/internal/wire"
)

// BenchmarkXLSX reads a sheet of 20,000 rows and 50 columns.
func BenchmarkXLSX(b *testing.B) {
	var sheet, packed bytes.Buffer
	sheet.WriteString(`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`)
	for r := 1; r <= 20_000; r++ {
		fmt.Fprintf(&sheet, `<row r="%d">`, r)
		for c := range 50 {
			ref := fmt.Sprintf("%c%d", 'A'+c%26, r)
			if c >= 26 {
				ref = "A" + ref
			}
			if c%3 == 0 {
				fmt.Fprintf(&sheet, `<c r="%s"><v>%d</v></c>`, ref, r*c%97)
			} else {
				fmt.Fprintf(&sheet, `<c r="%s" t="s"><v>%d</v></c>`, ref, c%4)
			}
		}
		sheet.WriteString(`</row>`)
	}
	sheet.WriteString(`</sheetData></worksheet>`)
	z := zip.NewWriter(&packed)
	for name, content := range map[string]string{
		"xl/workbook.xml":            `<w><sheets><sheet name="a" r:id="1"/></sheets></w>`,
		"xl/_rels/workbook.xml.rels": `<r><Relationship Id="1" Type="t/worksheet" Target="a.xml"/><Relationship Id="3" Type="t/sharedStrings" Target="c.xml"/></r>`,
		"xl/c.xml":                   `<sst><si><t>Yes</t></si><si><t>No</t></si><si><t>Never, and not open to it</t></si><si><t>Often</t></si></sst>`,
		"xl/a.xml":                   sheet.String(),
	} {
		w, err := z.Create(name)
		if err != nil {
			b.Fatal(err)
		}
		_, _ = w.Write([]byte(content))
	}
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(sheet.Len()))
	b.ReportAllocs()
	for b.Loop() {
		rows := 0
		f := &file{Options: extract.Options{Kind: extract.XLSX, Filename: "a.xlsx"}, in: bytes.NewReader(packed.Bytes()), size: int64(packed.Len()),
			table: func(m wire.Message) error {
				if m.Cells != "" {
					rows++
				}
				return nil
			}}
		if _, err := readXLSX(b.Context(), f); err != nil || rows != 20_000 {
			b.Fatal(rows, err)
		}
	}
}

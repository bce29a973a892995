package extract

import (
	"context"
	"io"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/extract/internal/wire"
)

// Workbook is what a workbook says before its rows.
type Workbook struct {
	Sheets []string // in their order, hidden ones included
	Sheet  string   // the one that is read
}

// Rows hands on the rows of one sheet of a workbook, an XLSX or an XLS file, from
// the top: first what there is to opened, then every row that has a value to row,
// as wide as its last value. Cells are in NFC, in one line, trimmed; numbers and
// dates as package cell writes them. The slice is good until the next row.
//
// The sheet is the one of Options.Sheet; without it the first visible one that
// holds a table, small ones beside a large one left out. The reading is contained
// as that of Read is, and so are its errors.
func Rows(ctx context.Context, in io.Reader, o Options, opened func(Workbook) error, row func(cells []string) error) (Info, error) {
	o = o.filled()
	if o.Kind != XLSX && o.Kind != XLS {
		return Info{}, problem(CodeUnsupported, o.Filename, "is no workbook.")
	}
	var cells []string
	r := &reading{ctx: ctx, in: in, o: o, left: o.Time, hand: func(m wire.Message) error {
		if m.Workbook != nil {
			return opened(Workbook{Sheets: m.Workbook.Sheets, Sheet: m.Workbook.Sheet})
		}
		cells = cells[:0]
		for cell := range strings.SplitSeq(m.Cells, wire.Between) {
			cells = append(cells, cell)
		}
		return row(cells)
	}}
	err := r.explain(r.contained())
	return r.info, err
}

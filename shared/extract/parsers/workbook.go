package parsers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/extract/internal/wire"
	"github.com/mindgate-dev/mindgate/shared/tabular/cell"
)

// tab is one sheet of a workbook.
type tab struct {
	name   string
	hidden bool
	cells  bool  // it holds cells: no chart, no macro
	bytes  int64 // that it takes, for comparison
}

const (
	// tableRows is how many rows with more than one value make a table.
	tableRows = 2
	// lookRows is how many rows of a sheet are looked at for it; one that goes on
	// is taken for what it is, a single column.
	lookRows = 50
	// muchLarger is how many times more another sheet must take for a sheet not to
	// be the first choice: a cover or a list of codes beside the data.
	muchLarger = 4

	maxSheets    = 1_000
	maxSheetCols = 16_384 // of Excel
)

// sheets hands on the rows of the sheet that is wanted: the named one, or the
// first that holds a table.
func (f *file) sheets(tabs []tab, rows func(i int, each func([]string) error) error) error {
	if len(tabs) > maxSheets {
		return f.problem(extract.CodeTooLarge, "has %d sheets. Save the one that matters as a file of its own.", len(tabs))
	}
	order, err := f.order(tabs)
	if err != nil {
		return err
	}
	book := wire.Workbook{}
	for _, t := range tabs {
		book.Sheets = append(book.Sheets, tidy(t.name))
	}
	open := func(i int, held [][]string) error {
		book.Sheet = book.Sheets[i]
		if err := f.table(wire.Message{Workbook: &book}); err != nil {
			return err
		}
		for _, row := range held {
			if err := f.row(row); err != nil {
				return err
			}
		}
		return nil
	}
	fallback, rest := -1, [][]string(nil)
	for _, i := range order {
		var held [][]string
		full, taken := 0, false
		err := rows(i, func(cells []string) error {
			if taken {
				return f.row(cells)
			}
			held = append(held, slices.Clone(cells))
			if filled(cells) > 1 {
				full++
			}
			if full < tableRows && len(held) < lookRows {
				return nil
			}
			taken = true
			return open(i, held)
		})
		if err != nil || taken {
			return err
		}
		if fallback < 0 && len(held) > 0 {
			fallback, rest = i, held
		}
	}
	if fallback < 0 {
		return nil // no rows at all: said where they are counted
	}
	return open(fallback, rest)
}

// order lists the sheets to look at.
func (f *file) order(tabs []tab) ([]int, error) {
	if f.Sheet != "" {
		for _, same := range []func(string) bool{
			func(s string) bool { return s == f.Sheet },
			func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), strings.TrimSpace(f.Sheet)) },
		} {
			if i := slices.IndexFunc(tabs, func(t tab) bool { return t.cells && same(t.name) }); i >= 0 {
				return []int{i}, nil
			}
		}
		var names []string
		for _, t := range tabs[:min(len(tabs), 20)] {
			names = append(names, fmt.Sprintf("%q", tidy(t.name)))
		}
		return nil, f.problem(extract.CodeNoSheet, "has no sheet of the name %q. It has %s.", tidy(f.Sheet), strings.Join(names, ", "))
	}
	var order []int
	largest := int64(0)
	for i, t := range tabs {
		if t.cells && !t.hidden {
			order = append(order, i)
			largest = max(largest, t.bytes)
		}
	}
	if order == nil { // all are hidden
		for i, t := range tabs {
			if t.cells {
				order = append(order, i)
				largest = max(largest, t.bytes)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		small := func(i int) int {
			if tabs[i].bytes*muchLarger < largest {
				return 1
			}
			return 0
		}
		return small(a) - small(b)
	})
	return order, nil
}

func filled(cells []string) int {
	n := 0
	for _, c := range cells {
		if c != "" {
			n++
		}
	}
	return n
}

// row hands on a row that has a value, up to the last of them.
func (f *file) row(cells []string) error {
	last := 0
	for i, c := range cells {
		if c = cell.Text(c); c != "" {
			last = i + 1
		}
		cells[i] = c
	}
	if last == 0 {
		return nil
	}
	return f.table(wire.Message{Cells: strings.Join(cells[:last], wire.Between)})
}

// cellNotes says what cells were left empty.
func cellNotes(failed, uncounted int) []string {
	var notes []string
	if failed > 0 {
		notes = append(notes, fmt.Sprintf("Cells that hold an error such as #N/A count as empty: %d.", failed))
	}
	if uncounted > 0 {
		notes = append(notes, fmt.Sprintf("Cells whose formula was never calculated count as empty: %d. Open the workbook in a spreadsheet program and save it to have them.", uncounted))
	}
	return notes
}

// isProblem says that an error is a word about the file already.
func isProblem(err error) bool { return errors.As(err, new(*extract.Problem)) }

package report

import (
	"fmt"
	"math"
)

// Shown reports whether a report of this length holds the block.
func Shown(b Block, length Length) bool {
	var least Length
	switch b := b.(type) {
	case Heading:
		least = b.MinShown
	case Paragraph:
		least = b.MinShown
	case Callout:
		least = b.MinShown
	case List:
		least = b.MinShown
	case Quote:
		least = b.MinShown
	case Table:
		least = b.MinShown
	case Figures:
		least = b.MinShown
	case Chart:
		least = b.MinShown
	}
	return least <= length
}

// Validate finds what no renderer could show honestly: rows that do not fit
// their header, series that do not fit their categories, and numbers that are
// none. It says which block is at fault.
func (r Report) Validate() error {
	if r.Title == "" {
		return fmt.Errorf("report: the title is empty")
	}
	for i, b := range r.Blocks {
		switch b := b.(type) {
		case nil:
			return fmt.Errorf("report: block %d is nil", i)
		case Table:
			if len(b.Columns) == 0 {
				return fmt.Errorf("report: block %d: table %q has no columns", i, b.Caption)
			}
			for j, row := range b.Rows {
				if len(row) != len(b.Columns) {
					return fmt.Errorf("report: block %d: row %d of table %q has %d cells for %d columns", i, j, b.Caption, len(row), len(b.Columns))
				}
			}
		case Chart:
			for _, s := range b.Series {
				if len(s.Values) != len(b.Categories) {
					return fmt.Errorf("report: block %d: series %q of chart %q has %d values for %d categories", i, s.Name, b.Title, len(s.Values), len(b.Categories))
				}
				for _, v := range s.Values {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						return fmt.Errorf("report: block %d: series %q of chart %q holds no number", i, s.Name, b.Title)
					}
				}
			}
		}
	}
	return nil
}

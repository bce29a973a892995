package parsers

import (
	"context"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/tabular/biff"
)

// readXLS reads a workbook of Excel 97 to 2003.
func readXLS(_ context.Context, f *file) (extract.Info, error) {
	book, err := biff.Open(f.in, f.size)
	if err != nil {
		return extract.Info{}, f.biffProblem(err)
	}
	var tabs []tab
	for _, s := range book.Sheets {
		tabs = append(tabs, tab{name: s.Name, hidden: s.Hidden, cells: s.Table, bytes: s.Bytes})
	}
	err = f.sheets(tabs, book.Rows)
	return extract.Info{Notes: cellNotes(book.Errors, 0)}, f.biffProblem(err)
}

// biffProblem words what the reader of old workbooks says.
func (f *file) biffProblem(err error) error {
	what, damaged := biff.Damaged(err)
	switch {
	case err == nil || isProblem(err):
		return err
	case damaged:
		return f.damaged(what)
	case errors.Is(err, biff.ErrEncrypted):
		return f.problem(extract.CodePassword, "is protected with a password. Save a copy without one and send that.")
	case errors.Is(err, biff.ErrOld):
		return f.problem(extract.CodeUnsupported, "is a workbook of Excel 95 or older. Save it as .xlsx or CSV and send that.")
	case errors.Is(err, biff.ErrTooLarge):
		return extract.TooLarge(f.Options)
	case errors.Is(err, biff.ErrNoWorkbook):
		_, names, err := f.compound()
		if err != nil {
			return err
		}
		if names["WordDocument"] || names["PowerPoint Document"] {
			return f.problem(extract.CodeMislabelled, "is a document and no workbook, whatever its name says. Send a .xlsx, .xls or CSV file.")
		}
		return f.problem(extract.CodeMislabelled, "is no workbook, whatever its name says. Send a .xlsx, .xls or CSV file.")
	}
	return err
}

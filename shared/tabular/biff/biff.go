// Package biff reads the workbooks of Excel 97 to 2003 (.xls): the compound file
// that holds them ([MS-CFB]) and the records of the workbook ([MS-XLS], BIFF8).
// It reads values only: the cached ones of formulas, none of their looks.
//
// A file is believed in nothing: every offset, count and length is held against
// what is there, every chain against the size of the file. A panic would be a
// mistake of this package. What it holds grows with the texts of the workbook and
// with one row, not with the rows; only a sheet whose rows are out of order is
// held whole.
package biff

import (
	"errors"
	"fmt"
)

// Errors that say what a file is that cannot be read. All others mean that it is
// damaged, and say where.
var (
	// ErrEncrypted says that the workbook is protected with a password.
	ErrEncrypted = errors.New("biff: encrypted")
	// ErrOld says that the workbook is of Excel 95 or older.
	ErrOld = errors.New("biff: older than Excel 97")
	// ErrNoWorkbook says that the compound file holds something else.
	ErrNoWorkbook = errors.New("biff: no workbook")
	// ErrTooLarge says that a part of the workbook is larger than any program writes.
	ErrTooLarge = errors.New("biff: too large")
)

// damaged says what is wrong with a file, in words that can follow "it is damaged:".
type damaged string

func (d damaged) Error() string { return string(d) }

// Damaged gives the words for what is wrong when err says that a file is damaged.
func Damaged(err error) (string, bool) {
	var d damaged
	ok := errors.As(err, &d)
	return string(d), ok
}

func broken(format string, args ...any) error { return damaged(fmt.Sprintf(format, args...)) }

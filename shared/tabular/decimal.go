package tabular

import (
	"slices"
	"strings"
)

// decimalColumns finds the columns of a text whose numbers have a decimal comma,
// as where commas divide no cells: every value is a number, and one of them can be
// nothing else. 1,714 alone may be a thousand and some; beside a column that is
// certain it is not. Codes of several answers, as 1,2,5, make no numbers.
func decimalColumns(rows [][]string, width int) []bool {
	const (
		unknown = iota
		possible
		certain
		other
	)
	is := make([]int, width)
	for _, row := range rows {
		for i, c := range row[:min(len(row), width)] {
			if c == "" || is[i] == other {
				continue
			}
			whole, fraction, comma := strings.Cut(strings.TrimLeft(c, "+-"), ",")
			switch {
			case !digits(whole) || comma && !digits(fraction):
				is[i] = other
			case !comma:
			case len(fraction) != 3 || whole == "0" || len(whole) > 3:
				is[i] = certain
			default:
				is[i] = max(is[i], possible)
			}
		}
	}
	if !slices.Contains(is, certain) {
		return nil
	}
	out := make([]bool, width)
	for i, s := range is {
		out[i] = s == possible || s == certain
	}
	return out
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// pointed writes a number with a decimal comma with a point; what is none stays.
func pointed(c string) string {
	whole, fraction, comma := strings.Cut(strings.TrimLeft(c, "+-"), ",")
	if !comma || !digits(whole) || !digits(fraction) {
		return c
	}
	return strings.Replace(c, ",", ".", 1)
}

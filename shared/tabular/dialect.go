package tabular

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
)

// commas are the delimiters that are looked for, in the order in which one is
// taken when several fit alike.
const commas = ",;\t|^~\x1f\x01"

const (
	sampleBytes = 256 << 10
	sampleRows  = 200
)

// sepLine is the line by which a file names its delimiter to Excel.
var sepLine = regexp.MustCompile(`^"?(?i:sep)=([\x01-\x7f])"?(?:\r\n|\n|\r)`)

// How databases write a quote inside a value, and how the rules do.
var (
	slashed = regexp.MustCompile(`[^\\]\\"[\pL\pN ]`)
	doubled = regexp.MustCompile(`[\pL\pN ]""[\pL\pN ]`)
)

// dialectOf finds the delimiter of a text by its beginning: what it says itself,
// else the one that divides most rows into the same number of cells. skip is what
// the rows begin behind. whole says that the sample is all there is.
func dialectOf(sample []byte, whole bool) (d dialect, skip int, note string) {
	d = dialect{comma: ',', cr: bytes.IndexByte(sample, '\n') < 0 && bytes.IndexByte(sample, '\r') >= 0}
	d.slash = slashed.Match(sample) && !doubled.Match(sample)
	if m := sepLine.FindSubmatch(sample); m != nil && m[1][0] != '"' && m[1][0] != '\n' && m[1][0] != '\r' {
		d.comma = m[1][0]
		return d, len(m[0]), ""
	}
	best := 0.0
	for _, c := range []byte(commas) {
		if score := fits(sample, whole, dialect{comma: c, cr: d.cr, slash: d.slash}); score > best+1e-9 {
			best, d.comma = score, c
		}
	}
	if best > 0 && d.comma != ',' {
		note = fmt.Sprintf("Cells are divided by %s.", map[byte]string{';': "semicolons", '\t': "tabs", '|': "vertical bars"}[d.comma])
		if !slices.Contains([]byte(";\t|"), d.comma) {
			note = fmt.Sprintf("Cells are divided by %q.", string(d.comma))
		}
	}
	return d, 0, note
}

// fits says how well a delimiter divides a sample: the share of the rows that
// have the most common number of cells, a little more for more cells; 0 when that
// is one.
func fits(sample []byte, whole bool, d dialect) float64 {
	r := &delimited{in: bytes.NewReader(sample), dialect: d}
	widths, rows := map[int]int{}, 0
	for rows < sampleRows {
		cells, err := r.next()
		if err != nil {
			break
		}
		if !whole && r.end && r.at == len(r.buf) {
			break // cut off by the end of the sample
		}
		if blank(cells) {
			continue
		}
		widths[len(cells)]++
		rows++
	}
	most, width := 0, 0
	for w, n := range widths {
		if n > most || n == most && w > width {
			most, width = n, w
		}
	}
	if width < 2 {
		return 0
	}
	return float64(most)/float64(rows) + 1e-4*float64(min(width, 500))/500
}

func blank(cells []string) bool {
	for _, c := range cells {
		for i := range len(c) {
			if c[i] > ' ' {
				return false
			}
		}
	}
	return true
}

package segment

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"io"
	"os"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// sheet is a table in memory.
type sheet struct {
	header [][]string
	rows   [][]string
	at     int
}

func (s *sheet) Header() [][]string { return s.header }
func (s *sheet) Rewind() error      { s.at = 0; return nil }
func (s *sheet) Next() ([]string, error) {
	if s.at >= len(s.rows) {
		return nil, io.EOF
	}
	s.at++
	return s.rows[s.at-1], nil
}

// real reads one of the published respondent files.
func real(t testing.TB, name string, headers int) *sheet {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(charmap.Windows1252.NewDecoder().Reader(z))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return &sheet{header: rows[:headers], rows: rows[headers:]}
}

func review1(t testing.TB, s Rows, o Options) *Preview {
	t.Helper()
	p, err := Analyze(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

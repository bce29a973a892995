package biff

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// What xlrd, another reader, found in a workbook.
type want []struct {
	Name   string
	Hidden bool
	Rows   [][]string
}

func read(t testing.TB, raw []byte) (*Book, [][][]string, error) {
	t.Helper()
	b, err := Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, nil, err
	}
	var all [][][]string
	for i, s := range b.Sheets {
		var rows [][]string
		if s.Table {
			if err := b.Rows(i, func(cells []string) error {
				rows = append(rows, slices.Clone(cells))
				return nil
			}); err != nil {
				return b, all, err
			}
		}
		all = append(all, rows)
	}
	return b, all, nil
}

// Cell for cell what another reader finds: texts over the borders of records,
// dates of both epochs, numbers in every form, hidden sheets.
func TestAgreesWithAnotherReader(t *testing.T) {
	for _, name := range []string{"survey.xls", "epoch1904.xls", "texts.xls"} {
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			expected, err := os.ReadFile(filepath.Join("testdata", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var w want
			if err := json.Unmarshal(expected, &w); err != nil {
				t.Fatal(err)
			}
			b, got, err := read(t, raw)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range w {
				if b.Sheets[i].Name != s.Name || b.Sheets[i].Hidden != s.Hidden {
					t.Errorf("sheet %d: %+v, want %s, %v", i, b.Sheets[i], s.Name, s.Hidden)
				}
				if len(got[i]) != len(s.Rows) {
					t.Fatalf("sheet %s: %d rows, want %d", s.Name, len(got[i]), len(s.Rows))
				}
				for r := range s.Rows {
					if !reflect.DeepEqual(got[i][r], s.Rows[r]) {
						t.Fatalf("sheet %s row %d:\n got %.300q\nwant %.300q", s.Name, r, got[i][r], s.Rows[r])
					}
				}
			}
		})
	}
}

func sample(t testing.TB) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "survey.xls"))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestSaysWhatItCannotRead(t *testing.T) {
	raw := sample(t)
	codePage := []byte{0x42, 0, 2, 0, 0xb0, 0x04} // a record that is not needed
	if !bytes.Contains(raw, codePage) {
		t.Fatal("the sample has no such record")
	}
	for name, c := range map[string]struct {
		raw  []byte
		want error
	}{
		"password": {bytes.Replace(raw, codePage, []byte{0x2f, 0, 2, 0, 0, 0}, 1), ErrEncrypted},
		"Excel 95": {bytes.Replace(raw, []byte{0x09, 0x08, 0x10, 0, 0, 0x06, 0x05, 0}, []byte{0x09, 0x08, 0x10, 0, 0, 0x05, 0x05, 0}, 1), ErrOld},
		"older":    {renamed(raw, "Workbook", "Book"), ErrOld},
		"Word":     {bytes.Replace(raw, named("Workbook"), named("Wordbook"), 1), ErrNoWorkbook},
	} {
		t.Run(name, func(t *testing.T) {
			if bytes.Equal(c.raw, raw) {
				t.Fatal("nothing was changed")
			}
			if _, _, err := read(t, c.raw); !errors.Is(err, c.want) {
				t.Errorf("err = %v, want %v", err, c.want)
			}
		})
	}
}

// renamed gives a stream of a compound file another name.
func renamed(raw []byte, from, to string) []byte {
	raw = slices.Clone(raw)
	if at := bytes.Index(raw, named(from)); at >= 0 {
		clear(raw[at:][:64])
		copy(raw[at:], named(to))
		raw[at+64] = byte(2*len(to) + 2)
	}
	return raw
}

func named(s string) []byte {
	var out []byte
	for _, c := range []byte(s) {
		out = append(out, c, 0)
	}
	return out
}

// A file that is cut anywhere says so; it never gives part of its rows as all.
func TestCutShortIsNoticed(t *testing.T) {
	raw := sample(t)
	_, whole, err := read(t, raw)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(raw)-512; n += 97 {
		_, got, err := read(t, raw[:n])
		if err == nil && !reflect.DeepEqual(got, whole) {
			t.Fatalf("cut at %d of %d: no error, other rows", n, len(raw))
		}
		if _, ok := Damaged(err); err != nil && !ok && !errors.Is(err, ErrNoWorkbook) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
}

// Chains that go round in circles end.
func TestCirclesEnd(t *testing.T) {
	raw := sample(t)
	for _, at := range []int{44, 48, 60, 68, 76, 512} { // counts and places of the tables, and the first of them
		for _, v := range []byte{0, 1, 2, 5} {
			bad := slices.Clone(raw)
			copy(bad[at:], []byte{v, 0, 0, 0})
			_, _, _ = read(t, bad)
		}
	}
	loop := slices.Clone(raw)
	c, err := openCompound(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	fat := (int64(numbers(raw[76:80])[0]) + 1) * c.sector
	for i := range c.fat { // every sector follows itself
		if off := fat + 4*int64(i); off+4 < int64(len(loop)) && i < 128 {
			copy(loop[off:], []byte{byte(i), byte(i >> 8), 0, 0})
		}
	}
	if _, _, err := read(t, loop); err == nil || !strings.Contains(err.Error(), "circles") {
		t.Errorf("err = %v", err)
	}
}

func TestRowsOutOfOrderAreSorted(t *testing.T) {
	var got [][]string
	b := &rowBuffer{all: map[uint16][]placed{}, each: func(c []string) error {
		got = append(got, slices.Clone(c))
		return nil
	}}
	for _, p := range []struct {
		row, col uint16
		text     string
	}{{2, 1, "d"}, {0, 0, "a"}, {2, 0, "c"}, {1, 2, "b"}, {0, 0, "A"}} {
		if err := b.put(p.row, p.col, p.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.end(); err != nil || !reflect.DeepEqual(got, [][]string{{"A"}, {"", "", "b"}, {"c", "d"}}) {
		t.Errorf("%v %q", err, got)
	}
}

func FuzzBook(f *testing.F) {
	for _, name := range []string{"survey.xls", "texts.xls"} {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
		f.Add(raw[:len(raw)/2])
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 1<<20 {
			return
		}
		_, _, err := read(t, raw)
		if _, ok := Damaged(err); err != nil && !ok && !errors.Is(err, ErrEncrypted) && !errors.Is(err, ErrOld) && !errors.Is(err, ErrNoWorkbook) && !errors.Is(err, ErrTooLarge) {
			t.Errorf("%v", err)
		}
	})
}

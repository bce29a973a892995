package tabular

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	// This program reads workbooks, and serves as the process that does it.
	_ "github.com/mindgate-dev/mindgate/shared/extract/parsers"
)

type table struct {
	header [][]string
	rows   [][]string
	notes  []string
	sheet  string
}

func readAll(t testing.TB, raw []byte, o Options) (table, error) {
	t.Helper()
	r, err := Open(context.Background(), bytes.NewReader(raw), int64(len(raw)), o)
	if err != nil {
		return table{}, err
	}
	defer r.Close()
	out := table{header: r.Header(), sheet: r.Sheet()}
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return out, err
		}
		if len(row) != len(out.header[0]) {
			t.Fatalf("a row of %d cells below a header of %d", len(row), len(out.header[0]))
		}
		out.rows = append(out.rows, slices.Clone(row))
	}
	out.notes = r.Notes()
	return out, nil
}

func mustRead(t testing.TB, raw []byte, o Options) table {
	t.Helper()
	got, err := readAll(t, raw, o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func same(t *testing.T, what string, got, want [][]string) {
	t.Helper()
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("%s:\n got %.500q\nwant %.500q", what, got, want)
	}
}

// Every dialect gives the same table.
func TestDialects(t *testing.T) {
	header := [][]string{{"id", "city", "note"}}
	rows := [][]string{{"1", "Köln", `says "hi", twice`}, {"2", "Paris", "two lines"}, {"3", "", "last"}}
	for name, text := range map[string]string{
		"comma":          "id,city,note\n1,Köln,\"says \"\"hi\"\", twice\"\n2,Paris,\"two\nlines\"\n3,,last\n",
		"CRLF":           "id,city,note\r\n1,Köln,\"says \"\"hi\"\", twice\"\r\n2,Paris,\"two\r\nlines\"\r\n3,,last\r\n",
		"CR":             "id,city,note\r1,Köln,\"says \"\"hi\"\", twice\"\r2,Paris,\"two\rlines\"\r3,,last\r",
		"no end of line": "id,city,note\n1,Köln,\"says \"\"hi\"\", twice\"\n2,Paris,\"two\nlines\"\n3,,last",
		"semicolon":      "id;city;note\n1;Köln;says \"hi\", twice\n2;Paris;\"two\nlines\"\n3;;last\n",
		"tab":            "id\tcity\tnote\n1\tKöln\tsays \"hi\", twice\n2\tParis\ttwo lines\n3\t\tlast\n",
		"bar":            "id|city|note\n1|Köln|says \"hi\", twice\n2|Paris|two lines\n3||last\n",
		"named":          "sep=^\r\nid^city^note\r\n1^Köln^says \"hi\", twice\r\n2^Paris^two lines\r\n3^^last\r\n",
		"blanks":         "id, city ,note\n 1,Köln , \"says \"\"hi\"\", twice\" \n2,Paris,two  lines\n\n,,\n3,,last\n",
		"title above":    "Survey 2024,,\n\nid,city,note\n1,Köln,\"says \"\"hi\"\", twice\"\n2,Paris,\"two\nlines\"\n3,,last\n",
		"backslashes":    "id,city,note\n1,Köln,\"says \\\"hi\\\", twice\"\n2,Paris,two lines\n3,,last\n",
		"put together":   "id,city,note\n1,Köln,\"says \"\"hi\"\", twice\"\nid,city,note\n2,Paris,two lines\n3,,last\n",
	} {
		t.Run(name, func(t *testing.T) {
			got := mustRead(t, []byte(text), Options{Name: "a.csv"})
			same(t, "header", got.header, header)
			same(t, "rows", got.rows, rows)
		})
	}
}

func TestTitlesAboveTheHeaderAreLeftOut(t *testing.T) {
	got := mustRead(t, []byte("Brand tracker\nWave 3,2024\n\nid,age,city,product,score\n1,20,A,x,5\n2,30,B,y,4\n3,40,A,x,3\n"), Options{})
	same(t, "header", got.header, [][]string{{"id", "age", "city", "product", "score"}})
	if len(got.rows) != 3 || !strings.Contains(strings.Join(got.notes, " "), "above the names") {
		t.Errorf("%q %q", got.rows, got.notes)
	}
}

// Encodings are told from their letters alone.
func TestEncodings(t *testing.T) {
	wide := func(e unicode.Endianness, b unicode.BOMPolicy) encoding.Encoding { return unicode.UTF16(e, b) }
	for name, c := range map[string]struct {
		enc   encoding.Encoding
		words string
	}{
		"UTF-8":             {unicode.UTF8, "Köln Łódź 東京 Αθήνα"},
		"UTF-8 with a mark": {unicode.UTF8BOM, "Köln Łódź 東京 Αθήνα"},
		"UTF-16 LE":         {wide(unicode.LittleEndian, unicode.UseBOM), "Köln Łódź 東京 Αθήνα"},
		"UTF-16 BE":         {wide(unicode.BigEndian, unicode.UseBOM), "Köln Łódź 東京 Αθήνα"},
		"UTF-16 LE unnamed": {wide(unicode.LittleEndian, unicode.IgnoreBOM), "Köln Paris Berlin Madrid"},
		"UTF-16 BE unnamed": {wide(unicode.BigEndian, unicode.IgnoreBOM), "Köln Paris Berlin Madrid"},
		"Windows-1252":      {charmap.Windows1252, "männlich weiblich größer München Universität täglich gefällt überhaupt möglich schön Straße “ja”"},
		"ISO-8859-1":        {charmap.ISO8859_1, "très satisfait également études supérieures marié célibataire Français déjà été préfère"},
		"Windows-1250":      {charmap.Windows1250, "mężczyzna kobieta wyższe średnie województwo śląskie mieszkanie zarządzanie często źle łatwo więcej"},
		"Windows-1250 cs":   {charmap.Windows1250, "žena muž středoškolské vysokoškolské každý týden vůbec ne Středočeský kraj příjem domácnosti dítě"},
		"Windows-1251":      {charmap.Windows1251, "мужчина женщина высшее образование среднее полностью согласен затрудняюсь ответить Москва"},
		"Windows-1254":      {charmap.Windows1254, "kadın erkek üniversite ilköğretim çalışıyor işsiz öğrenci İstanbul hiç değil katılıyorum kesinlikle şehir"},
		"Shift-JIS":         {japanese.ShiftJIS, "男性 女性 会社員 学生 東京都 大阪府 とても満足 やや満足 どちらともいえない 不満"},
		"GBK":               {simplifiedchinese.GBK, "男性 女性 大学本科 高中 北京市 上海市 非常满意 比较满意 一般 不满意 已婚 未婚"},
		"EUC-KR":            {korean.EUCKR, "남성 여성 대학교 졸업 서울 부산 매우 만족 보통 불만족 회사원 학생"},
		"Big5":              {traditionalchinese.Big5, "男性 女性 大學畢業 高中 臺北市 高雄市 非常滿意 普通 不滿意 已婚 未婚"},
		"ISO-8859-7":        {charmap.ISO8859_7, "άνδρας γυναίκα πανεπιστήμιο λύκειο Αθήνα Θεσσαλονίκη συμφωνώ απόλυτα διαφωνώ"},
	} {
		t.Run(name, func(t *testing.T) {
			words := strings.Fields(c.words)
			var text strings.Builder
			text.WriteString("id,answer\n")
			var want [][]string
			for i := range 3 * len(words) {
				w := words[i%len(words)]
				fmt.Fprintf(&text, "%d,%s\n", i, w)
				want = append(want, []string{fmt.Sprint(i), w})
			}
			raw, err := c.enc.NewEncoder().Bytes([]byte(text.String()))
			if err != nil {
				t.Fatal(err)
			}
			got := mustRead(t, raw, Options{Name: "a.csv"})
			same(t, "rows", got.rows, want)
			assumed := strings.Contains(strings.Join(got.notes, " "), "is read as")
			if said := strings.HasPrefix(name, "UTF") && !strings.Contains(name, "unnamed"); said == assumed {
				t.Errorf("notes %q", got.notes)
			}
		})
	}
}

func TestBrokenUTF8IsMendedAndSaid(t *testing.T) {
	got := mustRead(t, []byte("id,city\n1,Köln\n2,Łódź\n3,M\xfcnchen\n"), Options{})
	same(t, "rows", got.rows, [][]string{{"1", "Köln"}, {"2", "Łódź"}, {"3", "München"}})
	if !strings.Contains(strings.Join(got.notes, " "), "no UTF-8") {
		t.Errorf("notes %q", got.notes)
	}
}

// The ways in which surveys write two rows of names, and rows of data that look
// nearly like it.
func TestHeaders(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		rows int
		n    int
	}{
		"options below a question": {"ID,Which have you seen?,,,Gender\n,A New Hope,Empire,Jedi,Response\n1,A New Hope,,Jedi,F\n2,,Empire,,M\n3,A New Hope,,,F\n", 2, 3},
		"one column each":          {"ID,Do you smoke?,Age\n,Response,Response\n1,No,20\n2,Yes,30\n", 2, 2},
		"wordings below codes":     {"Q1,Q2_1,Q2_2\nHow old are you today?,How much do you like tea?,How much do you like coffee?\n20,5,4\n30,2,1\n40,3,3\n", 2, 3},
		"import ids":               {"Q1,Q2\nHow old are you today?,How much do you like tea?\n\"{\"\"ImportId\"\":\"\"QID1\"\"}\",\"{\"\"ImportId\"\":\"\"QID2\"\"}\"\n20,5\n30,2\n", 2, 2},
		"a row index":              {",q1,q2,weight\n1,Yes,Often,1.2\n2,No,Rarely,0.8\n3,Yes,Never,1.0\n", 1, 3},
		"plain":                    {"name,city,job\nAnna,Berlin,nurse\nBen,Rome,teacher\nCleo,Paris,baker\n", 1, 3},
		"names of rows of R":       {"age,city\n1,20,Rome\n2,30,Berlin\n3,40,Paris\n4,50,Rome\n", 1, 4},
		"a single row":             {"age,city\n20,Rome\n", 1, 1},
		"a header alone":           {"age,city\n", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got := mustRead(t, []byte(c.text), Options{})
			if len(got.header) != c.rows || len(got.rows) != c.n {
				t.Errorf("header %q, rows %q", got.header, got.rows)
			}
		})
	}
}

// Where commas divide no cells, they divide numbers.
func TestDecimalCommas(t *testing.T) {
	got := mustRead(t, []byte("id;weight;share;codes;income;city\n1;0,5;1,714;1,2;1.000;Köln, Süd\n2;1,25;-2,001;1,2,5;2.500;Bonn\n3;2;0;3;750;Kiel\n"), Options{})
	same(t, "rows", got.rows, [][]string{{"1", "0.5", "1.714", "1,2", "1.000", "Köln, Süd"}, {"2", "1.25", "-2.001", "1,2,5", "2.500", "Bonn"}, {"3", "2", "0", "3", "750", "Kiel"}})
	if !strings.Contains(strings.Join(got.notes, " "), "decimal comma") {
		t.Errorf("notes %q", got.notes)
	}
	// Nothing says whether these are thousands.
	got = mustRead(t, []byte("id;income\n1;1,714\n2;2,001\n"), Options{})
	same(t, "rows", got.rows, [][]string{{"1", "1,714"}, {"2", "2,001"}})
}

func TestRaggedRowsAreSaid(t *testing.T) {
	got := mustRead(t, []byte("a,b,c\n"+strings.Repeat("1,2,3\n", 20)+"1,2\n1,2,3,4\n1,2,3,,,\n"), Options{})
	if notes := strings.Join(got.notes, "\n"); len(got.rows) != 23 || !strings.Contains(notes, "fewer cells") || !strings.Contains(notes, "row 22 below") {
		t.Errorf("%d rows, %s", len(got.rows), notes)
	}
}

func codeOf(err error) string {
	var p *Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return fmt.Sprint(err)
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		raw  string
		o    Options
		want string
	}{
		"nothing":         {"", Options{}, CodeEmpty},
		"blanks":          {" \n\n ", Options{}, CodeEmpty},
		"commas":          {",,\n,,\n", Options{}, CodeEmpty},
		"too many bytes":  {"a,b\n1,2\n", Options{MaxBytes: 3}, CodeTooLarge},
		"too many rows":   {"a,b\n" + strings.Repeat("1,2\n", 11), Options{MaxRows: 10}, CodeTooManyRows},
		"too many names":  {strings.Repeat("a,", 20) + "b\n" + strings.Repeat("1,", 20) + "2\n", Options{MaxColumns: 10}, CodeTooManyColumns},
		"too many values": {"a,b\n1,2\n" + strings.Repeat("1,", 20_000) + "\n", Options{}, CodeTooManyColumns},
		"Excel 4":         {"\x09\x04\x06\x00\x00\x00\x10\x00", Options{}, CodeUnsupported},
		"a web page":      {"<html><body><table><tr><td>1</td></tr></table>", Options{Name: "a.xls"}, CodeMislabelled},
		"XML":             {`<?xml version="1.0"?><Workbook/>`, Options{Name: "a.xls"}, CodeMislabelled},
		"a web archive":   {"MIME-Version: 1.0\r\n", Options{Name: "a.xls"}, CodeMislabelled},
		"PDF":             {"%PDF-1.7\n", Options{Name: "a.csv"}, CodeMislabelled},
		"packed":          {"\x1f\x8b\x08", Options{Name: "a.csv"}, CodeMislabelled},
		"noise":           {"a\x00b\x01\x02\x00\x00\x03", Options{Name: "a.csv"}, CodeMislabelled},
		"no workbook":     {"PK\x03\x04 but nothing else", Options{Name: "a.xlsx"}, CodeDamaged},
		"half a workbook": {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Options{Name: "a.xls"}, CodeDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := readAll(t, []byte(c.raw), c.o); codeOf(err) != c.want {
				t.Errorf("err = %v, want %s", err, c.want)
			}
		})
	}
}

// A quote that never closes costs one value, not the file, and a file of nothing
// else no more time than its size.
func TestQuotesThatNeverClose(t *testing.T) {
	got := mustRead(t, []byte("id,height\n1,6'\n2,\"5 feet\n3,6'\n"), Options{})
	if len(got.rows) != 3 || got.rows[1][1] != `"5 feet` {
		t.Errorf("%q", got.rows)
	}
	many := "a,b\n" + strings.Repeat("1,\"x and so on\n", 600_000)
	got = mustRead(t, []byte(many), Options{MaxRows: 1_000_000})
	if len(got.rows) != 600_000 {
		t.Errorf("%d rows", len(got.rows))
	}
}

func TestTheEndOfTheContextEndsTheReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	raw := []byte("a,b\n" + strings.Repeat("1,2\n", 10_000))
	r, err := Open(ctx, bytes.NewReader(raw), int64(len(raw)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for n := 0; ; n++ {
		if _, err := r.Next(); err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			return
		}
		if n > 9_000 {
			t.Fatal("it went on")
		}
	}
}

func TestRewindGivesTheSameRows(t *testing.T) {
	for _, name := range []string{"csv", "xls"} {
		t.Run(name, func(t *testing.T) {
			raw := []byte("\xef\xbb\xbfsep=;\nTitle\n\nid;a;b;c;d\n" + strings.Repeat("1;2;3;4;5\n\n", 500))
			if name == "xls" {
				var err error
				if raw, err = os.ReadFile("biff/testdata/survey.xls"); err != nil {
					t.Fatal(err)
				}
			}
			r, err := Open(t.Context(), bytes.NewReader(raw), int64(len(raw)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var passes [3][][]string
			for i := range passes {
				for {
					row, err := r.Next()
					if err != nil {
						break
					}
					passes[i] = append(passes[i], slices.Clone(row))
					if i == 1 && len(passes[i]) == 7 {
						break // half-way
					}
				}
				if err := r.Rewind(); err != nil {
					t.Fatal(err)
				}
			}
			if len(passes[0]) < 40 {
				t.Fatalf("%d rows", len(passes[0]))
			}
			same(t, "third pass", passes[2], passes[0])
			same(t, "second pass", passes[1], passes[0][:7])
		})
	}
}

// What is written as CSV is read as it was. Digits with a comma are left out: they
// may be decimals, which are read with a point.
func TestCSVRoundTrip(t *testing.T) {
	cellOf := rapid.StringMatching(`[a-zäλ漢 ,;"\n]{0,12}|[a-zäλ漢0-9 ;"\n]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(2, 6).Draw(t, "width")
		rows := rapid.SliceOfN(rapid.SliceOfN(cellOf, width, width), 1, 20).Draw(t, "rows")
		comma := rapid.SampledFrom([]string{",", ";", "\t"}).Draw(t, "comma")
		var text strings.Builder
		text.WriteString("sep=" + comma + "\n")
		for i := range width {
			fmt.Fprintf(&text, "%sname%d", map[bool]string{true: comma}[i > 0], i)
		}
		text.WriteString("\n")
		var want [][]string
		for _, row := range rows {
			var clean []string
			for i, c := range row {
				if i > 0 {
					text.WriteString(comma)
				}
				fmt.Fprintf(&text, `"%s"`, strings.ReplaceAll(c, `"`, `""`))
				clean = append(clean, strings.Join(strings.Fields(c), " "))
			}
			text.WriteString("\r\n")
			if strings.Join(clean, "") != "" {
				want = append(want, clean)
			}
		}
		r, err := Open(context.Background(), strings.NewReader(text.String()), int64(text.Len()), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got [][]string
		for {
			row, err := r.Next()
			if err != nil {
				break
			}
			got = append(got, slices.Clone(row))
		}
		if len(r.Header()) == 1 && !slices.EqualFunc(got, want, slices.Equal[[]string]) {
			t.Fatalf("\n got %q\nwant %q", got, want)
		}
	})
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{
		"a,b\n1,2\n", "a;b\n\"1\";2\r\n", "sep=|\na|b\n1|2", "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00", "a\tb\r1\t2\r", "\"a\n\",b\n\"\"\"\",\"x\"y\n",
		"ID,Q?,,\n,x,y,z\n1,x,,z\n", "a,b\n1,\"2\n3,4\n", "m\xe4n,w\xf6m\n\xfc,\xdf\n", "\x83\x66\x83\x58,\x83\x67\n1,2\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 1<<20 || bytes.HasPrefix(raw, []byte("PK\x03\x04")) || bytes.HasPrefix(raw, []byte("PK\x05\x06")) || bytes.HasPrefix(raw, []byte("\xd0\xcf\x11\xe0")) {
			return // workbooks have targets of their own
		}
		first, err := readAll(t, raw, Options{Name: "a.csv"})
		if err != nil && !errors.As(err, new(*Problem)) {
			t.Fatalf("%v", err)
		}
		second, _ := readAll(t, raw, Options{Name: "a.csv"})
		if !slices.EqualFunc(first.rows, second.rows, slices.Equal[[]string]) {
			t.Fatal("read twice, two tables")
		}
	})
}

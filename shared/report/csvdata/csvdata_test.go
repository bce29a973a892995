package csvdata

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
)

func read(t *testing.T, b []byte) [][]string {
	t.Helper()
	if !bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
		t.Fatal("no byte order mark (M-224)")
	}
	rows, err := csv.NewReader(bytes.NewReader(b[3:])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// M-224: byte order mark, CRLF, formulas defused, numbers left alone.
func TestWriteM224(t *testing.T) {
	tab := Table{Header: []string{"=id", "n", "text"}, Rows: [][]Cell{
		{Text("a"), Number(-5), Text("-5")},
		{Text("@x"), Number(.25), Text("say \"hi\", you\nthere")},
		{Text("＝cmd"), Empty(), Text("\tx")},
	}}
	var b bytes.Buffer
	if err := Write(&b, tab); err != nil {
		t.Fatal(err)
	}
	want := "\ufeff'=id,n,text\r\na,-5,'-5\r\n'@x,0.25,\"say \"\"hi\"\", you\r\nthere\"\r\n'＝cmd,,'\tx\r\n"
	if b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
	var again bytes.Buffer
	if err := Write(&again, tab); err != nil || again.String() != b.String() {
		t.Error("equal tables must give equal bytes")
	}
}

// M-225: every row says that it is simulated and by what.
func TestResponsesM225(t *testing.T) {
	tab, err := Responses("offline-respondent", "1.0.0", []Item{{"q1"}, {"q2"}}, []Row{
		{MindID: "m1", MindName: "Mia", Audience: "A", Answers: []ItemAnswer{{Text("Yes"), "grounded"}, {Empty(), "not_asked"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, tab); err != nil {
		t.Fatal(err)
	}
	rows := read(t, b.Bytes())
	if got := strings.Join(rows[0], ","); got != "mind_id,mind_name,audience,q1,q1_evidence,q2,q2_evidence,simulated,engine,engine_version" {
		t.Error(got)
	}
	if got := strings.Join(rows[1], ","); got != "m1,Mia,A,Yes,grounded,,not_asked,true,offline-respondent,1.0.0" {
		t.Error(got)
	}
	if _, err := Responses("e", "1", []Item{{"q1"}}, []Row{{MindID: "m"}}); err == nil {
		t.Error("a row without its answers must be refused")
	}
}

func TestRefusals(t *testing.T) {
	if Write(&bytes.Buffer{}, Table{}) == nil {
		t.Error("no columns")
	}
	if Write(&bytes.Buffer{}, Table{Header: []string{"a"}, Rows: [][]Cell{{}}}) == nil {
		t.Error("short row")
	}
}

// Whatever the text, the file has the same shape, the text comes back (line
// breaks made plain), and no cell starts like a formula.
func FuzzWrite(f *testing.F) {
	for _, s := range []string{"", "a", "=1+1", "\r\n=x", "\"", ",", "'", "\x00=1", "＋1", "a\rb", "\xff"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, tab := range []Table{
			{Header: []string{a, "n"}, Rows: [][]Cell{{Text(b), Number(-1)}, {Text(a), Text(b)}}},
			{Header: []string{"one"}, Rows: [][]Cell{{Text(a)}, {Text(b)}}},
		} {
			var out bytes.Buffer
			if err := Write(&out, tab); err != nil {
				t.Fatal(err)
			}
			rows := read(t, out.Bytes())
			if len(rows) != 1+len(tab.Rows) {
				t.Fatalf("%d rows for %d", len(rows), 1+len(tab.Rows))
			}
			for i, r := range rows[1:] {
				for j, got := range r {
					c := tab.Rows[i][j]
					if c.literal {
						continue
					}
					if got != Defuse(c.text) {
						t.Fatalf("%q came back as %q", c.text, got)
					}
					if got != "" && strings.ContainsRune("=+-@\t\r\n", rune(got[0])) {
						t.Fatalf("%q is a formula", got)
					}
				}
			}
		}
	})
}

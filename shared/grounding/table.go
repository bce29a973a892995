package grounding

import (
	"strings"
)

// block is a run of table rows under one heading.
type block struct {
	heading string // the column or line that names the axis, as written
	percent bool   // a heading or the rows say that the numbers are percentages
	rows    []figure
	from    int // offsets of the rows in the text, for a verbatim quote
	to      int
}

// mostRows is how many segments an axis may have before it is a list of data.
const mostRows = 60

// shareHeads are the names of columns that hold shares, folded.
var shareHeads = map[string]bool{
	"share": true, "shares": true, "%": true, "percent": true, "percentage": true, "pct": true, "proportion": true, "share %": true, "share in %": true, "in %": true, "percent of total": true, "% of total": true, "% of respondents": true, "share of respondents": true,
	"anteil": true, "anteil %": true, "anteil in %": true, "prozent": true, "part": true, "pourcentage": true, "porcentaje": true, "percentuale": true, "percentagem": true, "aandeel": true, "udzial": true, "andel": true,
}

// noSign takes the percent sign out of a heading.
var noSign = strings.NewReplacer("(%)", "", "(in %)", "", "in %", "", "%", "")

// splitRow divides a line into cells: tabs, bars, semicolons, a comma that stands
// between label and number, or a colon.
func splitRow(line string) []string {
	for _, sep := range []string{"\t", "|", ";"} {
		if strings.Contains(line, sep) {
			return cells(strings.Split(strings.Trim(strings.TrimSpace(line), "|"), sep))
		}
	}
	if i := strings.LastIndexAny(line, ":="); i > 0 {
		return cells([]string{line[:i], line[i+1:]})
	}
	if strings.Contains(line, ",") {
		parts := strings.Split(line, ",")
		// "women,52,3" is a decimal comma only with a percent sign or a space.
		return cells(parts)
	}
	if i := strings.LastIndex(line, "  "); i > 0 {
		return cells([]string{line[:i], line[i:]})
	}
	return nil
}

func cells(parts []string) []string {
	for i, p := range parts {
		parts[i] = strings.Trim(strings.TrimSpace(p), `"`)
	}
	return parts
}

// tables reads the blocks of label and share of a text, in one pass.
type tables struct {
	done    []block
	open    block
	column  int    // of the shares in the table at hand, -1 when no header says it
	heading string // the last line that was no row
}

func (t *tables) line(text string, from, to int) {
	line := strings.TrimSpace(text[from:to])
	if line == "" {
		t.close()
		t.heading, t.column = "", -1
		return
	}
	if len(line) > 300 {
		t.close()
		t.heading, t.column = "", -1
		return
	}
	parts := splitRow(line)
	if isRule(line) {
		return
	}
	if len(parts) >= 2 {
		if head := shareColumn(parts); head > 0 {
			t.close()
			t.heading, t.column = parts[0], head
			t.open = block{heading: parts[0], percent: true}
			return
		}
		if label, pct, sign, ok := t.row(parts); ok {
			if len(t.open.rows) == 0 {
				t.open.heading, t.open.from = t.heading, from
				t.open.percent = t.open.percent || t.column > 0
			}
			t.open.percent = t.open.percent || sign
			t.open.to = to
			if len(t.open.rows) <= mostRows {
				t.open.rows = append(t.open.rows, figure{label: label, pct: pct})
			}
			return
		}
	}
	t.close()
	t.column = -1
	t.heading = strings.Trim(line, "#*:- ")
	if strings.ContainsAny(t.heading, "%") {
		t.open.percent = true
		t.heading = strings.TrimSpace(strings.Trim(noSign.Replace(t.heading), ",;: "))
	}
}

// row reads a label and a share from the cells of a line.
func (t *tables) row(parts []string) (label string, pct float64, sign, ok bool) {
	at := t.column
	if at < 0 {
		if len(parts) == 3 && len(parts[2]) <= 3 && isDigits(parts[1]) && strings.TrimRight(parts[2], "% ") != "" && isDigits(strings.TrimRight(parts[2], "% ")) && strings.HasSuffix(parts[2], "%") {
			parts = []string{parts[0], parts[1] + "." + parts[2]} // women,52,3 %
		}
		if len(parts) != 2 {
			return "", 0, false, false
		}
		at = 1
	}
	if at >= len(parts) || parts[0] == "" || len(parts[0]) > 80 {
		return "", 0, false, false
	}
	raw := strings.TrimSpace(parts[at])
	number := strings.TrimSpace(strings.TrimRight(raw, "%％ "))
	pct, ok = number100(number)
	return parts[0], pct, len(number) < len(strings.TrimSpace(raw)), ok
}

func isDigits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

// isRule is a line that only draws: |---|---|.
func isRule(line string) bool { return strings.Trim(line, "|-:=+ ") == "" }

// shareColumn finds the column of shares in a header line; 0 when it is none.
func shareColumn(parts []string) int {
	for i, p := range parts {
		if i > 0 && len(p) < 30 && p != "" && (p[0] < '0' || p[0] > '9') && shareHeads[fold(p)] {
			return i
		}
	}
	return 0
}

func (t *tables) close() {
	if len(t.open.rows) > 0 && len(t.open.rows) <= mostRows {
		t.done = append(t.done, t.open)
	}
	t.open = block{}
}

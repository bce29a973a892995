package segment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Bounds of what is counted jointly.
const (
	maxColumns      = 2000
	maxPreview      = 200  // variables in a preview
	maxExamined     = 40   // variables searched for relations and dependencies
	maxProfiles     = 5000 // combinations in a preview
	maxTracked      = 200_000
	minCell         = 5 // respondents of a cell that may be shown
	minGroup        = 10
	maxBreakdownBy  = 12
	maxEvidenceCell = 4_000_000
	every           = 1024 // rows between looks at the context
)

func analyze(ctx context.Context, rows Rows, o Options) (*Preview, error) {
	r := &review{o: o}
	if err := r.first(ctx, rows); err != nil {
		return nil, err
	}
	if err := r.gridCheck(); err != nil {
		return nil, err
	}
	if err := r.sumsCheck(); err != nil {
		return nil, err
	}
	r.classify()
	if err := r.choose(rows); err != nil {
		return nil, err
	}
	if err := rows.Rewind(); err != nil {
		return nil, err
	}
	t := newTally(r)
	if err := t.run(ctx, rows); err != nil {
		return nil, err
	}
	return r.preview(t)
}

func (r *review) warn(format string, args ...any) {
	r.warning = append(r.warning, fmt.Sprintf(format, args...))
}

// first reads all rows for what each column holds.
func (r *review) first(ctx context.Context, rows Rows) error {
	header := rows.Header()
	width := 0
	for _, h := range header {
		width = max(width, len(h))
	}
	for width > 0 && blankColumn(header, width-1) { // trailing delimiters
		width--
	}
	if width == 0 {
		return fault.New(fault.Validation, "file has no header row with names of columns; put the names in the first row and one respondent in each row below it").With("field", "file")
	}
	if width > maxColumns {
		return fault.New(fault.PayloadTooLarge, "The sheet has %d columns; at most %d are reviewed. Keep the columns that matter and upload it again.", width, maxColumns)
	}
	for i, h := range headings(header, width) {
		r.columns = append(r.columns, &column{heading: h, index: i, group: -1})
	}
	budget := keptInAll
	for {
		if r.rows%every == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		cells, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if notRow(cells) {
			continue
		}
		r.rows++
		for i, c := range r.columns {
			if i < len(cells) && cells[i] != "" {
				c.add(cells[i], &budget)
			}
		}
	}
	if r.rows < 2 {
		return fault.New(fault.Validation, "file holds %d rows of respondents; at least 2 completed ones are needed. Each row below the header must be one respondent.", r.rows).With("field", "file")
	}
	return nil
}

func blankColumn(header [][]string, i int) bool {
	for _, h := range header {
		if i < len(h) && strings.TrimSpace(h[i]) != "" {
			return false
		}
	}
	return true
}

// notRow knows the third header row of one survey program and rows without any
// cell.
func notRow(cells []string) bool {
	for _, c := range cells {
		if c != "" {
			return strings.HasPrefix(c, `{"ImportId"`)
		}
	}
	return true
}

// tally counts the completed rows.
type tally struct {
	r         *review
	completed int
	noWeight  int
	sumW, sqW float64

	counted []*count // by column; nil for columns without categories
	gates   []int    // structural columns that make a row complete
	codes   []int16

	examined []int // columns searched for relations
	pairs    []pair
	profiles map[string]*profile
	overflow bool
	key      []byte

	by      []int // breakdown columns
	offsets []int // of each breakdown column's groups
	groups  int
	held    []*held
	// listedAt is the kept cell of each column that holds ticked options, -1: none.
	listedAt map[int]int32
	at       []int // groups of the row
}

// count of one column: a slot for each category and one for other answers.
type count struct {
	n       []int
	w       []float64
	other   int
	otherW  float64
	missing map[int32]int // by kept cell
	blank   int
	valid   int
	validW  float64
	validQ  float64
}

// pair is the joint count of two columns over their categories and "other".
type pair struct {
	a, b  int
	width int // of b
	n     []int32
	w     []float64
}

type profile struct {
	n int
	w float64
}

// held gathers the evidence of one held-out question: a column, or the columns
// of a multi-select question.
type held struct {
	columns []int
	listed  bool // one column holds all ticked options
	multi   bool
	anyBase bool
	options int
	n       []int     // group: respondents
	w, q    []float64 // group: weights and their squares
	share   []float64 // group × option: weight
	all     float64   // topline
	allN    int
	allQ    float64
	top     []float64
}

func newTally(r *review) *tally {
	t := &tally{r: r, counted: make([]*count, len(r.columns)), codes: make([]int16, len(r.columns)), profiles: map[string]*profile{}, listedAt: map[int]int32{}}
	for i, c := range r.columns {
		if len(c.values) > 0 || c.kind != KindEmpty {
			t.counted[i] = &count{n: make([]int, len(c.values)), w: make([]float64, len(c.values)), missing: map[int32]int{}}
		}
		if c.kind == KindPopulation || c.kind == KindSegmentation {
			t.gates = append(t.gates, i)
		}
	}
	if len(t.gates) == 0 {
		for i, c := range r.columns {
			if c.kind == KindOutcome || c.kind == KindDriver || c.kind == KindOpenText {
				t.gates = append(t.gates, i)
			}
		}
	}
	t.examine()
	t.holdOut()
	return t
}

func (t *tally) run(ctx context.Context, rows Rows) error {
	for row := 0; ; {
		if row%every == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		cells, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if notRow(cells) {
			continue
		}
		row++
		t.row(cells)
	}
	if t.completed < 2 {
		return fault.New(fault.Validation, "file holds %d completed respondents of %d rows; at least 2 are needed. %s", t.completed, t.r.rows, t.gateRule()).With("field", "file")
	}
	return nil
}

func (t *tally) gateRule() string {
	if t.r.status != nil {
		return "A row counts as completed when “" + t.r.status.key + "” says so."
	}
	return "A row counts as completed when it answers at least one question on who the respondent is."
}

func (t *tally) row(cells []string) {
	r := t.r
	cell := func(i int) string {
		if i < len(cells) {
			return cells[i]
		}
		return ""
	}
	for _, g := range r.groups {
		if g.shape != ShapeMulti || !g.anyBase {
			continue
		}
		asked := false
		for _, i := range g.columns {
			if r.columns[i].values == nil {
				continue
			}
			code := codeOf(r.columns[i], cell(i))
			t.codes[i] = code
			asked = asked || code == 0
		}
		for _, i := range g.columns {
			switch {
			case !asked:
				t.codes[i] = codeMissing
			case t.codes[i] == codeMissing:
				t.codes[i] = 1
			}
		}
	}
	for i, c := range r.columns {
		if c.values == nil || c.shape == ShapeMulti && c.group >= 0 && r.groups[c.group].anyBase {
			continue
		}
		t.codes[i] = codeOf(c, cell(i))
	}
	if !t.complete(cell) {
		return
	}
	t.completed++
	w := 1.0
	if r.weight != nil {
		v, ok := parseNumber(cell(r.weight.index))
		if w = v; !ok || v < 0 || math.IsInf(v, 0) {
			w = 0
			t.noWeight++
		}
	}
	t.sumW += w
	t.sqW += w * w
	for i, c := range r.columns {
		k := t.counted[i]
		if k == nil {
			continue
		}
		code := t.codes[i]
		if c.values == nil { // text, numbers of cases, dates: only whether there is one
			if at, ok := c.cells[cell(i)]; cell(i) == "" || ok && c.kept[at].missing != "" {
				code = codeMissing
			} else {
				code = codeOther
			}
		}
		if code == codeMissing {
			if at, ok := c.cells[cell(i)]; ok && cell(i) != "" {
				k.missing[at]++
			} else {
				k.blank++
			}
			continue
		}
		k.valid++
		k.validW += w
		k.validQ += w * w
		if code < 0 {
			k.other++
			k.otherW += w
		} else {
			k.n[code]++
			k.w[code] += w
		}
	}
	for i := range t.listedAt {
		t.listedAt[i] = -1
		if at, ok := r.columns[i].cells[cell(i)]; ok && cell(i) != "" && r.columns[i].kept[at].missing == "" {
			t.listedAt[i] = at
		}
	}
	t.joint(w)
	t.evidence(w)
}

func codeOf(c *column, s string) int16 {
	if s == "" {
		return codeMissing
	}
	return c.code(s)
}

// complete is M-132: the status says so, else any structural value is there.
func (t *tally) complete(cell func(int) string) bool {
	r := t.r
	if r.status != nil {
		at, ok := r.status.cells[cell(r.status.index)]
		return ok && cell(r.status.index) != "" && r.done[at]
	}
	for _, i := range t.gates {
		c := r.columns[i]
		if c.values != nil {
			if c.shape == ShapeMulti && c.group >= 0 && t.codes[i] == 1 {
				continue // "Not selected" is no statement about a person
			}
			if t.codes[i] != codeMissing {
				return true
			}
			continue
		}
		if s := cell(i); s != "" {
			if at, ok := c.cells[s]; !ok || c.kept[at].missing == "" {
				return true
			}
		}
	}
	return false
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) }

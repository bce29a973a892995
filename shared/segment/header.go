package segment

import (
	"regexp"
	"strconv"
	"strings"
)

// maxKey is the longest key that the contract takes, in characters.
const maxKey = 200

// heading is what the header says of one column.
type heading struct {
	key      string // unique, at most 200 characters
	label    string // question and item, cleaned
	question string
	item     string // the option or the row of a grid; "" for a question of its own
	name     string // the column's own name, where the question is a part of it
	stem     int    // columns of one question share it; -1 for a question of its own
}

// plainItems are second header rows that say nothing about the column.
var plainItems = map[string]bool{"": true, "response": true, "responses": true, "open-ended response": true, "answer": true, "value": true, "antwort": true, "réponse": true, "respuesta": true}

var (
	codeName   = regexp.MustCompile(`^[A-Za-z]{1,12}[._-]?\d{0,5}[A-Za-z]?(?:[._-]\w{1,12}){0,3}$`)
	numbered   = regexp.MustCompile(`^(.*?[A-Za-z0-9\])])(?:[._\-]|: ?| )0*(\d{1,4})$`)
	coordinate = regexp.MustCompile(`^(.*\d)[rc]0*(\d{1,3})$`) // q5r1
	bracketed  = regexp.MustCompile(`^(.{2,}?)\s*[\[(]([^\[\]()]+)[\])]$`)
	parted     = regexp.MustCompile(`^(.{4,}?)(?:\s+[-–—|]\s+|:\s+|/|\s*>\s*)(.+)$`)
)

// headings joins the header rows: a question that stands once above its columns
// is carried over them, the row below names the options; a code above its
// wording gives key and label. Without a second row, columns of one question are
// found by their names ("q4_1", "q4_2"; "Which … - Apple").
func headings(rows [][]string, width int) []heading {
	at := func(row, col int) string {
		if row < len(rows) && col < len(rows[row]) {
			return Clean(rows[row][col])
		}
		return ""
	}
	out := make([]heading, width)
	two := len(rows) > 1
	coded := two && codesAbove(rows, width)
	for i := range out {
		out[i].stem = -1
		top, low := at(0, i), at(1, i)
		switch {
		case coded:
			out[i].question = low
			if low == "" {
				out[i].question = top
			}
			out[i].key = top
		case !two || i == 0 || top != "" || plainItems[folded(low)] && low == "":
			out[i].question = top
			out[i].item = low
		default: // below a question that stands once
			out[i].question, out[i].item = out[i-1].question, low
		}
		if plainItems[folded(out[i].item)] {
			out[i].item = ""
		}
	}
	if two && !coded {
		stemsBelow(out)
	} else {
		stemsByName(out)
	}
	keys := map[string]int{}
	for i := range out {
		h := &out[i]
		h.label = h.question
		if h.name != "" {
			h.label = h.name
		}
		if h.item != "" && !strings.HasSuffix(h.question, h.item) && !strings.HasSuffix(h.question, h.item+"]") {
			if h.label = h.item; h.question != "" {
				h.label = joinItem(h.question, h.item)
			}
		}
		if h.key == "" {
			h.key = h.label
		}
		if h.label == "" {
			h.label = "Column " + strconv.Itoa(i+1)
			h.key = "column_" + strconv.Itoa(i+1)
		}
		h.key = uniqueKey(keys, shortKey(h))
	}
	return out
}

// shortKey keeps the end of a long label, because the columns of one question
// differ there.
func shortKey(h *heading) string {
	k := h.key
	if len([]rune(k)) <= maxKey-8 {
		return k
	}
	if h.item != "" {
		item := cut(h.item, 90)
		return joinItem(cut(h.question, maxKey-10-len([]rune(item))), item)
	}
	return cut(k, maxKey-8)
}

// joinItem writes a question and one of its items as one line.
func joinItem(question, item string) string {
	q := strings.TrimRight(question, ".: ")
	if strings.HasSuffix(q, "?") || strings.HasSuffix(q, "？") {
		return q + " " + item
	}
	return q + ": " + item
}

func uniqueKey(taken map[string]int, k string) string {
	f := folded(k)
	for n := 2; taken[f] > 0; n++ {
		try := k + " (" + strconv.Itoa(n) + ")"
		if taken[folded(try)] == 0 {
			k, f = try, folded(try)
		}
	}
	taken[f]++
	return k
}

// codesAbove reports a header of codes over wordings: every name is there, short
// and different, and the row below is longer than they are.
func codesAbove(rows [][]string, width int) bool {
	seen := map[string]bool{}
	codes, longer := 0, 0
	for i := range width {
		if i >= len(rows[0]) {
			return false
		}
		top := Clean(rows[0][i])
		if top == "" && i > 0 || top != "" && seen[top] {
			return false
		}
		seen[top] = true
		if codeName.MatchString(top) {
			codes++
		}
		if i < len(rows[1]) && len(Clean(rows[1][i])) > len(top) {
			longer++
		}
	}
	return codes*10 >= width*7 && longer*2 >= width
}

// stemsBelow marks runs of columns under one question.
func stemsBelow(h []heading) {
	for i := 0; i < len(h); {
		j := i + 1
		for j < len(h) && h[j].question == h[i].question && h[i].question != "" && h[j].item != "" {
			j++
		}
		first := i
		if j-i > 1 && h[i].item == "" { // "Response" with "Other (please specify)" beside it
			first++
		}
		if j-first > 1 {
			for k := first; k < j; k++ {
				h[k].stem = first
			}
		}
		i = j
	}
}

// stemsByName marks runs of columns whose names share a stem.
func stemsByName(h []heading) {
	type split struct{ stem, text, item string }
	splits := func(s string) []split {
		var out []split
		for _, re := range []*regexp.Regexp{numbered, coordinate, bracketed, parted} {
			if m := re.FindStringSubmatch(s); m != nil {
				out = append(out, split{folded(m[1]), m[1], m[2]})
			}
		}
		return out
	}
	name := func(i int) string {
		if h[i].key != "" && h[i].key != h[i].question {
			return h[i].key
		}
		return h[i].question
	}
	for i := 0; i < len(h); {
		best, stem := i+1, ""
		for _, s := range splits(name(i)) {
			j := i + 1
			for j < len(h) {
				same := false
				for _, t := range splits(name(j)) {
					same = same || t.stem == s.stem
				}
				if !same {
					break
				}
				j++
			}
			if j > best {
				best, stem = j, s.stem
			}
		}
		if best-i > 1 {
			for k := i; k < best; k++ {
				h[k].stem = i
				if h[k].key != "" && h[k].key != h[k].question {
					if q, item, ok := strings.Cut(h[k].question, " - "); ok {
						h[k].question, h[k].item = q, item
					}
					continue
				}
				for _, t := range splits(name(k)) {
					if t.stem == stem {
						h[k].name, h[k].key = name(k), name(k)
						h[k].question = t.text
						if !digits(t.item) {
							h[k].item, h[k].name = t.item, ""
						}
						break
					}
				}
			}
		}
		i = best
	}
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

package planner

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

type wanted struct {
	name, request string
	items         []wantedItem
	methods       []string
	clarify       []string
}

type wantedItem struct {
	kind, text string
	lo, hi     int
	options    []string
	cond       string // "in q1=Yes,No" or "out q1=No"
}

var kinds = map[byte]string{'C': Categorical, 'M': Multiselect, 'S': Scale, 'Q': Qualitative}

// readWanted reads requests with what a careful researcher would plan for them.
func readWanted(t testing.TB, file string) []wanted {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []wanted
	for _, part := range strings.Split(string(raw), "=== ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		request, plan, ok := strings.Cut(rest, "\n---\n")
		if !ok {
			t.Fatalf("%s: %s has no plan", file, name)
		}
		w := wanted{name: name, request: request}
		for _, l := range strings.Split(strings.TrimSpace(plan), "\n") {
			if m, ok := strings.CutPrefix(l, "m "); ok {
				w.methods = append(w.methods, m)
				continue
			}
			if c, ok := strings.CutPrefix(l, "clarify "); ok {
				w.clarify = append(w.clarify, c)
				continue
			}
			it := wantedItem{kind: kinds[l[0]]}
			parts := strings.Split(l[2:], " :: ")
			it.text = parts[0]
			if it.kind == Scale {
				var span string
				span, it.text, _ = strings.Cut(parts[0], " ")
				a, b, _ := strings.Cut(span, "-")
				it.lo, _ = strconv.Atoi(a)
				it.hi, _ = strconv.Atoi(b)
			}
			for _, p := range parts[1:] {
				if c, ok := strings.CutPrefix(p, "if "); ok {
					it.cond = "in " + c
				} else if c, ok := strings.CutPrefix(p, "unless "); ok {
					it.cond = "out " + c
				} else {
					it.options = strings.Split(p, " | ")
				}
			}
			w.items = append(w.items, it)
		}
		out = append(out, w)
	}
	return out
}

func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" .?!:,;？。：", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

func condOf(c *AskIf) string {
	switch {
	case c == nil:
		return ""
	case c.AnswerIn != nil:
		return "in " + c.QuestionID + "=" + strings.Join(c.AnswerIn, ",")
	}
	return "out " + c.QuestionID + "=" + strings.Join(c.AnswerNotIn, ",")
}

func (w wantedItem) textFits(it Item) bool {
	a, b := bare(w.text), bare(it.Text)
	return w.text == "*" || a == b || w.kind == Scale && len(a) > 6 && (strings.HasSuffix(b, a) || strings.HasPrefix(b, a))
}

func (w wantedItem) fits(it Item) bool {
	r := it.Response
	if !w.textFits(it) || r.Type != w.kind || condOf(it.AskIf) != w.cond {
		return false
	}
	if w.kind == Scale {
		return r.ScaleRange[0] == w.lo && r.ScaleRange[1] == w.hi
	}
	return w.options == nil || slices.Equal(r.CategoricalOptions, w.options)
}

type score struct{ want, got, text, full, plans, right int }

// measure plans every request and counts items found and items exactly right.
func measure(t testing.TB, file string, tell bool) score {
	var s score
	for _, w := range readWanted(t, file) {
		s.plans++
		p, err := New(Input{Request: w.request, Minds: 10})
		if err != nil {
			t.Errorf("%s: %v", w.name, err)
			continue
		}
		var items []Item
		for _, it := range p.Items() {
			if it.Origin != OriginMethod {
				items = append(items, it)
			}
		}
		var methods []string
		for _, m := range p.Methods {
			if m.MethodID != "guided-research" {
				methods = append(methods, m.MethodID)
			}
		}
		s.want += len(w.items)
		s.got += len(items)
		good := len(items) == len(w.items)
		used := make([]bool, len(items))
		for _, x := range w.items {
			at := -1
			for i, it := range items {
				if !used[i] && x.textFits(it) {
					at = i
					break
				}
			}
			if at < 0 {
				good = false
				continue
			}
			used[at] = true
			s.text++
			if x.fits(items[at]) {
				s.full++
			} else {
				good = false
			}
		}
		slices.Sort(methods)
		want := slices.Clone(w.methods)
		slices.Sort(want)
		good = good && slices.Equal(methods, want)
		for _, c := range w.clarify {
			good = good && slices.ContainsFunc(p.ConfirmationQuestions, func(q ConfirmationQuestion) bool { return strings.HasPrefix(q.QuestionID, c) && q.Required })
		}
		if good {
			s.right++
		} else if tell {
			t.Logf("%s: methods %v, want %v", w.name, methods, w.methods)
			for _, it := range items {
				t.Logf("   %s %v %q %q %s", it.Response.Type, it.Response.ScaleRange, it.Text, it.Response.CategoricalOptions, condOf(it.AskIf))
			}
			for _, q := range p.ConfirmationQuestions {
				t.Logf("   ? %s %s", q.QuestionID, q.Text)
			}
		}
	}
	return s
}

func (s score) report(t testing.TB, name string) {
	t.Logf("%s: %d of %d plans as a researcher would make them; questions found: precision %.3f, recall %.3f; with format and condition: precision %.3f, recall %.3f",
		name, s.right, s.plans, float64(s.text)/float64(s.got), float64(s.text)/float64(s.want), float64(s.full)/float64(s.got), float64(s.full)/float64(s.want))
}

// Requests as people write them, in many fields and languages (M-82).
func TestRequests(t *testing.T) {
	s := measure(t, "testdata/requests.txt", testing.Verbose())
	s.report(t, "tuned")
	if s.full*100 < s.want*95 || s.full*100 < s.got*95 {
		t.Errorf("%d of %d items exactly right, %d planned", s.full, s.want, s.got)
	}
}

// Requests that were written before the rules were tuned and never tuned against.
func TestHeldRequests(t *testing.T) {
	s := measure(t, "testdata/held.txt", false)
	s.report(t, "held out")
	if s.text*100 < s.want*80 {
		t.Errorf("%d of %d questions found", s.text, s.want)
	}
}

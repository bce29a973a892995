package simulate

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
)

// EvidenceSummary rolls answers up by what they rest on (M-343). Its JSON is
// EvidenceSummary of the contract.
type EvidenceSummary struct {
	Stated       int    `json:"stated"`
	Grounded     int    `json:"grounded"`
	Related      int    `json:"related"`
	Trait        int    `json:"trait"`
	Unsupported  int    `json:"unsupported"`
	CannotAnswer int    `json:"cannotAnswer"`
	Sufficient   bool   `json:"sufficient"` // false when more than half of the answers are unsupported, or there is none
	Headline     string `json:"headline"`   // generated from the counts, shown first
}

// Warning is one thing to know of answers, with how many of them it holds for.
type Warning struct {
	Text  string `json:"text"`
	Count int    `json:"count"`
}

// Tally counts answers by state, one at a time. The zero value is ready.
type Tally struct {
	s    EvidenceSummary
	warn map[string]int
}

// Warn notes the warnings of one answer, each once.
func (t *Tally) Warn(warnings []string) {
	for _, w := range unique(warnings) {
		t.note(w, 1)
	}
}

// Note adds counted warnings, for a roll-up over items.
func (t *Tally) Note(warnings []Warning) {
	for _, w := range warnings {
		t.note(w.Text, w.Count)
	}
}

func (t *Tally) note(text string, n int) {
	if t.warn == nil {
		t.warn = map[string]int{}
	}
	t.warn[text] += n
}

// Warnings are all that was noted, most frequent first, each once; that sources
// disagree stands before all else.
func (t Tally) Warnings() []Warning {
	out := make([]Warning, 0, len(t.warn))
	for text, n := range t.warn {
		out = append(out, Warning{text, n})
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		switch {
		case (a.Text == SourcesDisagree) != (b.Text == SourcesDisagree):
			return a.Text == SourcesDisagree
		case a.Count != b.Count:
			return a.Count > b.Count
		}
		return a.Text < b.Text
	})
	return out
}

// Disagree reports answers whose sources contradict each other.
func Disagree(warnings []Warning) bool {
	return len(warnings) > 0 && warnings[0].Text == SourcesDisagree
}

// shownWarnings is how many a headline says.
const shownWarnings = 4

// WarningsInWords says warnings with how many answers they hold for; "" when
// there is none.
func WarningsInWords(warnings []Warning) string {
	if len(warnings) == 0 {
		return ""
	}
	var parts []string
	for i, w := range warnings {
		if i == shownWarnings && len(warnings) > shownWarnings+1 {
			parts = append(parts, fmt.Sprintf("and %d more", len(warnings)-i))
			break
		}
		answers := "answers"
		if w.Count == 1 {
			answers = "answer"
		}
		parts = append(parts, fmt.Sprintf("%s (%d %s)", w.Text, w.Count, answers))
	}
	return "Note: " + strings.Join(parts, "; ") + "."
}

// Add counts one answer by its status and state.
func (t *Tally) Add(status string, state State) {
	if status == CannotAnswer {
		t.s.CannotAnswer++
		return
	}
	switch state {
	case Stated:
		t.s.Stated++
	case Grounded:
		t.s.Grounded++
	case Related:
		t.s.Related++
	case Trait:
		t.s.Trait++
	default:
		t.s.Unsupported++
	}
}

// Merge adds the counts of another summary, for a roll-up over items.
func (t *Tally) Merge(s EvidenceSummary) {
	t.s.Stated += s.Stated
	t.s.Grounded += s.Grounded
	t.s.Related += s.Related
	t.s.Trait += s.Trait
	t.s.Unsupported += s.Unsupported
	t.s.CannotAnswer += s.CannotAnswer
}

// Summary gives the counts with the verdict and the headline.
func (t Tally) Summary() EvidenceSummary {
	s := t.s
	n := s.Stated + s.Grounded + s.Related + s.Trait + s.Unsupported
	s.Sufficient = n > 0 && 2*s.Unsupported <= n
	s.Headline = headline(s, n)
	if w := WarningsInWords(t.Warnings()); w != "" && n > 0 {
		s.Headline += " " + w
	}
	return s
}

// Summarise rolls a list of answers up.
func Summarise(answers []Answer) EvidenceSummary {
	var t Tally
	for _, a := range answers {
		t.Add(a.Status, a.State)
		t.Warn(a.Warnings)
	}
	return t.Summary()
}

// headline is the sentence that leads every summary. Parts keep the order of
// the states; a part without answers is left out.
func headline(s EvidenceSummary, n int) string {
	if n == 0 {
		if s.CannotAnswer > 0 {
			return fmt.Sprintf("No Mind could answer (%d cannot_answer).", s.CannotAnswer)
		}
		return "No Mind was asked."
	}
	type part struct {
		n    int
		text string
	}
	parts := []part{
		{s.Grounded, "rest on published or imported figures"},
		{s.Stated, "on the Minds' own record"},
		{s.Related, "on related evidence"},
		{s.Trait, "on profile traits"},
		{s.Unsupported, "on nothing but the shape of the question"},
	}
	var b strings.Builder
	if 2*s.Unsupported > n {
		b.WriteString("No finding: ")
	}
	first := true
	for _, p := range parts {
		if p.n == 0 {
			continue
		}
		pct := int(math.Round(100 * float64(p.n) / float64(n)))
		text := p.text
		if first {
			if !strings.HasPrefix(text, "rest") {
				text = "rest " + text
			}
			fmt.Fprintf(&b, "%d%% of answers %s", pct, text)
			first = false
			continue
		}
		fmt.Fprintf(&b, ", %d%% %s", pct, text)
	}
	b.WriteString(".")
	if s.CannotAnswer > 0 {
		fmt.Fprintf(&b, " %d of the Minds asked could not answer.", s.CannotAnswer)
	}
	return b.String()
}

// Disclosure is what a user is told where no model connection is set: how many
// sources the answers were drawn from and what they rest on.
func Disclosure(s EvidenceSummary, sources int) string {
	n := s.Stated + s.Grounded + s.Related + s.Trait + s.Unsupported
	if n == 0 {
		return "No model connection is set, and no Mind answered."
	}
	from := fmt.Sprintf("%d sources", sources)
	if sources == 1 {
		from = "1 source"
	}
	return fmt.Sprintf("No model connection is set. These answers were drawn by the offline engine from %s; %s. They show how your study works, not what people think, except where a source is named.",
		from, Shares(s))
}

// Shares says what part of the answers rests on what, in percent, leaving out
// what none rests on.
func Shares(s EvidenceSummary) string {
	n := s.Stated + s.Grounded + s.Related + s.Trait + s.Unsupported
	if n == 0 {
		return "no Mind answered"
	}
	var parts []string
	for _, p := range []struct {
		n    int
		text string
	}{
		{s.Stated, "on the Minds' own record"},
		{s.Grounded, "on published or imported figures"},
		{s.Related, "on related evidence"},
		{s.Trait, "on profile traits"},
		{s.Unsupported, "on nothing but question shape"},
	} {
		if p.n == 0 {
			continue
		}
		share := strconv.Itoa(int(math.Round(100*float64(p.n)/float64(n)))) + "%"
		if 200*p.n < n {
			share = "under 1%"
		}
		if len(parts) == 0 {
			share += " rest"
		}
		parts = append(parts, share+" "+p.text)
	}
	return strings.Join(parts, ", ")
}

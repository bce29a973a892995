package summary

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/report/markdown"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// words are the fixed sentences of a language. What is quoted keeps its own.
type words struct {
	lang      string
	decimal   string
	statement string // nobody was asked (M-340)

	noFinding, suppressed      string
	states                     [5]string // grounded, stated, related, trait, unsupported; %d percent
	none, cannot               string
	baseOf, failed, unasked    string
	effective                  string
	mean, most, tie, open      string
	mid                        string // median, standard deviation and consensus
	few, overlap, alike, thin  string
	differ, same               string
	pairMean, pairShare        string
	themes, shared             string
	sources, moreSources, more string
	own, answers               string
	limitations                string
	checked                    string // answers compared, Minds that contradict themselves, contradictions
	limits                     []string
}

// wordsFor chooses the language that most questions are plainly in; English else.
func wordsFor(found []finding) words {
	n := map[string]int{}
	for _, f := range found {
		n[simulate.LanguageOf(f.q.Text)]++
	}
	best := "en"
	for _, lang := range []string{"de", "es", "fr"} { // one order, so that ties fall alike
		if n[lang] > n[best] {
			best = lang
		}
	}
	return languages[best]
}

func plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// figure writes a number with so many decimals.
func (w words) figure(x float64, decimals int) string {
	if x = math.Round(x*math.Pow10(decimals)) / math.Pow10(decimals); x == 0 {
		x = 0 // no minus
	}
	return strings.Replace(strconv.FormatFloat(x, 'f', decimals, 64), ".", w.decimal, 1)
}

// percent writes a share of 0..100 in whole points.
func (w words) percent(x float64) string {
	if w.lang == "en" {
		return w.figure(x, 0) + "%"
	}
	return w.figure(x, 0) + "\u00a0%"
}

// headline says what answers rest on; in English, in the words of the record.
func (w words) headline(e study.EvidenceSummary) string {
	if w.lang == "en" {
		return e.Headline
	}
	n := e.Stated + e.Grounded + e.Related + e.Trait + e.Unsupported
	if n == 0 {
		return w.none
	}
	var parts []string
	for i, c := range []int{e.Grounded, e.Stated, e.Related, e.Trait, e.Unsupported} {
		if c > 0 {
			parts = append(parts, fmt.Sprintf(w.states[i], int(math.Round(100*float64(c)/float64(n)))))
		}
	}
	out := strings.Join(parts, ", ") + "."
	if !e.Sufficient {
		out = w.suppressed + " " + out
	}
	if e.CannotAnswer > 0 {
		out += " " + fmt.Sprintf(w.cannot, e.CannotAnswer)
	}
	return out
}

// base says how many Minds a figure is of.
func (w words) base(b study.Base) string {
	out := fmt.Sprintf(w.baseOf, b.Answered, b.Asked)
	if b.EffectiveN != nil && math.Abs(*b.EffectiveN-float64(b.Answered)) > 1e-9 {
		out += fmt.Sprintf(w.effective, w.figure(*b.EffectiveN, 1))
	}
	if b.Failed > 0 {
		out += fmt.Sprintf(w.failed, b.Failed)
	}
	if b.NotAsked > 0 {
		out += fmt.Sprintf(w.unasked, b.NotAsked)
	}
	return "(" + out + ")"
}

// finding is the one sentence of a question; empty where there is none to draw
// (M-343), or no answer.
func (w words) finding(f finding) string {
	g := f.q.All
	if g.Base.Answered == 0 || !g.Evidence.Sufficient {
		return ""
	}
	out := ""
	switch {
	case f.q.Question.Type == simulate.Scale && f.groups[0].Mean != nil:
		out = fmt.Sprintf(w.mean, w.figure(*f.groups[0].Mean, 1), f.q.Question.Min, f.q.Question.Max)
	case f.q.Question.Type == simulate.Categorical || f.q.Question.Type == simulate.Multiselect:
		if f.groups[0].Dominant == nil {
			out = w.tie
			break
		}
		out = fmt.Sprintf(w.most, *f.groups[0].Dominant, w.percent(100*g.Share(*f.groups[0].Dominant)))
	case f.themes != nil:
		out = fmt.Sprintf(w.open, g.Base.Answered, len(f.themes.Themes))
	}
	if out != "" && simulate.Disagree(g.Warnings) {
		out += " (" + simulate.SourcesDisagree + ")"
	}
	return out
}

// distribution lists the shares of a group, and of a scale its middle and spread.
func (w words) distribution(q simulate.Question, f figures, most int) string {
	var parts []string
	if f.Median != nil {
		sd, cns := "–", "–"
		if f.SD != nil {
			sd = w.figure(*f.SD, 2)
		}
		if f.Consensus != nil {
			cns = w.figure(*f.Consensus, 2)
		}
		parts = append(parts, fmt.Sprintf(w.mid, w.figure(*f.Mean, 2), w.figure(*f.Median, 1), sd, cns))
	}
	for i, s := range f.Distribution {
		if i == most {
			parts = append(parts, "…")
			break
		}
		if s.Pct == nil {
			continue
		}
		text := markdown.Inline(clip(s.Label, 120)) + " " + w.percent(*s.Pct)
		if s.CI95 != nil && q.Type != simulate.Scale {
			text += fmt.Sprintf(" [%s–%s]", w.figure(s.CI95[0], 0), w.figure(s.CI95[1], 0))
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// differences says whether Audiences differ beyond chance, or why that is not tested.
func (w words) differences(f finding) string {
	switch f.differ.Reason {
	case "":
	case study.SharedMinds:
		return w.overlap
	case study.FewAnswers:
		return w.few
	case study.NoEvidence:
		return w.thin
	default:
		return w.alike
	}
	for _, t := range f.differ.Tests {
		for _, p := range t.Pairs {
			if study.Significant(p) {
				return w.differ
			}
		}
	}
	return w.same
}

func (w words) pair(p pairBlock, scale bool) string {
	a, b := markdown.Inline(clip(p.A, 120)), markdown.Inline(clip(p.B, 120))
	if p.Difference < 0 {
		a, b = b, a
	}
	x := math.Abs(p.Difference)
	if scale {
		return fmt.Sprintf(w.pairMean, a, w.figure(x, 2), b, w.p(p.PAdjusted))
	}
	return fmt.Sprintf(w.pairShare, a, markdown.Inline(clip(p.Option, 120)), w.figure(x, 0), b, w.p(p.PAdjusted))
}

func (w words) p(x float64) string {
	if x < .001 {
		return "p < 0" + w.decimal + "001"
	}
	return "p = " + w.figure(x, 3)
}

// source is a line of the list of sources.
func (w words) source(s source) string {
	title := s.Title
	if title == "" {
		title = w.own
	}
	out := markdown.Inline(title)
	if s.Dates != "" {
		out += ", " + markdown.Inline(clip(s.Dates, 80))
	}
	if s.N != nil {
		out += fmt.Sprintf(", n = %d", *s.N)
	}
	if s.URL != "" {
		out += ", " + markdown.Inline(s.URL)
	}
	return out + fmt.Sprintf(" (%d %s)", s.Answers, w.answers)
}

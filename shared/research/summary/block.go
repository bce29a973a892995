package summary

import (
	"encoding/json"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/stats/segments"
)

// digest is everything that a summary is written from.
type digest struct {
	findings []finding
	behind   []finding // of items that only a method reads: what they rest on counts
	outcomes []run.Outcome
	words    words
	length   string
	evidence study.EvidenceSummary
	warnings []simulate.Warning
	sources  []source
}

// roll adds up what all answers rest on.
func (d *digest) roll() {
	var t simulate.Tally
	at := map[string]*source{}
	for _, f := range slices.Concat(d.findings, d.behind) {
		t.Merge(f.q.All.Evidence)
		t.Note(f.q.All.Warnings)
		for _, s := range f.sources {
			key := s.Title + "\x00" + s.Dates + "\x00" + s.URL + "\x00" + s.Origin
			if at[key] == nil {
				fresh := s
				fresh.Answers = 0
				at[key] = &fresh
			}
			at[key].Answers += s.Answers
		}
	}
	d.evidence, d.warnings, d.sources = t.Summary(), t.Warnings(), ordered(at)
}

// The kinds of blocks. Readers keep those that they do not know.
const (
	kindEvidence    = "evidence"
	kindFindings    = "key_findings"
	kindQuestion    = "question"
	kindDifferences = "audience_differences"
	kindThemes      = "themes"
	kindSources     = "sources"
	kindLimitations = "limitations"
	kindProvenance  = "provenance"
)

type evidenceBlock struct {
	Kind       string                `json:"kind"`
	Headline   string                `json:"headline"`
	Simulated  bool                  `json:"simulated"`
	Statement  string                `json:"statement"`
	Evidence   study.EvidenceSummary `json:"evidence"`
	Warnings   []simulate.Warning    `json:"warnings"`
	Suppressed int                   `json:"questionsWithoutFinding"`
}

type findingsBlock struct {
	Kind     string       `json:"kind"`
	Findings []keyFinding `json:"findings"`
}

type keyFinding struct {
	QuestionID string `json:"questionId"`
	Text       string `json:"text"`
	Base       int    `json:"base"`
}

type questionBlock struct {
	Kind       string                `json:"kind"`
	Position   int                   `json:"position"`
	QuestionID string                `json:"questionId"`
	MessageID  string                `json:"messageId,omitempty"`
	RunID      string                `json:"runId,omitempty"`
	Question   string                `json:"question"`
	Type       string                `json:"type"`
	Status     string                `json:"status"`
	Base       study.Base            `json:"base"`
	Routing    *routingBlock         `json:"routing,omitempty"`
	Finding    *string               `json:"finding"` // null when suppressed
	Suppressed bool                  `json:"suppressed"`
	Figures    figures               `json:"figures"`
	Audiences  []audienceBlock       `json:"audiences"`
	Evidence   study.EvidenceSummary `json:"evidence"`
	Warnings   []simulate.Warning    `json:"warnings"`
	Sources    []source              `json:"sources"`
}

type audienceBlock struct {
	AudienceID string                `json:"audienceId"`
	Name       string                `json:"name"`
	Base       study.Base            `json:"base"`
	Figures    figures               `json:"figures"`
	Evidence   study.EvidenceSummary `json:"evidence"`
}

type differencesBlock struct {
	Kind        string      `json:"kind"`
	QuestionID  string      `json:"questionId"`
	Tested      bool        `json:"tested"`
	Reason      string      `json:"reason,omitempty"` // why nothing is tested
	Explanation string      `json:"explanation"`
	Correction  string      `json:"correction,omitempty"`
	Tests       []testBlock `json:"tests"`
}

type testBlock struct {
	Option    *string            `json:"option,omitempty"`
	Test      string             `json:"test"`
	Statistic *float64           `json:"statistic"`
	DF        *float64           `json:"df"`
	DF2       *float64           `json:"df2,omitempty"`
	P         *float64           `json:"p"`
	PAdjusted *float64           `json:"pAdjusted"`
	Effect    map[string]float64 `json:"effect"`
	Pairs     []pairBlock        `json:"pairs"`
	Warnings  []string           `json:"warnings"`
}

// pairBlock is a difference between two Audiences: of means, or of shares in points.
type pairBlock struct {
	A           string  `json:"a"`
	B           string  `json:"b"`
	Option      string  `json:"option,omitempty"`
	Difference  float64 `json:"difference"`
	P           float64 `json:"p"`
	PAdjusted   float64 `json:"pAdjusted"`
	Significant bool    `json:"significant"`
}

type themesBlock struct {
	Kind                 string       `json:"kind"`
	QuestionID           string       `json:"questionId"`
	Base                 int          `json:"base"`
	Themes               []themeBlock `json:"themes"`
	SharedThemes         []string     `json:"sharedThemes"`
	DiversityIndex       *float64     `json:"diversityIndex"`
	MeanPairwiseDistance *float64     `json:"meanPairwiseDistance"`
}

type themeBlock struct {
	Label       string   `json:"label"`
	Count       int      `json:"count"`
	Share       float64  `json:"share"` // of the answers, 0..1
	AudienceIDs []string `json:"audienceIds"`
	Quotes      []string `json:"quotes"`
}

type sourcesBlock struct {
	Kind    string   `json:"kind"`
	Sources []source `json:"sources"`
	LeftOut int      `json:"leftOut"`
}

type limitationsBlock struct {
	Kind        string   `json:"kind"`
	Limitations []string `json:"limitations"`
}

// provenanceBlock says of the summary itself how it was made.
type provenanceBlock struct {
	Kind          string `json:"kind"`
	Language      string `json:"language"`      // of the words around what is quoted
	WordedBy      string `json:"wordedBy"`      // fixed_sentences, or provider/model
	SourceVersion string `json:"sourceVersion"` // of what is covered
}

const (
	questionShown = 1000
	sourcesKept   = 200
	// mostBlocks bounds what one reply carries; Audiences' own figures go first, and
	// analytics and results have them.
	mostBlocks = 2 << 20
)

// blocks are the semantic blocks, evidence first.
func (d *digest) blocks() []json.RawMessage {
	out := d.encode(true)
	size := 0
	for _, b := range out {
		size += len(b)
	}
	if size > mostBlocks {
		out = d.encode(false)
	}
	return out
}

func (d *digest) encode(audiences bool) []json.RawMessage {
	var out []json.RawMessage
	add := func(b any) {
		raw, _ := json.Marshal(b) // plain data always encodes
		out = append(out, raw)
	}
	without := 0
	key := findingsBlock{kindFindings, []keyFinding{}}
	for _, f := range d.findings {
		if !f.q.All.Evidence.Sufficient {
			without++
			continue
		}
		if text := d.words.finding(f); text != "" && d.evidence.Sufficient {
			key.Findings = append(key.Findings, keyFinding{f.q.QuestionID, text, f.q.All.Base.Answered})
		}
	}
	add(evidenceBlock{kindEvidence, d.words.headline(d.evidence), true, d.words.statement, d.evidence, warnings(d.warnings), without})
	if len(key.Findings) > 0 {
		add(key)
	}
	for i, f := range d.findings {
		add(d.question(i+1, f, audiences))
		if len(f.q.Audiences) > 1 && f.themes == nil {
			add(d.differences(f))
		}
		if f.themes != nil {
			add(themesOf(f))
		}
	}
	for _, o := range d.outcomes {
		made, checked := results(o)
		for _, b := range made {
			if audiences || b.Calculation.AudienceID == nil {
				add(b)
			}
		}
		if checked != nil {
			add(checked)
		}
	}
	if len(d.sources) > 0 {
		n := min(len(d.sources), sourcesKept)
		add(sourcesBlock{kindSources, d.sources[:n], len(d.sources) - n})
	}
	add(limitationsBlock{kindLimitations, d.words.limits})
	return out
}

func (d *digest) question(position int, f finding, audiences bool) questionBlock {
	b := questionBlock{Kind: kindQuestion, Position: position, QuestionID: f.q.QuestionID, MessageID: f.q.MessageID, RunID: f.q.RunID,
		Question: clip(f.q.Text, questionShown), Type: string(f.q.Question.Type), Status: f.q.Status, Base: f.q.All.Base, Routing: routingOf(f.q),
		Suppressed: !f.q.All.Evidence.Sufficient, Figures: f.groups[0], Audiences: []audienceBlock{}, Evidence: f.q.All.Evidence,
		Warnings: warnings(f.q.All.Warnings), Sources: f.sources[:min(len(f.sources), sourcesOfOne)]}
	if text := d.words.finding(f); text != "" && !b.Suppressed {
		b.Finding = &text
	}
	if audiences && len(f.q.Audiences) > 1 {
		for i, a := range f.q.Audiences {
			b.Audiences = append(b.Audiences, audienceBlock{a.ID, a.Name, a.Base, f.groups[i+1], a.Evidence})
		}
	}
	return b
}

const (
	sourcesOfOne = 12
	pairsKept    = 60
)

func (d *digest) differences(f finding) differencesBlock {
	b := differencesBlock{Kind: kindDifferences, QuestionID: f.q.QuestionID, Tested: len(f.differ.Tests) > 0, Reason: f.differ.Reason,
		Explanation: d.words.differences(f), Tests: []testBlock{}}
	for _, t := range f.differ.Tests {
		one := testBlock{Test: string(t.Kind), Statistic: t.Statistic, DF: t.DF, DF2: t.DF2, P: t.P, PAdjusted: t.PAdjusted, Pairs: []pairBlock{}, Warnings: t.Warnings}
		if one.Warnings == nil {
			one.Warnings = []string{}
		}
		if t.Option >= 0 {
			one.Option = &f.q.Question.Options[t.Option]
		}
		if t.Effect != nil {
			one.Effect = map[string]float64{t.Effect.Name: t.Effect.Value}
		}
		for _, p := range t.Pairs {
			if len(t.Pairs) > pairsKept && !study.Significant(p) {
				continue // of many pairs, those that say something
			}
			if len(one.Pairs) < pairsKept {
				one.Pairs = append(one.Pairs, pairOf(f, t, p))
			}
		}
		b.Tests = append(b.Tests, one)
	}
	if b.Tested {
		b.Correction = "holm"
	}
	return b
}

func pairOf(f finding, t study.OptionTest, p segments.Pair) pairBlock {
	out := pairBlock{A: f.name(p.A), B: f.name(p.B), Difference: p.Difference, P: p.P, PAdjusted: p.PAdjusted, Significant: study.Significant(p)}
	out.Option = f.option(t, p)
	if f.q.Question.Type != simulate.Scale {
		out.Difference *= 100
	}
	return out
}

// name is that of an Audience by its place in the tests.
func (f finding) name(at int) string { return f.q.Audiences[f.differ.Audiences[at]].Name }

// option is the label that a pair is about; empty of a scale.
func (f finding) option(t study.OptionTest, p segments.Pair) string {
	at := t.Option
	if at < 0 {
		at = p.Option
	}
	if at < 0 || at >= len(f.q.Question.Options) {
		return ""
	}
	return f.q.Question.Options[at]
}

func themesOf(f finding) themesBlock {
	b := themesBlock{Kind: kindThemes, QuestionID: f.q.QuestionID, Base: f.themes.Base, Themes: []themeBlock{}, SharedThemes: f.themes.SharedThemes,
		DiversityIndex: f.themes.DiversityIndex, MeanPairwiseDistance: f.themes.MeanPairwiseDistance}
	for _, t := range f.themes.Themes {
		one := themeBlock{Label: clip(t.Label, textShown), Count: t.Count, AudienceIDs: t.AudienceIDs, Quotes: []string{}}
		if f.themes.Base > 0 {
			one.Share = float64(t.Count) / float64(f.themes.Base)
		}
		for _, q := range t.Quotes {
			one.Quotes = append(one.Quotes, clip(q, textShown))
		}
		b.Themes = append(b.Themes, one)
	}
	return b
}

func warnings(w []simulate.Warning) []simulate.Warning {
	if w == nil {
		return []simulate.Warning{}
	}
	return w
}

package simulate

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Origins of evidence: whether the Mind itself or its Audience was given it.
const (
	OriginMind     = "mind_knowledge"
	OriginAudience = "audience_grounding"
)

// ErrNotEvidence says that a document is no published distribution at all; it
// is then ordinary text, not a mistake.
var ErrNotEvidence = errors.New("simulate: the document is no published distribution")

// Evidence is one published or imported distribution: a question, the shares of
// its answers, and where they come from.
type Evidence struct {
	ID          string        `json:"id,omitempty"` // knowledge item or source id, set by the owner
	Question    string        `json:"question"`
	Options     []OptionShare `json:"options"`
	Multiselect bool          `json:"multiselect,omitempty"` // shares are each of all asked and need not sum to 1
	N           *int          `json:"n,omitempty"`           // base; nil when the source does not state it
	Source      string        `json:"source,omitempty"`
	Dates       string        `json:"dates,omitempty"`
	Population  string        `json:"population,omitempty"`
	URL         string        `json:"url,omitempty"`
	Breakdowns  []Breakdown   `json:"breakdowns,omitempty"`
	Origin      string        `json:"origin,omitempty"`   // OriginMind | OriginAudience
	Warnings    []string      `json:"warnings,omitempty"` // what ParseEvidence found odd and took all the same
	Digest      string        `json:"digest,omitempty"`   // SHA-256 of wording and figures, set by ParseEvidence
}

// OptionShare is one answer label with its share of the base, 0..1.
type OptionShare struct {
	Label string  `json:"label"`
	Share float64 `json:"share"`
}

// Breakdown is the distribution in one group, shares in the order of Options.
type Breakdown struct {
	Dimension string    `json:"dimension"` // age, gender, region, education, …
	Group     string    `json:"group"`     // "18-29", "Female", …
	N         *int      `json:"n,omitempty"`
	Shares    []float64 `json:"shares"`
}

// Bounds of one distribution. The least group keeps single people out of the
// figures: shares of fewer than ten are refused in a breakdown.
const (
	maxOptions    = 100
	maxBreakdowns = 2000
	maxLabel      = 2000
	minGroup      = 10
	sumTolerance  = .02
	maxIgnored    = 10 // ignored fields that are named
)

const evidenceExample = `{"question": "Do you own a car?", "options": [{"label": "Yes", "share": 0.7}, {"label": "No", "share": 0.3}], "n": 500, "source": "…", "dates": "2024", "population": "US adults 18+"}`

// ParseEvidence reads one published distribution:
//
//	{question, options: [{label, share}], n?, source?, dates?, population?, url?,
//	 type?: "multiselect", breakdowns?: [{dimension, group, n?, shares: [..]}]}
//
// Unknown fields are left alone and named in Warnings; one that looks like a slip
// of a known field ("sorce") is refused. Shares are fractions (0..1) or percent (they then sum to about 100), or a
// string "38%"; they must sum to 1 within .02, except with type multiselect,
// where each is of all who were asked. It answers ErrNotEvidence for anything
// that is no such document, and VALIDATION for one that tries to be.
func ParseEvidence(raw []byte) (Evidence, error) { return parseEvidence(raw, true) }

// StoredEvidence reads a document that ParseEvidence took when it came in, by
// this or by an earlier rule: names of fields and type are not judged again.
func StoredEvidence(raw []byte) (Evidence, error) { return parseEvidence(raw, false) }

func parseEvidence(raw []byte, judge bool) (Evidence, error) {
	raw = bytes.TrimPrefix(bytes.TrimSpace(raw), []byte("\xef\xbb\xbf"))
	if len(raw) == 0 || raw[0] != '{' {
		return Evidence{}, ErrNotEvidence
	}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(raw, &top); err != nil {
		return Evidence{}, ErrNotEvidence
	}
	ignored, err := checkFields(top)
	if err != nil && (judge || !hasShares(top["options"])) {
		return Evidence{}, err
	}
	var e Evidence
	for _, f := range []struct {
		name string
		into *string
		max  int
	}{{"question", &e.Question, 2000}, {"source", &e.Source, 1000}, {"dates", &e.Dates, 200}, {"population", &e.Population, 1000}, {"url", &e.URL, 2000}} {
		v, ok := top[f.name]
		if !ok || string(v) == "null" {
			continue
		}
		if err := json.Unmarshal(v, f.into); err != nil {
			var num json.Number
			if f.name != "dates" || json.Unmarshal(v, &num) != nil { // "dates": 2014 is what people write
				return Evidence{}, invalid(f.name, "must be a string")
			}
			*f.into = num.String()
		}
		*f.into = strings.TrimSpace(*f.into)
		if len([]rune(*f.into)) > f.max {
			return Evidence{}, invalid(f.name, "must be at most "+strconv.Itoa(f.max)+" characters")
		}
	}
	if e.Question == "" {
		return Evidence{}, invalid("question", "must not be blank")
	}
	if e.Multiselect, err = readType(top["type"]); err != nil && judge {
		return Evidence{}, err
	}
	if e.N, err = count(top["n"], "n"); err != nil {
		return Evidence{}, err
	}

	var opts []struct {
		Label json.RawMessage `json:"label"`
		Share json.RawMessage `json:"share"`
	}
	if err := json.Unmarshal(top["options"], &opts); err != nil {
		return Evidence{}, invalid("options", "must be a list of objects {label, share}")
	}
	if len(opts) < 2 || len(opts) > maxOptions {
		return Evidence{}, invalid("options", "must hold 2 to 100 objects {label, share}")
	}
	seen := map[string]bool{}
	shares := make([]float64, len(opts))
	percent := false
	for i, o := range opts {
		at := "options[" + strconv.Itoa(i) + "]"
		label, ok := labelOf(o.Label)
		if !ok || label == "" || len([]rune(label)) > maxLabel {
			return Evidence{}, invalid(at+".label", "must be text of 1 to 2000 characters")
		}
		if seen[foldLabel(label)] {
			return Evidence{}, invalid(at+".label", "repeats another label; labels must differ")
		}
		seen[foldLabel(label)] = true
		v, pct, ok := shareOf(o.Share)
		if !ok {
			return Evidence{}, invalid(at+".share", "must be a number of 0 to 1, or of 0 to 100 as percent")
		}
		shares[i], percent = v, percent || pct
		e.Options = append(e.Options, OptionShare{Label: label})
	}
	if err := scaleShares(shares, percent, e.Multiselect, "options[].share"); err != nil {
		return Evidence{}, err
	}
	for i := range e.Options {
		e.Options[i].Share = shares[i]
	}
	if e.Breakdowns, err = breakdowns(top["breakdowns"], len(opts), e.Multiselect); err != nil {
		return Evidence{}, err
	}
	for _, name := range ignored[:min(len(ignored), maxIgnored)] {
		e.Warnings = append(e.Warnings, "the field “"+clipped(name)+"” of the document means nothing here and was left out")
	}
	if late := future(lastYear(e.Dates)); late != "" {
		e.Warnings = append(e.Warnings, late)
	}
	e.Digest = e.digest()
	return e, nil
}

// hasShares reports whether any option carries a share.
func hasShares(raw json.RawMessage) bool {
	var opts []json.RawMessage
	if json.Unmarshal(raw, &opts) != nil {
		return false
	}
	for _, o := range opts {
		var fields map[string]json.RawMessage
		if json.Unmarshal(o, &fields) == nil {
			if _, ok := fields["share"]; ok {
				return true
			}
		}
	}
	return false
}

func breakdowns(raw json.RawMessage, k int, multi bool) ([]Breakdown, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var in []struct {
		Dimension json.RawMessage   `json:"dimension"`
		Group     json.RawMessage   `json:"group"`
		N         json.RawMessage   `json:"n"`
		Shares    []json.RawMessage `json:"shares"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, invalid("breakdowns", "must be a list of objects {dimension, group, n, shares}")
	}
	if len(in) > maxBreakdowns {
		return nil, invalid("breakdowns", "must hold at most 2000 groups")
	}
	var out []Breakdown
	for i, b := range in {
		at := "breakdowns[" + strconv.Itoa(i) + "]"
		dim, ok1 := labelOf(b.Dimension)
		group, ok2 := labelOf(b.Group)
		if !ok1 || !ok2 || dim == "" || group == "" {
			return nil, invalid(at, "needs dimension and group as text, such as \"age\" and \"18-29\"")
		}
		if len(b.Shares) != k {
			return nil, invalid(at+".shares", "must hold one share an option, in the order of options ("+strconv.Itoa(k)+")")
		}
		n, err := count(b.N, at+".n")
		if err != nil {
			return nil, err
		}
		if n != nil && *n < minGroup {
			return nil, invalid(at+".n", "is under 10: a group this small can show single people; leave it out or join it with another")
		}
		shares := make([]float64, k)
		percent := false
		for j, s := range b.Shares {
			v, pct, ok := shareOf(s)
			if !ok {
				return nil, invalid(at+".shares["+strconv.Itoa(j)+"]", "must be a number of 0 to 1, or of 0 to 100 as percent")
			}
			shares[j], percent = v, percent || pct
		}
		if err := scaleShares(shares, percent, multi, at+".shares"); err != nil {
			return nil, err
		}
		out = append(out, Breakdown{Dimension: dim, Group: group, N: n, Shares: shares})
	}
	return out, nil
}

// scaleShares brings shares to fractions and checks their sum.
func scaleShares(shares []float64, percent, multi bool, field string) error {
	sum, top := 0.0, 0.0
	for _, v := range shares {
		sum += v
		top = math.Max(top, v)
	}
	if multi {
		percent = percent || top > 1
	} else {
		percent = percent || math.Abs(sum-100) <= 100*sumTolerance
	}
	scale := 1.0
	if percent {
		scale = 100
	}
	if !multi && math.Abs(sum/scale-1) > sumTolerance {
		return invalid(field, sumRule(sum, top, percent))
	}
	if top/scale > 1+1e-9 {
		return invalid(field, "must not be above 1 (or 100 as percent)")
	}
	norm := scale
	if !multi {
		norm = sum
	}
	for i := range shares {
		shares[i] /= norm
	}
	return nil
}

// sumRule names the sum and the ways out of it.
func sumRule(sum, top float64, percent bool) string {
	whole := 1.0
	if percent || top > 1 && sum > 2 { // 30 and 60 are meant as percent
		whole = 100
	}
	num := func(v float64) string { return strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64) }
	fix := "add the answers that are missing (such as “Don't know”), " + num(whole-sum) + " in all"
	if sum > whole {
		fix = "correct the shares, which are " + num(sum-whole) + " too much"
	}
	return "must sum to 1 (or 100 as percent) within .02 of the whole, but sum to " + num(sum) + ". Either " + fix +
		", or, if people could give several answers, set \"type\": \"multiselect\""
}

func labelOf(raw json.RawMessage) (string, bool) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return strings.TrimSpace(s), len(raw) > 0 && string(raw) != "null"
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil && n != "" { // {"label": 5}
		return n.String(), true
	}
	return "", false
}

// shareOf reads a share; percent is true for a string with a percent sign.
func shareOf(raw json.RawMessage) (v float64, percent, ok bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return 0, false, false
	}
	if json.Unmarshal(raw, &v) != nil {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return 0, false, false
		}
		s = strings.TrimSpace(s)
		percent = strings.HasSuffix(s, "%")
		f, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(s, "%")), 64)
		if err != nil {
			return 0, false, false
		}
		v = f
	}
	if math.IsNaN(v) || v < 0 || v > 100 {
		return 0, false, false
	}
	return v, percent, true
}

func count(raw json.RawMessage, field string) (*int, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var f float64
	if json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) || f < 1 || f > 1e9 {
		return nil, invalid(field, "must be a whole number above 0, or null when the source does not state it")
	}
	n := int(f)
	return &n, nil
}

func invalid(field, rule string) error {
	return fault.New(fault.Validation, "%s %s. Example of the document: %s", field, rule, evidenceExample).With("field", field)
}

// digest names the evidence by what it says, not by who holds it: the same file
// given to many Minds has one digest and is matched once a question.
func (e *Evidence) digest() string {
	f := []string{"evidence", e.Question, e.Population, e.Dates, e.Source, strconv.FormatBool(e.Multiselect)}
	num := func(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }
	base := func(n *int) string {
		if n == nil {
			return "-"
		}
		return strconv.Itoa(*n)
	}
	f = append(f, base(e.N))
	for _, o := range e.Options {
		f = append(f, o.Label, num(o.Share))
	}
	for _, b := range e.Breakdowns {
		f = append(f, b.Dimension, b.Group, base(b.N))
		for _, s := range b.Shares {
			f = append(f, num(s))
		}
	}
	return seedOf(f...).hex()
}

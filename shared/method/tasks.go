package method

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/stats/design"
)

// number turns seeds of text into one for generators. Parts are kept apart, so
// that "a","bc" and "ab","c" differ.
func number(parts ...string) uint64 {
	h := sha256.New()
	for _, p := range parts {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// seedOf is the seed of a method: its own when configured, else the run's.
func seedOf(own, run string) string {
	if own != "" {
		return own
	}
	return run
}

func (p *preparing) maxDiff(raw json.RawMessage) error {
	c, err := decode[maxDiffConfig](raw)
	if err != nil {
		return err
	}
	d, err := design.MaxDiff{Items: len(c.Items), Size: c.SetSize, Seen: c.SeenPerMember, Versions: c.Versions, Seed: number(p.id, "design", seedOf(c.Seed, p.seed))}.Make()
	if err != nil {
		return invalid("", "%v", err)
	}
	p.versions(len(d.Versions))
	for set := range d.Versions[0] {
		variants := make([]Variant, len(d.Versions))
		for v := range d.Versions {
			var options []string
			for _, i := range d.Versions[v][set] {
				options = append(options, c.Items[i].Label)
			}
			variants[v] = Variant{VersionID: p.Versions[v], Text: p.w.bestWorst, Response: Response{Type: "best_worst", CategoricalOptions: options}}
		}
		p.add(variants[0].Text, variants[0].Response, variants...)
	}
	if len(c.Items) > 30 {
		p.Warnings = append(p.Warnings, "More than 30 items make long batteries; each is known less well.")
	}
	r := d.Report
	p.Diagnostics = map[string]any{
		"sets": len(d.Versions[0]), "versions": len(d.Versions), "balancedIncompleteBlockDesign": r.Exact, "timesShown": r.Shown,
		"pairCounts": r.Pairs, "positionCounts": r.Positions, "fewestShown": r.FewestShown, "mostShown": r.MostShown, "connected": r.Connected,
	}
	return nil
}

// study is the design of a configuration.
func (c conjointConfig) study(seed uint64) design.Conjoint {
	d := design.Conjoint{Alternatives: c.Alternatives, Tasks: c.Tasks, Holdouts: c.Holdouts, Versions: c.Versions, None: c.None, DEfficient: c.Design == "d_efficient", Seed: seed}
	for i, a := range c.Attributes {
		d.Levels = append(d.Levels, len(a.Levels))
		direction := design.Unordered
		switch a.Kind {
		case "price": // the levels ascend, and nobody prefers to pay more
			direction = design.LowerBetter
		case "ordered":
			direction = design.HigherBetter
		}
		d.Directions = append(d.Directions, direction)
		d.Linear = append(d.Linear, nil)
		if c.linear(i) {
			d.Linear[i] = a.values()
		}
	}
	for _, pair := range c.ProhibitedPairs {
		a, l, _ := c.find(pair[0])
		b, m, _ := c.find(pair[1])
		d.Prohibited = append(d.Prohibited, [2]design.Level{{Attribute: a, Level: l}, {Attribute: b, Level: m}})
	}
	return d
}

func (c conjointConfig) linear(attribute int) bool {
	return c.PriceModel == "linear" && c.Attributes[attribute].Kind == "price"
}

func (a conjointAttribute) values() []float64 {
	out := make([]float64, len(a.Levels))
	for i, l := range a.Levels {
		if l.Value != nil {
			out[i] = *l.Value
		}
	}
	return out
}

func (p *preparing) conjoint(raw json.RawMessage) error {
	c, err := decode[conjointConfig](raw)
	if err != nil {
		return err
	}
	d, err := c.study(number(p.id, "design", seedOf(c.Seed, p.seed))).Make()
	if err != nil {
		return invalid("/prohibitedPairs", "%v", err)
	}
	p.versions(len(d.Versions))
	for t := range c.Tasks + c.Holdouts {
		variants := make([]Variant, len(d.Versions))
		for v := range d.Versions {
			task := d.Holdouts
			at := t - c.Tasks
			if at < 0 {
				task, at = d.Versions[v], t
			}
			variants[v] = c.show(task[at], p.w, p.Versions[v])
		}
		p.add(variants[0].Text, variants[0].Response, variants...)
	}
	r := d.Report
	p.Diagnostics = map[string]any{
		"tasks": c.Tasks, "holdouts": c.Holdouts, "versions": len(d.Versions), "levelCounts": r.LevelCounts, "parameters": r.Parameters,
		"dError": r.DError, "relativeEfficiency": r.Efficiency, "overlap": r.Overlap, "dominatedTasks": r.Dominated,
	}
	if r.Dominated > 0 {
		p.Warnings = append(p.Warnings, "Some tasks hold a product that is worse than another for everybody: the attributes leave too few others.")
	}
	return nil
}

const letters = "ABCDE"

// show writes a task: what the respondent reads of each alternative is all that
// it is.
func (c conjointConfig) show(task design.Choice, w wording, version string) Variant {
	v := Variant{VersionID: version, Text: w.choose, Response: Response{Type: "categorical"}}
	for i, levels := range task {
		alt := Alternative{ID: strings.ToLower(letters[i : i+1]), Levels: map[string]string{}}
		var parts []string
		for a, l := range levels {
			attribute := c.Attributes[a]
			alt.Levels[attribute.ID] = attribute.Levels[l].ID
			parts = append(parts, attribute.Label+": "+attribute.Levels[l].Label)
		}
		alt.Label = fill(w.option, letters[i:i+1]) + " (" + strings.Join(parts, "; ") + ")"
		v.Alternatives = append(v.Alternatives, alt)
		v.Response.CategoricalOptions = append(v.Response.CategoricalOptions, alt.Label)
	}
	if c.None {
		v.Alternatives = append(v.Alternatives, Alternative{ID: "none", Label: w.chooseNone})
		v.Response.CategoricalOptions = append(v.Response.CategoricalOptions, w.chooseNone)
	}
	return v
}

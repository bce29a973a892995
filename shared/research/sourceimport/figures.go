package sourceimport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/grounding"
)

const (
	maxFigures = 2_000_000 // characters
	maxAxes    = 500
	maxShares  = 200
	// sumTolerance is how far the shares of an axis may be from 100 percent:
	// published ones are rounded.
	sumTolerance = 2.0
)

// figures are the distributions that whoever imports has read from the files.
type figures struct {
	Distributions       []grounding.Distribution   `json:"distributions"`
	ReviewDistributions []grounding.Distribution   `json:"reviewDistributions"`
	HardConstraints     *grounding.HardConstraints `json:"hardConstraints"`
}

const figuresExample = `{"distributions":[{"name":"Gender","distribution":[{"label":"Female","pct":51,"sourceIdx":0},{"label":"Male","pct":49,"sourceIdx":0}],"status":"sourced"}]}`

// readFigures reads groundingJson against the number of sources; nil when there is
// none.
func readFigures(text string, sources int) (*figures, error) {
	if text == "" {
		return nil, nil
	}
	if n := utf8.RuneCountInString(text); n > maxFigures {
		return nil, bad("groundingJson", "has %d characters; at most %d are taken.", n, maxFigures)
	}
	var f figures
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	err := dec.Decode(&f)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = fmt.Errorf("something follows the object")
		}
	}
	if err != nil {
		return nil, bad("groundingJson", "is not an object of distributions (%s). Send, for example, %s", plainly(err), figuresExample)
	}
	if f.Distributions == nil {
		return nil, bad("groundingJson", "has no distributions. Send, for example, %s", figuresExample)
	}
	names := map[string]bool{}
	for list, all := range map[string][]grounding.Distribution{"distributions": f.Distributions, "reviewDistributions": f.ReviewDistributions} {
		if len(all) > maxAxes {
			return nil, bad("groundingJson."+list, "has %d entries; at most %d are taken.", len(all), maxAxes)
		}
	}
	for i := range f.Distributions {
		d := &f.Distributions[i]
		at := fmt.Sprintf("groundingJson.distributions[%d]", i)
		if err := settle(at, d, sources); err != nil {
			return nil, err
		}
		if folded := strings.ToLower(d.Name); names[folded] {
			return nil, bad(at+".name", "is %q, as that of another axis. Give each axis a name of its own; put alternatives in reviewDistributions.", d.Name)
		} else {
			names[folded] = true
		}
	}
	for i := range f.ReviewDistributions {
		if err := settle(fmt.Sprintf("groundingJson.reviewDistributions[%d]", i), &f.ReviewDistributions[i], sources); err != nil {
			return nil, err
		}
	}
	if h := f.HardConstraints; h != nil && h.MinAge != nil && h.MaxAge != nil && *h.MinAge > *h.MaxAge {
		return nil, bad("groundingJson.hardConstraints", "has minAge %d above maxAge %d.", *h.MinAge, *h.MaxAge)
	}
	return &f, nil
}

// plainly keeps what a decoder says to what helps a caller.
func plainly(err error) string {
	return strings.TrimPrefix(err.Error(), "json: ")
}

// settle checks one axis, and fills its status where it was left out: sourced when
// every share names a file, else assumed.
func settle(at string, d *grounding.Distribution, sources int) error {
	d.Name = strings.TrimSpace(d.Name)
	if d.Name == "" || utf8.RuneCountInString(d.Name) > 200 {
		return bad(at+".name", "must have 1 to 200 characters.")
	}
	if n := len(d.Distribution); n == 0 || n > maxShares {
		return bad(at+".distribution", "has %d shares; an axis has 1 to %d.", n, maxShares)
	}
	sum, sourced, every := 0.0, false, true
	labels := map[string]bool{}
	for i, s := range d.Distribution {
		field := fmt.Sprintf("%s.distribution[%d]", at, i)
		switch {
		case strings.TrimSpace(s.Label) == "":
			return bad(field+".label", "is blank.")
		case labels[strings.ToLower(strings.TrimSpace(s.Label))]:
			return bad(field+".label", "is %q, as that of an earlier share.", s.Label)
		case s.Pct < 0 || s.Pct > 100:
			return bad(field+".pct", "is %v; a share is 0 to 100 percent.", s.Pct)
		case s.SourceIdx < -1 || s.SourceIdx >= sources:
			return bad(field+".sourceIdx", "is %d, and the import has %d sources. It counts from 0 through existingFiles and then files; -1 means that no source says it.", s.SourceIdx, sources)
		}
		labels[strings.ToLower(strings.TrimSpace(s.Label))] = true
		sum += s.Pct
		sourced = sourced || s.SourceIdx >= 0
		every = every && s.SourceIdx >= 0
	}
	if sum < 100-sumTolerance || sum > 100+sumTolerance {
		return bad(at+".distribution", "sums to %.4g percent; the shares of an axis sum to 100, within %v for rounding.", sum, sumTolerance)
	}
	switch d.Status {
	case "":
		d.Status = grounding.Assumed
		if every {
			d.Status = grounding.Sourced
		}
	case grounding.Sourced, grounding.Proxy:
		if !sourced {
			return bad(at+".status", "is %q, and no share of the axis names a source (sourceIdx 0 or more). Name it, or use assumed.", d.Status)
		}
	case grounding.Assumed, grounding.Missing:
	default:
		return bad(at+".status", "is %q; it is sourced, proxy, assumed or missing.", d.Status)
	}
	return nil
}

// UnmarshalJSON makes a share that leaves sourceIdx out one without a source, and
// not one of the first file.
func (f *figures) UnmarshalJSON(raw []byte) error {
	type share struct {
		Label     *string        `json:"label"`
		Pct       *float64       `json:"pct"`
		SourceIdx *int           `json:"sourceIdx"`
		Review    map[string]any `json:"review"`
	}
	type axis struct {
		Name             string           `json:"name"`
		Distribution     []share          `json:"distribution"`
		Status           string           `json:"status"`
		Tier             string           `json:"tier"`
		Category         string           `json:"category"`
		SegmentRelations []map[string]any `json:"segmentRelations"`
	}
	var in struct {
		Distributions       []axis                     `json:"distributions"`
		ReviewDistributions []axis                     `json:"reviewDistributions"`
		HardConstraints     *grounding.HardConstraints `json:"hardConstraints"`
		Summary             any                        `json:"summary"`    // of a preview's grounding; nothing to bind
		Confidence          any                        `json:"confidence"` // likewise
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return err
	}
	take := func(from []axis) ([]grounding.Distribution, error) {
		if from == nil {
			return nil, nil
		}
		out := make([]grounding.Distribution, len(from))
		for i, a := range from {
			out[i] = grounding.Distribution{Name: a.Name, Status: a.Status, Tier: a.Tier, Category: a.Category, SegmentRelations: a.SegmentRelations}
			for _, s := range a.Distribution {
				if s.Label == nil || s.Pct == nil {
					return nil, fmt.Errorf("a share of %q has no label or no pct", a.Name)
				}
				at := -1
				if s.SourceIdx != nil {
					at = *s.SourceIdx
				}
				out[i].Distribution = append(out[i].Distribution, grounding.Share{Label: *s.Label, Pct: *s.Pct, SourceIdx: at, Review: s.Review})
			}
		}
		return out, nil
	}
	var err error
	if f.Distributions, err = take(in.Distributions); err != nil {
		return err
	}
	if f.ReviewDistributions, err = take(in.ReviewDistributions); err != nil {
		return err
	}
	f.HardConstraints = in.HardConstraints
	return nil
}

// snapshot binds the figures to the files (M-58, kind import).
func (f *figures) snapshot(files []Stored) grounding.Snapshot {
	s := grounding.Snapshot{
		Version: 1, Kind: "import", Distributions: f.Distributions, ReviewDistributions: f.ReviewDistributions,
		HardConstraints: f.HardConstraints, Sources: []grounding.Source{}, Files: []grounding.SnapshotFile{},
	}
	if s.ReviewDistributions == nil {
		s.ReviewDistributions = []grounding.Distribution{}
	}
	for _, file := range files {
		s.Sources = append(s.Sources, grounding.Source{URL: file.URL, Title: file.Name, Domain: "upload", Confidence: 1, IsUserProvided: true})
		s.Files = append(s.Files, grounding.SnapshotFile{Name: file.Name, URL: file.URL, SHA256: file.SHA256})
	}
	return s
}

package grounding

import (
	"cmp"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/grounding/reference"
)

// The confidence of what a source says when nothing speaks for or against it.
// The brief says whom its author wants, so it is right about that by definition.
const (
	trustBrief     = 1.0
	trustReviewed  = 0.95
	trustMaterial  = 0.9
	trustReference = 0.85
	trustModel     = 0.8 // a model read it, and its quote stands in the material
	trustWeb       = 0.7
	trustAssumed   = 0.3
)

// Where a candidate comes from: of two equal ones the earlier origin wins.
const (
	fromBrief = iota
	fromReview
	fromMaterial
	fromWeb
	fromReference
	fromAssumption
)

// candidate is what one source says of one axis.
type candidate struct {
	dist       Distribution
	confidence float64
	published  string // ISO date or year; "" when unknown
	origin     int
	quote      string
	binding    bool // shares that the brief sets: they say who is wanted, and no report outdoes them
	stated     bool // the brief says so itself: no exclusion drops it where it is a gender
}

// grade ranks evidence: lower is stronger.
func grade(status string) int {
	switch status {
	case Sourced:
		return 0
	case Proxy:
		return 1
	case Assumed:
		return 2
	}
	return 3
}

// stronger orders candidates of one axis: by status, then by confidence, then the
// newer (M-57); what is still equal keeps the order of origins.
func stronger(a, b candidate) int {
	set := func(k candidate) int {
		if k.binding {
			return 0
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(set(a), set(b)),
		cmp.Compare(grade(a.dist.Status), grade(b.dist.Status)),
		-cmp.Compare(a.confidence, b.confidence),
		-cmp.Compare(a.published, b.published),
		cmp.Compare(a.origin, b.origin),
	)
}

// shelf numbers the sources in the order in which they are first cited.
type shelf struct {
	list []Source
	at   map[string]int
}

func newShelf() *shelf { return &shelf{at: map[string]int{}} }

func (s *shelf) add(key string, src Source) int {
	if i, ok := s.at[key]; ok {
		return i
	}
	s.at[key] = len(s.list)
	s.list = append(s.list, src)
	return len(s.list) - 1
}

// reference cites a shipped figure.
func (s *shelf) reference(id string) int {
	r, ok := reference.SourceOf(id)
	if !ok {
		return -1
	}
	return s.add("ref:"+id, Source{
		URL: r.URL, Title: r.Title, Snippet: r.Publisher + ", " + r.Published + ". " + r.Read,
		Domain: domainOf(r.URL), Confidence: trustReference, PublishedDate: r.Published, Tier: TierGeneral,
	})
}

// brief cites the brief itself; quotes are the words that count.
func (s *shelf) brief(text string) int {
	return s.add("brief", Source{Title: "Audience brief", Snippet: cut(text, 300), Domain: "brief", Confidence: trustBrief, Tier: TierTarget, IsUserProvided: true})
}

// by groups candidates by dimension, each strongest first, and gives the keys in
// the order of the core pool, then of first mention.
func by(all []candidate) (keys []string, groups map[string][]candidate) {
	groups = map[string][]candidate{}
	for _, d := range core {
		keys = append(keys, d.key)
	}
	for _, c := range all {
		key := c.dist.Dimension
		if _, known := groups[key]; !known && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], c)
	}
	for key := range groups {
		slices.SortStableFunc(groups[key], stronger)
	}
	return keys, groups
}

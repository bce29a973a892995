package retrieve

import (
	"math"

	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
	"github.com/mindgate-dev/mindgate/shared/embed/minilm"
)

// Relevant is the Relevance from which on a passage may be held to speak of what
// was asked.
const Relevant = 0.5

// scale turns a measure into relevance: 0 up to none, ½ at cut, 1 from full on,
// straight in between.
type scale struct{ none, cut, full float64 }

func (s scale) of(x float64) float64 {
	switch {
	case math.IsNaN(x) || x <= s.none:
		return 0
	case x < s.cut:
		return Relevant * (x - s.none) / (s.cut - s.none)
	case x < s.full:
		return Relevant + (1-Relevant)*(x-s.cut)/(s.full-s.cut)
	}
	return 1
}

// lexicalScale was set, as those of the two embedders, on the questions of
// testdata: what answers them should lie above the cut, what answers none of the
// unrelated ones below.
var lexicalScale = scale{none: 0.2, cut: 0.55, full: 1}

// cosineScale is the scale of a model's cosines, which differ: unrelated texts
// have 0.1 in one space and 0.4 in another. A model that was not measured has a
// cautious one.
func cosineScale(model string) scale {
	switch model {
	case minilm.Model:
		return scale{none: 0.15, cut: 0.3, full: 0.6}
	case hashed.Model:
		return scale{none: 0.1, cut: 0.23, full: 0.5}
	}
	return scale{none: 0.2, cut: 0.4, full: 0.7}
}

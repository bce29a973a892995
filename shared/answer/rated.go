package answer

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// UnmappedWords is the warning of an answer that was asked for in words first
// and then as a choice, because the words could not be mapped.
const UnmappedWords = "the words could not be mapped to the options, so a choice was asked for"

// rated asks for words first and maps them to the options by their meaning
// (semantic similarity rating, Maier et al. 2025). The options are not shown, so
// that they do not lead. ok is false where the words say no more of one option
// than of another, or deny what they are likest to.
func (a *asked) rated(ctx context.Context, r simulate.Respondent, known *sources, shown string) (simulate.Answer, bool, error) {
	said, err := a.inWords(ctx, r, known, shown)
	if err != nil {
		return simulate.Answer{}, false, err
	}
	if said.Status == simulate.CannotAnswer {
		return said, true, nil
	}
	rating, at, ok, err := a.rater.Map(ctx, said.Text)
	if err != nil || !ok {
		return simulate.Answer{}, false, err
	}
	out := said
	out.Text, out.Rating, out.Probabilities = "", rating, rating.Mapping
	if out.State == simulate.Unsupported {
		out.Message += " No evidence: illustrative only."
	}
	if a.q.Type == simulate.Scale {
		v := float64(a.q.Min + at)
		out.Number = &v
	} else {
		out.Option = a.q.Options[at]
	}
	return out, true, nil
}

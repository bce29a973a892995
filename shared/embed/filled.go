package embed

import (
	"context"
	"strings"
)

// Filled embeds, for a server that refuses empty texts, those that are none: the
// others have the zero vector. Each is cut to at most most characters first, and
// what comes back is checked and scaled to length 1.
func Filled(ctx context.Context, s Space, texts []string, most int, call func(context.Context, []string) ([][]float32, error)) ([][]float32, error) {
	var filled []string
	var at []int
	for i, text := range texts {
		if strings.TrimSpace(text) != "" {
			filled, at = append(filled, firstRunes(strings.ToValidUTF8(text, "\uFFFD"), most)), append(at, i)
		}
	}
	out := make([][]float32, len(texts))
	if len(filled) > 0 {
		vs, err := call(ctx, filled)
		if err != nil {
			return nil, err
		}
		if err := Check(s, len(filled), vs); err != nil {
			return nil, err
		}
		for i, v := range vs {
			Normalise(v)
			out[at[i]] = v
		}
	}
	for i := range out {
		if out[i] == nil {
			out[i] = make([]float32, s.Dim)
		}
	}
	return out, ctx.Err()
}

func firstRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	seen := 0
	for i := range s {
		if seen == n {
			return s[:i]
		}
		seen++
	}
	return s
}

package minilm

import (
	"strings"
	"testing"
)

func BenchmarkEmbed(b *testing.B) {
	m := open(b)
	for _, c := range []struct {
		name, text string
		dot        kernel
	}{
		{"question", "What do people in cities think of night trains?", fastest()},
		{"question-plain", "What do people in cities think of night trains?", plain},
		{"tokens100", strings.Repeat("the price of bread rose again ", 16) + "in may", fastest()},
		{"tokens256", strings.Repeat("the price of bread rose again ", 60), fastest()},
	} {
		b.Run(c.name, func(b *testing.B) {
			ids := m.vocabulary.tokens(c.text)
			s := newScratch()
			for b.Loop() {
				m.embed(ids, s, c.dot)
			}
			b.ReportMetric(float64(len(ids)), "tokens")
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	open(b)
	for b.Loop() {
		if _, err := load(weights); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTokens(b *testing.B) {
	v := open(b).vocabulary
	text := strings.Repeat("the price of bread rose again ", 16) + "in may"
	for b.Loop() {
		v.tokens(text)
	}
}

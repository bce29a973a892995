package minilm

import (
	"strings"
	"testing"
)

func BenchmarkEmbed(b *testing.B) {
	m := open(b)
	for name, text := range map[string]string{
		"question":  "What do people in cities think of night trains?",
		"tokens100": strings.Repeat("the price of bread rose again ", 16) + "in may",
		"tokens256": strings.Repeat("the price of bread rose again ", 60),
	} {
		for kernelName, k := range map[string]kernel{"fastest": fastest(), "plain": plain} {
			b.Run(name+"/"+kernelName, func(b *testing.B) {
				ids := m.vocabulary.tokens(text)
				s := newScratch()
				for b.Loop() {
					m.embed(ids, s, k)
				}
				b.ReportMetric(float64(len(ids)), "tokens")
			})
		}
	}
}

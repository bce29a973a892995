package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
)

// progress prints how far a step has come, at each quarter.
type progress struct {
	w     io.Writer
	what  string
	total int

	mu   sync.Mutex
	done int
}

func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if quarter := max(1, p.total/4); p.done%quarter == 0 || p.done == p.total {
		fmt.Fprintf(p.w, "  %d of %d %s\n", p.done, p.total, p.what)
	}
}

// printResult shows one question: shares beside the published ones, the base,
// what the answers rest on, and the distance (total variation, in points).
func printResult(w io.Writer, q question, r result) {
	if len(r.Audiences) == 0 {
		fmt.Fprintf(w, "  no result (%s)\n", r.Status)
		return
	}
	a := r.Audiences[0]
	width := 0
	for _, o := range q.Options {
		width = max(width, len(o.Label))
	}
	fmt.Fprintf(w, "  %-*s  Minds  published\n", width, "")
	distance := 0.0
	for _, o := range q.Options {
		pct := a.Percentages[o.Label]
		distance += math.Abs(pct/100-o.Share) / 2
		fmt.Fprintf(w, "  %-*s  %4.1f%%  %8.1f%%\n", width, o.Label, pct, 100*o.Share)
	}
	fmt.Fprintf(w, "  base: %d synthetic answers of %d asked; published base: %d people\n", a.Base.Answered, a.Base.Asked, q.N)
	fmt.Fprintf(w, "  evidence: %s\n", states(a.Evidence))
	if a.Evidence.Headline != "" {
		fmt.Fprintf(w, "  %s\n", a.Evidence.Headline)
	}
	fmt.Fprintf(w, "  distance to the published shares: %.1f points (total variation; 0 is equal)\n", 100*distance)
}

func states(e evidenceStates) string {
	var parts []string
	for _, s := range []struct {
		name string
		n    int
	}{
		{"stated", e.Stated}, {"grounded", e.Grounded}, {"related", e.Related}, {"trait", e.Trait},
		{"unsupported", e.Unsupported}, {"cannot answer", e.CannotAnswer},
	} {
		if s.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", s.n, s.name))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

package main

import (
	"math"
	"strings"
	"testing"
)

func TestPersonasMeetTheMarginsExactly(t *testing.T) {
	s, err := readSurvey()
	if err != nil {
		t.Fatal(err)
	}
	const n = 48
	members := s.personas(n)
	for axis, m := range s.Margins {
		want := quotas(m.Segments, n)
		sum := 0
		for i, seg := range m.Segments {
			got := 0
			for _, p := range members {
				if p.Profile[axis] == m.Axis+": "+seg.Label {
					got++
				}
			}
			if got != want[i] {
				t.Errorf("%s %s: %d members, want %d", m.Axis, seg.Label, got, want[i])
			}
			sum += got
		}
		if sum != n {
			t.Errorf("%s: quotas sum to %d, want %d", m.Axis, sum, n)
		}
	}
}

func TestQuotasStayWithinOne(t *testing.T) {
	s, err := readSurvey()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range s.Margins {
		for n := 1; n < 200; n++ {
			total := 0
			for _, seg := range m.Segments {
				total += seg.Count
			}
			for i, got := range quotas(m.Segments, n) {
				exact := float64(m.Segments[i].Count*n) / float64(total)
				if d := float64(got) - exact; d <= -1 || d >= 1 {
					t.Fatalf("%s, %d places: %s gets %d for %.2f", m.Axis, n, m.Segments[i].Label, got, exact)
				}
			}
		}
	}
}

func TestPublishedSharesSumToOne(t *testing.T) {
	s, err := readSurvey()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Questions) != 3 || !strings.Contains(s.Attribution, "CC BY 4.0") {
		t.Fatalf("%d questions, attribution %q", len(s.Questions), s.Attribution)
	}
	for _, q := range s.Questions {
		sum, people := 0.0, 0
		for _, o := range q.Options {
			sum += o.Share
			people += o.Count
		}
		if math.Abs(sum-1) > 1e-9 || people != q.N {
			t.Errorf("%s: shares sum to %v, counts to %d of %d", q.ID, sum, people, q.N)
		}
		for _, b := range q.Breakdowns {
			people := 0
			for _, n := range b.Counts {
				people += n
			}
			if people != b.N || len(b.Shares) != len(q.Options) {
				t.Errorf("%s, %s: counts sum to %d of %d", q.ID, b.Group, people, b.N)
			}
		}
	}
}

package lookup

import (
	"testing"

	"pgregory.net/rapid"
)

func TestBest_M311(t *testing.T) {
	names := []string{"Gen Z Berlin", "Marketing Expert", "Ada Lovelace", "marketing expert", "Café Owner"}
	tests := []struct {
		query string
		want  int
		ok    bool
	}{
		{"marketing expert", 1, true},        // exact after folding; the tie goes to the newest
		{"my marketing expert", 1, true},     // fillers say nothing
		{"gen z", 0, true},                   // prefix
		{"berlin gen-z", 0, true},            // order and punctuation do not matter
		{"Lovelace, Ada", 2, true},           // words in another order
		{"ada lovelase", 2, true},            // a slip of the hand
		{"ｍａｒｋｅｔｉｎｇ ＥＸＰＥＲＴ", 1, true},        // NFKC
		{"cafe\u0301 owner", 4, true},        // composed and decomposed accents are one
		{"quantum chromodynamics", 0, false}, // nothing near
		{"...", 0, false},                    // punctuation alone
	}
	for _, tt := range tests {
		got, ok := Best(tt.query, names)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("Best(%q) = %d, %v; want %d, %v", tt.query, got, ok, tt.want, tt.ok)
		}
	}
	if _, ok := Best("x", nil); ok {
		t.Error("a match among no names")
	}
}

func TestNameOfFillersAlone(t *testing.T) {
	if !Matches("The", "the") {
		t.Error(`"The" must find "the"`)
	}
}

func TestScoreIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, n := rapid.String().Draw(t, "q"), rapid.String().Draw(t, "n")
		if s := Score(q, n); s < 0 || s > 1 {
			t.Fatalf("Score(%q, %q) = %v", q, n, s)
		}
		if p := prepare(n); p.text != "" && Score(n, n) != 1 {
			t.Fatalf("a name does not match itself: %q", n)
		}
	})
}

func FuzzBest(f *testing.F) {
	f.Add("my a", "A\u0300")
	f.Add("\xff", "ß")
	f.Fuzz(func(t *testing.T, q, n string) {
		if s := Score(q, n); s < 0 || s > 1 {
			t.Fatalf("score %v", s)
		}
	})
}

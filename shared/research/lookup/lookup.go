// Package lookup finds the record that a person means by a name (M-310, M-311).
package lookup

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Window is how many of the newest records a name look-up covers.
const Window = 1000

// Threshold is the lowest score that counts as a match.
const Threshold = 0.45

// Best gives the position of the name that fits best among names, given newest
// first; ties go to the newest. ok is false when none reaches Threshold.
func Best(query string, names []string) (position int, ok bool) {
	q := prepare(query)
	best := -1.0
	for i, n := range names {
		if s := score(q, prepare(n)); s > best {
			best, position = s, i
		}
	}
	return position, best >= Threshold
}

// Matches reports whether a name sent along with an id may mean this record.
func Matches(query, name string) bool { return Score(query, name) >= Threshold }

// Score is the likeness of a query and a name, 0..1, by the rule of M-311: the
// largest of exact (1), prefix (.95), token set (see tokenSet) and the Jaccard
// index of their trigrams.
func Score(query, name string) float64 { return score(prepare(query), prepare(name)) }

type prepared struct {
	text     string
	tokens   []string // distinct, sorted
	trigrams []string // distinct, sorted
}

// fillers are words that say nothing about which record is meant.
var fillers = []string{"my", "the", "a"}

func prepare(s string) prepared {
	s = cases.Fold().String(norm.NFKC.String(s))
	words := strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	kept := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(fillers, w) })
	if len(kept) == 0 { // a name made of fillers alone is still a name
		kept = words
	}
	p := prepared{text: strings.Join(kept, " ")}
	p.tokens = distinct(kept)
	p.trigrams = distinct(trigrams(p.text))
	return p
}

// trigrams cuts a text, with a blank on each side, into runs of three runes.
func trigrams(s string) []string {
	if s == "" {
		return nil
	}
	r := []rune(" " + s + " ")
	out := make([]string, 0, len(r))
	for i := 0; i+3 <= len(r); i++ {
		out = append(out, string(r[i:i+3]))
	}
	return out
}

func score(q, n prepared) float64 {
	if q.text == "" || n.text == "" {
		return 0
	}
	if q.text == n.text {
		return 1
	}
	best := jaccard(q.trigrams, n.trigrams)
	if strings.HasPrefix(n.text, q.text) {
		best = max(best, 0.95)
	}
	return max(best, tokenSet(q.tokens, n.tokens))
}

// tokenSet compares words regardless of order: .9 when every word of the query
// is in the name, else .9 times the Dice coefficient of both sets of words.
func tokenSet(q, n []string) float64 {
	both := common(q, n)
	if both == len(q) {
		return 0.9
	}
	return 0.9 * 2 * float64(both) / float64(len(q)+len(n))
}

func jaccard(a, b []string) float64 {
	both := common(a, b)
	all := len(a) + len(b) - both
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all)
}

// common counts what two sorted sets share.
func common(a, b []string) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch strings.Compare(a[i], b[j]) {
		case 0:
			n++
			i++
			j++
		case -1:
			i++
		default:
			j++
		}
	}
	return n
}

func distinct(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return slices.Compact(s)
}

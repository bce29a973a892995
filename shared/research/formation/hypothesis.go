package formation

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// reserved are ids that the service uses itself (M-153).
var reserved = map[string]bool{"unanswered": true, "__unanswered": true, "__other": true}

// checked gives the hypothesis with its texts trimmed, or INVALID_HYPOTHESIS with
// the first thing that is wrong.
func (h Hypothesis) checked() (Hypothesis, error) {
	bad := func(field, format string, args ...any) (Hypothesis, error) {
		return Hypothesis{}, fault.New(fault.InvalidHypothesis, field+" "+format, args...).With("field", field)
	}
	h.Intent = strings.TrimSpace(h.Intent)
	if n := utf8.RuneCountInString(h.Intent); n < 1 || n > maxIntent {
		return bad("hypothesis.intent", "has %d characters after trimming; state what the split is by in 1 to %d.", n, maxIntent)
	}
	if n := len(h.Subgroups); n < minBuckets || n > maxBuckets {
		return bad("hypothesis.subgroups", "holds %d buckets; a split has %d to %d.", n, minBuckets, maxBuckets)
	}
	ids, labels := map[string]int{}, map[string]int{}
	out := make([]Bucket, len(h.Subgroups))
	for i, b := range h.Subgroups {
		at := "hypothesis.subgroups[" + strconv.Itoa(i) + "]"
		b = Bucket{strings.TrimSpace(b.ID), strings.TrimSpace(b.Label), strings.TrimSpace(b.Definition)}
		for _, f := range []struct {
			name, text string
			most       int
		}{{"id", b.ID, maxID}, {"label", b.Label, maxLabel}, {"definition", b.Definition, maxDefinition}} {
			if n := utf8.RuneCountInString(f.text); n < 1 || n > f.most {
				return bad(at+"."+f.name, "has %d characters after trimming; give 1 to %d.", n, f.most)
			}
		}
		if reserved[b.ID] {
			return bad(at+".id", "is %q, which the service keeps for itself; choose another id, such as %q.", b.ID, slug(b.Label))
		}
		if j, twice := ids[b.ID]; twice {
			return bad(at+".id", "is %q, which is also the id of bucket %d; ids must differ.", b.ID, j)
		}
		key := caseless(b.Label)
		if j, twice := labels[key]; twice {
			return bad(at+".label", "is %q, which is also the label of bucket %d; labels must differ.", b.Label, j)
		}
		ids[b.ID], labels[key], out[i] = i, i, b
	}
	h.Subgroups = out
	return h, nil
}

// caseless is the form in which labels are compared.
func caseless(s string) string {
	return strings.ToLower(norm.NFKC.String(strings.Join(strings.Fields(s), " ")))
}

// slug makes an id of a label.
func slug(label string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(strings.ToLower(label)) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		case r == '+':
			b.WriteString("-plus")
		case r == '<':
			b.WriteString("under-")
		case r == '>':
			b.WriteString("over-")
		default:
			gap = true
		}
	}
	out := strings.Trim(b.String(), "-")
	if r := []rune(out); len(r) > maxID-8 {
		out = strings.Trim(string(r[:maxID-8]), "-")
	}
	if out == "" || reserved[out] {
		out = "bucket-" + out
	}
	return strings.TrimSuffix(out, "-")
}

// slugs gives each bucket an id of its label, each id once.
func slugs(in []Bucket) []Bucket {
	taken := map[string]bool{}
	for i := range in {
		id := slug(in[i].Label)
		for n := 2; taken[id]; n++ {
			id = slug(in[i].Label) + "-" + strconv.Itoa(n)
		}
		taken[id] = true
		in[i].ID = id
	}
	return in
}

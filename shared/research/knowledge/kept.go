package knowledge

import "strings"

// The note of an item that could not be read again: date and reason stand behind
// these.
const (
	notAgain = "It could not be read again on "
	staysFor = ", and what was read before stays: "
)

// Kept reports that the last reading of the item failed, and that what was read
// before it stays; reason is a sentence that callers may read.
func (s Status) Kept() (reason string, ok bool) {
	for _, n := range s.Notes {
		if rest, found := strings.CutPrefix(n, notAgain); found {
			_, reason, ok = strings.Cut(rest, staysFor)
			return reason, ok
		}
	}
	return "", false
}

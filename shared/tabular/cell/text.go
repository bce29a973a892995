package cell

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// Text is what a cell says in one line: in NFC, white space evened out and none
// at the ends, nothing in it that a reader does not see.
func Text(s string) string {
	if plain(s) {
		return s
	}
	return strings.ReplaceAll(extract.Clean(s), "\n", " ")
}

// plain says that Text would change nothing, for what most cells hold.
func plain(s string) bool {
	if s == "" {
		return true
	}
	if s[0] == ' ' || s[len(s)-1] == ' ' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && s[i+1] == ' ' {
			return false
		}
	}
	return true
}

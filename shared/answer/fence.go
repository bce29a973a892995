package answer

import (
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/inert"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// longestKey is how many characters the name of a field has at most.
const longestKey = 60

// directions are fields by which the owner of a persona says how it speaks: what they
// hold is meant as a direction.
var directions = map[string]bool{"tone": true, "style": true, "voice": true, "manner": true, "register": true, "way of speaking": true, "language": true, "note for this conversation": true}

// fenced is a line of a persona as a prompt has it. A field's value may come from a
// table or a brief that strangers wrote; one that tells its reader what to do stands
// in an element of data, as the knowledge does, so that it is read and not obeyed.
func fenced(line string) string {
	key, value, ok := strings.Cut(line, ": ")
	name := strings.ToLower(strings.TrimLeft(strings.TrimSpace(key), "-*• "))
	if !ok || utf8.RuneCountInString(name) > longestKey || directions[name] || !simulate.TellsReader(strings.TrimSpace(value)) {
		return inert.Line(line)
	}
	return inert.Line(key) + `: <source kind="profile">` + inert.Line(value) + "</source>"
}

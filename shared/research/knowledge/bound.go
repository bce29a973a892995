package knowledge

import (
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// A Mind looks through all that it knows each time it is asked, so what it knows
// is bounded: an answer then takes about a second at the most, and a chat or a
// chunk of fifty Minds has room in the smallest function.
const (
	maxPassages = 5_000
	maxBytes    = 4 << 20 // of passages and published distributions
)

// fits reports whether a Mind can know one more content, and if not, why.
func fits(m *mind.Mind, add meta) (reason string, ok bool) {
	passages, size := 0, int64(0)
	for _, k := range m.Knowledge {
		passages, size = passages+k.Passages, size+k.Bytes
	}
	if passages+add.Passages <= maxPassages && size+add.Bytes <= maxBytes {
		return "", true
	}
	return tooMuch(fmt.Sprintf("This Mind knows %d passages (%d KB) already, and with the %d (%d KB) of this file that would be",
		passages, size>>10, add.Passages, add.Bytes>>10)), false
}

func tooMuch(what string) string {
	return fmt.Sprintf("%s more than one Mind can look through: %d passages of up to %d characters, and %d MB in all. "+
		"Send only the part that matters to this Mind, or spread it over several Minds of one Audience.",
		what, maxPassages, maxPassage, maxBytes>>20)
}

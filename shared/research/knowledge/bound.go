package knowledge

import (
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// A Mind looks through all that it knows each time it is asked, so what it knows
// is bounded: an answer then takes moments, and a chat or a chunk of fifty Minds
// has room in the smallest function.
const (
	maxPassages = 5_000
	maxBytes    = 4 << 20 // of passages and published distributions
)

// fits reports whether a Mind can know a content by an item, and if not, why. A
// content that it knows by another item already costs nothing more.
func fits(m *mind.Mind, itemID, content string, add meta) (reason string, ok bool) {
	passages, size := 0, int64(0)
	seen := map[string]bool{}
	for _, k := range m.WillKnow() {
		if k.ItemID == itemID || seen[k.Digest] {
			continue
		}
		seen[k.Digest] = true
		passages, size = passages+k.Passages, size+k.Bytes
	}
	if seen[content] || passages+add.Passages <= maxPassages && size+add.Bytes <= maxBytes {
		return "", true
	}
	return tooMuch(fmt.Sprintf("This Mind knows %d passages (%d KB) already, and with the %d (%d KB) of this source that would be",
		passages, size>>10, add.Passages, add.Bytes>>10)), false
}

func tooMuch(what string) string {
	return fmt.Sprintf("%s more than one Mind can look through: %d passages and %d MB of text in all. "+
		"Send only the part that matters to this Mind, or spread it over several Minds of one Audience.",
		what, maxPassages, maxBytes>>20)
}

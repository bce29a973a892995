package knowledge

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// A corpus counts in the library by what it takes, not by its text.
func TestLibraryCountsWhatACorpusTakes(t *testing.T) {
	c := &content{}
	for i := range 500 {
		var b strings.Builder
		for j := range 80 {
			fmt.Fprintf(&b, "%x ", (80*i+j)*2654435761%0xfffffff)
		}
		var p passage
		p.Text = b.String()
		c.passages = append(c.passages, p)
	}
	l := NewLibrary(LibraryDeps{Clock: clock.Hold(time.Unix(0, 0))})
	l.put("content#w#d", cost{bytes: 1}, c)
	corpus, err := l.corpus(t.Context(), "w", []mind.KnowledgeRef{{Digest: "d"}})
	if err != nil || l.size != 1+corpus.Bytes() || corpus.Bytes() < 500*80*20 {
		t.Errorf("%d bytes are counted (%v)", l.size, err)
	}
}

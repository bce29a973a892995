package retrieve

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed"
)

// unique are n passages of words of which no two are the same: the most that a
// corpus can cost by its text.
func unique(n int) []string {
	out := make([]string, n)
	word := 0
	for i := range out {
		var b strings.Builder
		for range 80 {
			fmt.Fprintf(&b, "w%x ", word*2654435761%0xfffffff)
			word++
		}
		out[i] = b.String()
	}
	return out
}

func BenchmarkNewOfUniqueWords(b *testing.B) {
	texts := unique(5000)
	b.ReportAllocs()
	for b.Loop() {
		must[*Corpus](b)(New(Part{Texts: texts}))
	}
}

// Bytes is what the heap grows by, whatever the words are, and a text of nothing
// but rare words costs a small multiple of its size.
func TestBytesIsWhatACorpusTakes(t *testing.T) {
	for name, texts := range map[string][]string{"unique": unique(2000), "zipf": passages(2000), "one": {"a word"}} {
		t.Run(name, func(t *testing.T) {
			size := 0
			for _, text := range texts {
				size += len(text)
			}
			before := heap()
			c := must[*Corpus](t)(New(Part{Texts: texts}))
			must[[]Hit](t)(c.Search("w1 word", embed.Vector{}, 10))
			took := heap() - before
			if got := c.Bytes(); took > got+got/5+64<<10 || got > took+took/2+64<<10 {
				t.Errorf("it says %d bytes and takes %d", got, took)
			}
			if c.Bytes() > 4*size+64<<10 {
				t.Errorf("%d bytes for %d of text", c.Bytes(), size)
			}
			runtime.KeepAlive(texts)
		})
	}
}

func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

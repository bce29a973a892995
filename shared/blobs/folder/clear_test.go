package folder

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// A blob that is put while its prefix is cleared, or one above it, is put: neither
// call fails because of the other.
func TestPutWhileItIsCleared(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	var g sync.WaitGroup
	done := make(chan struct{})
	for _, prefix := range []string{"w/a/k/1", "w/a"} {
		g.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if err := s.Clear(t.Context(), prefix); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range 300 {
		if _, err := s.Put(t.Context(), "w/a/k/1", "text/plain", strings.NewReader(fmt.Sprint(i)), 100); err != nil {
			t.Error(err)
			break
		}
	}
	close(done)
	g.Wait()
}

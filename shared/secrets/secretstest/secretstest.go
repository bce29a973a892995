// Package secretstest is what holds for every way to come by the keys.
package secretstest

import (
	"bytes"
	"errors"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/secrets"
)

// Run runs the suite. open gives a new installation and a function that starts
// it once more, as a restart or another process would.
func Run(t *testing.T, open func(t *testing.T) (start func() secrets.Source)) {
	ring := func(t *testing.T, s secrets.Source) *secrets.Ring {
		t.Helper()
		r, err := s.Ring(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}

	t.Run("keys survive a restart and differ by label and installation", func(t *testing.T) {
		start := open(t)
		a, b := ring(t, start()), ring(t, start())
		if !bytes.Equal(a.Derive("cursor v1", 32), b.Derive("cursor v1", 32)) {
			t.Error("a restart changed a key")
		}
		if bytes.Equal(a.Derive("cursor v1", 32), a.Derive("cursor v2", 32)) {
			t.Error("two labels share a key")
		}
		if other := ring(t, open(t)()); bytes.Equal(a.Derive("cursor v1", 32), other.Derive("cursor v1", 32)) {
			t.Error("two installations share a key")
		}
	})

	t.Run("sealed values open after a restart, and nowhere else", func(t *testing.T) {
		start := open(t)
		sealed, err := ring(t, start()).Seal("model secret", []byte("sk-secret"), []byte("record 1"))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := ring(t, start()).Open("model secret", sealed, []byte("record 1"))
		if err != nil || string(plain) != "sk-secret" {
			t.Fatalf("%q, %v", plain, err)
		}
		if _, err := ring(t, open(t)()).Open("model secret", sealed, []byte("record 1")); !errors.Is(err, secrets.ErrSealed) {
			t.Fatalf("another installation: %v", err)
		}
	})

	t.Run("50 first starts at once agree", func(t *testing.T) {
		start := open(t)
		keys := make([][]byte, 50)
		var wg sync.WaitGroup
		for i := range keys {
			wg.Go(func() {
				r, err := start().Ring(t.Context())
				if err != nil {
					t.Errorf("start %d: %v", i, err)
					return
				}
				keys[i] = r.Derive("x", 32)
			})
		}
		wg.Wait()
		for i := range keys {
			if !bytes.Equal(keys[i], keys[0]) {
				t.Fatalf("start %d has another key", i)
			}
		}
	})
}

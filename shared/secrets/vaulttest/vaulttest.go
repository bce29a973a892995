// Package vaulttest is what holds for every vault.
package vaulttest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/mindgate-dev/mindgate/shared/secrets"
)

// Run runs the suite. open gives an installation and a function that opens its
// vault once more, as a restart or another process would.
func Run(t *testing.T, open func(t *testing.T) (start func() secrets.Vault)) {
	name := func() string { return uuid.NewString() + "/model/" + uuid.NewString() }

	t.Run("what was put is there after a restart, until it is deleted", func(t *testing.T) {
		start, n := open(t), name()
		if _, err := start().Get(t.Context(), n); !errors.Is(err, secrets.ErrNoSecret) {
			t.Fatalf("before: %v", err)
		}
		for _, value := range [][]byte{[]byte("sk-first"), {0, 255, 10, 13}, bytes.Repeat([]byte("x"), secrets.MaxSecret)} {
			if err := start().Put(t.Context(), n, value); err != nil {
				t.Fatal(err)
			}
			got, err := start().Get(t.Context(), n)
			if err != nil || !bytes.Equal(got, value) {
				t.Fatalf("%d bytes put, %d got, %v", len(value), len(got), err)
			}
		}
		for range 2 { // again does no harm
			if err := start().Delete(t.Context(), n); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := start().Get(t.Context(), n); !errors.Is(err, secrets.ErrNoSecret) {
			t.Fatalf("after: %v", err)
		}
	})

	t.Run("names are apart", func(t *testing.T) {
		v, a, b := open(t)(), name(), name()
		if err := v.Put(t.Context(), a, []byte("a")); err != nil {
			t.Fatal(err)
		}
		if err := v.Put(t.Context(), b, []byte("b")); err != nil {
			t.Fatal(err)
		}
		if err := v.Delete(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		if got, err := v.Get(t.Context(), b); err != nil || string(got) != "b" {
			t.Fatalf("%q, %v", got, err)
		}
	})

	t.Run("what not every vault can keep is refused, and no error repeats a value", func(t *testing.T) {
		v := open(t)()
		for _, tt := range []struct {
			name  string
			value []byte
			want  error
		}{
			{name(), nil, secrets.ErrSecretSize},
			{name(), bytes.Repeat([]byte("x"), secrets.MaxSecret+1), secrets.ErrSecretSize},
			{"", []byte("sk-secret"), secrets.ErrSecretName},
			{"alone", []byte("sk-secret"), secrets.ErrSecretName},
			{"/a/b", []byte("sk-secret"), secrets.ErrSecretName},
			{"a//b", []byte("sk-secret"), secrets.ErrSecretName},
			{"a/b#c", []byte("sk-secret"), secrets.ErrSecretName},
			{"a/" + strings.Repeat("b", 299), []byte("sk-secret"), secrets.ErrSecretName},
		} {
			err := v.Put(t.Context(), tt.name, tt.value)
			if !errors.Is(err, tt.want) {
				t.Errorf("%.40q, %d bytes: %v", tt.name, len(tt.value), err)
			}
			if strings.Contains(fmt.Sprint(err), "sk-secret") {
				t.Errorf("the error repeats the value: %v", err)
			}
		}
	})

	t.Run("40 writers at once leave one of their values", func(t *testing.T) {
		start, n := open(t), name()
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				if err := start().Put(t.Context(), n, fmt.Appendf(nil, "value-%02d", i)); err != nil {
					t.Errorf("put: %v", err)
				}
			})
		}
		wg.Wait()
		if got, err := start().Get(t.Context(), n); err != nil || !strings.HasPrefix(string(got), "value-") || len(got) != 8 {
			t.Errorf("%q, %v", got, err)
		}
	})
}

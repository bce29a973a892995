package rows_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/secrets"
	"github.com/mindgate-dev/mindgate/shared/secrets/rows"
	"github.com/mindgate-dev/mindgate/shared/secrets/vaulttest"
)

func store(t *testing.T) records.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "records.db"), sqlite.Options{Clock: clock.System{}, CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func ring(t *testing.T, first byte, older ...byte) *secrets.Ring {
	t.Helper()
	var old [][]byte
	for _, b := range older {
		old = append(old, bytes.Repeat([]byte{b}, secrets.MasterSize))
	}
	r, err := secrets.NewRing(bytes.Repeat([]byte{first}, secrets.MasterSize), old...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestContract(t *testing.T) {
	vaulttest.Run(t, func(t *testing.T) func() secrets.Vault {
		s, r := store(t), ring(t, 1)
		return func() secrets.Vault { return rows.New(s, r) }
	})
}

// Whoever reads the store alone reads nothing.
func TestTheStoreHoldsNoPlainSecret(t *testing.T) {
	s := store(t)
	if err := rows.New(s, ring(t, 1)).Put(t.Context(), "ws/model/a", []byte("sk-plain-text")); err != nil {
		t.Fatal(err)
	}
	page, err := s.Query(t.Context(), records.Query{PK: "w#ws#vault"})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%d rows, %v", len(page.Items), err)
	}
	if bytes.Contains(page.Items[0].Body, []byte("sk-plain")) {
		t.Error("the secret stands in the row")
	}
	if _, err := rows.New(s, ring(t, 2)).Get(t.Context(), "ws/model/a"); err == nil {
		t.Error("another master key opens it")
	}
	moved := page.Items[0]
	moved.SK = "model/b"
	if _, err := s.Put(t.Context(), moved); err != nil {
		t.Fatal(err)
	}
	if _, err := rows.New(s, ring(t, 1)).Get(t.Context(), "ws/model/b"); err == nil {
		t.Error("a row that was moved to another name opens")
	}
}

func TestReadingSealsUnderTheCurrentMaster(t *testing.T) {
	s := store(t)
	if err := rows.New(s, ring(t, 1)).Put(t.Context(), "ws/a", []byte("v")); err != nil {
		t.Fatal(err)
	}
	if _, err := rows.New(s, ring(t, 2, 1)).Get(t.Context(), "ws/a"); err != nil {
		t.Fatal(err)
	}
	if got, err := rows.New(s, ring(t, 2)).Get(t.Context(), "ws/a"); err != nil || string(got) != "v" {
		t.Errorf("without the old master: %q, %v", got, err)
	}
}

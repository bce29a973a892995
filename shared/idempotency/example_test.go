package idempotency_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
)

// A write that touches only records: the row is one more action of its
// transaction.
func ExampleTable_Once() {
	ctx := context.Background()
	store, done := exampleStore(ctx)
	defer done()
	once := idempotency.New(store, idempotency.Options{})

	createMind := func(name, key, newID string) (idempotency.Result, error) {
		scope := idempotency.Scope{Workspace: "acme", Account: "ada", Operation: "create_mind"}
		args := map[string]string{"name": name}
		call, err := idempotency.Keyed(scope, key, args, 24*time.Hour)
		if key == "" {
			call, err = idempotency.Derived(scope, args, 10*time.Second)
		}
		if err != nil {
			return idempotency.Result{}, err
		}
		return once.Once(ctx, call, newID, func(row records.Action) error {
			return store.Transact(ctx, "",
				records.PutItem(records.Item{Key: records.Key{PK: "w#acme#mind#" + newID, SK: "mind"}}, records.NotExists()),
				records.AddTo(records.Key{PK: "w#acme#counts", SK: "minds"}, records.Delta{By: 1, Ceil: records.Bound(100)}),
				row)
		})
	}

	for _, try := range []struct{ name, key, id string }{
		{"Nurse, 54", "k-1", "mind-1"},
		{"Nurse, 54", "k-1", "mind-2"}, // sent again
		{"Nurse, 55", "k-1", "mind-3"}, // the key with other input
		{"Nurse, 54", "", "mind-4"},    // no key
		{"Nurse, 54", "", "mind-5"},
	} {
		r, err := createMind(try.name, try.key, try.id)
		fmt.Println(r.Ref, r.Replayed, err)
	}
	// Output:
	// mind-1 false <nil>
	// mind-1 true <nil>
	//  false IDEMPOTENCY_CONFLICT: idempotencyKey was used in the last 24 hours with other input. Repeat that input to get its result, or send a new key for new work.
	// mind-4 false <nil>
	// mind-4 true <nil>
}

// Work with effects outside: the row stands before the first of them, and a
// lease while it lasts.
func ExampleTable_Run() {
	ctx := context.Background()
	store, done := exampleStore(ctx)
	defer done()
	once := idempotency.New(store, idempotency.Options{})

	call, err := idempotency.Keyed(
		idempotency.Scope{Workspace: "acme", Account: "ada", Operation: "preview"},
		"k-1", map[string]string{"brief": "Who buys oat milk?"}, 6*time.Hour)
	if err != nil {
		fmt.Println(err)
		return
	}
	preview := func(ctx context.Context, c idempotency.Claim) (string, error) {
		fmt.Println("asking the model for", c.ResultID)
		return c.ResultID, nil
	}
	for _, id := range []string{"preview-1", "preview-2"} {
		r, err := once.Run(ctx, call, id, preview)
		fmt.Println(r.Ref, r.Replayed, err)
	}
	// Output:
	// asking the model for preview-1
	// preview-1 false <nil>
	// preview-1 true <nil>
}

func exampleStore(ctx context.Context) (*sqlite.Store, func()) {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	s, err := sqlite.Open(ctx, filepath.Join(dir, "records.db"), sqlite.Options{CursorKey: []byte("sixteen bytes at least")})
	if err != nil {
		panic(err)
	}
	return s, func() {
		s.Close()
		os.RemoveAll(dir)
	}
}

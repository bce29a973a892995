// Package minilmtest gives tests the weights of the embedding model.
package minilmtest

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/minilm"
)

// Open opens the weights that `make models` fetched into the repository at root,
// and skips the test where
// there are none, or in short runs: what goes through the model takes seconds.
func Open(t testing.TB, root string) embed.Embedder {
	t.Helper()
	if testing.Short() {
		t.Skip("what goes through the model takes seconds")
	}
	e, err := minilm.Open(filepath.Join(root, "models", minilm.File))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the weights are not there: `make models` fetches them")
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

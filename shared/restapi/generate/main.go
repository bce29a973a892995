// Command generate writes what follows from the table of operations: the part
// of the contract that package restapi embeds, and docs/openapi.yaml.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/mindgate-dev/mindgate/shared/catalog/contract"
	"github.com/mindgate-dev/mindgate/shared/restapi"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run is started by go generate in the folder of package restapi.
func run() error {
	rest, err := contract.Files.ReadFile("minds/rest.json")
	if err != nil {
		return err
	}
	part, err := restapi.Compact(rest)
	if err != nil {
		return err
	}
	if err := os.WriteFile("operations.gen.json", part, 0o644); err != nil {
		return err
	}
	doc, err := restapi.Document(part, "http://127.0.0.1:8080", "1")
	if err != nil {
		return err
	}
	text, err := yaml.Marshal(doc)
	if err != nil {
		return err
	}
	text = append([]byte("# Written by go generate from the table of operations; do not edit.\n"), text...)
	return os.WriteFile(filepath.Join("..", "..", "docs", "openapi.yaml"), text, 0o644)
}

// Command gen writes the compact catalogue files of package catalog from the
// contract. Run it by go generate; a test fails when its output is stale.
package main

import (
	"fmt"
	"os"

	"github.com/mindgate-dev/mindgate/shared/catalog/contract"
	"github.com/mindgate-dev/mindgate/shared/catalog/listing"
)

func main() {
	raw, err := contract.Tools("minds")
	if err == nil {
		raw, err = listing.Compact(raw)
	}
	if err == nil {
		err = os.WriteFile("minds.gen.json", raw, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// Command gen writes the configuration schemas of package method from the
// contract. Run it by go generate; a test fails when its output is stale.
package main

import (
	"fmt"
	"os"

	"github.com/mindgate-dev/mindgate/shared/method/schemas"
)

func main() {
	raw, err := os.ReadFile("../catalog/contract/minds/schemas.json")
	if err == nil {
		raw, err = schemas.Configurations(raw)
	}
	if err == nil {
		err = os.WriteFile("configurations.gen.json", raw, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

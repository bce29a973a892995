// Command want prints what a client of a gateway with fixtures must find: the
// listed tools in their order, computed from the catalogue and not written down.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/mindgate-dev/mindgate/functions/minds"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/fixtures"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

func main() {
	registry, err := tool.NewRegistry(minds.Registry()...)
	if err == nil {
		var c *catalog.Catalogue
		if c, err = catalog.Minds().Only(registry.Names(), catalog.ModelConnectionsTool).With(fixtures.Definitions()...); err == nil {
			err = write(c)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "want:", err)
		os.Exit(1)
	}
}

func write(c *catalog.Catalogue) error {
	var listed []string
	for _, d := range c.Listed(nil) {
		listed = append(listed, d.Name)
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"listed": append(listed, fixtures.Names()...),
		"hidden": "list_minds", "alias": "list_panels",
	})
}

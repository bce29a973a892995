package mcpserver

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/catalog"
)

// What a list may weigh that a client gets by itself or by the configurations
// that are printed: it stays in its model's context for good.
const maxList = 48 << 10

// Every view of the whole contract, with each feature on, stays under the bound;
// only the explicit tools go above it, and the docs say by how much.
func TestListSizes(t *testing.T) {
	var names, enabled []string
	for _, d := range catalog.Minds().All() {
		names = append(names, d.Name)
		if d.Discovery == catalog.AdvertisedWhenEnabled {
			enabled = append(enabled, d.Name)
		}
	}
	h := fixture(t, func(o *Options) { o.Catalogue = catalog.Minds().Only(names, enabled...) })
	list := func(address, revision string, headers ...string) int {
		body, headers := listTools, append(headers, "Mcp-Protocol-Version: "+revision)
		if modern(revision) {
			body, headers = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+statelessMeta+`}}`, append(headers, "Mcp-Method: tools/list")
		}
		w := at(t, h, address, body, headers...)
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", address, w.Code, w.Body)
		}
		return w.Body.Len()
	}
	addresses := []string{"/mcp", "/mcp?find_tools=true", "/mcp?names=underscore&find_tools=true", "/mcp/readonly?find_tools=true", "/mcp/readonly?explicit=true"}
	for _, area := range catalog.Minds().Areas() {
		addresses = append(addresses, "/mcp/x/"+area+"?explicit=true", "/mcp/x/"+area+"?find_tools=true")
	}
	for _, revision := range revisions {
		for _, address := range addresses {
			size := list(address, revision)
			if revision == stateless {
				t.Logf("%-45s %6d bytes", address, size)
			}
			if size >= maxList {
				t.Errorf("%s at %s has %d bytes, at most %d", address, revision, size, maxList)
			}
		}
	}
	all := list("/mcp?explicit=true", stateless)
	t.Logf("%-45s %6d bytes", "/mcp?explicit=true", all)
	docs, err := os.ReadFile("../../docs/connecting.md")
	if err != nil {
		t.Fatal(err)
	}
	for what, size := range map[string]int{"all tools": all, "find_tools": list("/mcp?find_tools=true", stateless)} {
		if said := fmt.Sprintf("about %d KB", (size+512)/1024); !strings.Contains(string(docs), said) {
			t.Errorf("docs/connecting.md does not say that the list with %s has %s (%d bytes)", what, said, size)
		}
	}
}

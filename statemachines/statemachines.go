// Package statemachines holds the long jobs as Step Functions reads them. The
// local host runs the same files.
package statemachines

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.asl.json
var files embed.FS

// All gives each machine's ASL by its name, the file's name without its ending.
func All() (map[string][]byte, error) {
	names, err := fs.Glob(files, "*.asl.json")
	if err != nil {
		return nil, err
	}
	out := make(map[string][]byte, len(names))
	for _, n := range names {
		raw, err := files.ReadFile(n)
		if err != nil {
			return nil, err
		}
		out[strings.TrimSuffix(n, ".asl.json")] = raw
	}
	return out, nil
}

// Package minds holds the tools of the minds toolset, one file a tool.
package minds

import (
	"slices"

	"github.com/mindgate-dev/mindgate/shared/tool"
)

// Registry lists every tool of the toolset that is built.
func Registry() []tool.Tool {
	return slices.Concat(mindTools(), studyTools())
}

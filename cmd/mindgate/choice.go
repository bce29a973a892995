package main

import (
	"github.com/mindgate-dev/mindgate/shared/catalog"
)

// choice are the switches that choose tools; over HTTP they are headers and
// parts of the address.
type choice struct {
	Areas      string `help:"Areas to serve, separated by commas: minds, audiences, guided, studies, lifecycle; all by default." placeholder:"LIST" env:"MINDGATE_AREAS"`
	Tools      string `help:"Single tools to list, separated by commas; with --areas they come on top, alone they are all there is." placeholder:"LIST" env:"MINDGATE_TOOLS"`
	Exclude    string `name:"exclude-tools" help:"Tools to take away, separated by commas." placeholder:"LIST" env:"MINDGATE_EXCLUDE_TOOLS"`
	ReadOnly   bool   `help:"Serve only tools that change nothing; wins over every other choice." env:"MINDGATE_READ_ONLY"`
	Explicit   bool   `help:"List the explicit tools too, such as create_mind: a model can only call what is listed." env:"MINDGATE_EXPLICIT"`
	FindTools  bool   `help:"List find_tools, which searches the tools that are not listed." env:"MINDGATE_FIND_TOOLS"`
	Underscore bool   `name:"underscore-names" help:"List names with _ in place of a dot." env:"MINDGATE_UNDERSCORE_NAMES"`
}

func (c choice) choice() catalog.Choice {
	return catalog.Choice{
		Areas: catalog.SplitNames(c.Areas), Tools: catalog.SplitNames(c.Tools), Exclude: catalog.SplitNames(c.Exclude),
		ReadOnly: c.ReadOnly, Explicit: c.Explicit, Find: c.FindTools, Underscore: c.Underscore,
	}
}

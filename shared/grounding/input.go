package grounding

import "github.com/mindgate-dev/mindgate/shared/brief"

// Input is everything that may say something about the population.
type Input struct {
	Brief    brief.Brief
	Material []Material     // readable text of links, files, pasted tables
	Reviewed []Distribution // of an accepted preview, an import or a dataset: the strongest
	// ReviewedSources are what Reviewed's sourceIdx points into; they keep their places.
	ReviewedSources []Source
	Pairs           []Pair
	Web             []Material // found by research, phase 2
	Exclude         []string   // exact axis names whose quotas are dropped (M-53)
	Earlier         *Composed  // what stood before: deepening merges into it (M-145)
	Topics          []string   // names under which tables are looked for besides, as deepening asks
	Model           Extractor  // nil: the rules only
}

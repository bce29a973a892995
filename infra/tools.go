package main

import (
	"github.com/mindgate-dev/mindgate/functions/minds"
	"github.com/mindgate-dev/mindgate/shared/catalog"
)

// deployed is what the template needs to know of one tool.
type deployed struct {
	Name, Title, Toolset, Access string
	Memory                       int
}

// starters are the tools that start a state machine; the contract's read-only
// hint tells reading from writing for all others.
var starters = map[string]bool{"create_mind": true, "ask_study": true, "export_study": true, "manage_mind": true, "manage_mind_knowledge": true, "list_formations": true, "manage_formation": true, "create_audience_from_brief": true, "recalibrate_audience": true, "manage_audience": true, "manage_study": true, "duplicate_audience": true, "ask_audience": true, "preview_audience_dataset_segmentation": true, "study_heatmap": true}

// answering are the tools that answer through a model that the caller names, and
// so read the key of a connection.
var answering = map[string]bool{"chat_with_mind": true, "manage_chat": true}

// implementedTools lists the tools that exist, in the order of the catalogue.
func implementedTools() []deployed {
	exists := map[string]bool{}
	for _, t := range minds.Registry() {
		exists[t.Name] = true
	}
	var out []deployed
	for _, def := range catalog.Minds().All() {
		if !exists[def.Name] {
			continue
		}
		access := "write"
		switch {
		case starters[def.Name]:
			access = "start"
		case answering[def.Name]:
			access = "model"
		case def.Annotations.ReadOnly:
			access = "read"
		}
		out = append(out, deployed{Name: def.Name, Title: def.Title, Toolset: "minds", Access: access, Memory: 512})
	}
	return out
}

package research

import (
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/grounding/extractor"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/planner/drafter"
	"github.com/mindgate-dev/mindgate/shared/research/plandraft"
)

// reads lets the installation's model read figures that rules miss; nil without one.
func reads(c model.Client) grounding.Extractor {
	if c == nil {
		return nil
	}
	return extractor.New(c)
}

// writes lets the installation's model write the questions that a request leaves
// open; nil without one.
func writes(c model.Client) plandraft.Writer {
	if c == nil {
		return nil
	}
	return drafter.New(c)
}

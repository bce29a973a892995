package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ListResearchMethods lists the methods with what each needs and whether it can
// run. Only executable true promises a run (M-200).
var ListResearchMethods = tool.New("list_research_methods",
	func(_ context.Context, in ListResearchMethodsInput) (ResearchMethods, error) {
		methods, err := method.Listed(in.IncludePlanned == nil || *in.IncludePlanned)
		if err != nil || len(methods) == 0 {
			return ResearchMethods{}, fault.New(fault.MalformedResponse, "The catalogue of methods could not be read whole, so nothing can be said about it. Tell the operator the request id.").Because(err)
		}
		return ResearchMethods{CatalogVersion: method.CatalogueVersion, Methods: methods}, nil
	})

// ListResearchMethodsInput may leave planned methods out; experimental ones stay.
type ListResearchMethodsInput struct {
	IncludePlanned *bool `json:"includePlanned"` // true when left out
}

// ResearchMethods is the catalogue.
type ResearchMethods struct {
	CatalogVersion string         `json:"catalogVersion"`
	Methods        []method.Entry `json:"methods"`
}

package restapi

import (
	"context"
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/method"
)

// listResearchMethods is the catalogue of methods. It changes with releases
// alone, so a client may keep it for a minute.
func listResearchMethods(_ context.Context, c *call) (reply, error) {
	includePlanned, given := c.query["includePlanned"].(bool)
	methods, err := method.Listed(includePlanned || !given)
	if err != nil || len(methods) == 0 {
		return reply{}, fault.New(fault.MalformedResponse, "The catalogue of methods could not be read whole, so nothing can be said about it. Tell the operator the request id.").Because(err)
	}
	return reply{
		status: http.StatusOK,
		body:   map[string]any{"catalogVersion": method.CatalogueVersion, "data": methods},
		header: http.Header{"Cache-Control": {"private, max-age=60"}},
	}, nil
}

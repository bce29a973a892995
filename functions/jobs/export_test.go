package jobs

import (
	"context"
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// Acting lets a test look at the principal of a task.
func Acting(r *research.Research, do func(context.Context, json.RawMessage) (map[string]string, error)) workflow.Task {
	return acting(r, do)
}

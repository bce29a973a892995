// Package jobs holds the tasks behind the state machines, one file a machine.
package jobs

import (
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// Tasks is every task by the name that the state machines use.
func Tasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{}
}

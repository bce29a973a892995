// Package jobs holds the tasks behind the state machines, one file a machine.
// Each re-reads its record and changes nothing when its work is done already.
package jobs

import (
	"context"
	"maps"

	domain "github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/dataset"
	"github.com/mindgate-dev/mindgate/shared/research/export"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
	"github.com/mindgate-dev/mindgate/shared/research/heatmap"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// Tasks is every task by the name that the state machines use.
func Tasks(r *research.Research) workflow.Tasks {
	all := workflow.Tasks{}
	for _, of := range []func(*research.Research) workflow.Tasks{trainingTasks, knowledgeTasks, questionTasks, studyRunTasks, exportTasks, audienceTasks, audienceEndTasks, recalibrationTasks, datasetTasks, formationTasks, studyEndTasks, heatmapTasks} {
		maps.Copy(all, of(r))
	}
	return all
}

// Expired tells the sweeper, by machine, who settles a job that is past its
// deadline.
func Expired(r *research.Research) map[string]func(context.Context, domain.Job) error {
	return map[string]func(context.Context, domain.Job) error{
		mind.Machine:           r.Training.Expire,
		mind.PortraitMachine:   r.Training.ExpirePortrait,
		mind.EmbeddingsMachine: r.Training.ExpireReembed,
		mind.DeleteMachine:     r.Training.ExpireDelete,

		knowledge.Machine:       r.Knowledge.Expire,
		knowledge.SearchMachine: r.Knowledge.ExpireSearch,

		audience.CreationMachine:      r.Audiences.ExpireCreation,
		audience.DuplicateMachine:     r.Audiences.ExpireDuplicate,
		audience.DeleteMachine:        r.Audiences.ExpireDelete,
		audience.RecalibrationMachine: r.Audiences.ExpireRecalibration,
		audience.ResearchMachine:      r.Audiences.ExpireRecalibration,
		dataset.Machine:               r.Datasets.Expire,
		formation.Machine:             r.Formations.Expire,

		study.Machine:       r.Studies.Expire,
		study.DeleteMachine: r.Studies.ExpireDelete,
		run.Machine:         r.Runs.Expire,
		export.Machine:      r.Exports.Expire,
		heatmap.Machine:     r.Heatmaps.Expire,
	}
}

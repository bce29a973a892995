package knowledge

import (
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// maxFileBytes bounds the sources of one Mind together, as they were sent or
// fetched; what is made of them has bounds of its own.
const maxFileBytes = 2 << 30

// room are the actions that count an item's source with those of its Mind in
// place of what was counted for it before: one, or none where nothing changes.
// Its condition refuses what is beyond the bound.
func (r *row) room(size int64) []records.Action {
	by := size - r.Counted
	r.Counted = size
	if by == 0 {
		return nil
	}
	d := records.Delta{By: by}
	if by > 0 {
		d.Ceil = records.Bound(maxFileBytes)
	}
	return []records.Action{records.AddTo(sizeKey(r.Workspace, r.MindID), d)}
}

const noRoom = "The files of this Mind would take more than 2 GB together. Delete those that it no longer needs, or give this one to another Mind."

func noRoomFor() *fault.Error {
	return fault.New(fault.Validation, noRoom).With("field", "file").With("limitBytes", int64(maxFileBytes))
}

package mind

import "github.com/mindgate-dev/mindgate/shared/records"

// Stands is the condition that a Mind is there: what points to one is written
// with it, so that nothing comes to point to a Mind that was deleted meanwhile.
func Stands(workspace, id string) records.Action {
	return records.Check(recordKey(workspace, id), records.Exists())
}

package catalog

import (
	"encoding/json"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Of the two values of a field that is no longer a choice, true does nothing and
// false has a code of its own.
func TestTrainMembersIsNoChoiceAnyMore(t *testing.T) {
	def, ok := Minds().Lookup("create_audience_from_brief")
	if !ok {
		t.Fatal("no such tool")
	}
	if _, err := def.Prepare(json.RawMessage(`{"brief":"x","trainMembers":true}`)); err != nil {
		t.Error(err)
	}
	if _, err := def.Prepare(json.RawMessage(`{"brief":"x","trainMembers":false}`)); !fault.Is(err, fault.TrainMembersOptOutRemoved) {
		t.Error(err)
	}
	if _, err := def.Prepare(json.RawMessage(`{"brief":"x","trainMembers":"no"}`)); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
}

package mind_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

func cohort(n int, slot int64) []mind.CohortMember {
	out := make([]mind.CohortMember, n)
	for i := range out {
		out[i] = mind.CohortMember{
			ID: clock.RandomIDs{}.NewID(), Name: fmt.Sprintf("Member %d", i), Discipline: "Nursing", Description: "A nurse.",
			PersonaContext: "Age: 34\nGender: Woman\nOccupation: nurse", Identity: mind.Identity{Age: 34, Gender: "Woman"}, Slot: slot + int64(i),
		}
	}
	return out
}

// A member of a cohort answers before it is trained (M-47), keeps answering while
// it is (M-23), and keeps what it was assigned (M-26).
func TestCohortAnswersAtOnce_M23_M26_M47(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	raw, _ := json.Marshal([]simulate.Evidence{{ID: "e1", Question: "Do you cycle to work?", Origin: simulate.OriginAudience,
		Options: []simulate.OptionShare{{Label: "Yes", Share: .25}, {Label: "No", Share: .75}}}})
	ref, err := w.Blobs.Put(ctx, "w/"+account.From(ctx).Workspace, "application/json", bytes.NewReader(raw), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	first, take, err := w.Minds.SlotRange(ctx, 25)
	if err != nil || first != 0 {
		t.Fatalf("slots from %d, %v", first, err)
	}
	members := cohort(25, first)
	actions, err := w.Minds.CohortRows(ctx, mind.Cohort{AudienceID: "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172", Evidence: &ref}, members)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Store.Transact(ctx, "", append(actions, take)...); err != nil {
		t.Fatal(err)
	}
	var refused *records.CanceledError
	if err := w.Store.Transact(ctx, "", actions...); !errors.As(err, &refused) || !refused.Failed(0) {
		t.Errorf("the same members again: %v", err)
	}
	if first, _, _ := w.Minds.SlotRange(ctx, 3); first != 32 {
		t.Errorf("the next cohort begins at slot %d, want the group after", first)
	}
	var ids []string
	for _, c := range members {
		ids = append(ids, c.ID)
	}
	minds, err := w.Minds.GetMany(ctx, ids)
	if err != nil || len(minds) != 25 {
		t.Fatalf("%d made, %v", len(minds), err)
	}
	for i, m := range minds {
		if tr := w.Minds.TrainingOf(m); !tr.ReadyToChat || tr.Status != mind.Queued || m.Slot != int64(i) || !strings.Contains(m.SystemPrompt, "age 34, gender Woman") {
			t.Fatalf("%+v\n%s", tr, m.SystemPrompt)
		}
	}
	who, err := w.Minds.Respondents(ctx, ids)
	if err != nil || len(who) != 25 {
		t.Fatal(err)
	}
	for _, r := range who { // shared by pointer, never copied
		if len(r.Evidence) != 1 || r.Evidence[0] != who[0].Evidence[0] || r.Evidence[0].Origin != simulate.OriginAudience {
			t.Fatalf("evidence %+v", r.Evidence)
		}
	}
	if err := w.Minds.StartTraining(ctx, ids); err != nil {
		t.Fatal(err)
	}
	w.Run(t)
	for _, id := range ids {
		m, err := w.Minds.Get(ctx, id)
		if err != nil || !m.ReadyToChat() || m.Training.Status != mind.Completed || m.PromptVersion != 2 || m.Portrait == nil || m.KnowledgeVersion != minds[0].KnowledgeVersion {
			t.Fatalf("after training: %+v, %v", m.Training, err)
		}
	}
}

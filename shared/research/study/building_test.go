package study_test

import (
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// An Audience whose members are being written is asked nothing, and the refusal
// says that it is a matter of seconds.
func TestAnAudienceThatIsBeingMadeIsNotAsked(t *testing.T) {
	w := newWorld(t, account.Team)
	ctx := w.as("lab", account.Team)
	a := w.audience(ctx, "Nurses", w.minds(ctx, 2))
	if _, err := w.Audiences.Note(ctx, a.ID, func(a *audience.Audience) error {
		a.State, a.MemberIDs = audience.Creating, nil
		return nil
	}, nil); err != nil {
		t.Fatal(err)
	}
	s := w.study(ctx, "S", a)
	if _, err := w.Studies.Ask(ctx, study.AskRequest{StudyID: s.ID, Question: "Do you own a car?"}); !fault.Is(err, fault.AudienceBuilding) {
		t.Errorf("asked: %v", err)
	}
}

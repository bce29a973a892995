package minds_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// M-240: who may see an Audience as one of the team asks it too, in a Study of one's
// own; nobody else does, and who may no longer see it asks it no longer.
func TestATeammateAsksASharedAudience_M240(t *testing.T) {
	g := open(t)
	owner := g.principals[""]
	mate := owner
	mate.Account = "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506199"
	mine, theirs := account.With(t.Context(), owner), account.With(t.Context(), mate)
	var ids []string
	var err error
	for _, name := range []string{"Ada", "Bob", "Cleo"} {
		m := g.mind(t, "", mind.CreateRequest{Name: name, Mode: mind.ModeClone, PersonaContext: "I drink tea every day and live in Graz."})
		for until := time.Now().Add(20 * time.Second); !m.ReadyToChat(); tick(t.Context()) {
			if m, err = g.research.Minds.Get(mine, m.ID); err != nil || time.Now().After(until) {
				t.Fatal(err)
			}
		}
		ids = append(ids, m.ID)
	}
	made, err2 := g.research.Audiences.Create(mine, audience.CreateRequest{Name: "Tea drinkers", MindIDs: ids})
	if err2 != nil {
		t.Fatal(err2)
	}
	ask := func(ctx context.Context) (study.Asked, error) {
		return g.research.Studies.AskAlone(ctx, made.Audience.ID, "", study.AskRequest{Question: "Do you drink tea?"})
	}
	if _, err := ask(theirs); !fault.Is(err, fault.NotFound) {
		t.Errorf("before it is shared: %v", err)
	}
	yes, no := true, false
	if _, err := g.research.Audiences.Update(mine, made.Audience.ID, audience.Patch{SharedWithTeam: &yes}); err != nil {
		t.Fatal(err)
	}
	asked, err := ask(theirs)
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := json.Marshal(asked.Study)
	if !strings.Contains(string(whole), made.Audience.ID) {
		t.Errorf("%s", whole)
	}
	for until := time.Now().Add(20 * time.Second); ; tick(t.Context()) {
		now, err := g.research.Studies.Status(theirs, asked.Study.ID, "")
		if err != nil || time.Now().After(until) {
			t.Fatalf("%+v, %v", now, err)
		}
		if len(now.Recent)+len(now.FailedQuestions) == 0 {
			continue
		}
		raw, _ := json.Marshal(now.Recent)
		if len(now.Recent) != 1 || strings.Count(string(raw), "Tea drinkers") == 0 || len(now.Audiences) != 1 || now.Audiences[0].MindCount != 3 {
			t.Errorf("%s %+v", raw, now)
		}
		break
	}
	if _, err := g.research.Studies.Status(mine, asked.Study.ID, ""); err == nil {
		t.Error("the owner of the Audience reads a teammate's Study")
	}
	// The Minds themselves stay the owner's.
	if _, err := g.research.Minds.Get(theirs, ids[0]); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a teammate reads a Mind: %v", err)
	}
	if _, err := ask(account.With(t.Context(), g.principals["other"])); !fault.Is(err, fault.NotFound) {
		t.Errorf("another workspace asks it: %v", err)
	}
	if _, err := g.research.Audiences.Update(mine, made.Audience.ID, audience.Patch{SharedWithTeam: &no}); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(theirs); !fault.Is(err, fault.NotFound) {
		t.Errorf("after it was taken back: %v", err)
	}
}

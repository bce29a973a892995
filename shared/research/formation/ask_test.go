package formation_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// chooser answers as a model would: it picks by name, and is down once.
type chooser struct {
	simulate.Respondents
	asked simulate.Question
	down  int
	calls int
}

func (c *chooser) Shape(context.Context, string, *model.Schema) (json.RawMessage, error) {
	return nil, errors.New("not asked for")
}

func (c *chooser) Ask(_ context.Context, q simulate.Question, p simulate.Policy) (simulate.Asked, error) {
	if c.down > 0 {
		c.down--
		return nil, records.ErrUnavailable
	}
	c.asked = q
	return c, nil
}

func (c *chooser) Answer(_ context.Context, r simulate.Respondent) (simulate.Answer, error) {
	c.calls++
	at := len(c.asked.Options) - 1 // none of these
	switch {
	case strings.HasSuffix(r.Name, "0"):
		at = 0
	case strings.HasSuffix(r.Name, "1"):
		at = 1
	case strings.HasSuffix(r.Name, "2"):
		return simulate.Answer{Status: "cannot_answer", Reason: "needs_vision"}, nil
	}
	return simulate.Answer{Status: simulate.Answered, Option: c.asked.Options[at], State: simulate.Trait, Probabilities: []float64{.8, .7}}, nil
}

// M-159: whom nothing places is asked once, with the definitions; who fits none,
// or cannot say, is in Other. Nothing is charged.
func TestUnplacedMembersAreAsked(t *testing.T) {
	w := open(t)
	by := &chooser{down: 1}
	w.s = formation.New(formation.Deps{Records: w.Store, Clock: w.Clock, IDs: clock.RandomIDs{}, Accounts: w.Accounts, Minds: w.Minds, Audiences: w.Audiences, Jobs: w.Jobs, Respondents: by})
	a := w.panel(t, 4, none)
	h := split("Early birds", "Night owls")
	h.Subgroups[0].Definition = "Up before six"
	f := w.create(t, a, h)
	w.run(t)
	d := w.get(t, a, f.ID)
	got := sizes(d)
	if d.Status != formation.Ready || got["Early birds"] != 1 || got["Night owls"] != 1 || got["Other"] != 2 {
		t.Fatalf("%s %v", d.Status, got)
	}
	if c := d.Subgroups[0].Memberships[0].Confidence; c == nil || *c != .8 {
		t.Errorf("confidence %v", c)
	}
	if by.calls != 4 || !strings.Contains(by.asked.Text, "Early birds: Up before six") || by.asked.Options[2] != "None of these" {
		t.Errorf("%d calls: %+v", by.calls, by.asked)
	}
}

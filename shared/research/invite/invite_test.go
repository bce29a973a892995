package invite_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/mail"
	"github.com/mindgate-dev/mindgate/shared/research/invite"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// outbox keeps what is sent, and does not take what a test says.
type outbox struct {
	mu    sync.Mutex
	mails []mail.Mail
	fail  map[string]error
}

func (o *outbox) Send(_ context.Context, m mail.Mail) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.fail[m.To]; err != nil {
		return err
	}
	o.mails = append(o.mails, m)
	return nil
}

type studies struct {
	roles map[string]study.Role
	team  bool
}

func (s *studies) Admit(_ context.Context, id string, addresses []string, role study.Role, team bool) ([]study.Invitee, study.Study, error) {
	if id != "mine" {
		return nil, study.Study{}, fault.New(fault.NotFound, "No Study with this id.")
	}
	var out []study.Invitee
	for _, a := range addresses {
		out = append(out, study.Invitee{Address: a, Own: a == "owner@example.com"})
		s.roles[a] = role
	}
	s.team = team
	return out, study.Study{ID: id, Name: "Käse", WorkspaceURL: "https://mindgate.example/api/v1/studies/mine"}, nil
}

// M-240: addresses are folded and count once; everybody has the role, and who was not
// written to is told with a reason that says nothing of the server.
func TestInvite_M240(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "owner@example.com", account.Team)
	box, st := &outbox{fail: map[string]error{"gone@example.com": fmt.Errorf("x: %w", mail.ErrRefused), "later@example.com": errors.New("10.0.0.1 is away")}}, &studies{roles: map[string]study.Role{}}
	s := invite.New(invite.Deps{Studies: st, Accounts: w.Accounts, Mail: box})
	out, _, err := s.Invite(ctx, invite.Request{StudyID: "mine", Role: study.Admin, Emails: []string{"Ada@Example.com", " ada@example.com ", "gone@example.com", "later@example.com", "OWNER@example.com"}})
	if err != nil || strings.Join(out.Invited, " ") != "ada@example.com gone@example.com later@example.com" || strings.Join(out.AlreadyMembers, "") != "owner@example.com" {
		t.Fatalf("%+v, %v", out, err)
	}
	if f := out.EmailFailures; len(f) != 2 || f[0].Email != "gone@example.com" || !strings.Contains(f[0].Reason, "refused") || strings.Contains(f[1].Reason, "10.0") {
		t.Errorf("%+v", f)
	}
	if len(box.mails) != 1 || !strings.Contains(box.mails[0].Text, "https://mindgate.example/api/v1/studies/mine") || !strings.Contains(box.mails[0].Subject, "Käse") || st.roles["ada@example.com"] != study.Admin {
		t.Errorf("%+v", box.mails)
	}
	// Again: written to again.
	if out, _, err = s.Invite(ctx, invite.Request{StudyID: "mine", Emails: []string{"ada@example.com"}, EntireTeam: true}); err != nil || len(out.Invited) != 1 || len(box.mails) != 2 || st.roles["ada@example.com"] != study.Member || !st.team {
		t.Errorf("%+v, %v", out, err)
	}
	if _, _, err := s.Invite(ctx, invite.Request{StudyID: "theirs", Emails: []string{"ada@example.com"}}); !fault.Is(err, fault.NotFound) || len(box.mails) != 2 {
		t.Error(err)
	}
}

// Section 23: 1 to 100 addresses; and an own bound of calls in an hour.
func TestBounds(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	s := invite.New(invite.Deps{Studies: &studies{roles: map[string]study.Role{}}, Accounts: w.Accounts, Mail: &outbox{}})
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprintf("a%d@example.com", i)
	}
	for name, emails := range map[string][]string{
		"none": nil, "101": many, "no address": {"ada"}, "two in one": {"a@example.com,b@example.com"}, "a header": {"a@example.com\r\nBcc: b@example.com"},
		"a name": {"Ada <ada@example.com>"}, "too long": {strings.Repeat("a", 320) + "@example.com"},
	} {
		if _, _, err := s.Invite(ctx, invite.Request{StudyID: "mine", Emails: emails}); !fault.Is(err, fault.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := s.Invite(ctx, invite.Request{StudyID: "mine", Emails: many[:1], Role: "owner"}); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
	if out, _, err := s.Invite(ctx, invite.Request{StudyID: "mine", Emails: append(many[:100:100], "A1@example.com")}); err != nil || len(out.Invited) != 100 {
		t.Errorf("%d, %v", len(out.Invited), err)
	}
	for range 19 {
		if _, _, err := s.Invite(ctx, invite.Request{StudyID: "mine", Emails: many[:1]}); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.Invite(ctx, invite.Request{StudyID: "mine", Emails: many[:1]}); !fault.Is(err, fault.RateLimited) {
		t.Error(err)
	}
	w.Clock.Advance(61 * time.Minute)
	if _, _, err := s.Invite(ctx, invite.Request{StudyID: "mine", Emails: many[:1]}); err != nil {
		t.Error(err)
	}
}

// Without mail the role is given, and nobody is told that somebody was written to.
func TestNoMail_M240(t *testing.T) {
	w := researchtest.New(t)
	st := &studies{roles: map[string]study.Role{}}
	s := invite.New(invite.Deps{Studies: st, Accounts: w.Accounts})
	out, _, err := s.Invite(w.As(t, "lab", account.Team), invite.Request{StudyID: "mine", Emails: []string{"ada@example.com"}})
	if err != nil || len(out.EmailFailures) != 1 || !strings.Contains(out.EmailFailures[0].Reason, "no mail set up") || st.roles["ada@example.com"] != study.Member {
		t.Errorf("%+v, %v", out, err)
	}
}

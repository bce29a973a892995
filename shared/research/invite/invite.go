// Package invite asks people to a Study by mail and gives their addresses a role in
// it (M-240).
package invite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/mail"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

const (
	maxEmails  = 100 // of one call, folded and each once
	maxAddress = 320

	// perHour bounds the calls of an account, so that nobody mails strangers at will.
	perHour = 20
	// sending is how many mails are handed over at once, and within how long.
	sending  = 5
	sendTime = 20 * time.Second
)

// Studies give roles.
type Studies interface {
	Admit(ctx context.Context, id string, addresses []string, role study.Role, team bool) ([]study.Invitee, study.Study, error)
}

// Deps is what a Service works with. Mail nil: nobody is written to, and each
// invitation says so. A nil Log discards.
type Deps struct {
	Studies  Studies
	Accounts *account.Service
	Mail     mail.Sender
	Log      *slog.Logger
}

// Service invites.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d}
}

// Request asks people to a Study.
type Request struct {
	StudyID    string
	Emails     []string
	Role       study.Role // member or admin; empty: member
	EntireTeam bool       // every account of the workspace has the role too
}

// Invited is what came of it. Everybody in Invited has the role from now on, whether
// or not their mail was taken; that it was is no proof of delivery.
type Invited struct {
	Invited        []string  `json:"invited"`
	AlreadyMembers []string  `json:"alreadyMembers"`
	EmailFailures  []Failure `json:"emailFailures"`
}

// Failure is a mail that was not taken, with a text for the caller.
type Failure struct {
	Email  string `json:"email"`
	Reason string `json:"reason"`
}

// Invite gives the addresses the role and writes to each; one that was invited before
// is written to again. The role is for the account of this workspace whose name is the
// address. Owner only. VALIDATION, NOT_FOUND, RATE_LIMITED.
func (s *Service) Invite(ctx context.Context, r Request) (Invited, study.Study, error) {
	addresses, err := check(&r)
	if err != nil {
		return Invited{}, study.Study{}, err
	}
	if err := s.d.Accounts.Slide(ctx, "invitations", perHour, time.Hour); err != nil {
		return Invited{}, study.Study{}, err
	}
	who, st, err := s.d.Studies.Admit(ctx, r.StudyID, addresses, r.Role, r.EntireTeam)
	if err != nil {
		return Invited{}, study.Study{}, err
	}
	out := Invited{Invited: []string{}, AlreadyMembers: []string{}, EmailFailures: []Failure{}}
	for _, w := range who {
		if w.Own {
			out.AlreadyMembers = append(out.AlreadyMembers, w.Address)
			continue
		}
		out.Invited = append(out.Invited, w.Address)
	}
	out.EmailFailures = s.write(ctx, out.Invited, r.Role, st)
	return out, st, nil
}

func check(r *Request) ([]string, error) {
	switch r.Role {
	case study.None:
		r.Role = study.Member
	case study.Member, study.Admin:
	default:
		return nil, fault.New(fault.Validation, "role is %q; it must be member or admin.", r.Role).With("path", "/role")
	}
	seen := map[string]bool{}
	var out []string
	for i, e := range r.Emails {
		a := study.Folded(e)
		if len(a) > maxAddress || mail.CheckAddress(a) != nil {
			return nil, fault.New(fault.Validation, "emails[%d] is not an e-mail address of at most %d bytes, such as ada@example.com. Nobody was invited.", i, maxAddress).With("path", fmt.Sprintf("/emails/%d", i))
		}
		if !seen[a] {
			seen[a] = true
			out = append(out, a)
		}
	}
	if len(out) == 0 || len(out) > maxEmails {
		return nil, fault.New(fault.Validation, "emails holds %d different addresses; 1 to %d are invited at once.", len(out), maxEmails).With("path", "/emails")
	}
	return out, nil
}

// write hands the mails over, and tells which were not taken, in their order.
func (s *Service) write(ctx context.Context, addresses []string, role study.Role, st study.Study) []Failure {
	failed := make([]string, len(addresses))
	if s.d.Mail == nil {
		for i := range failed {
			failed[i] = "This gateway has no mail set up, so nobody was written to. The role is given: send the person the workspace link yourself."
		}
	} else {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTime) // the roles are given: who hangs up stops no mail
		defer cancel()
		var g errgroup.Group
		var once sync.Once
		g.SetLimit(sending)
		for i, to := range addresses {
			g.Go(func() error {
				err := s.d.Mail.Send(ctx, letter(account.From(ctx).Name, to, role, st))
				if err == nil {
					return nil
				}
				once.Do(func() {
					s.d.Log.WarnContext(ctx, "an invitation was not taken by the mail server", "study", st.ID, "error", err)
				})
				if failed[i] = "The mail server did not take the mail at this moment. Invite the address again later."; errors.Is(err, mail.ErrRefused) {
					failed[i] = "The mail server refused this address. Check it."
				}
				return nil
			})
		}
		_ = g.Wait()
	}
	out := []Failure{}
	for i, reason := range failed {
		if reason != "" {
			out = append(out, Failure{Email: addresses[i], Reason: reason})
		}
	}
	return out
}

func letter(from, to string, role study.Role, st study.Study) mail.Mail {
	if from == "" {
		from = "Somebody"
	}
	may := "open it and ask its synthetic respondents"
	if role == study.Admin {
		may = "open it, ask its synthetic respondents and attach Audiences"
	}
	return mail.Mail{
		To: to, Subject: fmt.Sprintf("Invitation to the Study %q", st.Name),
		Text: fmt.Sprintf("%s invites you to the Study %q as %s: you can %s.\n\n%s\n\nThe invitation is for the account of that workspace whose name is this address. If you have none, ask %s for one.\nAll answers in a Study are simulated.\n", from, st.Name, role, may, st.WorkspaceURL, from),
	}
}

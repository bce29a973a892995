package export

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/ticket"
)

// A ticket lets whoever holds a download address fetch that one file for five
// minutes without a credential. It names one job of one Study and opens nothing
// else.

func (s *Service) press() ticket.Press { return ticket.Press{Key: s.d.TicketKey, For: "export"} }

// ticket makes the ticket of a job for a caller, "" when the service has no key
// for it.
func (s *Service) ticket(p account.Principal, r row) string {
	return s.press().Make(p, s.d.Clock.Now().Add(linkTTL), r.StudyID, r.ID)
}

// Redeem proves a ticket for the file of a job and gives the principal to act
// for. Whatever is wrong with it is NOT_FOUND, with the text of a file that does
// not exist.
func (s *Service) Redeem(studyID, jobID, ticket string) (account.Principal, error) {
	p, ok := s.press().Read(ticket, s.d.Clock.Now(), strings.ToLower(studyID), strings.ToLower(jobID))
	if !ok {
		return p, fault.New(fault.NotFound, "This download link is not one of ours, or its five minutes are over. Ask for the export's status to get a new one.")
	}
	p.Scopes = []string{"flows:read"}
	return p, nil
}

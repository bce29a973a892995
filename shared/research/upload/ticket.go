package upload

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/ticket"
)

// A ticket in an address lets whoever holds it send the file of one upload, or
// read it, for some minutes; it opens nothing else.

type purpose string

const (
	sending purpose = "send"
	reading purpose = "read"
)

func (s *Service) press() ticket.Press { return ticket.Press{Key: s.d.Key, For: "upload"} }

// address is where to send or read an upload.
func (s *Service) address(u row, what purpose) string {
	p := account.Principal{Workspace: u.Workspace, Account: u.Owner}
	return s.d.PublicURL + uploadsPath + u.ID + "?ticket=" + s.press().Make(p, s.d.Clock.Now().Add(linkTTL), string(what), u.ID)
}

// redeem proves a ticket and gives the principal to act for. Whatever is wrong
// with it is NOT_FOUND.
func (s *Service) redeem(id, ticket string, what purpose) (account.Principal, error) {
	p, ok := s.press().Read(ticket, s.d.Clock.Now(), string(what), strings.ToLower(id))
	if !ok {
		return p, fault.New(fault.NotFound, "This upload address is not one of ours, or its time is over. A file is sent to uploadUrl with PUT and read from readUrl with GET; ask for new addresses with POST /api/v1/uploads.")
	}
	p.Scopes = []string{}
	return p, nil
}

package export

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// A ticket lets whoever holds a download address fetch that one file for five
// minutes without a credential: a person's browser, to which a model hands the
// address, has none. It is no access token: it names one job of one Study and
// opens nothing else.

// ticket makes the ticket of a job for a caller, "" when the service has no key
// for it.
func (s *Service) ticket(p account.Principal, r row) string {
	if len(s.d.TicketKey) == 0 {
		return ""
	}
	expires := s.d.Clock.Now().Add(linkTTL).Unix()
	claims := p.Workspace + "." + p.Account + "." + strconv.FormatInt(expires, 10)
	return base64.RawURLEncoding.EncodeToString([]byte(claims)) + "." +
		base64.RawURLEncoding.EncodeToString(s.sign(claims, r.StudyID, r.ID))
}

// Redeem proves a ticket for the file of a job and gives the principal to act
// for. Whatever is wrong with it is NOT_FOUND, with the text of a file that does
// not exist.
func (s *Service) Redeem(studyID, jobID, ticket string) (account.Principal, error) {
	refused := fault.New(fault.NotFound, "This download link is not one of ours, or its five minutes are over. Ask for the export's status to get a new one.")
	head, tail, ok := strings.Cut(ticket, ".")
	claims, err1 := base64.RawURLEncoding.DecodeString(head)
	mac, err2 := base64.RawURLEncoding.DecodeString(tail)
	if !ok || err1 != nil || err2 != nil || len(s.d.TicketKey) == 0 ||
		!hmac.Equal(mac, s.sign(string(claims), strings.ToLower(studyID), strings.ToLower(jobID))) {
		return account.Principal{}, refused
	}
	parts := strings.Split(string(claims), ".") // ours, since the signature holds
	expires, err := strconv.ParseInt(parts[len(parts)-1], 10, 64)
	if err != nil || len(parts) != 3 || !s.d.Clock.Now().Before(time.Unix(expires, 0)) {
		return account.Principal{}, refused
	}
	return account.Principal{Workspace: parts[0], Account: parts[1], Scopes: []string{"flows:read"}, Method: "ticket"}, nil
}

// sign binds the claims to one job; lengths count, so that no two lists of
// texts have the same bytes.
func (s *Service) sign(parts ...string) []byte {
	mac := hmac.New(sha256.New, s.d.TicketKey)
	for _, p := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		mac.Write(n[:])
		mac.Write([]byte(p))
	}
	return mac.Sum(nil)
}

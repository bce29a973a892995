package upload

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

// A ticket in an address lets whoever holds it send the file of one upload, or
// read it, for some minutes; it opens nothing else.

type purpose string

const (
	sending purpose = "send"
	reading purpose = "read"
)

// address is where to send or read an upload.
func (s *Service) address(u row, what purpose) string {
	expires := s.d.Clock.Now().Add(linkTTL).Unix()
	claims := u.Workspace + "." + u.Owner + "." + strconv.FormatInt(expires, 10)
	ticket := base64.RawURLEncoding.EncodeToString([]byte(claims)) + "." +
		base64.RawURLEncoding.EncodeToString(s.sign(string(what), claims, u.ID))
	return s.d.PublicURL + uploadsPath + u.ID + "?ticket=" + ticket
}

// redeem proves a ticket and gives the principal to act for. Whatever is wrong
// with it is NOT_FOUND.
func (s *Service) redeem(id, ticket string, what purpose) (account.Principal, error) {
	refused := fault.New(fault.NotFound, "This upload address is not one of ours, or its time is over. A file is sent to uploadUrl with PUT and read from readUrl with GET; ask for new addresses with POST /api/v1/uploads.")
	head, tail, ok := strings.Cut(ticket, ".")
	claims, err1 := base64.RawURLEncoding.Strict().DecodeString(head)
	mac, err2 := base64.RawURLEncoding.Strict().DecodeString(tail)
	if !ok || err1 != nil || err2 != nil || len(s.d.Key) == 0 || len(ticket) > 1024 ||
		!hmac.Equal(mac, s.sign(string(what), string(claims), strings.ToLower(id))) {
		return account.Principal{}, refused
	}
	parts := strings.Split(string(claims), ".") // ours, since the signature holds
	expires, err := strconv.ParseInt(parts[len(parts)-1], 10, 64)
	if err != nil || len(parts) != 3 || !s.d.Clock.Now().Before(time.Unix(expires, 0)) {
		return account.Principal{}, refused
	}
	return account.Principal{Workspace: parts[0], Account: parts[1], Scopes: []string{}, Method: "ticket"}, nil
}

// sign binds the claims to one upload and one purpose; lengths count, so that no
// two lists of texts have the same bytes.
func (s *Service) sign(parts ...string) []byte {
	mac := hmac.New(sha256.New, s.d.Key)
	mac.Write([]byte("mindgate upload v1\n"))
	for _, p := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		mac.Write(n[:])
		mac.Write([]byte(p))
	}
	return mac.Sum(nil)
}

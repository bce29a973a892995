// Package ticket signs addresses, so that whoever holds one may do the one thing
// that it names for some minutes: a person's browser, to which a model hands the
// address, has no credential. A ticket is no access token.
package ticket

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
)

// longest is more than any ticket of ours has, in bytes.
const longest = 1024

// Press makes and reads the tickets of one kind of address.
type Press struct {
	Key []byte // none: no tickets are made, and none is taken
	For string // the kind of address; tickets of one kind are none of another
}

// Make is a ticket that acts for p until it expires, bound to the things named,
// such as an id. "" without a key.
func (s Press) Make(p account.Principal, expires time.Time, bound ...string) string {
	if len(s.Key) == 0 {
		return ""
	}
	claims := p.Workspace + "." + p.Account + "." + strconv.FormatInt(expires.Unix(), 10)
	return base64.RawURLEncoding.EncodeToString([]byte(claims)) + "." + base64.RawURLEncoding.EncodeToString(s.sign(claims, bound))
}

// Read proves a ticket for the things named and tells for whom it acts; false for
// whatever is wrong with it.
func (s Press) Read(ticket string, now time.Time, bound ...string) (account.Principal, bool) {
	head, tail, ok := strings.Cut(ticket, ".")
	claims, err1 := base64.RawURLEncoding.Strict().DecodeString(head)
	mac, err2 := base64.RawURLEncoding.Strict().DecodeString(tail)
	if !ok || err1 != nil || err2 != nil || len(s.Key) == 0 || len(ticket) > longest || !hmac.Equal(mac, s.sign(string(claims), bound)) {
		return account.Principal{}, false
	}
	parts := strings.Split(string(claims), ".") // ours, since the signature holds
	expires, err := strconv.ParseInt(parts[len(parts)-1], 10, 64)
	if err != nil || len(parts) != 3 || !now.Before(time.Unix(expires, 0)) {
		return account.Principal{}, false
	}
	return account.Principal{Workspace: parts[0], Account: parts[1], Method: "ticket"}, true
}

// sign binds the claims to what is named; lengths count, so that no two lists of
// texts have the same bytes.
func (s Press) sign(claims string, bound []string) []byte {
	mac := hmac.New(sha256.New, s.Key)
	for _, p := range append([]string{s.For, claims}, bound...) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		mac.Write(n[:])
		mac.Write([]byte(p))
	}
	return mac.Sum(nil)
}

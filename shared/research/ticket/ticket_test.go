package ticket_test

import (
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/ticket"
)

func TestATicketOpensOneThing(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	press := ticket.Press{Key: []byte("a key of the installation"), For: "upload"}
	made := press.Make(account.Principal{Workspace: "w1", Account: "a1"}, at.Add(time.Minute), "send", "u1")
	if p, ok := press.Read(made, at, "send", "u1"); !ok || p.Workspace != "w1" || p.Account != "a1" || p.Method != "ticket" || len(p.Scopes) != 0 {
		t.Errorf("the right one: %+v, %t", p, ok)
	}
	other := press
	other.For = "export"
	bare := ticket.Press{For: "upload"}
	for name, read := range map[string]func() (account.Principal, bool){
		"another purpose":   func() (account.Principal, bool) { return press.Read(made, at, "read", "u1") },
		"another upload":    func() (account.Principal, bool) { return press.Read(made, at, "send", "u2") },
		"a split elsewhere": func() (account.Principal, bool) { return press.Read(made, at, "sendu", "1") },
		"another kind":      func() (account.Principal, bool) { return other.Read(made, at, "send", "u1") },
		"its time is over":  func() (account.Principal, bool) { return press.Read(made, at.Add(time.Minute), "send", "u1") },
		"a changed byte":    func() (account.Principal, bool) { return press.Read("A"+made[1:], at, "send", "u1") },
		"no key":            func() (account.Principal, bool) { return bare.Read(made, at, "send", "u1") },
		"nothing":           func() (account.Principal, bool) { return press.Read("", at, "send", "u1") },
		"made without a key": func() (account.Principal, bool) {
			return bare.Read(bare.Make(account.Principal{}, at.Add(time.Hour)), at)
		},
	} {
		if _, ok := read(); ok {
			t.Errorf("%s is taken", name)
		}
	}
}

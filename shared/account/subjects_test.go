package account_test

import (
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

const issuer = "https://login.example/pool"

func TestSubjects(t *testing.T) {
	s, _, _ := service(t)
	ctx := t.Context()
	if _, err := s.OfSubject(ctx, issuer, "user-1", ""); !fault.Is(err, fault.Unauthorized) {
		t.Fatalf("an unknown subject: %v", err)
	}
	a, err := s.OfSubject(ctx, issuer, "user-1", account.Free)
	if err != nil || a.Plan != account.Free || a.Workspace == "" {
		t.Fatalf("%+v %v", a, err)
	}
	for _, first := range []account.Plan{"", account.Free, account.Team} {
		again, err := s.OfSubject(ctx, issuer, "user-1", first)
		if err != nil || again.ID != a.ID || again.Plan != account.Free {
			t.Errorf("%q: %+v %v", first, again, err)
		}
	}
	// The same issuer with a slash is the same, another is not; nor does a part
	// of one stand for a part of the other.
	if again, err := s.OfSubject(ctx, issuer+"/", "user-1", ""); err != nil || again.ID != a.ID {
		t.Errorf("%+v %v", again, err)
	}
	for _, other := range [][2]string{{"https://login.example/other", "user-1"}, {issuer, "user-2"}, {"https://login.example", "pool/user-1"}, {issuer + "#user", "1"}} {
		b, err := s.OfSubject(ctx, other[0], other[1], account.Team)
		if err != nil || b.ID == a.ID || b.Workspace == a.Workspace {
			t.Errorf("%v: %+v %v", other, b, err)
		}
	}
}

// First calls that come at once make one account.
func TestFirstSightIsOnce(t *testing.T) {
	s, _, _ := service(t)
	var mu sync.Mutex
	ids := map[string]bool{}
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			a, err := s.OfSubject(t.Context(), issuer, "user-1", account.Free)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			ids[a.ID] = true
			mu.Unlock()
		})
	}
	all.Wait()
	if len(ids) != 1 {
		t.Errorf("%d accounts", len(ids))
	}
}

func TestLinkSubject(t *testing.T) {
	s, _, _ := service(t)
	ctx := t.Context()
	secret, _, err := s.CreateKey(ctx, "lab", account.Team, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.LinkSubject(ctx, "lab", issuer, "user-1"); err != nil {
			t.Fatal(err)
		}
	}
	p, err := s.Authenticate(ctx, secret)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := s.OfSubject(ctx, issuer, "user-1", ""); err != nil || a.ID != p.Account {
		t.Errorf("%+v %v", a, err)
	}
	if _, err := s.OfSubject(ctx, issuer, "user-2", account.Free); err != nil {
		t.Fatal(err)
	}
	if err := s.LinkSubject(ctx, "lab", issuer, "user-2"); err == nil {
		t.Error("took a subject from its account")
	}
	if err := s.LinkSubject(ctx, "nobody", issuer, "user-3"); err == nil {
		t.Error("linked to an account that does not exist")
	}
}

package account_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

func TestAuthenticate(t *testing.T) {
	s, _, _ := service(t)
	ctx := t.Context()
	secret, k, err := s.CreateKey(ctx, "lab", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(secret, "minds_") || len(secret) != len("minds_")+48 {
		t.Fatalf("secret has the form %q", secret)
	}
	if !strings.HasPrefix(secret, k.Prefix) || len(k.Prefix) > 14 {
		t.Errorf("prefix %q", k.Prefix)
	}
	p, err := s.Authenticate(ctx, secret)
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "lab" || p.Plan != account.Team || !p.Has("anything") || p.KeyID != k.ID || p.Method != "api_key" || p.Workspace == "" {
		t.Errorf("principal %+v", p)
	}
	for _, bad := range []string{"", "minds_", secret + "0", strings.ToUpper(secret), "minds_" + strings.Repeat("0", 48)} {
		_, err := s.Authenticate(ctx, bad)
		f := fault.From(err)
		if f.Code != fault.Unauthorized || f.Message != "Unauthorized" || f.Data != nil {
			t.Errorf("%q: %v, want one text for every refusal", bad, err)
		}
	}
}

func TestOnlyTheHashOfAKeyIsStored(t *testing.T) {
	s, _, store := service(t)
	secret, k, err := s.CreateKey(t.Context(), "lab", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := s.ListKeys(t.Context(), "lab")
	if err != nil || len(keys) != 1 || keys[0].ID != k.ID {
		t.Fatalf("keys %v, %v", keys, err)
	}
	it, err := store.Get(t.Context(), recordsKey("key#"+k.Hash, "key"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(it.Body, []byte(secret)) {
		t.Error("the secret stands in the record")
	}
}

func TestLastUseIsStoredAtMostOnceAMinute(t *testing.T) {
	s, c, store := service(t)
	secret, k, err := s.CreateKey(t.Context(), "lab", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	use := func() int64 {
		if _, err := s.Authenticate(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		it, err := store.Get(t.Context(), recordsKey("key#"+k.Hash, "key"))
		if err != nil {
			t.Fatal(err)
		}
		return it.Version
	}
	first := use()
	if again := use(); again != first {
		t.Errorf("a second use in the same minute was written (version %d, %d)", first, again)
	}
	c.Advance(time.Minute)
	if later := use(); later != first+1 {
		t.Errorf("a use a minute later was not written (version %d, %d)", first, later)
	}
}

func TestRevocationHoldsAtOnce_M105(t *testing.T) {
	s, _, _ := service(t)
	ctx := t.Context()
	one, k, _ := s.CreateKey(ctx, "lab", "", nil)
	two, _, err := s.CreateKey(ctx, "lab", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := s.RevokeKey(ctx, "lab", k.ID); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, err := s.Authenticate(ctx, one); !fault.Is(err, fault.Unauthorized) {
		t.Errorf("a revoked key gives %v", err)
	}
	if _, err := s.Authenticate(ctx, two); err != nil {
		t.Errorf("the other key gives %v", err)
	}
	if ok, err := s.RevokeKey(ctx, "lab", k.ID); ok || err != nil {
		t.Errorf("revoked twice: %v, %v", ok, err)
	}
	if _, err := s.RevokeKey(ctx, "nobody", k.ID); !errors.Is(err, account.ErrNoAccount) {
		t.Errorf("unknown account: %v", err)
	}
}

// An existing account gets one more key; its plan changes only when one is named.
func TestCreateKeyOfAnExistingAccount(t *testing.T) {
	s, _, _ := service(t)
	ctx := t.Context()
	first, a, err := s.CreateKey(ctx, "lab", account.Free, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan := func() account.Plan {
		p, err := s.Authenticate(ctx, first)
		if err != nil {
			t.Fatal(err)
		}
		return p.Plan
	}
	_, b, err := s.CreateKey(ctx, " lab ", "", []string{"sparks:read"})
	if err != nil {
		t.Fatal(err)
	}
	if a.Account != b.Account || a.Workspace != b.Workspace || a.ID == b.ID || plan() != account.Free {
		t.Errorf("%+v and %+v, plan %s", a, b, plan())
	}
	if _, _, err := s.CreateKey(ctx, "lab", account.Premium, nil); err != nil || plan() != account.Premium {
		t.Errorf("a named plan: %s, %v", plan(), err)
	}
	if keys, _ := s.ListKeys(ctx, "lab"); len(keys) != 3 {
		t.Errorf("%d keys", len(keys))
	}
	for _, bad := range []struct {
		name   string
		plan   account.Plan
		scopes []string
	}{{"", "", nil}, {strings.Repeat("x", 101), "", nil}, {"a\nb", "", nil}, {"lab", "gold", nil}, {"lab", "", []string{"Sparks Read"}}} {
		if _, _, err := s.CreateKey(ctx, bad.name, bad.plan, bad.scopes); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

func TestBootstrapOwner(t *testing.T) {
	s, _, _ := service(t)
	ctx := t.Context()
	secret := "minds_" + strings.Repeat("ab", 24)
	a, err := s.EnsureBootstrap(ctx, secret)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.EnsureBootstrap(ctx, secret)
	if err != nil || a.ID != b.ID {
		t.Errorf("the same secret again: %v, %v, %v", a.ID, b.ID, err)
	}
	p, err := s.Authenticate(ctx, secret)
	if err != nil || p.Name != "owner" || p.Plan != account.Enterprise {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := s.EnsureBootstrap(ctx, "minds_short"); err == nil {
		t.Error("a key of another form is taken")
	}
}

package host

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
)

func TestIssuer(t *testing.T) {
	if v, err := (Issuer{FirstPlan: "free"}).Verifier("https://gate.example", clock.System{}, nil); err != nil || v != nil {
		t.Errorf("none: %v %v", v, err)
	}
	v, err := (Issuer{URL: "https://login.example/pool", Audience: "a, b", Algorithms: "RS256,ES256"}).Verifier("https://gate.example", clock.System{}, nil)
	if err != nil || v.Issuer() != "https://login.example/pool" {
		t.Error(v, err)
	}
	for what, i := range map[string]Issuer{
		"MINDGATE_OIDC_ISSUER": {Audience: "x"}, "HS256": {URL: "https://login.example", Algorithms: "HS256"},
		"MINDGATE_OIDC_PLAN": {URL: "https://login.example", FirstPlan: "gold"}, "https": {URL: "http://login.example"},
	} {
		if _, err := i.Verifier("https://gate.example", clock.System{}, nil); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v does not name %s", err, what)
		}
	}
	for text, plan := range map[string]account.Plan{"": account.Free, "none": "", "team": account.Team} {
		if p, err := (Issuer{FirstPlan: text}).first(); err != nil || p != plan {
			t.Errorf("%q: %q %v", text, p, err)
		}
	}
}

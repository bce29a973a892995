package account_test

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
)

func TestDefaultPlans_M101(t *testing.T) {
	p := account.DefaultPlans()
	free, team := p.Of(account.Free), p.Of(account.Team)
	if *free.Minds != 3 || *free.Audiences != 1 || *free.AudienceMembers != 3 || *free.Flows != 3 || *free.Responses != 30 || free.Exports {
		t.Errorf("free %+v", free)
	}
	if *team.Minds != 1000 || team.Audiences != nil || *team.AudienceMembers != 300 || *team.Responses != 10000 || !team.ModelConnections {
		t.Errorf("team %+v", team)
	}
	if e := p.Of(account.Enterprise); e.Minds != nil || e.Responses != nil || !e.Exports {
		t.Errorf("enterprise %+v", e)
	}
	if u := p.Of("unheard-of"); *u.Minds != 3 {
		t.Errorf("an unknown plan unlocks %+v", u)
	}
	var zero account.Plans
	if *zero.Of(account.Free).Minds != 3 {
		t.Error("the zero Plans are not the built-in ones")
	}
}

func TestParsePlans(t *testing.T) {
	p, err := account.ParsePlans([]byte(`{"free": {"minds": 5, "responses": null, "exports": true}}`))
	if err != nil {
		t.Fatal(err)
	}
	l := p.Of(account.Free)
	if *l.Minds != 5 || l.Responses != nil || !l.Exports || *l.Audiences != 1 {
		t.Errorf("%+v", l)
	}
	for raw, says := range map[string]string{
		`[]`:                           "JSON object",
		`{"free": {}} {}`:              "after",
		`{"gold": {}}`:                 `"gold"`,
		`{"enterprise": {"minds": 1}}`: "no limits",
		`{"free": null}`:               "null",
		`{"free": {"minds": -1}}`:      "free.minds",
		`{"free": {"minds": 1.5}}`:     "whole number",
		`{"free": {"exports": "yes"}}`: "true or false",
		`{"free": {"exports": null}}`:  "true or false",
		`{"free": {"mindz": 1}}`:       "audienceMembers",
	} {
		if _, err := account.ParsePlans([]byte(raw)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want a text with %q", raw, err, says)
		}
	}
}

func TestResponsesOverride(t *testing.T) {
	p, err := account.LoadPlans("", " 7 ")
	if err != nil || *p.Of(account.Team).Responses != 7 || p.Of(account.Enterprise).Responses != nil {
		t.Errorf("%+v, %v", p.Of(account.Team), err)
	}
	for _, bad := range []string{"x", "-1", "1.5"} {
		if _, err := account.LoadPlans("", bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if _, err := account.LoadPlans("/no/such/file", ""); err == nil {
		t.Error("a missing file is taken")
	}
}

func FuzzParsePlans(f *testing.F) {
	f.Add([]byte(`{"free": {"minds": 5}}`))
	f.Add([]byte(`{"team":{"responses":null}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := account.ParsePlans(raw)
		if err != nil {
			return
		}
		if l := p.Of(account.Free); l.Minds != nil && *l.Minds < 0 {
			t.Fatalf("a negative limit came through: %s", raw)
		}
	})
}

package restapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Who has the link of a Mind sees what its patterns are about, and no quote of its
// sources; the link alone shows them, and only while sharing is on (M-3, M-4).
func TestPatternsOfASharedMind_M4(t *testing.T) {
	g := at(t)
	p, err := g.world.Accounts.Authenticate(t.Context(), g.key)
	if err != nil {
		t.Fatal(err)
	}
	ctx := account.With(t.Context(), p)
	made, err := g.world.Minds.Create(ctx, mind.CreateRequest{Name: "Ada", Mode: "manual", LinkSharing: true})
	if err != nil {
		t.Fatal(err)
	}
	m := made.Mind
	if _, err := g.world.Knowledge.Add(ctx, knowledge.AddRequest{MindID: m.ID, Text: "I always drink oat milk from Zanzibar at six in the morning."}); err != nil {
		t.Fatal(err)
	}
	g.world.Run(t)
	url := "/api/v1/minds/" + m.ID + "/patterns"
	read := func(url, key string) (int, []map[string]any, string) {
		t.Helper()
		g.key = key
		code, body := g.do("GET", url, "")
		var out struct{ Data []map[string]any }
		_ = json.Unmarshal([]byte(body), &out)
		return code, out.Data, body
	}
	owner := g.key
	if code, rows, body := read(url, owner); code != 200 || len(rows) == 0 || !strings.Contains(body, "six in the morning") {
		t.Fatalf("its owner: %d %s", code, body)
	}
	for _, key := range []string{"", owner} {
		code, rows, body := read(url+"?share="+m.PublicShareID, key)
		if code != 200 || len(rows) == 0 || strings.Contains(body, "six in the morning") || strings.Contains(body, "createdAt") {
			t.Fatalf("by the link: %d %s", code, body)
		}
		for _, r := range rows {
			if len(r) != 4 || r["mind"] != m.ID || r["aspect"] == "" {
				t.Errorf("%v", r)
			}
		}
	}
	other, _, err := g.world.Accounts.CreateKey(t.Context(), "other", account.Team, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		url, key string
		code     int
	}{
		"no credential": {url, "", 401}, "another tenant": {url, other, 404}, "an empty share id": {url + "?share=", "", 404},
		"no share id of ours": {url + "?share=" + someID, other, 404},
	} {
		if code, _, body := read(tt.url, tt.key); code != tt.code {
			t.Errorf("%s: %d %s", name, code, body)
		}
	}
	off := false
	if _, err := g.world.Minds.Update(ctx, m.ID, mind.Patch{LinkSharing: &off}); err != nil {
		t.Fatal(err)
	}
	if code, _, body := read(url+"?share="+m.PublicShareID, ""); code != 404 {
		t.Errorf("sharing is off: %d %s", code, body)
	}
}

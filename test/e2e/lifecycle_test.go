package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// hint is one frame of a stream.
type hint struct {
	name, id string
	data     struct {
		Domains []string `json:"domains"`
		IDs     []string `json:"ids"`
		Cursor  string   `json:"cursor"`
	}
}

// hints connects to the stream of an account.
func hints(t *testing.T, s *gateway.Server, key, after string) (<-chan hint, func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, "GET", s.URL+"/api/v1/audiences/lifecycle/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	if after != "" {
		req.Header.Set("Last-Event-ID", after)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	h := resp.Header
	if resp.StatusCode != 200 || h.Get("Content-Type") != "text/event-stream" || h.Get("Cache-Control") != "no-store" || h.Get("X-Accel-Buffering") != "no" {
		t.Fatalf("%d %v", resp.StatusCode, h)
	}
	out := make(chan hint, 1000)
	go func() {
		defer close(out)
		defer resp.Body.Close()
		var e hint
		retry := false
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			field, value, _ := strings.Cut(lines.Text(), ": ")
			switch field {
			case "retry":
				retry = value == "2000"
			case "id":
				e.id = value
			case "event":
				e.name = value
			case "data":
				_ = json.Unmarshal([]byte(value), &e.data)
			case "":
				if e.name != "" && retry && e.id == e.data.Cursor {
					out <- e
				}
				e = hint{}
			}
		}
	}()
	return out, cancel
}

// until gives the first event that fits.
func until(t *testing.T, events <-chan hint, what string, fits func(hint) bool) hint {
	t.Helper()
	end := time.After(patience)
	for {
		select {
		case e, open := <-events:
			if !open {
				t.Fatalf("the stream ended before %s", what)
			}
			if fits(e) {
				return e
			}
		case <-end:
			t.Fatalf("no %s", what)
		}
	}
}

// The stream tells what changed by whichever front, takes up behind a
// Last-Event-ID, and never tells anything of another account (M-290, M-291).
func TestTheLifecycleStream(t *testing.T) {
	s := start(t)
	events, leave := hints(t, s, s.Key, "")
	defer leave()
	until(t, events, "connected", func(e hint) bool { return e.name == "connected" && e.id != "" })

	c := s.MCP(t)
	a := settledBrief(t, c, fields{"brief": "Nurses in Spain", "memberCount": 3, "includeWebSearch": false})
	id, _ := a.At("audience", "id").(string)
	told := map[string]bool{}
	last := until(t, events, "the news of a creation", func(e hint) bool {
		for _, d := range e.data.Domains {
			told[d] = e.name == "invalidate"
		}
		return told["audience_drafts"] && told["audiences"] && told["minds"]
	})
	leave()

	s.Must(t, 200, "PUT", "/api/v1/audiences/"+id, fields{"name": "Nurses of Spain"})
	events, leave = hints(t, s, s.Key, last.id)
	defer leave()
	until(t, events, "what was missed", func(e hint) bool {
		return e.name == "invalidate" && strings.Contains(strings.Join(e.data.Domains, " "), "audiences")
	})
	events, leave = hints(t, s, s.Key, "not a cursor")
	defer leave()
	until(t, events, "everything", func(e hint) bool { return e.name == "invalidate" && len(e.data.Domains) == 3 && e.data.IDs == nil })

	s.Must(t, 401, "GET", "/api/v1/audiences/lifecycle/stream", nil, "Authorization", "Bearer minds_wrong")
}

// Everything else an owner does with an Audience, over REST, held to the contract's
// shapes; what happens is the same over MCP.
func TestWhatOwnersDoWithAudiences(t *testing.T) {
	s := start(t)
	c := s.MCP(t)
	at := "/api/v1/audiences/"
	a := settledBrief(t, c, fields{"brief": "Nurses in Spain", "memberCount": 4, "includeWebSearch": false})
	id, _ := a.At("audience", "id").(string)
	mind := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ada", "mode": "manual", "includeWebSearch": false, "personaContext": "Age: 34"}).Text("data", "id")

	up := s.Must(t, 200, "PUT", at+id, fields{"name": " Nurses of Spain ", "isPublic": true})
	gateway.Shape(t, "updateAudience", up)
	share := up.Text("data", "publicShareId")
	if up.Text("data", "name") != "Nurses of Spain" || share == "" || up.Text("data", "currentMemberRole") != "owner" {
		t.Errorf("%s", up.Body)
	}
	shown := s.Must(t, 200, "GET", "/api/v1/shared/audiences/"+share, nil, "Authorization", "")
	if shown.Header.Get("Cache-Control") != "no-store" || shown.Text("data", "name") != "Nurses of Spain" || strings.Contains(string(shown.Body), "systemPrompt") || strings.Contains(string(shown.Body), "currentMemberRole") {
		t.Errorf("%v %s", shown.Header, shown.Body)
	}
	back := s.Must(t, 200, "PUT", at+id, fields{"name": "Nurses", "isPublic": false})
	if back.At("data", "publicShareId") != nil {
		t.Errorf("M-4: %s", back.Body)
	}
	s.Must(t, 404, "GET", "/api/v1/shared/audiences/"+share, nil, "Authorization", "")
	s.Must(t, 400, "PUT", at+id, fields{"name": "  "})
	s.Must(t, 400, "PUT", at+id, fields{"isPublic": true})

	gateway.Shape(t, "followAudience", s.Must(t, 200, "POST", at+id+"/follow", nil))
	gateway.Shape(t, "unfollowAudience", s.Must(t, 200, "DELETE", at+id+"/follow", nil))
	list := s.Must(t, 200, "GET", at+"library?search=nurs&sort=name&direction=asc&limit=1&mode=summary&fresh=1&ids="+id, nil)
	gateway.Shape(t, "listAudienceLibrary", list)
	if rows, _ := list.At("data").([]any); len(rows) != 1 || list.At("pageInfo", "nextCursor") != nil {
		t.Errorf("%s", list.Body)
	}
	gateway.Shape(t, "listActiveAudienceProgress", s.Must(t, 200, "GET", at+"active-progress", nil))

	add := s.Must(t, 200, "POST", at+id+"/members", fields{"mindIds": []string{mind, mind}})
	gateway.Shape(t, "addAudienceMembers", add)
	if add.At("data", "added") != 1.0 {
		t.Errorf("%s", add.Body)
	}
	s.Must(t, 400, "POST", at+id+"/members", fields{})
	s.Must(t, 400, "POST", at+id+"/members", fields{"mindIds": []string{}})
	s.Must(t, 404, "POST", at+id+"/members", fields{"mindId": "550e8400-e29b-41d4-a716-446655440000"})
	images := s.Must(t, 200, "POST", at+id+"/regenerate-images", fields{"dry": true, "force": true})
	gateway.Shape(t, "regenerateAudienceImages", images)
	if images.At("data", "candidates").(float64) > 5 || images.At("data", "enqueued") != 0.0 {
		t.Errorf("%s", images.Body)
	}
	s.Must(t, 204, "DELETE", at+id+"/members/"+mind, nil)
	s.Must(t, 204, "DELETE", at+id+"/members/"+mind, nil)

	gateway.Eventually(t, patience, "the training", func() bool {
		return c.Must(t, "manage_audience", fields{"action": "get_progress", "audienceId": id}).At("progress", "settled") == true
	})
	made := s.Must(t, 201, "POST", at+id+"/duplicate", fields{"name": "Copy"}, "Idempotency-Key", "one")
	gateway.Shape(t, "duplicateAudience", made)
	dup := made.Text("data", "id")
	if dup == id || made.Text("idempotencyKey") != "one" || made.At("data", "mindCount") != 4.0 {
		t.Errorf("%s", made.Body)
	}
	if again := s.Must(t, 200, "POST", at+id+"/duplicate", fields{"name": "Copy", "idempotencyKey": "two"}, "Idempotency-Key", "one"); again.Text("data", "id") != dup {
		t.Errorf("header over body: %s", again.Body)
	}
	if clash := s.Must(t, 409, "POST", at+id+"/duplicate", fields{"name": "Other", "idempotencyKey": "one"}); clash.Text("data", "code") != "IDEMPOTENCY_CONFLICT" {
		t.Errorf("%s", clash.Body)
	}
	gateway.Eventually(t, patience, "the copy", func() bool { return s.Must(t, 200, "GET", at+dup, nil).Text("data", "state") == "ready" })

	study := c.Must(t, "ask_audience", fields{"audienceId": id, "question": "Do you drink tea at work?"})
	studyID, _ := study.At("studyId").(string)
	gateway.Eventually(t, patience, "the answers", func() bool {
		return s.Must(t, 200, "GET", "/api/v1/runs/"+study.Text("runId"), nil).Text("data", "status") == "completed"
	})
	s.Must(t, 204, "DELETE", at+id, nil)
	s.Must(t, 404, "DELETE", at+id, nil)
	gateway.Eventually(t, patience, "the members to go", func() bool {
		return s.Must(t, 200, "GET", "/api/v1/minds", nil).At("pagination", "total") == 5.0 // the copy's four, and Ada
	})
	kept := c.Must(t, "get_study_status", fields{"studyId": studyID})
	if !strings.Contains(string(kept.Body), "Nurses (deleted)") || !strings.Contains(string(kept.Body), `"answeredCount":4`) {
		t.Errorf("a Study keeps its answers: %s", kept.Body)
	}
}

package e2e

import (
	"bytes"
	"encoding/json"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// The life of Minds over REST, every answer held to its shape in the contract.
func TestMindsOverREST(t *testing.T) {
	s := start(t)
	make := func(name string) string {
		return s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": name, "mode": "clone", "includeWebSearch": false,
			"personaContext": "Age: 34\nGender: Female\nRegion: Pacific"}).Text("data", "id")
	}
	ada, eve := make("Ada"), make("Eve")
	ready(t, s, ada)
	ready(t, s, eve)
	at := "/api/v1/minds/" + ada

	// What has a wrong type is ignored, what is unknown too, and nothing to change
	// is refused.
	up := s.Must(t, 200, "PUT", at, fields{"name": "Ada Two", "description": 5, "type": "robot", "isPublic": true, "tags": []string{"b2b"}, "isLinkSharingEnabled": true})
	gateway.Shape(t, "updateMind", up)
	if up.Text("data", "name") != "Ada Two" || up.Text("data", "type") != "creative" || up.At("data", "isPublic") != false || up.At("data", "description") != "" {
		t.Errorf("%s", up.Body)
	}
	s.Must(t, 200, "PUT", at, fields{"isPublic": true})
	s.Must(t, 400, "PUT", at, fields{"unknown": 1, "name": 7})
	s.Must(t, 400, "PUT", at, fields{"name": "x", "sourcePolicy": "web"})
	s.Must(t, 404, "PUT", "/api/v1/minds/550e8400-e29b-41d4-a716-446655440000", fields{"name": "x"})

	library := s.Must(t, 200, "GET", "/api/v1/minds/library?limit=1&sort=name&direction=asc", nil)
	gateway.Shape(t, "listMindLibrary", library)
	next := s.Must(t, 200, "GET", "/api/v1/minds/library?limit=1&sort=name&direction=asc&after="+library.Text("pageInfo", "nextCursor"), nil)
	if rows, _ := next.At("data").([]any); len(rows) != 1 || next.At("pageInfo", "nextCursor") != nil {
		t.Errorf("second page: %s", next.Body)
	}
	s.Must(t, 200, "GET", "/api/v1/minds/library?ids="+ada+","+eve, nil)
	s.Must(t, 400, "GET", "/api/v1/minds/library?ids="+strings.Repeat(ada+",", 101), nil)
	gateway.Shape(t, "listMindPatterns", s.Must(t, 200, "GET", at+"/patterns", nil))

	share := up.Text("data", "publicShareId")
	open := s.Must(t, 200, "GET", "/api/v1/shared/minds/"+share, nil, "Authorization", "")
	if strings.Contains(string(open.Body), "systemPrompt") || open.Text("data", "name") != "Ada Two" {
		t.Errorf("behind the link: %s", open.Body)
	}
	gateway.Eventually(t, patience, "a portrait", func() bool {
		return s.Must(t, 200, "GET", at, nil).At("data", "profileImageUrl") != nil
	})
	portrait := s.Must(t, 200, "GET", at, nil)
	if portrait.Text("data", "profileImageAlt") == "" {
		t.Error("a portrait without an alternative text")
	}
	mine := get(t, portrait.Text("data", "profileImageUrl"), "Authorization", "Bearer "+s.Key)
	if pic, err := png.Decode(bytes.NewReader(mine.body)); err != nil || pic.Bounds().Dx() != 512 || mine.kind != "image/png" {
		t.Errorf("%s of %d bytes: %v", mine.kind, len(mine.body), err)
	}
	shown := s.Must(t, 200, "GET", "/api/v1/shared/minds/"+share, nil, "Authorization", "")
	if got := get(t, shown.Text("data", "profileImageUrl"), "Accept", "image/svg+xml"); got.kind != "image/svg+xml" || !strings.Contains(string(got.body), "<svg") || got.cache != "no-store" {
		t.Errorf("behind the link: %s, %s", got.kind, got.cache)
	}
	if got := get(t, portrait.Text("data", "profileImageUrl")); got.status != 401 {
		t.Errorf("without a credential: %d", got.status)
	}
	s.Must(t, 200, "PUT", at, fields{"isLinkSharingEnabled": false})
	s.Must(t, 404, "GET", "/api/v1/shared/minds/"+share, nil, "Authorization", "")
	if got := get(t, shown.Text("data", "profileImageUrl")); got.status != 404 {
		t.Errorf("after sharing: %d", got.status)
	}

	kept := s.Must(t, 200, "POST", at+"/regenerate-image", nil)
	gateway.Shape(t, "regenerateMindImage", kept)
	if kept.At("data", "enqueued") != false || kept.Text("data", "skippedReason") == "" {
		t.Errorf("the skip rule: %s", kept.Body)
	}
	if a := s.Must(t, 200, "POST", at+"/regenerate-image", fields{"force": true, "personaContext": "  "}); a.At("data", "enqueued") != true {
		t.Errorf("with force: %s", a.Body)
	}
	gateway.Shape(t, "regenerateMindEmbeddings", s.Must(t, 202, "POST", at+"/regenerate-embeddings", nil))
	again := s.Must(t, 200, "POST", at+"/retrain", nil)
	gateway.Shape(t, "retrainMind", again)
	if again.At("readyToChat") != false {
		t.Errorf("M-23: %s", again.Body)
	}
	ready(t, s, ada)

	audience := s.Must(t, 201, "POST", "/api/v1/audiences", fields{"name": "Both", "mindIds": []string{ada, eve}}).Text("data", "id")
	study := s.Must(t, 201, "POST", "/api/v1/studies", fields{"name": "Drinks", "audienceIds": []string{audience}}).Text("data", "id")
	ask := func(question, key string) int {
		run := s.Must(t, 202, "POST", "/api/v1/studies/"+study+"/runs", fields{"question": question, "clientRequestId": key}).Text("data", "runId")
		if done := settled(t, s, run); done.Text("data", "status") != "completed" {
			t.Fatalf("%s", done.Body)
		}
		return strings.Count(string(s.Must(t, 200, "GET", "/api/v1/studies/"+study+"/messages/"+lastMessage(t, s, study)+"/answers", nil).Body), `"mindId"`)
	}
	if n := ask("Do you drink tea? (Yes / No)", "550e8400-e29b-41d4-a716-446655440001"); n != 2 {
		t.Errorf("%d answers of two Minds", n)
	}
	first := lastMessage(t, s, study)
	if a := s.Must(t, 204, "DELETE", at, nil); len(a.Body) != 0 {
		t.Errorf("204 with a body: %s", a.Body)
	}
	s.Must(t, 404, "DELETE", at, nil)
	s.Must(t, 404, "GET", at+"/training", nil)
	gateway.Eventually(t, patience, "the Audience without it", func() bool {
		return s.Must(t, 200, "GET", "/api/v1/audiences/"+audience, nil).At("data", "mindCount") == 1.0
	})
	// M-1: the Study goes on, with the answers that it has and the Minds that are left.
	if n := strings.Count(string(s.Must(t, 200, "GET", "/api/v1/studies/"+study+"/messages/"+first+"/answers", nil).Body), `"mindId"`); n != 2 {
		t.Errorf("%d answers are left of two", n)
	}
	if n := ask("Do you drink coffee? (Yes / No)", "550e8400-e29b-41d4-a716-446655440002"); n != 1 {
		t.Errorf("%d answers of the one that is left", n)
	}
	many := s.Must(t, 200, "DELETE", "/api/v1/minds", fields{"mindIds": []string{eve, ada}})
	gateway.Shape(t, "deleteMinds", many)
	if many.At("data", "deletedCount") != 1.0 || many.At("data", "failedCount") != 1.0 || !strings.Contains(string(many.Body), `"not_found"`) {
		t.Errorf("%s", many.Body)
	}
	s.Must(t, 400, "DELETE", "/api/v1/minds", fields{"mindIds": []string{}})

	usage := s.Must(t, 200, "GET", "/api/v1/usage", nil)
	gateway.Shape(t, "getUsage", usage)
	var read struct {
		Data struct {
			PeriodEnd  string
			Allowances []struct {
				LimitType string
				Limit     *int64
				Current   int64
			}
		}
	}
	if err := json.Unmarshal(usage.Body, &read); err != nil || read.Data.PeriodEnd == "" {
		t.Fatalf("%s", usage.Body)
	}
	for _, a := range read.Data.Allowances {
		if a.LimitType == "minds" && a.Current != 0 {
			t.Errorf("deleted Minds are counted: %s", usage.Body)
		}
	}
}

// lastMessage is the newest question of a Study.
func lastMessage(t *testing.T, s *gateway.Server, study string) string {
	t.Helper()
	var whole struct {
		Data struct{ Messages []struct{ ID string } }
	}
	if err := json.Unmarshal(s.Must(t, 200, "GET", "/api/v1/studies/"+study, nil).Body, &whole); err != nil || len(whole.Data.Messages) == 0 {
		t.Fatalf("no questions: %v", err)
	}
	return whole.Data.Messages[len(whole.Data.Messages)-1].ID
}

type file struct {
	status      int
	kind, cache string
	body        []byte
}

// get fetches an address as a browser would.
func get(t *testing.T, url string, headers ...string) file {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return file{res.StatusCode, res.Header.Get("Content-Type"), res.Header.Get("Cache-Control"), body}
}

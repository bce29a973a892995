package e2e

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// upload makes a multipart body of one file.
func upload(t *testing.T, name, content string, values ...string) (io.Reader, string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(part, content); err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(values); i += 2 { // after the file on purpose
		if err := w.WriteField(values[i], values[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &b, w.FormDataContentType()
}

func ready(t *testing.T, s *gateway.Server, mind string) {
	t.Helper()
	gateway.Eventually(t, patience, "training of "+mind, func() bool {
		a := s.Must(t, 200, "GET", "/api/v1/minds/"+mind+"/training", nil)
		gateway.Shape(t, "getMindTrainingStatus", a)
		return a.At("readyToChat") == true
	})
}

func know(t *testing.T, s *gateway.Server, mind, name, content string) {
	t.Helper()
	body, kind := upload(t, name, content, "description", "published shares", "regeneratePrompt", "false")
	item := s.Must(t, 202, "POST", "/api/v1/minds/"+mind+"/knowledge", body, "Content-Type", kind)
	gateway.Shape(t, "addMindKnowledge", item)
	if item.Text("data", "description") != "published shares" {
		t.Errorf("a field after the file was lost: %s", item.Body)
	}
	gateway.Eventually(t, patience, "knowledge of "+mind, func() bool {
		a := s.Must(t, 200, "GET", "/api/v1/minds/"+mind+"/knowledge/"+item.Text("data", "id")+"/status", nil)
		gateway.Shape(t, "getMindKnowledgeItemStatus", a)
		if a.Text("data", "status") == "failed" {
			t.Fatalf("knowledge failed: %s", a.Body)
		}
		return a.At("data", "readyForRetrieval") == true
	})
}

func settled(t *testing.T, s *gateway.Server, run string) gateway.Answer {
	t.Helper()
	var a gateway.Answer
	gateway.Eventually(t, patience, "run "+run, func() bool {
		a = s.Must(t, 200, "GET", "/api/v1/runs/"+run, nil)
		gateway.Shape(t, "getAgentRun", a)
		switch a.Text("data", "status") {
		case "completed", "partial", "failed":
			return true
		}
		return false
	})
	return a
}

// The main job over REST, every answer held to its shape in the contract.
func TestVerticalOverREST(t *testing.T) {
	s := start(t)
	me := s.Must(t, 200, "GET", "/api/v1/auth/me", nil)
	gateway.Shape(t, "getAuthenticatedUser", me)

	var minds []string
	for i, age := range []int{22, 37, 48, 63} {
		made := s.Must(t, 201, "POST", "/api/v1/minds", fields{
			"name": fmt.Sprintf("Respondent %d", i), "mode": "clone",
			"personaContext": fmt.Sprintf("Age: %d\nGender: Female\nRegion: Pacific\nEducation: Bachelor degree", age),
		})
		gateway.Shape(t, "createMind", made)
		minds = append(minds, made.Text("data", "id"))
	}
	for _, id := range minds {
		ready(t, s, id)
		know(t, s, id, "steak.json", published)
	}
	list := s.Must(t, 200, "GET", "/api/v1/minds?limit=3", nil)
	gateway.Shape(t, "listMinds", list)
	if list.At("pagination", "total") != 4.0 || list.At("pagination", "limit") != 3.0 {
		t.Errorf("pagination: %v", list.At("pagination"))
	}
	gateway.Shape(t, "getMind", s.Must(t, 200, "GET", "/api/v1/minds/"+strings.ToUpper(minds[0]), nil))
	gateway.Shape(t, "listMindKnowledge", s.Must(t, 200, "GET", "/api/v1/minds/"+minds[0]+"/knowledge", nil))
	said := s.Must(t, 200, "POST", "/api/v1/minds/"+minds[0]+"/completion", fields{"messages": []fields{{"role": "user", "content": "How old are you?"}}})
	gateway.Shape(t, "createMindCompletion", said)

	// M-21: a manual Mind is not ready until its prompt is made.
	manual := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "By hand", "mode": "manual", "description": "A careful cook."}).Text("data", "id")
	s.Must(t, 409, "POST", "/api/v1/minds/"+manual+"/completion", fields{"messages": []fields{{"role": "user", "content": "Hello"}}})
	gateway.Shape(t, "regenerateMindPrompt", s.Must(t, 200, "POST", "/api/v1/minds/"+manual+"/regenerate-prompt", nil))
	ready(t, s, manual)

	audience := s.Must(t, 201, "POST", "/api/v1/audiences", fields{"name": "Steak eaters", "mindIds": minds}, "x-minds-idempotency-key", "a1")
	gateway.Shape(t, "createAudience", audience)
	again := s.Must(t, 200, "POST", "/api/v1/audiences", fields{"name": "Steak eaters", "mindIds": minds}, "x-minds-idempotency-key", "a1")
	if again.Text("data", "id") != audience.Text("data", "id") {
		t.Error("the key made a second Audience")
	}
	gateway.Shape(t, "listAudiences", s.Must(t, 200, "GET", "/api/v1/audiences", nil))
	gateway.Shape(t, "getAudience", s.Must(t, 200, "GET", "/api/v1/audiences/"+audience.Text("data", "id"), nil))

	study := s.Must(t, 201, "POST", "/api/v1/studies", fields{"name": "Steak", "audienceIds": []string{audience.Text("data", "id")}})
	gateway.Shape(t, "createStudy", study)
	id := study.Text("data", "id")
	ask := fields{"question": steak, "clientRequestId": "550e8400-e29b-41d4-a716-446655440000"}
	run := s.Must(t, 202, "POST", "/api/v1/studies/"+id+"/runs", ask)
	gateway.Shape(t, "createStudyRun", run)
	if again := s.Must(t, 202, "POST", "/api/v1/studies/"+id+"/runs", ask); again.Text("data", "runId") != run.Text("data", "runId") {
		t.Error("the request id started a second run")
	}
	done := settled(t, s, run.Text("data", "runId"))
	if done.Text("data", "status") != "completed" {
		t.Fatalf("run: %s", done.Body)
	}
	gateway.Shape(t, "listStudyRuns", s.Must(t, 200, "GET", "/api/v1/studies/"+id+"/runs", nil))
	gateway.Shape(t, "listAgentRunEvents", s.Must(t, 200, "GET", "/api/v1/runs/"+run.Text("data", "runId")+"/events", nil))
	whole := s.Must(t, 200, "GET", "/api/v1/studies/"+id, nil)
	gateway.Shape(t, "getStudy", whole)
	messages, _ := whole.At("data", "messages").([]any)
	if len(messages) != 1 {
		t.Fatalf("messages: %s", whole.Body)
	}
	message, _ := messages[0].(map[string]any)["id"].(string)
	answers := s.Must(t, 200, "GET", "/api/v1/studies/"+id+"/messages/"+message+"/answers", nil)
	gateway.Shape(t, "getStudyMessageAnswers", answers)
	if n := strings.Count(string(answers.Body), `"evidenceState":"grounded"`); n != 4 {
		t.Errorf("%d of 4 answers are grounded: %s", n, answers.Body)
	}
	analytics := s.Must(t, 200, "GET", "/api/v1/studies/"+id+"/analytics", nil)
	gateway.Shape(t, "getStudyAnalytics", analytics)

	for _, file := range []struct{ kind, format, holds string }{{"full_report", "md", "#"}, {"raw_data", "csv", ","}} {
		var job gateway.Answer
		gateway.Eventually(t, patience, "export "+file.format, func() bool {
			job = s.Must(t, 200, "POST", "/api/v1/studies/"+id+"/export", fields{"kind": file.kind, "format": file.format})
			gateway.Shape(t, "exportStudy", job)
			return job.Text("data", "status") == "completed"
		})
		query := "?jobId=" + job.Text("data", "jobId") + "&kind=" + file.kind + "&format=" + file.format
		gateway.Shape(t, "getStudyExportStatus", s.Must(t, 200, "GET", "/api/v1/studies/"+id+"/export-status"+query, nil))
		link := s.Must(t, 302, "GET", "/api/v1/studies/"+id+"/export-download"+query, nil).Header.Get("Location")
		got := s.Must(t, 200, "GET", strings.TrimPrefix(link, s.URL), nil, "Authorization", "")
		if !strings.Contains(string(got.Body), file.holds) || !strings.Contains(got.Header.Get("Content-Disposition"), "."+file.format) {
			t.Errorf("%s: %q, %.80s", file.format, got.Header.Get("Content-Disposition"), got.Body)
		}
		// The address that status shows works in a browser, without a credential.
		shown := strings.TrimPrefix(job.Text("data", "downloadUrl"), s.URL)
		there := s.Must(t, 302, "GET", shown, nil, "Authorization", "").Header.Get("Location")
		if same := s.Must(t, 200, "GET", strings.TrimPrefix(there, s.URL), nil, "Authorization", ""); string(same.Body) != string(got.Body) {
			t.Errorf("%s by ticket: %.80s", file.format, same.Body)
		}
		s.Must(t, 404, "GET", strings.Replace(shown, id, "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172", 1), nil, "Authorization", "")
	}
	usage := s.Must(t, 200, "GET", "/api/v1/usage", nil)
	gateway.Shape(t, "getUsage", usage)
}

// The front door: paths, methods, headers, documents.
func TestFrontDoor(t *testing.T) {
	s := start(t)
	health := s.Must(t, 200, "GET", "/healthz", nil, "Authorization", "")
	gateway.Shape(t, "health", health)
	lost := s.Must(t, 404, "GET", "/api/v1/nothing", nil)
	if lost.Text("data", "code") != "NOT_FOUND" || lost.At("error") != true || lost.Header.Get("Content-Type") != "application/json" {
		t.Errorf("unknown path: %v %s", lost.Header, lost.Body)
	}
	wrong := s.Must(t, 405, "PATCH", "/api/v1/minds", nil)
	if wrong.Text("data", "code") != "METHOD_NOT_ALLOWED" || !strings.Contains(wrong.Header.Get("Allow"), "POST") {
		t.Errorf("wrong method: %v %s", wrong.Header, wrong.Body)
	}
	list := s.Must(t, 200, "GET", "/api/v1/minds", nil)
	if list.Header.Get("Cache-Control") != "private, no-store" || list.Header.Get("X-Request-Id") == "" {
		t.Errorf("headers: %v", list.Header)
	}
	for _, path := range []string{"/openapi.json", "/api/v1/openapi.json", "/_openapi.json"} {
		doc := s.Must(t, 200, "GET", path, nil, "Authorization", "")
		if doc.Text("openapi") != "3.1.0" {
			t.Errorf("%s: %.80s", path, doc.Body)
		}
	}
	for _, path := range []string{"/", "/docs"} {
		page := s.Must(t, 200, "GET", path, nil, "Authorization", "")
		if !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") || bytes.Contains(page.Body, []byte("<script")) {
			t.Errorf("%s: %v", path, page.Header)
		}
	}
	s.Must(t, 404, "GET", "/download/abc", nil, "Authorization", "")
}

// Keys over REST: shown once, listed without the secret, revoked at once.
func TestKeysOverREST(t *testing.T) {
	s := start(t)
	made := s.Must(t, 201, "POST", "/api/v1/api-keys", fields{"name": "  pipeline "})
	gateway.Shape(t, "createApiKey", made)
	list := s.Must(t, 200, "GET", "/api/v1/api-keys", nil)
	gateway.Shape(t, "listApiKeys", list)
	if strings.Contains(string(list.Body), made.Text("key")) {
		t.Error("the list shows a secret")
	}
	auth := []string{"Authorization", "Bearer " + made.Text("key")}
	s.Must(t, 200, "GET", "/api/v1/minds", nil, auth...)
	s.Must(t, 204, "DELETE", "/api/v1/api-keys/"+made.Text("id"), nil)
	refused := s.Must(t, 401, "GET", "/api/v1/minds", nil, auth...)
	if _, has := refused.JSON["data"]; has || refused.Text("message") != "Unauthorized" || refused.Header.Get("Content-Type") != "application/json" {
		t.Errorf("401: %s", refused.Body)
	}
	s.Must(t, 404, "DELETE", "/api/v1/api-keys/"+made.Text("id"), nil)
	s.Must(t, 400, "DELETE", "/api/v1/api-keys/x", nil)
}

// The rate is counted an account, reported in headers, and refused with the
// time to wait (M-106).
func TestRate(t *testing.T) {
	s := start(t, "MINDGATE_RATE_PER_MINUTE=3")
	var last gateway.Answer
	for range 4 {
		var err error
		if last, err = s.Call(t.Context(), http.MethodGet, "/api/v1/minds", nil); err != nil {
			t.Fatal(err)
		}
	}
	if last.Status != 429 || last.Text("data", "code") != "RATE_LIMITED" || last.Header.Get("Retry-After") == "" || last.Header.Get("RateLimit-Limit") != "3" {
		t.Errorf("%d %v %s", last.Status, last.Header, last.Body)
	}
}

// Completions have a window of their own: 30 in 60 seconds (M-106).
func TestCompletionRate(t *testing.T) {
	s := start(t)
	mind := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ada", "mode": "clone", "personaContext": "Age: 40"}).Text("data", "id")
	ready(t, s, mind)
	ask := fields{"messages": []fields{{"role": "user", "content": "How old are you?"}}}
	for range 30 {
		s.Must(t, 200, "POST", "/api/v1/minds/"+mind+"/completion", ask)
	}
	a := s.Must(t, 429, "POST", "/api/v1/minds/"+mind+"/completion", ask)
	if a.Text("data", "code") != "RATE_LIMITED" || a.Header.Get("Retry-After") == "" || a.Header.Get("X-RateLimit-Limit") != "30" {
		t.Errorf("%v %s", a.Header, a.Body)
	}
}

package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// frame is one server-sent event.
type frame struct{ name, data string }

func framesOf(t *testing.T, a gateway.Answer) []frame {
	t.Helper()
	var out []frame
	for _, block := range strings.Split(strings.TrimSpace(string(a.Body)), "\n\n") {
		if strings.HasPrefix(block, ":") {
			continue
		}
		name, rest, ok := strings.Cut(strings.TrimPrefix(block, "event: "), "\ndata: ")
		if !ok {
			t.Fatalf("no event: %q", block)
		}
		out = append(out, frame{name, rest})
	}
	return out
}

// One question of a Study over one connection: how it was read, every answer once,
// the result; the same clientRequestId asks nobody again.
func TestAskOverOneConnection(t *testing.T) {
	s := start(t)
	var minds []string
	for i := range 8 {
		minds = append(minds, s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": fmt.Sprintf("Reader %d", i), "mode": "clone", "personaContext": "Age: 40"}).Text("data", "id"))
	}
	for _, id := range minds {
		ready(t, s, id)
	}
	audience := s.Must(t, 201, "POST", "/api/v1/audiences", fields{"name": "Readers", "mindIds": minds}).Text("data", "id")
	study := s.Must(t, 201, "POST", "/api/v1/studies", fields{"name": "Reading", "audienceIds": []string{audience}}).Text("data", "id")
	at := "/api/v1/studies/" + study + "/ask"
	id := "7d1c6a52-4a0d-4f0b-9d5e-3a3b0f4f6c77"
	question := fields{"question": "How do you read: on paper, on a screen or not at all?", "clientRequestId": id}

	stream := framesOf(t, s.Must(t, 200, "POST", at, question))
	var names []string
	heard := map[string]bool{}
	for _, f := range stream {
		if len(names) == 0 || names[len(names)-1] != f.name {
			names = append(names, f.name)
		}
		if f.name == "answer" {
			var a struct{ AudienceID, MindID, Value string }
			if err := json.Unmarshal([]byte(f.data), &a); err != nil || a.AudienceID != audience || a.Value == "" || heard[a.MindID] {
				t.Errorf("%v: %s", err, f.data)
			}
			heard[a.MindID] = true
		}
	}
	if got := strings.Join(names, " "); got != "start classification answer aggregating result done" || len(heard) != len(minds) {
		t.Fatalf("%s; %d answers of %d Minds", got, len(heard), len(minds))
	}
	var read struct {
		RunID           string
		ClientRequestID string
		Classification  struct{ Type string }
	}
	var result struct {
		Data struct {
			Run      struct{ RunID, Status string }
			Question struct {
				AnsweredCount int
				Audiences     []struct{ Counts map[string]int }
			}
		}
	}
	if err := json.Unmarshal([]byte(stream[1].data), &read); err != nil || read.Classification.Type != "categorical" || read.ClientRequestID != id {
		t.Errorf("%v: %s", err, stream[1].data)
	}
	if err := json.Unmarshal([]byte(stream[len(stream)-2].data), &result); err != nil || result.Data.Run.Status != "completed" || result.Data.Run.RunID != read.RunID || result.Data.Question.AnsweredCount != len(minds) || len(result.Data.Question.Audiences) != 1 {
		t.Errorf("%v: %s", err, stream[len(stream)-2].data)
	}
	used := s.Must(t, 200, "GET", "/api/v1/usage", nil).Body

	again := framesOf(t, s.Must(t, 200, "POST", at, question))
	if !strings.Contains(again[1].data, read.RunID) || string(s.Must(t, 200, "GET", "/api/v1/usage", nil).Body) != string(used) {
		t.Errorf("asked anew: %s", again[1].data)
	}

	// What is refused has its own status, before any frame.
	s.Must(t, 409, "POST", at, fields{"question": "Another one?", "clientRequestId": id})
	s.Must(t, 400, "POST", at, fields{"question": "  "})
	s.Must(t, 404, "POST", "/api/v1/studies/7d1c6a52-4a0d-4f0b-9d5e-3a3b0f4f6c78/ask", fields{"question": "Why?"})
	s.Must(t, 401, "POST", at, fields{"question": "Why?"}, "Authorization", "Bearer minds_"+strings.Repeat("0", 48))

	queued := s.Must(t, 200, "POST", at, fields{"question": "Yes or no?", "responseMode": "queued", "disableQuestionClassifier": true})
	gateway.Shape(t, "askStudy", queued)
	settled(t, s, queued.Text("jobId"))
	if got := s.Must(t, 200, "GET", "/api/v1/studies/"+study+"/analytics", nil); !strings.Contains(string(got.Body), queued.Text("questionBlockId")) {
		t.Errorf("%s", got.Body)
	}
}

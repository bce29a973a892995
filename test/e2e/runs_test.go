package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// A plan over REST from a request to its results, every answer held to its shape in
// the contract.
func TestPlannedRunOverREST(t *testing.T) {
	s := start(t)
	var minds []string
	for i := range 6 {
		minds = append(minds, s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": fmt.Sprintf("Driver %d", i), "mode": "clone", "personaContext": fmt.Sprintf("Age: %d", 25+5*i)}).Text("data", "id"))
	}
	for _, id := range minds {
		ready(t, s, id)
	}
	audience := s.Must(t, 201, "POST", "/api/v1/audiences", fields{"name": "Drivers", "mindIds": minds}).Text("data", "id")
	study := s.Must(t, 201, "POST", "/api/v1/studies", fields{"name": "Cars", "audienceIds": []string{audience}}).Text("data", "id")
	at := "/api/v1/studies/" + study

	request := fields{"request": "We sell cars.\n1. Do you own a car?\n2. If yes, which brand is it?\n3. How satisfied are you with public transport? (1-5)"}
	plan := s.Must(t, 200, "POST", at+"/research-plans/preview", request, "Idempotency-Key", "first")
	gateway.Shape(t, "previewStudyResearchPlan", plan)
	draft := plan.Text("data", "draftPlanId")
	if again := s.Must(t, 200, "POST", at+"/research-plans/preview", request, "Idempotency-Key", "first"); again.Text("data", "draftPlanId") != draft || again.At("data", "replayed") != true {
		t.Errorf("the key planned anew: %s", again.Body)
	}
	next := s.Must(t, 200, "POST", at+"/research-plans/preview", fields{"draftPlanId": draft, "revision": 1, "questionResponses": fields{"q3": fields{"type": "scale", "scaleRange": []int{1, 7}}}})
	if next.At("data", "revision") != 2.0 || !strings.Contains(string(next.Body), `"scaleRange":[1,7]`) {
		t.Errorf("the format was not changed: %s", next.Body)
	}

	s.Must(t, 409, "POST", at+"/research-runs", fields{"draftPlanId": draft, "revision": 1, "confirmation": fields{"accepted": true}})
	s.Must(t, 400, "POST", at+"/research-runs", fields{"draftPlanId": draft, "revision": 2, "confirmation": fields{"accepted": false}})
	confirm := fields{"draftPlanId": draft, "revision": 2, "confirmation": fields{"accepted": true}, "idempotencyKey": "7d1c6a52-4a0d-4f0b-9d5e-3a3b0f4f6c79"}
	started := s.Must(t, 200, "POST", at+"/research-runs", confirm)
	gateway.Shape(t, "runStudyQuestions", started)
	run := started.Text("data", "runId")
	if again := s.Must(t, 200, "POST", at+"/research-runs", confirm); again.Text("data", "runId") != run || again.At("data", "replayed") != true {
		t.Errorf("the key ran anew: %s", again.Body)
	}
	if done := settled(t, s, run); done.Text("data", "status") != "completed" || done.Text("data", "draftPlanId") != draft {
		t.Errorf("%s", done.Body)
	}
	whole := s.Must(t, 200, "GET", at+"/research-runs/"+run, nil)
	gateway.Shape(t, "getStudyResearchStudy", whole)
	if list, _ := whole.At("data", "artifacts").([]any); len(list) != 3 {
		t.Errorf("%s", whole.Body)
	}
	list := s.Must(t, 200, "GET", at+"/research-runs?limit=5", nil)
	gateway.Shape(t, "listStudyResearchRuns", list)
	if !strings.Contains(string(list.Body), run) {
		t.Errorf("%s", list.Body)
	}
	events := s.Must(t, 200, "GET", "/api/v1/runs/"+run+"/events?limit=2", nil)
	gateway.Shape(t, "listAgentRunEvents", events)
	if rest := s.Must(t, 200, "GET", fmt.Sprintf("/api/v1/runs/%s/events?after=%v", run, events.At("pagination", "nextAfter")), nil); !strings.Contains(string(rest.Body), "run.settled") {
		t.Errorf("%s", rest.Body)
	}
	s.Must(t, 409, "POST", "/api/v1/runs/"+run+"/cancel", nil)
	other := s.Must(t, 201, "POST", "/api/v1/studies", fields{"name": "Other", "audienceIds": []string{audience}}).Text("data", "id")
	s.Must(t, 404, "GET", "/api/v1/studies/"+other+"/research-runs/"+run, nil)

	// A question is a run too. Stopped at once or just too late: never both.
	asked := s.Must(t, 202, "POST", at+"/runs", fields{"question": "Why?"}).Text("data", "runId")
	stop, err := s.Call(t.Context(), "POST", "/api/v1/runs/"+asked+"/cancel", nil)
	if err != nil {
		t.Fatal(err)
	}
	switch state := s.Must(t, 200, "GET", "/api/v1/runs/"+asked, nil).Text("data", "status"); {
	case stop.Status == 200 && state == "cancelled":
		gateway.Shape(t, "cancelAgentRun", stop)
		s.Must(t, 200, "POST", "/api/v1/runs/"+asked+"/cancel", nil)
	case stop.Status == 409 && state == "completed":
	default:
		t.Errorf("%d %s", stop.Status, state)
	}
}

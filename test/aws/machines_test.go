//go:build aws

package aws

import (
	"os"
	"path"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
	"github.com/mindgate-dev/mindgate/test/e2e/showcase"
)

// Every machine that a surface starts runs to a good end on the deployed template: training and training
// again, knowledge, a rebuild of its vectors, a portrait and the deletion of a Mind;
// creation, change, copy and deletion of an Audience. Only what searches the web is
// left out: the double reaches none.
func TestMachinesOnTheDeployedTemplate(t *testing.T) {
	s := gateway.At(os.Getenv("MINDGATE_URL"), os.Getenv("MINDGATE_API_KEY"))
	mind := showcase.Made(t, s)
	at := "/api/v1/minds/" + mind
	report, _ := showcase.Uploaded(t, s, mind)
	s.Must(t, 202, "POST", at+"/regenerate-embeddings", nil)
	s.Must(t, 200, "POST", at+"/regenerate-image", map[string]any{"force": true})
	settled(t)
	s.Must(t, 200, "POST", at+"/retrain", nil)
	gateway.Eventually(t, showcase.Patience, "training again", func() bool {
		return s.Must(t, 200, "GET", at+"/training", nil).At("readyToChat") == true
	})
	s.Must(t, 204, "DELETE", at+"/knowledge/"+report.Item, nil)
	chat := s.Must(t, 201, "POST", "/api/v1/chats", map[string]any{"mindId": mind}).Text("data", "id")
	s.Must(t, 200, "POST", "/api/v1/chats/"+chat+"/messages", map[string]any{"content": "How old are you?"})
	// Opening the Formations of an Audience makes its default ones.
	audience := s.Must(t, 201, "POST", "/api/v1/audiences", map[string]any{"name": "One", "mindIds": []string{mind}}).Text("data", "id")
	gateway.Eventually(t, showcase.Patience, "the default Formations", func() bool {
		list := s.Must(t, 200, "GET", "/api/v1/audiences/"+audience+"/formations", nil)
		return list.At("pagination", "total") == 2.0 && !strings.Contains(string(list.Body), `"building"`)
	})
	// A data set is reviewed.
	rows := []byte("RespondentID,Gender,Age,Do you like tea?\n" + strings.Repeat("71,Female,18-29,Yes\n72,Male,30-44,No\n73,Female,45-60,Yes\n", 20))
	up := s.Must(t, 201, "POST", "/api/v1/uploads", map[string]any{"name": "wave.csv", "folder": "temp", "type": "text/csv", "sizeBytes": len(rows)})
	if status := gateway.Put(t, up.Text("data", "uploadUrl"), rows); status/100 != 2 {
		t.Fatalf("the data set was not taken: %d", status)
	}
	review := s.Must(t, 200, "POST", "/api/v1/audiences/from-brief/segmentation-preview", map[string]any{"file": map[string]any{"name": "wave.csv", "url": up.Text("data", "path")}})
	if review.At("data", "respondentCount") != 60.0 {
		t.Errorf("%s", review.Body)
	}
	audiences(t, s)
	planned(t, s, mind)
	showcase.Heatmap(t, s, mind)
	s.Must(t, 204, "DELETE", at, nil)
	s.Must(t, 404, "GET", at, nil)
	for machine, runs := range settled(t) {
		name := strings.TrimPrefix(machine, os.Getenv("STACK")+"-")
		switch name {
		case "question", "export", "knowledge-search", "audience-research": // the demo does the first two
		default:
			if len(runs) == 0 {
				t.Errorf("%s was never started", name)
			}
		}
		for _, run := range runs {
			if run.Status != types.ExecutionStatusSucceeded {
				t.Errorf("%s: %s ended as %s", name, path.Base(*run.ExecutionArn), run.Status)
			}
		}
	}
	s.Must(t, 404, "POST", "/api/v1/chats/"+chat+"/messages", map[string]any{"content": "Still there?"})
}

// planned is a plan from its request to its results.
func planned(t *testing.T, s *gateway.Server, mind string) {
	t.Helper()
	audience := s.Must(t, 201, "POST", "/api/v1/audiences", map[string]any{"name": "Drivers", "mindIds": []string{mind}}).Text("data", "id")
	at := "/api/v1/studies/" + s.Must(t, 201, "POST", "/api/v1/studies", map[string]any{"name": "Cars", "audienceIds": []string{audience}}).Text("data", "id")
	plan := s.Must(t, 200, "POST", at+"/research-plans/preview", map[string]any{"request": "1. Do you own a car?\n2. If yes, which brand is it?\n3. How satisfied are you with public transport? (1-5)"})
	run := s.Must(t, 200, "POST", at+"/research-runs", map[string]any{"draftPlanId": plan.Text("data", "draftPlanId"), "revision": 1, "confirmation": map[string]any{"accepted": true}}).Text("data", "runId")
	var got gateway.Answer
	gateway.Eventually(t, showcase.Patience, "a planned run", func() bool {
		got = s.Must(t, 200, "GET", at+"/research-runs/"+run, nil)
		return got.At("data", "completedAt") != nil
	})
	if got.Text("data", "status") != "completed" || got.At("data", "progress", "settled") != 3.0 {
		t.Errorf("%.2000s", got.Body)
	}
	// One without runs goes at once; those of the others are left for two minutes, so
	// that their machines find them ended and not gone.
	at = "/api/v1/studies/" + s.Must(t, 201, "POST", "/api/v1/studies", map[string]any{"name": "Empty", "audienceIds": []string{audience}}).Text("data", "id")
	s.Must(t, 204, "DELETE", at, nil)
	s.Must(t, 404, "GET", at, nil)
}

// audiences is the life of an Audience from a brief.
func audiences(t *testing.T, s *gateway.Server) {
	t.Helper()
	const all = "/api/v1/audiences"
	admitted := s.Must(t, 202, "POST", all+"/from-brief", map[string]any{"text": "Nurses in Austria aged 25 to 60, 70 % women", "memberCount": 10, "includeWebSearch": false})
	job := all + "/from-brief/jobs/" + admitted.Text("data", "jobId")
	var made gateway.Answer
	gateway.Eventually(t, showcase.Patience, "an Audience from a brief", func() bool {
		made = s.Must(t, 200, "GET", job, nil)
		return made.Text("data", "status") == "completed"
	})
	at := all + "/" + made.Text("data", "result", "id")
	if got := s.Must(t, 200, "GET", at, nil); got.At("data", "mindCount") != 10.0 || got.Text("data", "state") != "ready" {
		t.Errorf("%s", got.Body)
	}
	ready := func(at string) {
		gateway.Eventually(t, showcase.Patience, "the members", func() bool {
			got := s.Must(t, 200, "GET", at+"/progress", nil)
			return got.Text("data", "state") == "ready" && got.At("data", "settled") == true
		})
	}
	ready(at)
	changed, err := s.Call(t.Context(), "POST", at+"/recalibrate", map[string]any{"instruction": "make it 50 % women"})
	if err != nil || changed.Status/100 != 2 {
		t.Fatalf("%d %s %v", changed.Status, changed.Body, err)
	}
	ready(at)
	copied := s.Must(t, 201, "POST", at+"/duplicate", map[string]any{})
	ready(all + "/" + copied.Text("data", "id"))
	s.Must(t, 204, "DELETE", at, nil)
	s.Must(t, 404, "GET", at, nil)
}

// settled waits until nothing of the stack runs, and lists the executions by
// machine.
func settled(t *testing.T) map[string][]types.ExecutionListItem {
	t.Helper()
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client := sfn.NewFromConfig(cfg)
	machines, err := client.ListStateMachines(t.Context(), &sfn.ListStateMachinesInput{})
	if err != nil {
		t.Fatal(err)
	}
	var all map[string][]types.ExecutionListItem
	running := map[string]string{}
	defer func() {
		for run, machine := range running { // of the last look, which was not enough
			t.Logf("%s still runs: %s", machine, run)
		}
	}()
	gateway.Eventually(t, showcase.Patience, "the machines", func() bool {
		all = map[string][]types.ExecutionListItem{}
		clear(running)
		for _, m := range machines.StateMachines {
			if !strings.HasPrefix(*m.Name, os.Getenv("STACK")+"-") {
				continue // of other tests on this double
			}
			runs, err := client.ListExecutions(t.Context(), &sfn.ListExecutionsInput{StateMachineArn: m.StateMachineArn})
			if err != nil {
				t.Fatal(err)
			}
			all[*m.Name] = runs.Executions
			for _, run := range runs.Executions {
				if run.Status == types.ExecutionStatusRunning {
					running[path.Base(*run.ExecutionArn)] = *m.Name
				}
			}
		}
		return len(running) == 0
	})
	return all
}

package e2e

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mindgate-dev/mindgate/shared/catalog/contract"
	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// manhood is a published questionnaire in the words of its file of respondents.
//
//go:embed testdata/masculinity.json
var manhood []byte

type asked struct {
	Column, Text string
	Options      []string
}

func questionnaire(t *testing.T) []asked {
	t.Helper()
	var file struct{ Questions []asked }
	if err := json.Unmarshal(manhood, &file); err != nil || len(file.Questions) != 8 {
		t.Fatalf("%d questions: %v", len(file.Questions), err)
	}
	return file.Questions
}

// respondents are the file as it was published, its columns named by what was asked,
// and the shares of each answer by the weights of the file.
func respondents(t *testing.T, questions []asked) (file []byte, shares map[string]map[string]float64) {
	t.Helper()
	f, err := os.Open("../../shared/segment/testdata/masculinity-raw-responses.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	weight := slices.Index(rows[0], "weight")
	shares = map[string]map[string]float64{}
	for _, q := range questions {
		at := slices.Index(rows[0], q.Column)
		if at < 0 {
			t.Fatalf("no column %s", q.Column)
		}
		rows[0][at] = q.Text
		shares[q.Text] = map[string]float64{}
		total := 0.0
		for _, r := range rows[1:] {
			w, err := strconv.ParseFloat(r[weight], 64)
			if err != nil {
				t.Fatal(err)
			}
			shares[q.Text][r[at]] += w
			total += w
		}
		for label := range shares[q.Text] {
			shares[q.Text][label] /= total
		}
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), shares
}

// artifact and calculated are what a reader of a run looks at.
type (
	artifact struct {
		ItemID, Text, Status string
		Base                 struct{ Participating, Asked, Answered, NotAsked, Failed int }
		Counts               map[string]int
		Percentages          map[string]float64
		Routing              *struct {
			AskedCount, NotAskedCount int
			NotAskedMindIDs           []string
		}
		Evidence struct {
			Grounded, Related, Trait, Unsupported int
			Headline                              string
		}
		Warnings []string
		Answers  []struct {
			CitationSources []struct{ Title, Origin string }
		}
	}
	calculated struct {
		MethodID, Status, Reason string
		Base                     struct{ Participating, Asked, Answered int }
		Results                  json.RawMessage
		Warnings                 []string
	}
	wholeRun struct {
		Data struct {
			Status            string
			Artifacts         []artifact
			Calculations      []calculated
			AnswerConsistency *struct {
				Status                     string
				CheckedMinds, FlaggedMinds int
			}
		}
	}
)

// researched plans one request, confirms it, runs it and reads it back, every answer
// held to the shapes of the contract.
func researched(t *testing.T, s *gateway.Server, study string, request fields) (plan gateway.Answer, out wholeRun) {
	t.Helper()
	at := "/api/v1/studies/" + study
	plan = s.Must(t, 200, "POST", at+"/research-plans/preview", request)
	gateway.Shape(t, "previewStudyResearchPlan", plan)
	before := time.Now()
	started := s.Must(t, 200, "POST", at+"/research-runs", fields{"draftPlanId": plan.Text("data", "draftPlanId"), "revision": plan.At("data", "revision"),
		"confirmation": fields{"accepted": true, "advancedMethodOptIn": true}})
	gateway.Shape(t, "runStudyQuestions", started)
	run := started.Text("data", "runId")
	var done gateway.Answer
	gateway.Eventually(t, 6*patience, "run "+run, func() bool { // thousands of answers, on a machine that other tests share
		done = s.Must(t, 200, "GET", "/api/v1/runs/"+run, nil)
		return done.Text("data", "status") != "queued" && done.Text("data", "status") != "running"
	})
	t.Logf("run: %v", time.Since(before))
	if got := done.Text("data", "status"); got != "completed" {
		t.Fatalf("%s: %.2000s", got, done.Body)
	}
	var whole gateway.Answer
	gateway.Eventually(t, 6*patience, "the comparison of answers", func() bool {
		whole = s.Must(t, 200, "GET", at+"/research-runs/"+run, nil)
		return whole.At("data", "answerConsistency") != nil
	})
	gateway.Shape(t, "getStudyResearchStudy", whole)
	isStudyRun(t, whole)
	if err := json.Unmarshal(whole.Body, &out); err != nil {
		t.Fatal(err)
	}
	return plan, out
}

const conjoint = `{"attributes": [
	{"id": "kind", "label": "Kind", "levels": [{"id": "dark", "label": "Dark roast"}, {"id": "light", "label": "Light roast"}, {"id": "decaf", "label": "Decaf"},
		{"id": "espresso", "label": "Espresso"}, {"id": "cold", "label": "Cold brew"}, {"id": "instant", "label": "Instant"}]},
	{"id": "price", "label": "Price", "kind": "price", "levels": [{"id": "p1", "label": "8 USD", "value": 8}, {"id": "p2", "label": "12 USD", "value": 12}, {"id": "p3", "label": "16 USD", "value": 16}]}],
	"alternatives": 3, "none": true, "tasks": 10}`

// buyers makes an Audience of some members who know what the product costs, and what
// kinds its buyers like.
func buyers(t *testing.T, s *gateway.Server, c *gateway.Client, audience string, n int) string {
	t.Helper()
	list, _ := c.Must(t, "get_audience", fields{"audienceId": audience}).At("audience", "minds").([]any)
	if len(list) != 200 {
		t.Fatalf("%d members", len(list))
	}
	status := map[string]bool{}
	var ids []string
	for _, m := range list[:n] {
		id := m.(map[string]any)["id"].(string)
		ids = append(ids, id)
		for name, content := range map[string]string{"prices.md": "The coffee subscription costs 12.00 USD a month.", "coffee.json": coffee} {
			body, kind := upload(t, name, content, "regeneratePrompt", "false")
			item := s.Must(t, 202, "POST", "/api/v1/minds/"+id+"/knowledge", body, "Content-Type", kind)
			status["/api/v1/minds/"+id+"/knowledge/"+item.Text("data", "id")+"/status"] = true
		}
	}
	for at := range status {
		gateway.Eventually(t, patience, at, func() bool { return s.Must(t, 200, "GET", at, nil).At("data", "readyForRetrieval") == true })
	}
	return s.Must(t, 201, "POST", "/api/v1/audiences", fields{"name": "Buyers", "mindIds": ids}).Text("data", "id")
}

const coffee = `{"question": "Which kind of coffee do you like best?", "n": 900, "source": "A survey of buyers", "dates": "2025", "population": "US adults 18+", "options": [
	{"label": "Dark roast", "share": 0.33}, {"label": "Light roast", "share": 0.17}, {"label": "Decaf", "share": 0.05},
	{"label": "Espresso", "share": 0.27}, {"label": "Cold brew", "share": 0.13}, {"label": "Instant", "share": 0.05}]}`

// M-80, M-184, M-190, M-202, M-343: a published questionnaire with one routed question,
// planned in one request, asked of 200 members grounded in its file of respondents, and
// read back; then prices, a best-worst task and a conjoint of one product, each planned
// in one request.
func TestResearchInstrumentOverREST(t *testing.T) {
	questions := questionnaire(t)
	csv, shares := respondents(t, questions)
	s := start(t)
	c := s.MCP(t)
	file := fields{"name": "masculinity.csv", "url": sent(t, s, "masculinity.csv", csv)}
	review := c.Must(t, "preview_audience_dataset_segmentation", fields{"file": file, "segmentationColumns": []string{"age3", "educ4", "race2"}})
	if n := review.At("respondentCount"); n != 1615.0 {
		t.Fatalf("%v respondents", n)
	}
	made := settledBrief(t, c, fields{"brief": "Men in the United States aged 18 and over", "memberCount": 200, "audienceCreationMode": "benchmark_depth",
		"files": []fields{file}, "datasetSegmentation": reviewedData(t, review.Answer)})
	if n := made.At("audience", "mindCount"); n != 200.0 {
		t.Fatalf("%v members", n)
	}
	audience := made.Text("audience", "id")
	study := s.Must(t, 201, "POST", "/api/v1/studies", fields{"name": "Masculinity", "audienceIds": []string{audience}}).Text("data", "id")

	var request strings.Builder
	request.WriteString("We study how men see masculinity. Please ask these questions as they are.\n")
	for i, q := range questions {
		request.WriteString(strconv.Itoa(i+1) + ". " + q.Text + " (" + strings.Join(q.Options, " / ") + ")\n")
	}
	request.WriteString("9. If yes to question 3, where does that pressure come from most? (Work / Family / Media)\n")
	_, got := researched(t, s, study, fields{"request": request.String()})
	answersThePublished(t, questions, shares, got)

	study = s.Must(t, 201, "POST", "/api/v1/studies", fields{"name": "Coffee", "audienceIds": []string{buyers(t, s, c, audience, 80)}}).Text("data", "id")
	results := func(request fields, id string, into any) calculated {
		t.Helper()
		_, got := researched(t, s, study, request)
		if len(got.Data.Calculations) != 1 || got.Data.Calculations[0].MethodID != id {
			t.Fatalf("%+v", got.Data.Calculations)
		}
		one := got.Data.Calculations[0]
		if one.Status == "ok" && into != nil {
			if err := json.Unmarshal(one.Results, into); err != nil {
				t.Fatal(err)
			}
		}
		return one
	}
	var meter struct {
		Currency           string
		PMC, PME, IDP, OPP float64
	}
	one := results(fields{"request": "Run a Van Westendorp price sensitivity study for a coffee subscription, between 5 and 60 USD a month."}, "van-westendorp", &meter)
	// The four points stand in their order, around the price that all know.
	if one.Status != "ok" || meter.Currency != "USD" || !(meter.PMC <= meter.OPP && meter.OPP <= meter.PME && meter.PMC <= meter.IDP && meter.IDP <= meter.PME) || meter.PMC > 12 || meter.PME < 12 {
		t.Errorf("%s %s %+v", one.Status, one.Reason, meter)
	}
	kinds := []string{"dark-roast", "light-roast", "decaf", "espresso", "cold-brew", "instant"}
	liked := []float64{.33, .17, .05, .27, .13, .05}
	for i := range liked {
		liked[i] = math.Log(liked[i])
	}
	var best struct {
		Items []struct {
			ID      string
			Utility struct{ Estimate float64 }
		}
	}
	one = results(fields{"request": "Run a MaxDiff on a coffee subscription with these items: Dark roast, Light roast, Decaf, Espresso, Cold brew, Instant"}, "maxdiff", &best)
	found := make([]float64, len(kinds))
	for _, it := range best.Items {
		found[slices.Index(kinds, it.ID)] = it.Utility.Estimate
	}
	if r := correlation(found, liked); one.Status != "ok" || r < .9 {
		t.Errorf("maxdiff %s %s: r = %.3f, %v", one.Status, one.Reason, r, found)
	}
	var worths struct {
		PartWorths []struct {
			AttributeID, LevelID string
			Utility              struct{ Estimate float64 }
		}
	}
	one = results(fields{"request": "Run a conjoint on a coffee subscription.", "methods": []fields{{"methodId": "conjoint", "configuration": json.RawMessage(conjoint)}}}, "conjoint", &worths)
	found = found[:0]
	prices := map[string]float64{}
	for _, p := range worths.PartWorths {
		if p.AttributeID == "kind" {
			found = append(found, p.Utility.Estimate)
		} else {
			prices[p.LevelID] = p.Utility.Estimate
		}
	}
	if r := correlation(found, liked); one.Status != "ok" || r < .9 || !(prices["p1"] > prices["p2"] && prices["p2"] > prices["p3"]) {
		t.Errorf("conjoint %s %s: r = %.3f, %v, prices %v", one.Status, one.Reason, r, found, prices)
	}
	// Of what nobody knows anything no figure is made.
	one = results(fields{"request": "Run a Van Westendorp price sensitivity study for a weather balloon, between 50 and 600 USD."}, "van-westendorp", nil)
	if one.Status != "insufficient_evidence" || string(one.Results) != "null" || one.Reason == "" {
		t.Errorf("%s %s %s", one.Status, one.Reason, one.Results)
	}
}

// answersThePublished holds what a methodologist reads first: who was asked, whom a
// condition left out, what answers rest on, whether anybody contradicts itself, and how
// near the shares are to those of the file.
func answersThePublished(t *testing.T, questions []asked, shares map[string]map[string]float64, got wholeRun) {
	t.Helper()
	if len(got.Data.Artifacts) != 9 {
		t.Fatalf("%d artifacts", len(got.Data.Artifacts))
	}
	off, n := 0.0, 0
	for i, a := range got.Data.Artifacts[:8] {
		if a.Text != questions[i].Text {
			t.Errorf("asked %q for %q", a.Text, questions[i].Text)
		}
		if a.Base.Asked != 200 || a.Base.Answered != 200 || a.Base.NotAsked != 0 || a.Routing != nil {
			t.Errorf("%s: %+v", a.Text, a.Base)
		}
		if a.Evidence.Grounded < 180 || a.Evidence.Unsupported != 0 {
			t.Errorf("%s: %+v", a.Text, a.Evidence)
		}
		for _, one := range a.Answers[:10] {
			if len(one.CitationSources) != 1 || one.CitationSources[0].Title != "masculinity.csv" {
				t.Errorf("%s: cited %+v", a.Text, one.CitationSources)
			}
		}
		for label, share := range shares[a.Text] {
			d := math.Abs(a.Percentages[label]/100 - share)
			if off, n = off+d, n+1; d > .08 {
				t.Errorf("%s %s: %.1f%%, of the respondents %.1f%%", a.Text, label, a.Percentages[label], 100*share)
			}
		}
	}
	if off/float64(n) > .025 {
		t.Errorf("shares are %.1f points off on average", 100*off/float64(n))
	}
	t.Logf("shares are %.1f points off on average", 100*off/float64(n))
	routed, yes := got.Data.Artifacts[8], got.Data.Artifacts[2].Counts["Yes"]
	if r := routed.Routing; r == nil || r.AskedCount != yes || r.NotAskedCount != 200-yes || len(r.NotAskedMindIDs) != 200-yes || routed.Base.Asked != yes || routed.Base.NotAsked != 200-yes {
		t.Errorf("%d said yes, the routed question has %+v, %+v", yes, routed.Base, routed.Routing)
	}
	// The file says nothing of it, and so does the result.
	if routed.Evidence.Unsupported != yes || !strings.HasPrefix(routed.Evidence.Headline, "No finding") {
		t.Errorf("%+v", routed.Evidence)
	}
	if c := got.Data.AnswerConsistency; c == nil || c.Status != "checked" || c.CheckedMinds != 200 || c.FlaggedMinds > 4 {
		t.Errorf("%+v", c)
	}
}

// isStudyRun holds a run, with its plan, artifacts and calculations, to the whole shape
// of the contract.
func isStudyRun(t *testing.T, a gateway.Answer) {
	t.Helper()
	raw, err := contract.Files.ReadFile("minds/schemas.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schemas.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schemas.json#/$defs/StudyRun")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.Body))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v.(map[string]any)["data"]); err != nil {
		t.Errorf("%.3000s", err)
	}
}

func correlation(a, b []float64) float64 {
	if len(a) != len(b) {
		return 0
	}
	var ma, mb, ab, aa, bb float64
	for i := range a {
		ma, mb = ma+a[i]/float64(len(a)), mb+b[i]/float64(len(b))
	}
	for i := range a {
		ab, aa, bb = ab+(a[i]-ma)*(b[i]-mb), aa+(a[i]-ma)*(a[i]-ma), bb+(b[i]-mb)*(b[i]-mb)
	}
	return ab / math.Sqrt(aa*bb)
}

package e2e

import (
	_ "embed" // the respondents
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// parents are 240 made-up respondents, 234 of them completed: who they are, how
// often they buy groceries online, and two questions that are held out.
//
//go:embed showcase/testdata/parents.csv
var parents []byte

const (
	parentsBrief = "Working parents in Germany aged 25 to 45, 60 % women, who buy groceries online at least monthly"
	delivery     = "Would you pay 3 euros more for delivery within two hours?"
)

// sent uploads a file and gives the path by which it is named.
func sent(t *testing.T, s *gateway.Server, name string, content []byte) string {
	t.Helper()
	up := s.Must(t, 201, "POST", "/api/v1/uploads", fields{"name": name, "folder": "context", "sizeBytes": len(content)})
	if status := gateway.Put(t, up.Text("data", "uploadUrl"), content); status/100 != 2 {
		t.Fatalf("the upload of %s: %d", name, status)
	}
	return up.Text("data", "path")
}

// settledBrief calls the tool and follows its operation until it is done.
func settledBrief(t *testing.T, c *gateway.Client, args fields) gateway.Result {
	t.Helper()
	r := c.Must(t, "create_audience_from_brief", args)
	for r.Text("status") != "completed" {
		r = c.Must(t, "create_audience_from_brief", fields{"operationId": r.Text("operation", "jobId")})
	}
	return r
}

// reviewedData is what a review of a file hands on to a creation.
func reviewedData(t *testing.T, review gateway.Answer) fields {
	t.Helper()
	out := fields{}
	for _, k := range []string{"fileName", "sheetName", "respondentCount", "recommendedMindCount", "segmentationColumns", "combinations", "functionalDependencies", "dependencyDiscovery"} {
		if v := review.At(k); v != nil {
			out[k] = v
		}
	}
	var variables []fields
	list, _ := review.At("variables").([]any)
	for _, v := range list {
		v := v.(map[string]any)
		variables = append(variables, fields{"key": v["key"], "label": v["label"], "distribution": v["distribution"],
			"validRespondentCount": v["validRespondentCount"], "otherRespondentCount": v["otherRespondentCount"]})
	}
	out["variables"] = variables
	return out
}

// members counts an Audience's members by their segment of an axis.
func members(audience gateway.Result, axis string) map[string]int {
	out := map[string]int{}
	list, _ := audience.At("audience", "minds").([]any)
	for _, m := range list {
		profile, _ := m.(map[string]any)["cohortProfile"].(map[string]any)
		label, _ := profile[axis].(string)
		out[label]++
	}
	return out
}

// A brief and a file of respondents become, offline, an Audience whose audit a
// market researcher can sign: exact quotas, every figure with its source or called
// an assumption, and members who answer the held-out question as the respondents did.
func TestAudienceFromABriefAndRespondents(t *testing.T) {
	s := start(t)
	c := s.MCP(t)
	file := fields{"name": "parents.csv", "url": sent(t, s, "parents.csv", parents)}
	review := c.Must(t, "preview_audience_dataset_segmentation", fields{"file": file,
		"segmentationColumns": []string{"Gender", "Age group", "People in the household", "How often do you buy groceries online?"}})
	if n := review.At("respondentCount"); n != 234.0 {
		t.Fatalf("%v completed respondents, want 234", n)
	}
	args := fields{"brief": parentsBrief, "memberCount": 60, "audienceCreationMode": "benchmark_depth",
		"files": []fields{file}, "datasetSegmentation": reviewedData(t, review.Answer)}

	again := func(more fields) fields {
		out := maps.Clone(args)
		maps.Copy(out, more)
		return out
	}
	preview := settledBrief(t, c, again(fields{"groundingPreview": true}))
	signed(t, preview)
	accepted := again(fields{"reviewedGroundingJson": preview.Text("preview", "reviewedGroundingJson"), "reviewedGroundingSha256": preview.Text("preview", "reviewedGroundingSha256")})

	// One byte changed is refused, and so are other inputs.
	bad := again(accepted)
	bad["reviewedGroundingJson"] = strings.Replace(bad["reviewedGroundingJson"].(string), "Woman", "Womam", 1)
	if r := c.Call(t.Context(), t, "create_audience_from_brief", bad); !r.Refused || r.Text("error", "code") != "GROUNDING_CHECKSUM_MISMATCH" {
		t.Errorf("one byte changed: %s", r.Body)
	}
	other := again(accepted)
	other["memberCount"] = 61
	if r := c.Call(t.Context(), t, "create_audience_from_brief", other); !r.Refused || r.Text("error", "code") != "GROUNDING_INPUT_MISMATCH" {
		t.Errorf("another size: %s", r.Body)
	}

	made := settledBrief(t, c, accepted)
	id := made.Text("audience", "id")
	if made.At("audience", "mindCount") != 60.0 || made.Text("audience", "state") != "ready" || made.At("readiness", "members", "ready") != 60.0 {
		t.Fatalf("%.1500s", made.Body)
	}
	if r := settledBrief(t, c, accepted); r.Text("audience", "id") != id || r.At("audience", "replayed") != true {
		t.Errorf("the same call again made another: %.500s", r.Body)
	}
	whole := c.Must(t, "get_audience", fields{"audienceId": id})
	for axis, want := range map[string]string{
		"Gender": "map[Man:24 Woman:36]", "Age group": "map[25-34:27 35-45:33]",
		"Household size":                         "map[2 people:5 3 people:24 4 people:22 5 or more people:9]",
		"How often do you buy groceries online?": "map[Every week:20 Once a month:16 Two or three times a month:24]",
		"Parental status":                        "map[Parents:60]",
	} {
		if got := fmt.Sprint(members(whole, axis)); got != want {
			t.Errorf("%s: %s, want %s", axis, got, want)
		}
	}
	answersAsRespondents(t, c, id)
	changesJustWhatTheyShould(t, c, id)
}

// cells are the members of an Audience with their names and segments.
func cells(t *testing.T, c *gateway.Client, audience string) map[string]string {
	t.Helper()
	whole := c.Must(t, "get_audience", fields{"audienceId": audience})
	out := map[string]string{}
	list, _ := whole.At("audience", "minds").([]any)
	for _, m := range list {
		m := m.(map[string]any)
		out[m["id"].(string)] = fmt.Sprint(m["name"], m["cohortProfile"])
	}
	return out
}

// recalibrated gives an instruction and waits until it is done.
func recalibrated(t *testing.T, c *gateway.Client, audience, instruction string) gateway.Result {
	t.Helper()
	c.Must(t, "recalibrate_audience", fields{"audienceId": audience, "instruction": instruction})
	var now gateway.Result
	gateway.Eventually(t, patience, instruction, func() bool {
		now = c.Must(t, "get_audience", fields{"audienceId": audience})
		return now.At("audience", "calibration", "active") == false
	})
	return now
}

// changesJustWhatTheyShould: ten more leave everybody as they were, and another
// share of women moves the fewest people that it can, in that alone.
func changesJustWhatTheyShould(t *testing.T, c *gateway.Client, audience string) {
	t.Helper()
	before := cells(t, c, audience)
	more := recalibrated(t, c, audience, "add 10 from Austria")
	after := cells(t, c, audience)
	if len(after) != 70 || members(more, "Geography")["Austria"] != 10 {
		t.Errorf("%d members, %v", len(after), members(more, "Geography"))
	}
	for id, was := range before {
		if after[id] != was {
			t.Errorf("a member that stood changed: %s, now %s", was, after[id])
		}
	}
	axes := []string{"Age group", "Geography", "Education", "Household size", "How often do you buy groceries online?"}
	half := recalibrated(t, c, audience, "make it 50 % women")
	now := cells(t, c, audience)
	if got := fmt.Sprint(members(half, "Gender")); got != "map[Man:35 Woman:35]" {
		t.Errorf("gender %s", got)
	}
	moved := 0
	for id, was := range after {
		switch is, ok := now[id]; {
		case !ok:
			t.Errorf("%s is gone", was)
		case is != was:
			moved++
		}
	}
	if women := members(more, "Gender")["Woman"]; moved != women-35 {
		t.Errorf("%d members changed, %d had to", moved, women-35)
	}
	for _, axis := range axes {
		if was, is := fmt.Sprint(members(more, axis)), fmt.Sprint(members(half, axis)); was != is {
			t.Errorf("%s went from %s to %s", axis, was, is)
		}
	}
}

// signed holds a preview to what a researcher looks for: every axis sourced, proxy
// or assumed, every sourced share with its source, quotas that are met.
func signed(t *testing.T, preview gateway.Result) {
	t.Helper()
	var p struct {
		Preview struct {
			MemberCount int
			Coverage    map[string]int
			Grounding   struct {
				Distributions []struct {
					Name, Status string
					Distribution []struct {
						Label     string
						Pct       float64
						SourceIdx int
					}
				}
				Sources []struct{ Title, URL string }
			}
			CohortAllocation struct {
				Audit struct {
					JointStrategy string
					Axes          []struct {
						Distribution string
						MaxDeviation int
						Segments     []struct {
							Label                      string
							TargetCount, AchievedCount int
						}
					}
				}
				Profiles []json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(preview.Body, &p); err != nil {
		t.Fatal(err)
	}
	v := p.Preview
	for _, d := range v.Grounding.Distributions {
		sum := 0.0
		for _, x := range d.Distribution {
			sum += x.Pct
			if cited := x.SourceIdx >= 0 && x.SourceIdx < len(v.Grounding.Sources) && v.Grounding.Sources[x.SourceIdx].Title != ""; cited == (d.Status == "assumed") {
				t.Errorf("%s is %s, and %s points to source %d", d.Name, d.Status, x.Label, x.SourceIdx)
			}
		}
		if sum < 99.5 || sum > 100.5 {
			t.Errorf("%s adds up to %v", d.Name, sum)
		}
	}
	audit := v.CohortAllocation.Audit
	if v.MemberCount != 60 || len(v.CohortAllocation.Profiles) != 60 || audit.JointStrategy != "observed" || len(audit.Axes) < 8 {
		t.Errorf("%d members, %d profiles, %s, %d axes", v.MemberCount, len(v.CohortAllocation.Profiles), audit.JointStrategy, len(audit.Axes))
	}
	for _, a := range audit.Axes {
		sum := 0
		for _, x := range a.Segments {
			sum += x.AchievedCount
			if x.AchievedCount != x.TargetCount {
				t.Errorf("%s, %s: %d of %d", a.Distribution, x.Label, x.AchievedCount, x.TargetCount)
			}
		}
		if sum != 60 || a.MaxDeviation != 0 {
			t.Errorf("%s has %d members, deviation %d", a.Distribution, sum, a.MaxDeviation)
		}
	}
	if c := v.Coverage; c["sourced"] < 5 || c["assumed"] < 1 {
		t.Errorf("coverage %v", c)
	}
}

// answersAsRespondents asks the held-out question: the members answer near the
// respondents' shares, and say that their Audience's grounding is what they rest on.
func answersAsRespondents(t *testing.T, c *gateway.Client, audience string) {
	t.Helper()
	study := c.Must(t, "create_study", fields{"name": "Delivery", "audienceIds": []string{audience}}).Text("studyId")
	c.Must(t, "ask_study", fields{"studyId": study, "question": delivery})
	var last gateway.Result
	gateway.Eventually(t, patience, "answers", func() bool {
		last = c.Must(t, "get_study_status", fields{"studyId": study})
		return strings.Contains(string(last.Body), `"status":"completed"`)
	})
	var out struct {
		RecentResults []struct {
			Audiences []struct {
				Counts   map[string]int
				Evidence struct{ Grounded int }
				Answers  []struct {
					CitationSources []struct{ Title, Origin string }
				}
			}
		}
	}
	if err := json.Unmarshal(last.Body, &out); err != nil || len(out.RecentResults) != 1 || len(out.RecentResults[0].Audiences) != 1 {
		t.Fatalf("%v: %.1500s", err, last.Body)
	}
	r := out.RecentResults[0].Audiences[0]
	if r.Evidence.Grounded != 60 {
		t.Errorf("%d of 60 answers are grounded", r.Evidence.Grounded)
	}
	// Of the 234 respondents 47.9 % said yes, 37.2 % no, 15.0 % did not know.
	for label, want := range map[string]int{"Yes": 29, "No": 22, "Don't know": 9} {
		if got := r.Counts[label]; got < want-4 || got > want+4 {
			t.Errorf("%d of 60 say %s, of the respondents it would be %d", got, label, want)
		}
	}
	for _, a := range r.Answers {
		if len(a.CitationSources) != 1 || a.CitationSources[0].Title != "parents.csv" || a.CitationSources[0].Origin != "audience_grounding" {
			t.Fatalf("cited %+v", a.CitationSources)
		}
	}
}

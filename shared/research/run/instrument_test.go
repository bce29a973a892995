package run_test

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/research/export"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/research/summary"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// knowing are offline respondents who all know the same.
type knowing struct {
	simulate.Respondents
	evidence []*simulate.Evidence
	passages []simulate.Passage
}

func (k knowing) Ask(ctx context.Context, q simulate.Question, p simulate.Policy) (simulate.Asked, error) {
	a, err := k.Respondents.Ask(ctx, q, p)
	return informed{k, a}, err
}

type informed struct {
	k knowing
	a simulate.Asked
}

func (i informed) Answer(ctx context.Context, r simulate.Respondent) (simulate.Answer, error) {
	r.Evidence, r.Passages = append(slices.Clone(r.Evidence), i.k.evidence...), append(slices.Clone(r.Passages), i.k.passages...)
	return i.a.Answer(ctx, r)
}

// published are the eight questions of a published survey of US men (FiveThirtyEight,
// WNYC Studios and SurveyMonkey, May 2018, n = 1,615) with their figures.
func published(t testing.TB) (items []run.Item, known []*simulate.Evidence, shares map[string]map[string]float64) {
	t.Helper()
	raw, err := os.ReadFile("../../simulate/testdata/published-surveys.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Surveys []struct {
			ID, Title string
			Questions []struct {
				ID, Text string
				Base     int
				Options  []simulate.OptionShare
			}
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	shares = map[string]map[string]float64{}
	for _, s := range file.Surveys {
		if s.ID != "us-men-masculinity-2018" {
			continue
		}
		for _, q := range s.Questions {
			var labels []string
			sum := 0.0
			for _, o := range q.Options {
				labels, sum = append(labels, o.Label), sum+o.Share
			}
			shares[q.ID] = map[string]float64{}
			for _, o := range q.Options {
				shares[q.ID][o.Label] = o.Share / sum
			}
			items = append(items, choice(q.ID, q.Text, labels...))
			known = append(known, &simulate.Evidence{ID: q.ID, Question: q.Text, Options: q.Options, N: &q.Base, Source: s.Title, Dates: "May 2018", Digest: "d" + q.ID})
		}
	}
	if len(items) != 8 {
		t.Fatalf("%d questions", len(items))
	}
	return items, known, shares
}

func prepared(id, configuration string) map[string]any {
	return map[string]any{"methodId": id, "executable": true, "preparesQuestionsAtExecution": true, "requiresAdvancedMethodOptIn": true,
		"configuration": json.RawMessage(configuration), "configurationComplete": true, "missing": []string{}}
}

func preferring(question string, labels []string, utilities []float64) *simulate.Evidence {
	e := &simulate.Evidence{ID: question, Question: question, Source: "A survey of buyers", Dates: "2025", Digest: "d" + question}
	sum := 0.0
	for _, u := range utilities {
		sum += math.Exp(u)
	}
	for i, l := range labels {
		e.Options = append(e.Options, simulate.OptionShare{Label: l, Share: math.Exp(utilities[i]) / sum})
	}
	return e
}

func correlation(a, b []float64) float64 {
	var ma, mb, ab, aa, bb float64
	for i := range a {
		ma, mb = ma+a[i]/float64(len(a)), mb+b[i]/float64(len(b))
	}
	for i := range a {
		ab, aa, bb = ab+(a[i]-ma)*(b[i]-mb), aa+(a[i]-ma)*(a[i]-ma), bb+(b[i]-mb)*(b[i]-mb)
	}
	return ab / math.Sqrt(aa*bb)
}

// M-184, M-186, M-190, M-193, M-202, M-210, M-324: a published questionnaire with one
// routed question, then prices, a best-worst task and a conjoint of one product, asked
// of 200 Minds whose evidence plants what must come back; read as a run, as analytics,
// as a summary and as files.
func TestResearchInstrument(t *testing.T) {
	items, known, shares := published(t)
	lonely := items[7]
	follow := when(choice("talks", "Whom do you talk to when you feel lonely?", "A partner", "A friend", "Nobody"), lonely.ID, []string{"Often", "Sometimes"}, nil)
	brews := []string{"Dark roast", "Light roast", "Decaf", "Espresso", "Cold brew", "Instant"}
	liked := []float64{1.2, .5, -.9, .8, -.2, -1.4}
	kinds := []string{"Whole beans", "Ground", "Pods"}
	worth := []float64{.8, 0, -.8}
	picked := &simulate.Evidence{ID: "picked", Question: "Which of these would you choose? Select all that apply.", Multiselect: true, Source: "A survey of buyers", Dates: "2025", Digest: "picked"}
	for i, share := range []float64{.6, .4, .1, .45, .25, .05} {
		picked.Options = append(picked.Options, simulate.OptionShare{Label: brews[i], Share: share})
	}
	known = append(known, picked, preferring("Which of these matters most to you?", brews, liked), preferring("Which kind do you prefer?", kinds, worth))

	w := open(t, setting{minds: 200, deps: func(d *run.Deps) { d.Calculate = method.Calculate }})
	w.engine.Respondents = knowing{Respondents: simulate.NewOffline(), evidence: known,
		passages: []simulate.Passage{{ID: "price", Text: "The coffee subscription costs 12.00 EUR a month."}}}
	var labelled []string
	for i, l := range brews {
		labelled = append(labelled, `{"id":"b`+string(rune('1'+i))+`","label":"`+l+`"}`)
	}
	list := strings.Join(labelled, ",")
	modules := []any{map[string]any{"id": "main", "name": "Main", "questions": append(slices.Clone(items), follow)}}
	for _, id := range []string{"van-westendorp", "gabor-granger", "maxdiff", "turf", "conjoint", "kano"} {
		modules = append(modules, map[string]any{"id": id, "name": id, "methodId": id, "questions": []any{}})
	}
	plan := map[string]any{
		"modules": modules,
		"methods": []any{
			prepared("van-westendorp", `{"product":"coffee subscription","currency":"EUR","range":[1,60],"tieRule":"min"}`),
			prepared("gabor-granger", `{"product":"coffee subscription","currency":"EUR","prices":[6,9,12,15,20],"asking":"all","buyRule":"top_2_box"}`),
			prepared("maxdiff", `{"items":[`+list+`],"setSize":3,"versions":4}`),
			prepared("turf", `{"items":[`+list+`],"setSizes":[1,2,3],"reach":"pick","depth":1}`),
			prepared("conjoint", `{"attributes":[{"id":"kind","label":"Kind","levels":[{"id":"k1","label":"Whole beans"},{"id":"k2","label":"Ground"},{"id":"k3","label":"Pods"}]},{"id":"price","label":"Price","kind":"price","levels":[{"id":"p1","label":"8 EUR","value":8},{"id":"p2","label":"12 EUR","value":12},{"id":"p3","label":"16 EUR","value":16}]}],"alternatives":3,"none":true,"tasks":10,"versions":4}`),
			prepared("kano", `{"features":[{"id":"f1","label":"Free delivery"}]}`),
		},
	}
	started, err := w.runs.Start(w.ctx, run.StartRequest{StudyID: w.study, DraftID: w.planned(plan), Revision: 1, Confirmed: true, AdvancedOptIn: true})
	w.must(err)
	w.work()
	got := w.get(started.RunID)
	if got.Status != run.Completed {
		t.Fatalf("%s: %+v", got.Status, got.Failure)
	}

	// The published shares come back.
	for i, q := range items {
		a := got.Artifacts[i]
		for label, share := range shares[q.ID] {
			if off := math.Abs(a.Percentages[label]/100 - share); off > .05 {
				t.Errorf("%s %s: %.1f%%, published %.1f%%", q.ID, label, a.Percentages[label], 100*share)
			}
		}
		if a.Evidence.Grounded < 180 {
			t.Errorf("%s: %+v", q.ID, a.Evidence)
		}
	}
	routed := got.Artifacts[8]
	asked := got.Artifacts[7].Counts["Often"] + got.Artifacts[7].Counts["Sometimes"]
	if r := routed.Routing; r == nil || r.AskedCount != asked || r.AskedCount+r.NotAskedCount != 200 || routed.Base.Asked != asked {
		t.Errorf("routing %+v for %d", routed.Routing, asked)
	}
	if c := got.AnswerConsistency; c == nil || c.Status != "checked" || c.CheckedMinds != 200 || c.FlaggedMinds > 4 {
		t.Errorf("consistency %+v", c)
	}

	calculated := map[string]method.Calculation{}
	for _, c := range got.Calculations {
		calculated[c.MethodID] = c
		fits(t, "Calculation", c)
		t.Logf("%s %s %s %s %v", c.MethodID, c.Status, c.Reason, clipped(c.Results), c.Warnings)
	}
	of := func(id string, into any) bool {
		c := calculated[id]
		if c.Status != method.StatusOK {
			t.Errorf("%s: %s %s", id, c.Status, c.Reason)
			return false
		}
		w.must(json.Unmarshal(c.Results, into))
		return true
	}
	var meter struct {
		PMC, PME, IDP, OPP float64
		Invalid            int
	}
	if of("van-westendorp", &meter) {
		// Known multiples of the price that all know: whoever pays 12 finds about .78 of it
		// cheap and 1.07 of it dear.
		if meter.Invalid > 0 || !(meter.PMC <= meter.OPP && meter.OPP <= meter.PME && meter.PMC < meter.IDP && meter.IDP < meter.PME) || math.Abs(meter.IDP/12-.91) > .12 {
			t.Errorf("%+v", meter)
		}
	}
	var demand struct {
		Demand    []struct{ Price, Share float64 }
		Violators int
	}
	if of("gabor-granger", &demand) {
		for i := 1; i < len(demand.Demand); i++ {
			if demand.Demand[i].Share > demand.Demand[i-1].Share {
				t.Errorf("demand rises: %+v", demand.Demand)
			}
		}
	}
	var best struct {
		Items []struct {
			ID      string
			Utility struct{ Estimate float64 }
		}
	}
	if of("maxdiff", &best) {
		var found []float64
		for i := range brews {
			at := slices.IndexFunc(best.Items, func(x struct {
				ID      string
				Utility struct{ Estimate float64 }
			}) bool {
				return x.ID == "b"+string(rune('1'+i))
			})
			found = append(found, best.Items[at].Utility.Estimate)
		}
		if r := correlation(found, liked); r < .95 {
			t.Errorf("maxdiff r = %.3f: %v", r, found)
		}
	}
	var worths struct {
		PartWorths []struct {
			AttributeID, LevelID string
			Utility              struct{ Estimate float64 }
		}
	}
	if of("conjoint", &worths) {
		var found, want []float64
		for _, p := range worths.PartWorths {
			if p.AttributeID == "kind" {
				found, want = append(found, p.Utility.Estimate), append(want, worth[p.LevelID[1]-'1'])
			}
		}
		if r := correlation(found, want); r < .95 {
			t.Errorf("conjoint r = %.3f: %v", r, found)
		}
	}
	var reach struct {
		Exact bool
		Sets  []struct {
			Size    int
			ItemIDs []string
			Reach   struct{ Estimate float64 }
		}
	}
	if of("turf", &reach) && (!reach.Exact || reach.Sets[0].ItemIDs[0] != "b1") {
		t.Errorf("%+v", reach)
	}
	// Nothing is known of the feature: no category is named.
	if c := calculated["kano"]; c.Status != method.StatusInsufficientEvidence || string(c.Results) != "null" || c.Reason == "" {
		t.Errorf("kano %s %s", c.Status, c.Results)
	}

	// Analytics and summary cover the run.
	deps := study.Deps{Records: w.Store, Blobs: w.Blobs, Clock: w.Clock, IDs: clock.RandomIDs{}, Accounts: w.Accounts,
		Minds: w.Minds, Audiences: w.Audiences, Jobs: w.Jobs, Respondents: w.engine, Planned: func() study.Planned { return w.runs }}
	figures, err := study.New(deps).Analytics(w.ctx, w.study)
	w.must(err)
	n := slices.IndexFunc(figures.Categorical, func(c study.ChoiceResult) bool { return strings.HasSuffix(c.QuestionID, "/talks") })
	if len(figures.Categorical) < 9 || n < 0 || figures.Categorical[n].Base != asked {
		t.Errorf("%d choice results, the routed at %d", len(figures.Categorical), n)
	}
	sums := summary.New(summary.Deps{Records: w.Store, Blobs: w.Blobs, Clock: w.Clock, Studies: w.studies, Planned: w.runs})
	before := time.Now()
	told, err := sums.Refresh(w.ctx, summary.Request{StudyID: w.study, Length: summary.Detailed})
	w.must(err)
	t.Logf("summary of %d items: %v", len(got.Artifacts), time.Since(before))
	for _, want := range []string{"synthetic", "Whom do you talk to", "van-westendorp", "Optimal price point (EUR)", "Dark roast: score of 100", "Part-worth of Kind, Whole beans", "No finding: the evidence is insufficient.", "No answer was changed"} {
		if !strings.Contains(*told.Text, want) {
			t.Errorf("the summary does not say %q", want)
		}
	}
	if told.Metadata.IsStale || len(told.Metadata.CoveredMessageIDs) != 1 {
		t.Errorf("%+v", told.Metadata)
	}

	// Files: a report and raw data.
	w.exports(t)
}

func clipped(raw json.RawMessage) string { return string(raw[:min(len(raw), 300)]) }

// kept remembers the file that was stored last.
type kept struct {
	blobs.Store
	last blobs.Ref
}

func (k *kept) Put(ctx context.Context, prefix, mime string, body io.Reader, limit int64) (blobs.Ref, error) {
	ref, err := k.Store.Put(ctx, prefix, mime, body, limit)
	k.last = ref
	return ref, err
}

// exports makes the files of the Study and reads them.
func (w *world) exports(t *testing.T) {
	t.Helper()
	files := &kept{Store: w.Blobs}
	ex := export.New(export.Deps{Records: w.Store, Blobs: files, Clock: w.Clock, IDs: clock.RandomIDs{}, Accounts: w.Accounts,
		Studies: w.studies, Planned: w.runs, Jobs: w.Jobs, PublicURL: "http://127.0.0.1:8080"})
	read := func(kind, format string) string {
		_, err := ex.Start(w.ctx, export.Request{StudyID: w.study, Kind: kind, Format: format})
		w.must(err)
		for _, s := range w.Engine.Take() {
			var in export.JobInput
			w.must(json.Unmarshal(s.Input, &in))
			status, err := ex.Render(w.ctx, in)
			w.must(err)
			if status != export.Completed {
				t.Fatalf("export %s", status)
			}
		}
		r, err := w.Blobs.Open(w.ctx, files.last, 0, -1)
		w.must(err)
		defer r.Close()
		raw, err := io.ReadAll(r)
		w.must(err)
		return string(raw)
	}
	report := read(export.FullReport, "md")
	for _, want := range []string{"Routing", "Calculations", "Optimal price point", "Answer consistency", "No result: insufficient evidence"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	raw := read(export.RawData, "csv")
	lines := strings.Split(strings.TrimSpace(raw), "\r\n")
	if len(lines) != 201 || !strings.Contains(lines[0], "q9_asked") {
		t.Errorf("%d lines, head %.300s", len(lines), lines[0])
	}
}

package export_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs/folder"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/research/export"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// world is the export service over a store of its own and a Study that the test
// writes by hand.
type world struct {
	*export.Service
	t       *testing.T
	ctx     context.Context
	clock   *clock.Held
	studies *studies
	queue   *queue
	files   *folder.Store
	dir     string // of the files
	jobs    *jobs.Service
}

const studyID = "550e8400-e29b-41d4-a716-446655440000"

func newWorld(t *testing.T, plan account.Plan) *world {
	t.Helper()
	w := &world{t: t, clock: clock.Hold(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)), queue: &queue{}, studies: &studies{name: "Steak / 2026"}}
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "records.db"), sqlite.Options{Clock: w.clock, CursorKey: []byte(strings.Repeat("k", 32))})
	w.must(err)
	t.Cleanup(func() { _ = store.Close() })
	w.dir = filepath.Join(dir, "blobs")
	w.files, err = folder.Open(w.dir, folder.Options{Clock: w.clock, LinkKey: []byte(strings.Repeat("l", 32)), BaseURL: "https://mindgate.example"})
	w.must(err)
	accounts := account.New(account.Config{Records: store, Clock: w.clock, IDs: clock.RandomIDs{}, Plans: account.DefaultPlans()})
	w.jobs = jobs.New(store, w.queue, w.clock, nil)
	w.Service = export.New(export.Deps{Records: store, Blobs: w.files, Clock: w.clock, IDs: clock.RandomIDs{}, Accounts: accounts,
		Studies: w.studies, Jobs: w.jobs, PublicURL: "https://mindgate.example",
		TicketKey: []byte(strings.Repeat("t", 32))})
	w.ctx = account.With(t.Context(), account.Principal{Account: "acc", Workspace: "ws", Plan: plan, Scopes: []string{"*"}})
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

type queue struct {
	mu     sync.Mutex
	inputs []json.RawMessage
}

func (q *queue) Start(_ context.Context, _, _ string, input json.RawMessage) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.inputs = append(q.inputs, input)
	return nil
}
func (q *queue) Stop(context.Context, string, string, string) error { return nil }
func (q *queue) Describe(context.Context, string, string) (workflow.Execution, error) {
	return workflow.Execution{}, workflow.ErrNotFound
}
func (q *queue) Succeed(context.Context, string, json.RawMessage) error { return nil }
func (q *queue) Fail(context.Context, string, string, string) error     { return nil }

func (w *world) inputs() []export.JobInput {
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	out := make([]export.JobInput, len(w.queue.inputs))
	for i, raw := range w.queue.inputs {
		w.must(json.Unmarshal(raw, &out[i]))
	}
	w.queue.inputs = nil
	return out
}

func (w *world) run() {
	w.t.Helper()
	for _, in := range w.inputs() {
		for range 2 { // a task that runs twice changes nothing more
			status, err := w.Render(w.ctx, in)
			w.must(err)
			if status != export.Completed {
				w.t.Fatal(status)
			}
		}
	}
}

// studies is a Study of known answers.
type studies struct {
	name    string
	settled []study.Settled
	pending int
	broken  error
}

func (s *studies) Outline(_ context.Context, id string) (study.Outline, error) {
	if id != studyID {
		return study.Outline{}, fault.New(fault.NotFound, "No Study with this id.")
	}
	o := study.Outline{Study: study.Study{ID: studyID, Name: s.name}}
	for _, q := range s.settled {
		o.Questions = append(o.Questions, study.OutlineQuestion{ID: q.QuestionID, Status: q.Status, Settled: true, SettledAt: q.SettledAt})
	}
	for i := range s.pending {
		o.Questions = append(o.Questions, study.OutlineQuestion{ID: fmt.Sprint("p", i), Status: study.Queued})
	}
	return o, nil
}

func (s *studies) Settled(_ context.Context, _ string, ids []string, use func(study.Settled) error) error {
	if s.broken != nil {
		return s.broken
	}
	for _, id := range ids {
		for _, q := range s.settled {
			if q.QuestionID == id {
				if err := use(q); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func n(i int) *int { return &i }

// question builds a settled question from answers; nil is a Mind that gave none.
func question(id, text string, q simulate.Question, answers map[string]*simulate.Answer, order []string, audiences map[string][]string, names []string) study.Settled {
	out := study.Settled{QuestionID: id, RunID: "run-" + id, Text: text, Question: q, Status: study.Completed,
		Engine: study.Engine{Name: "offline-respondent", Version: "1.0.0", Simulated: true}, AskedAt: "2026-03-01T12:00:00.000Z", SettledAt: "2026-03-01T12:00:01.000Z"}
	group := func(name, gid string, members []string) study.Group {
		g := study.Group{ID: gid, Name: name, Counts: map[string]int{}}
		var tally simulate.Tally
		for _, o := range q.Options {
			g.Counts[o] = 0
		}
		for _, m := range members {
			g.Base.Asked++
			a := answers[m]
			if a == nil || a.Status != simulate.Answered {
				g.Base.Failed++
				continue
			}
			g.Base.Answered++
			tally.Add(a.Status, a.State)
			switch {
			case a.Number != nil:
				g.Counts[fmt.Sprint(*a.Number)]++
			case a.Option != "":
				g.Counts[a.Option]++
			}
			for _, o := range a.Options {
				g.Counts[o]++
			}
		}
		g.Base.Participating = g.Base.Asked
		g.Evidence = tally.Summary()
		return g
	}
	out.All = group("", "", order)
	for _, name := range names {
		out.Audiences = append(out.Audiences, group(name, "id-"+name, audiences[name]))
	}
	for _, m := range order {
		row := study.MindAnswer{MindID: m, Name: "Mind " + m, Answer: answers[m]}
		for i, name := range names {
			for _, id := range audiences[name] {
				if id == m {
					row.Audiences = append(row.Audiences, i)
				}
			}
		}
		out.Minds = append(out.Minds, row)
	}
	return out
}

func (s *studies) fill() {
	cite := []simulate.Citation{{SourceID: "k1", Source: "Steak survey", Dates: "May 2014", N: n(430), Origin: "mind_knowledge"}}
	pick := func(o string, st simulate.State) *simulate.Answer {
		a := &simulate.Answer{Status: simulate.Answered, Option: o, State: st}
		if st == simulate.Grounded {
			a.SourceIDs, a.Citations = []string{"k1"}, cite
		}
		return a
	}
	order := []string{"m1", "m2", "m3", "m4"}
	audiences := map[string][]string{"First": {"m1", "m2", "m3"}, "Second": {"m3", "m4"}}
	names := []string{"First", "Second"}
	three := 3.0
	s.settled = []study.Settled{
		question("q1", "How do you like\nyour steak | prepared?", simulate.Question{Type: simulate.Categorical, Options: []string{"Rare", "Well done", "=cmd()"}},
			map[string]*simulate.Answer{"m1": pick("Rare", simulate.Grounded), "m2": pick("Rare", simulate.Grounded), "m3": pick("=cmd()", simulate.Grounded),
				"m4": {Status: simulate.CannotAnswer, Reason: simulate.ReasonNoEvidence}}, order, audiences, names),
		question("q2", "Which brand goes to space?", simulate.Question{Type: simulate.Scale, Min: 1, Max: 5, ScaleLabels: map[int]string{1: "Never"}},
			map[string]*simulate.Answer{"m1": {Status: simulate.Answered, Number: &three, State: simulate.Unsupported}, "m2": nil, "m3": nil, "m4": nil}, order, audiences, names),
		question("q3", "Why?", simulate.Question{Type: simulate.Qualitative},
			map[string]*simulate.Answer{"m1": {Status: simulate.Answered, Text: "I grew up with it.", State: simulate.Stated, SourceIDs: []string{"k9"}, Citations: []simulate.Citation{{SourceID: "k9"}}}}, []string{"m1"}, map[string][]string{"First": {"m1"}}, []string{"First"}),
	}
}

func (w *world) start(r export.Request) export.Job {
	w.t.Helper()
	r.StudyID = studyID
	j, err := w.Start(w.ctx, r)
	w.must(err)
	return j
}

func (w *world) file(j export.Job) string {
	w.t.Helper()
	link, err := w.Download(w.ctx, studyID, j.JobID, "", "")
	w.must(err)
	if !strings.HasPrefix(link, "https://mindgate.example/") {
		w.t.Fatal(link)
	}
	rec := httptest.NewRecorder()
	w.files.ServeDownload(rec, httptest.NewRequest("GET", link, nil))
	if rec.Code != 200 || !strings.Contains(rec.Header().Get("Content-Disposition"), "Steak") {
		w.t.Fatal(rec.Code, rec.Header())
	}
	return rec.Body.String()
}

// M-222: the same request on unchanged results is the same job; force makes a
// new one; a change of what the report shows makes the cache miss.
func TestCache_M222(t *testing.T) {
	w := newWorld(t, account.Premium)
	w.studies.fill()
	first := w.start(export.Request{})
	if first.Status != export.Queued || first.Kind != export.FullReport || first.Format != "md" || first.DownloadURL != nil {
		t.Fatalf("%+v", first)
	}
	if again := w.start(export.Request{Format: "markdown", Length: "standard"}); again.JobID != first.JobID {
		t.Error("a running job must be joined, markdown is md")
	}
	w.run()
	done := w.start(export.Request{})
	if done.JobID != first.JobID || done.Status != export.Completed || done.DownloadURL == nil ||
		!strings.HasPrefix(*done.DownloadURL, "https://mindgate.example/api/v1/studies/"+studyID+"/export-download?jobId="+first.JobID+"&ticket=") {
		t.Fatalf("%+v", done)
	}
	forced := w.start(export.Request{Force: true})
	if forced.JobID == first.JobID {
		t.Error("force must make a new job")
	}
	w.run()
	if a, b := w.file(done), w.file(forced); a != b {
		t.Error("M-224: equal input must give equal bytes")
	}
	if now := w.start(export.Request{}); now.JobID != forced.JobID {
		t.Error("the newest file is the cached one")
	}
	if w.start(export.Request{Length: "short"}).JobID != w.start(export.Request{Length: "brief"}).JobID {
		t.Error("short and brief are one length")
	}
	if a := w.start(export.Request{Format: "csv", Length: "brief"}); a.Kind != export.RawData || a.JobID != w.start(export.Request{Kind: export.RawData, Format: "csv"}).JobID {
		t.Error("length is ignored for raw data, which csv implies")
	}
	w.studies.settled[0].SettledAt = "2026-03-02T00:00:00.000Z"
	if w.start(export.Request{}).JobID == forced.JobID {
		t.Error("changed results must make the cache miss")
	}
	// After 30 days the file is gone.
	w.clock.Advance(export.Kept)
	if _, err := w.Status(w.ctx, studyID, first.JobID, "", ""); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// Many equal requests at once are one job.
func TestConcurrentStart_M222(t *testing.T) {
	w := newWorld(t, account.Premium)
	w.studies.fill()
	ids := make([]string, 50)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			j, err := w.Start(w.ctx, export.Request{StudyID: studyID})
			if err != nil {
				t.Error(err)
			}
			ids[i] = j.JobID
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Fatal("two jobs of one request")
		}
	}
}

// M-220, M-103: bad pairs, formats that are not made yet, lengths, plans.
func TestRefusals_M220_M103(t *testing.T) {
	w := newWorld(t, account.Premium)
	w.studies.fill()
	for _, c := range []struct {
		r    export.Request
		code fault.Code
		says string
	}{
		{export.Request{Kind: export.RawData, Format: "pdf"}, fault.UnsupportedExportCombination, "csv, xls, sav"},
		{export.Request{Kind: export.FullReport, Format: "csv"}, fault.UnsupportedExportCombination, "raw data as"},
		{export.Request{Kind: export.RawData}, fault.UnsupportedExportCombination, "raw data comes as"},
		{export.Request{Format: "pdf"}, fault.UnsupportedExportCombination, "not made yet. Ask for format md"},
		{export.Request{Format: "docx", Kind: export.ExecutiveBrief}, fault.UnsupportedExportCombination, "format md"},
		{export.Request{Format: "sav"}, fault.UnsupportedExportCombination, "format csv"},
		{export.Request{Format: "xlsx"}, fault.Validation, "pdf, docx"},
		{export.Request{Kind: "poem"}, fault.Validation, "executive_brief"},
		{export.Request{Length: "endless"}, fault.Validation, "detailed"},
		{export.Request{ScheduledRunID: studyID}, fault.NotFound, "scheduledRunId"},
	} {
		c.r.StudyID = studyID
		_, err := w.Start(w.ctx, c.r)
		if !fault.Is(err, c.code) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.r, err)
		}
	}
	free := account.With(t.Context(), account.Principal{Account: "acc", Workspace: "ws", Plan: account.Free})
	if _, err := w.Start(free, export.Request{StudyID: studyID}); !fault.Is(err, fault.PlanLimit) || fault.From(err).Data["limitType"] != "exports" {
		t.Error(err)
	}
	if _, err := w.Start(w.ctx, export.Request{StudyID: "other"}); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	if len(w.inputs()) != 0 {
		t.Error("a refused export was queued")
	}
}

// M-221: idle, queued, completed, failed; an unknown job is 404, a file that is
// not there is no download.
func TestStates_M221(t *testing.T) {
	w := newWorld(t, account.Premium)
	w.studies.fill()
	idle, err := w.Status(w.ctx, studyID, "", "", "csv")
	w.must(err)
	if idle.Status != export.Idle || idle.JobID != "" {
		t.Errorf("%+v", idle)
	}
	if _, err := w.Download(w.ctx, studyID, "", "", "md"); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	j := w.start(export.Request{})
	if got, err := w.Status(w.ctx, studyID, j.JobID, j.Kind, j.Format); err != nil || got.Status != export.Queued {
		t.Error(got, err)
	}
	if _, err := w.Download(w.ctx, studyID, j.JobID, "", ""); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
	for _, c := range [][3]string{{"nope", "", ""}, {j.JobID, export.RawData, ""}, {j.JobID, "", "csv"}, {j.JobID, "", "png"}} {
		if _, err := w.Status(w.ctx, studyID, c[0], c[1], c[2]); !fault.Is(err, fault.NotFound) {
			t.Errorf("%v: %v", c, err)
		}
	}
	in := w.inputs()[0]
	w.studies.broken = io.ErrUnexpectedEOF
	if _, err := w.Render(w.ctx, in); err == nil {
		t.Error("a broken read must be an error for the machine to retry")
	}
	for range 2 {
		if status, err := w.Service.Fail(w.ctx, in); status != export.Failed || err != nil {
			t.Error(status, err)
		}
	}
	failed, err := w.Status(w.ctx, studyID, "", "", "md")
	w.must(err)
	if failed.Status != export.Failed || *failed.ErrorCode != "EXPORT_FAILED" || failed.Error == nil || failed.DownloadURL != nil {
		t.Errorf("%+v", failed)
	}
	w.studies.broken = nil
	if again := w.start(export.Request{}); again.JobID == j.JobID {
		t.Error("a failed job must not be joined")
	}
	w.run()
	got, err := w.Status(w.ctx, studyID, "", "", "")
	w.must(err)
	if got.Status != export.Completed || *got.Filename != "Steak - 2026 - full report.md" || *got.Progress != 100 || *got.MimeType != "text/markdown; charset=utf-8" {
		t.Errorf("%+v", got)
	}
	// Left by a lost start, then past its deadline.
	w.start(export.Request{Force: true})
	w.inputs()
	w.clock.Advance(time.Hour)
	expired := map[string]func(context.Context, jobs.Job) error{export.Machine: w.Expire}
	if _, failed, err := w.jobs.Sweep(t.Context(), expired); failed != 1 || err != nil {
		t.Error(failed, err)
	}
}

// M-224, M-225: the report leads with what it is and what it rests on; figures
// have their base; a share of nobody is a dash, never a 0; no finding where the
// evidence carries none (M-343).
func TestReport_M225_M343(t *testing.T) {
	w := newWorld(t, account.Premium)
	w.studies.fill()
	w.studies.pending = 2
	j := w.start(export.Request{Length: "detailed"})
	w.run()
	md := w.file(j)
	order := []string{"# Steak / 2026", "offline-respondent 1.0.0", "Simulated answers", "they show how your study works", "What the answers rest on", "rest on published or imported figures",
		"Method", "Results", "How do you like your steak", "Sources", "Steak survey", "Not in this report"}
	at := 0
	for _, s := range order {
		i := strings.Index(strings.ToLower(md[at:]), strings.ToLower(s))
		if i < 0 {
			t.Fatalf("%q does not follow in\n%s", s, md)
		}
		at += i
	}
	for _, s := range []string{"66.7%", "Base: 3 Minds answered of 4 asked; 1 gave no answer", "430", "May 2014", "No finding: the evidence is insufficient", "I grew up with it.", "(synthetic)", "2 questions were"} {
		if !strings.Contains(md, s) {
			t.Errorf("%q is missing in\n%s", s, md)
		}
	}
	w.studies.settled = nil
	w.studies.pending = 0
	j = w.start(export.Request{Kind: export.ExecutiveBrief})
	w.run()
	if md := w.file(j); !strings.Contains(md, "nothing to report") || strings.Contains(md, "0%") {
		t.Error(md)
	}
}

// M-224, M-225: one row a Mind, BOM, formulas defused, the evidence of each
// answer beside it, empty cells for what was not answered.
func TestRawData_M224_M225(t *testing.T) {
	w := newWorld(t, account.Premium)
	w.studies.fill()
	j := w.start(export.Request{Format: "csv"})
	w.run()
	raw := w.file(j)
	if !strings.HasPrefix(raw, "\ufeff") {
		t.Error("no byte order mark")
	}
	rows, err := csv.NewReader(bytes.NewReader([]byte(strings.TrimPrefix(raw, "\ufeff")))).ReadAll()
	w.must(err)
	if len(rows) != 5 {
		t.Fatalf("%d rows for 4 Minds", len(rows)-1)
	}
	col := map[string]int{}
	for i, h := range rows[0] {
		col[strings.SplitN(h, ":", 2)[0]] = i
	}
	cell := func(row int, name string) string { return rows[row][col[name]] }
	for row, want := range map[int]map[string]string{
		1: {"simulated": "true", "engine": "offline-respondent", "engine_version": "1.0.0", "mind_id": "m1", "audience": "First", "q1": "Rare", "q1_evidence": "grounded", "q1_sources": "k1", "q1_run": "run-q1", "q2": "3", "q2_evidence": "unsupported", "q3": "I grew up with it.", "q3_evidence": "stated"},
		3: {"audience": "First; Second", "q1": "'=cmd()", "q2": "", "q2_evidence": "failed", "q3": "", "q3_evidence": "not_asked"},
		4: {"q1": "", "q1_evidence": "cannot_answer"},
	} {
		for name, v := range want {
			if got := cell(row, name); got != v {
				t.Errorf("row %d, %s: %q, want %q", row, name, got, v)
			}
		}
	}
	if cell(1, "evidence_headline") == "" || !strings.Contains(rows[0][col["q1"]], "How do you like your steak") {
		t.Error(rows[0])
	}
}

// A file goes with its job, after Kept, and never earlier; two jobs with equal
// bytes have a file each, so that the end of one leaves the other's.
func TestFilesGoWithTheirJobs_M224(t *testing.T) {
	w := newWorld(t, account.Premium)
	first := w.start(export.Request{StudyID: studyID, Kind: export.RawData, Format: "csv"})
	w.run()
	w.clock.Advance(24 * time.Hour)
	second := w.start(export.Request{StudyID: studyID, Kind: export.RawData, Format: "csv", Force: true})
	w.run()
	files := func() int {
		t.Helper()
		n := 0
		w.must(filepath.WalkDir(w.dir, func(_ string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				n++
			}
			return err
		}))
		return n
	}
	sweep := func(want int) {
		t.Helper()
		if n, err := w.Sweep(t.Context()); err != nil || n != want {
			t.Errorf("%d files removed, want %d, %v", n, want, err)
		}
	}
	if n := files(); n != 2 {
		t.Fatalf("%d files of two jobs", n)
	}
	w.clock.Advance(export.Kept - 24*time.Hour - time.Minute)
	sweep(0)
	w.clock.Advance(10 * time.Minute) // the first is over, the second has a day
	sweep(1)
	sweep(0)
	if _, err := w.Download(w.ctx, studyID, first.JobID, "", ""); !fault.Is(err, fault.NotFound) {
		t.Errorf("the first: %v", err)
	}
	link, err := w.Download(w.ctx, studyID, second.JobID, "", "")
	w.must(err)
	if link == "" || files() != 1 {
		t.Errorf("the file of the second is gone, %d files", files())
	}
	w.clock.Advance(24 * time.Hour)
	sweep(1)
	if n := files(); n != 0 {
		t.Errorf("%d files left for ever", n)
	}
}

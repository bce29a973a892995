package dataset_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/research/dataset"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
	"github.com/mindgate-dev/mindgate/shared/webpage"
)

// world is a gateway's data sets: uploads are real, the web is a map.
type world struct {
	*researchtest.World
	sets   *dataset.Service
	engine *engine
	web    web
}

// engine runs a review at once, unless it is held.
type engine struct {
	researchtest.Engine
	mu      sync.Mutex
	held    bool
	started []dataset.JobInput
	run     func(context.Context, dataset.JobInput) error
}

func (e *engine) Start(ctx context.Context, _, _ string, input json.RawMessage) error {
	var in dataset.JobInput
	if err := json.Unmarshal(input, &in); err != nil {
		return err
	}
	e.mu.Lock()
	e.started = append(e.started, in)
	held := e.held
	e.mu.Unlock()
	if held {
		return nil
	}
	return e.run(ctx, in)
}

func (e *engine) starts() []dataset.JobInput {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]dataset.JobInput(nil), e.started...)
}

// web gives what stands at an address: bytes, or an error.
type web map[string]any

type content struct {
	io.Reader
	closed *bool
}

func (c content) Close() error {
	if c.closed != nil {
		*c.closed = true
	}
	return nil
}

func (w web) File(_ context.Context, rawURL string) (webpage.Fetched, error) {
	switch at := w[rawURL].(type) {
	case string:
		return webpage.Fetched{Body: content{Reader: strings.NewReader(at)}}, nil
	case io.Reader:
		return webpage.Fetched{Body: content{Reader: at}}, nil
	case error:
		return webpage.Fetched{}, at
	}
	return webpage.Fetched{}, &webpage.Refused{Code: webpage.Status, Message: "The server at 10.1.2.3 has nothing here."}
}

// stored are uploads by their address.
type stored struct{ uploads *upload.Service }

func (s stored) Open(ctx context.Context, address string) (io.ReadCloser, string, bool, error) {
	at, ok := s.uploads.Path(address)
	if !ok {
		return nil, "", false, nil
	}
	in, f, err := s.uploads.Open(ctx, at)
	return in, f.Type, true, err
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{World: researchtest.New(t), engine: &engine{}, web: web{}}
	guard, err := fetch.NewGuard(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.sets = dataset.New(dataset.Deps{
		Records: w.Store, Blobs: w.Blobs, Clock: clock.System{}, IDs: clock.RandomIDs{}, Accounts: w.Accounts,
		Jobs: jobs.New(w.Store, w.engine, clock.System{}, nil), Files: stored{w.Uploads}, Pages: w.web,
		Check: func(rawURL string, _ bool) error { return guard.CheckAddress(rawURL, fetch.File) },
	})
	w.engine.run = func(ctx context.Context, in dataset.JobInput) error {
		_, err := w.sets.Review(ctx, in)
		if err != nil { // as the machine does
			_, err = w.sets.Fail(ctx, in)
		}
		return err
	}
	return w
}

// send uploads a file and gives its path.
func (w *world) send(t *testing.T, ctx context.Context, name, text string) string {
	t.Helper()
	u, err := w.Uploads.Create(ctx, upload.Request{Name: name, Folder: "temp"})
	if err != nil {
		t.Fatal(err)
	}
	id, ticket, _ := strings.Cut(u.UploadURL[strings.LastIndex(u.UploadURL, "/")+1:], "?ticket=")
	if err := w.Uploads.Receive(ctx, id, ticket, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return u.Path
}

// survey are completed respondents of two structural columns and one question.
func survey(n int) string {
	var b strings.Builder
	b.WriteString("RespondentID;Gender;Age;Do you like tea?\n")
	for i := range n {
		fmt.Fprintf(&b, "%d;%s;%s;%s\n", 7000000000+i, []string{"Female", "Male"}[i%2], []string{"18-29", "30-44", "45-60", "> 60"}[i%4], []string{"Yes", "No", "Yes"}[i%3])
	}
	return b.String()
}

// M-130, M-131: an upload of the caller's is reviewed, and what was assumed of it
// is said.
func TestReviewOfAnUpload(t *testing.T) {
	w := open(t)
	ctx := w.As(t, "Ada", account.Team)
	at := w.send(t, ctx, "wave 3.csv", survey(120))
	for _, url := range []string{at, "/uploads/" + at} {
		p, err := w.sets.Preview(ctx, dataset.Request{Name: "wave 3.csv", URL: url})
		if err != nil {
			t.Fatal(err)
		}
		if p.FileName != "wave 3.csv" || p.SheetName != nil || p.RowCount != 120 || p.RespondentCount != 120 || strings.Join(p.SegmentationColumns, " ") != "Gender Age" {
			t.Errorf("%+v", p)
		}
		if !strings.Contains(strings.Join(p.Warnings, "\n"), "semicolons") {
			t.Errorf("warnings %q", p.Warnings)
		}
		if err := p.Check(nil); err != nil {
			t.Error(err)
		}
	}
	p, err := w.sets.Preview(ctx, dataset.Request{Name: "wave 3.csv", URL: at, Columns: []string{"Age"}})
	if err != nil || strings.Join(p.SegmentationColumns, " ") != "Age" {
		t.Errorf("%v %+v", err, p)
	}
}

func TestWorkbooksNameTheirSheet(t *testing.T) {
	w := open(t)
	ctx := w.As(t, "Ada", account.Team)
	p, err := w.sets.Preview(ctx, dataset.Request{Name: "a.xlsx", URL: w.send(t, ctx, "a.xlsx", workbook(t))})
	if err != nil || p.SheetName == nil || *p.SheetName != "Wave 3" || p.RespondentCount != 60 {
		t.Errorf("%v %+v", err, p)
	}
}

// workbook has a cover before its data.
func workbook(t *testing.T) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	_ = f.SetSheetName("Sheet1", "Cover")
	_ = f.SetCellValue("Cover", "A1", "About this survey")
	_, _ = f.NewSheet("Wave 3")
	for i, line := range strings.Split(strings.TrimSpace(survey(60)), "\n") {
		var row []any
		for _, c := range strings.Split(line, ";") {
			row = append(row, c)
		}
		_ = f.SetSheetRow("Wave 3", fmt.Sprintf("A%d", i+1), &row)
	}
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// M-110, M-111, M-114 and what the operation refuses, each with its code; nothing
// is said of servers or addresses behind a name.
func TestRefusals(t *testing.T) {
	w := open(t)
	ctx, free, other := w.As(t, "Ada", account.Team), w.As(t, "Ben", account.Free), w.As(t, "Cleo", account.Team)
	mine := w.send(t, ctx, "a.csv", survey(60))
	const host = "https://files.example.com/"
	w.web[host+"large.csv"] = io.MultiReader(strings.NewReader("a,b\n"), io.LimitReader(zeros{}, 51<<20))
	w.web[host+"media.csv"] = &webpage.Refused{Code: webpage.MediaType, Message: "video"}
	w.web[host+"larger.csv"] = &webpage.Refused{Code: webpage.TooLarge, Message: "x"}
	w.web[host+"redirect.csv"] = fault.New(fault.UnsafeURL, "The address is not public.")
	w.web[host+"grid.csv"] = "code,text,options,route\nQ1,How old are you?,Under 18;18 to 29;30 or older,If under 18 screen out\nQ2,Which of these do you own?,Car;Bicycle;None of these,Ask all\nQ3,How often do you drive?,Daily;Weekly;Never,Ask if Q2 is Car\nQ4,How satisfied are you?,Very;Somewhat;Not at all,Ask all\n"
	w.web[host+"rows.csv"] = "Gender,Age\n" + strings.Repeat("Male,20\n", 200_001)
	w.web[host+"columns.csv"] = strings.Repeat("a,", 2_001) + "b\n" + strings.Repeat("1,", 2_001) + "2\n"
	w.web[host+"one.csv"] = "Gender,Age\nMale,20\n"
	w.web[host+"empty.csv"] = ""
	w.web[host+"locked.xls"] = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and nothing more"
	w.web[host+"page.xls"] = "<html><table><tr><td>1</td></tr></table></html>"
	for name, c := range map[string]struct {
		ctx  context.Context
		r    dataset.Request
		want fault.Code
	}{
		"plan":                {free, dataset.Request{Name: "a.csv", URL: mine}, fault.PlanLimit},
		"foreign upload":      {other, dataset.Request{Name: "a.csv", URL: mine}, fault.Forbidden},
		"no such upload":      {other, dataset.Request{Name: "a.csv", URL: strings.Replace(mine, "temp/", "chat/", 1)}, fault.Forbidden},
		"no name":             {ctx, dataset.Request{URL: mine}, fault.Validation},
		"another kind":        {ctx, dataset.Request{Name: "a.pdf", URL: mine}, fault.Validation},
		"long name":           {ctx, dataset.Request{Name: strings.Repeat("a", 300) + ".csv", URL: mine}, fault.Validation},
		"no address":          {ctx, dataset.Request{Name: "a.csv"}, fault.Validation},
		"a column twice":      {ctx, dataset.Request{Name: "a.csv", URL: mine, Columns: []string{"Age", "Age"}}, fault.Validation},
		"an unknown column":   {ctx, dataset.Request{Name: "a.csv", URL: mine, Columns: []string{"Income"}}, fault.Validation},
		"http":                {ctx, dataset.Request{Name: "a.csv", URL: "http://files.example.com/a.csv"}, fault.UnsafeURL},
		"this machine":        {ctx, dataset.Request{Name: "a.csv", URL: "https://127.0.0.1/a.csv"}, fault.UnsafeURL},
		"a private network":   {ctx, dataset.Request{Name: "a.csv", URL: "https://192.168.1.1/a.csv"}, fault.UnsafeURL},
		"a file":              {ctx, dataset.Request{Name: "a.csv", URL: "file:///etc/passwd"}, fault.UnsafeURL},
		"redirected inside":   {ctx, dataset.Request{Name: "a.csv", URL: host + "redirect.csv"}, fault.UnsafeURL},
		"nothing there":       {ctx, dataset.Request{Name: "a.csv", URL: host + "none.csv"}, fault.Internal},
		"no table":            {ctx, dataset.Request{Name: "a.csv", URL: host + "media.csv"}, fault.Validation},
		"too large":           {ctx, dataset.Request{Name: "a.csv", URL: host + "large.csv"}, fault.PayloadTooLarge},
		"too large by header": {ctx, dataset.Request{Name: "a.csv", URL: host + "larger.csv"}, fault.PayloadTooLarge},
		"too many rows":       {ctx, dataset.Request{Name: "a.csv", URL: host + "rows.csv"}, fault.PayloadTooLarge},
		"too many columns":    {ctx, dataset.Request{Name: "a.csv", URL: host + "columns.csv"}, fault.PayloadTooLarge},
		"a grid":              {ctx, dataset.Request{Name: "a.csv", URL: host + "grid.csv"}, fault.NotRespondentData},
		"one row":             {ctx, dataset.Request{Name: "a.csv", URL: host + "one.csv"}, fault.Validation},
		"empty":               {ctx, dataset.Request{Name: "a.csv", URL: host + "empty.csv"}, fault.Validation},
		"damaged":             {ctx, dataset.Request{Name: "a.xls", URL: host + "locked.xls"}, fault.Validation},
		"a web page":          {ctx, dataset.Request{Name: "a.xls", URL: host + "page.xls"}, fault.Validation},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := w.sets.Preview(c.ctx, c.r)
			if f := fault.From(err); err == nil || f.Code != c.want {
				t.Fatalf("%+v, err = %v, want %s", p, err, c.want)
			}
			if strings.Contains(err.Error(), "10.1.2.3") {
				t.Errorf("the refusal tells of the server: %v", err)
			}
		})
	}
	_, foreign := w.sets.Preview(other, dataset.Request{Name: "a.csv", URL: mine})
	_, none := w.sets.Preview(other, dataset.Request{Name: "a.csv", URL: strings.Replace(mine, "temp/", "chat/", 1)})
	if foreign.Error() != none.Error() {
		t.Errorf("a foreign upload is told from none: %q, %q", foreign, none)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// M-114: the body of an answer that failed is closed.
func TestBodiesAreClosed(t *testing.T) {
	w := open(t)
	ctx := w.As(t, "Ada", account.Team)
	var closed bool
	broken := failing{&closed}
	sets := dataset.New(dataset.Deps{Records: w.Store, Blobs: w.Blobs, Clock: clock.System{}, IDs: clock.RandomIDs{}, Accounts: w.Accounts,
		Jobs: jobs.New(w.Store, w.engine, clock.System{}, nil), Files: stored{w.Uploads}, Pages: broken, Check: func(string, bool) error { return nil }})
	w.engine.run = func(ctx context.Context, in dataset.JobInput) error { _, err := sets.Review(ctx, in); return err }
	if _, err := sets.Preview(ctx, dataset.Request{Name: "a.csv", URL: "https://example.com/a.csv"}); !fault.Is(err, fault.Internal) || !closed {
		t.Errorf("err = %v, closed = %v", err, closed)
	}
}

type failing struct{ closed *bool }

func (f failing) File(context.Context, string) (webpage.Fetched, error) {
	return webpage.Fetched{Body: content{io.MultiReader(strings.NewReader("a,b\n"), breaks{}), f.closed}}, nil
}

type breaks struct{}

func (breaks) Read([]byte) (int, error) {
	return 0, &webpage.Refused{Code: webpage.Unreachable, Message: "broke off"}
}

// Equal requests wait for one review, even of many callers at once; a review that
// ended is given again, and a failed one is tried anew.
func TestEqualRequestsShareAReview(t *testing.T) {
	w := open(t)
	ctx := w.As(t, "Ada", account.Team)
	at := w.send(t, ctx, "a.csv", survey(60))
	w.engine.held = true
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if p, err := w.sets.Preview(ctx, dataset.Request{Name: "a.csv", URL: at}); err != nil || p.RespondentCount != 60 {
				t.Errorf("%v %+v", err, p)
			}
		})
	}
	for len(w.engine.starts()) == 0 {
		_ = clock.System{}.Sleep(ctx, time.Millisecond)
	}
	for range 2 { // a task that is repeated changes nothing
		if status, err := w.sets.Review(ctx, w.engine.starts()[0]); err != nil || status != "completed" {
			t.Fatal(status, err)
		}
	}
	if status, err := w.sets.Fail(ctx, w.engine.starts()[0]); err != nil || status != "completed" {
		t.Error(status, err)
	}
	all.Wait()
	if n := len(w.engine.starts()); n != 1 {
		t.Errorf("%d reviews", n)
	}
	w.engine.held = false
	if _, err := w.sets.Preview(ctx, dataset.Request{Name: "a.csv", URL: at}); err != nil || len(w.engine.starts()) != 1 {
		t.Errorf("%v, %d reviews", err, len(w.engine.starts()))
	}
	for range 2 {
		if _, err := w.sets.Preview(ctx, dataset.Request{Name: "a.csv", URL: "https://files.example.com/none.csv"}); !fault.Is(err, fault.Internal) {
			t.Error(err)
		}
	}
	if n := len(w.engine.starts()); n != 3 {
		t.Errorf("%d reviews", n)
	}
	// Nothing is left for the sweeper.
	if started, failed, err := w.Jobs.Sweep(ctx, nil); started+failed != 0 || err != nil {
		t.Error(started, failed, err)
	}
}

// A call whose time is over says so, and the same call takes the review up; one
// that never ends is settled by the sweeper.
func TestAReviewThatTakesLonger(t *testing.T) {
	w := open(t)
	ctx := w.As(t, "Ada", account.Team)
	at := w.send(t, ctx, "a.csv", survey(60))
	w.engine.held = true
	short, cancel := context.WithTimeout(ctx, 2100*time.Millisecond)
	defer cancel()
	r := dataset.Request{Name: "a.csv", URL: at}
	if _, err := w.sets.Preview(short, r); !fault.Is(err, fault.DeadlineExceeded) {
		t.Fatalf("err = %v", err)
	}
	in := w.engine.starts()[0]
	if _, err := w.sets.Review(ctx, in); err != nil {
		t.Fatal(err)
	}
	if p, err := w.sets.Preview(ctx, r); err != nil || p.RespondentCount != 60 || len(w.engine.starts()) != 1 {
		t.Errorf("%v %+v, %d starts", err, p, len(w.engine.starts()))
	}

	r.Columns = []string{"Age"}
	_, _ = w.sets.Preview(short, r)
	raw, _ := json.Marshal(w.engine.starts()[1])
	if err := w.sets.Expire(ctx, jobs.Job{Input: raw}); err != nil {
		t.Fatal(err)
	}
	if status, err := w.sets.Review(ctx, w.engine.starts()[1]); err != nil || status != "failed" {
		t.Errorf("%s %v: an expired review went on", status, err)
	}
	w.engine.held = false
	if _, err := w.sets.Preview(ctx, r); err != nil {
		t.Errorf("err = %v: an expired review is tried anew", err)
	}
}

// What respondents have in common is there for a creation, and only for the file
// that was reviewed.
func TestObserved(t *testing.T) {
	w := open(t)
	ctx := w.As(t, "Ada", account.Team)
	r := dataset.Request{Name: "a.csv", URL: w.send(t, ctx, "a.csv", survey(240))}
	p, err := w.sets.Preview(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	review, _ := json.Marshal(p)
	r.Columns = p.SegmentationColumns
	seen, err := w.sets.Observed(ctx, r, review)
	if err != nil || len(seen.Pairs) != 1 || len(seen.Pairs[0].Cells) != 4 || len(seen.Evidence) == 0 {
		t.Fatalf("%v %+v", err, seen)
	}
	r.URL = w.send(t, ctx, "a.csv", survey(241))
	if _, err := w.sets.Observed(ctx, r, review); !fault.Is(err, fault.Validation) || !strings.Contains(err.Error(), "does not give the figures") {
		t.Errorf("err = %v", err)
	}
	if _, err := w.sets.Observed(w.As(t, "Ben", account.Free), r, review); !fault.Is(err, fault.PlanLimit) {
		t.Errorf("err = %v", err)
	}
}

// What was seen goes after a day, for whoever asks meanwhile a day later; a review
// whose figures are gone is made anew.
func TestWhatWasSeenGoes(t *testing.T) {
	w := open(t)
	ctx := w.As(t, "Ada", account.Team)
	held := clock.Hold(time.Now())
	sets := dataset.New(dataset.Deps{Records: w.Store, Blobs: w.Blobs, Clock: ticking{held}, IDs: clock.RandomIDs{}, Accounts: w.Accounts,
		Jobs: jobs.New(w.Store, w.engine, held, nil), Files: stored{w.Uploads}, Pages: w.web, Check: func(string, bool) error { return nil }})
	w.engine.run = func(ctx context.Context, in dataset.JobInput) error { _, err := sets.Review(ctx, in); return err }
	w.web["https://example.com/a.csv"] = survey(60)
	r := dataset.Request{Name: "a.csv", URL: "https://example.com/a.csv"}
	review := func() {
		t.Helper()
		if p, err := sets.Preview(ctx, r); err != nil || p.RespondentCount != 60 {
			t.Fatal(err)
		}
	}
	sweep := func(want int) {
		t.Helper()
		if n, err := sets.Sweep(ctx); err != nil || n != want {
			t.Errorf("swept %d, %v, want %d", n, err, want)
		}
	}
	review()
	held.Advance(20 * time.Hour)
	sweep(0)
	review() // the address is asked again, and the same bytes are known
	held.Advance(20 * time.Hour)
	sweep(0)
	held.Advance(5 * time.Hour)
	sweep(1)
	sweep(0)
	review()
	if n := len(w.engine.starts()); n != 3 {
		t.Errorf("%d reviews", n)
	}
}

// ticking moves a held clock by what is slept.
type ticking struct{ *clock.Held }

func (c ticking) Sleep(_ context.Context, d time.Duration) error {
	c.Advance(d)
	return nil
}

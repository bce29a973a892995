package heatmap_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/attach"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/heatmap"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/saliency"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// eyes is a model that sees, where a test says so.
type eyes struct {
	simulate.Respondents
	mu    sync.Mutex
	asked map[string]int
	blind bool
	look  func(r simulate.Respondent) (answer.Looked, error)
	gone  error
}

func (e *eyes) Info() simulate.Info     { return simulate.Info{Name: "eyes", Version: "1"} }
func (e *eyes) Can() model.Capabilities { return model.Capabilities{Vision: !e.blind} }
func (e *eyes) Talk(context.Context, simulate.Respondent, answer.Talk, simulate.Policy) (answer.Said, error) {
	return answer.Said{}, errors.New("nobody talks")
}
func (e *eyes) Shape(context.Context, string, *model.Schema) (json.RawMessage, error) {
	return nil, errors.New("nothing has a form")
}
func (e *eyes) Look(_ context.Context, r simulate.Respondent, l answer.Looking) (answer.Looked, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked[r.ID]++
	if e.look != nil {
		return e.look(r)
	}
	return answer.Looked{Points: []answer.Point{{Column: 4, Row: 3, Weight: 5, Reason: "The sign."}, {Column: 20, Row: 13, Weight: 1}}}, nil
}
func (e *eyes) For(_ context.Context, ref *mind.ConnectionRef) (simulate.Respondents, error) {
	if e.gone != nil {
		return nil, e.gone
	}
	return e, nil
}

// brought decodes what stands in an address.
type brought struct{}

func (brought) Ours(string) bool { return true }
func (brought) Read(_ context.Context, r attach.Ref) (attach.File, error) {
	name := r.URL + r.Path
	raw := spot()
	if strings.Contains(name, "broken") {
		raw = raw[:60]
	}
	return attach.File{Name: name, Picture: &simulate.Picture{Name: name, MediaType: "image/png", Data: raw}}, nil
}

func spot() []byte {
	m := image.NewNRGBA(image.Rect(0, 0, 240, 160))
	for y := range 160 {
		for x := range 240 {
			c := color.NRGBA{20, 40, 60, 255}
			if dx, dy := x-60, y-40; dx*dx+dy*dy < 150 {
				c = color.NRGBA{250, 240, 90, 255}
			}
			m.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, m)
	return b.Bytes()
}

// faulty is a store that is down at one access: before it, or behind a write.
type faulty struct {
	records.Store
	mu   sync.Mutex
	ops  int
	down int
	late bool
}

func (f *faulty) hit() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ops++
	return f.ops == f.down
}
func (f *faulty) Get(ctx context.Context, k records.Key) (records.Item, error) {
	if f.hit() {
		return records.Item{}, records.ErrUnavailable
	}
	return f.Store.Get(ctx, k)
}
func (f *faulty) Put(ctx context.Context, it records.Item, c ...records.Cond) (records.Item, error) {
	down := f.hit()
	if down && !f.late {
		return records.Item{}, records.ErrUnavailable
	}
	out, err := f.Store.Put(ctx, it, c...)
	if err == nil && down {
		err = records.ErrUnavailable
	}
	return out, err
}
func (f *faulty) Transact(ctx context.Context, token string, actions ...records.Action) error {
	down := f.hit()
	if down && !f.late {
		return records.ErrUnavailable
	}
	err := f.Store.Transact(ctx, token, actions...)
	if err == nil && down {
		err = records.ErrUnavailable
	}
	return err
}

type world struct {
	*researchtest.World
	t     testing.TB
	ctx   context.Context
	eyes  *eyes
	store *faulty
	deps  heatmap.Deps
	s     *heatmap.Service
	study *study.Service
}

func open(t testing.TB, plan account.Plan) *world {
	t.Helper()
	w := &world{t: t, eyes: &eyes{Respondents: simulate.NewOffline(), asked: map[string]int{}}}
	w.World = researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Wrap: func(s records.Store) records.Store {
		w.store = &faulty{Store: s}
		return w.store
	}})
	w.study = study.New(study.Deps{Records: w.Store, Blobs: w.Blobs, Clock: w.Clock, IDs: clock.RandomIDs{}, Accounts: w.Accounts,
		Minds: w.Minds, Audiences: w.Audiences, Jobs: w.Jobs, Respondents: simulate.NewOffline(), Answerers: w.eyes, Brought: brought{}, PublicURL: "http://127.0.0.1:8080"})
	w.deps = heatmap.Deps{Records: w.Store, Blobs: w.Blobs, Clock: w.Clock, IDs: clock.RandomIDs{}, Accounts: w.Accounts,
		Studies: w.study, Minds: w.Minds, Jobs: w.Jobs, Path: w.Uploads.Path}
	w.s = heatmap.New(w.deps)
	w.ctx = w.As(t, "anna", plan)
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// asked puts a question with pictures to n Minds.
func (w *world) asked(ctx context.Context, n int, sees bool, pictures ...string) (studyID, messageID string) {
	w.t.Helper()
	var ids []string
	for i := range n {
		c, err := w.Minds.Create(ctx, mind.CreateRequest{Name: fmt.Sprintf("Mind %03d", i), Mode: mind.ModeManual, PersonaContext: "Age: 40"})
		w.must(err)
		_, err = w.Minds.RegeneratePrompt(ctx, c.Mind.ID, "")
		w.must(err)
		ids = append(ids, c.Mind.ID)
	}
	a, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "A", MindIDs: ids})
	w.must(err)
	s, err := w.study.Create(ctx, study.CreateRequest{Name: "S", AudienceIDs: []string{a.Audience.ID}})
	w.must(err)
	r := study.AskRequest{StudyID: s.Study.ID, Question: "What do you notice?"}
	for _, p := range pictures {
		if strings.Contains(p, "://") {
			r.Attachments = append(r.Attachments, study.Asset{URL: p})
		} else {
			r.Attachments = append(r.Attachments, study.Asset{Path: p})
		}
	}
	if sees {
		r.ModelConnection = &study.ModelConnection{ID: "00000000-0000-4000-8000-000000000001", Revision: 1}
	}
	q, err := w.study.Ask(ctx, r)
	w.must(err)
	w.Engine.Take()
	st, err := w.study.Status(ctx, s.Study.ID, "")
	w.must(err)
	for _, of := range st.Active {
		if of.QuestionID == *q.Run.QuestionID {
			return s.Study.ID, of.MessageID
		}
	}
	w.t.Fatal("no message")
	return "", ""
}

// work runs what was started to its end, trying again what is worth it.
func (w *world) work() {
	w.t.Helper()
	for _, j := range w.Engine.Take() {
		if j.Machine != heatmap.Machine {
			continue
		}
		var in heatmap.JobInput
		w.must(json.Unmarshal(j.Input, &in))
		p, err := w.Accounts.Internal(w.t.Context(), in.Workspace, in.Account)
		w.must(err)
		w.until(account.With(w.t.Context(), p), in)
	}
}

func (w *world) until(ctx context.Context, in heatmap.JobInput) {
	w.t.Helper()
	for range 1000 {
		done, err := w.s.Work(ctx, in)
		if errors.Is(err, records.ErrConflict) || errors.Is(err, records.ErrUnavailable) {
			continue
		}
		w.must(err)
		if done {
			return
		}
	}
	w.t.Fatal("the job never ends")
}

func (w *world) used(ctx context.Context) int64 {
	w.t.Helper()
	n, err := w.Accounts.ResponsesUsed(ctx)
	w.must(err)
	return n
}

func whole(t testing.TB, r *heatmap.Result) {
	t.Helper()
	if r == nil {
		t.Fatal("no result")
	}
	sum := 0.0
	for _, row := range r.Grid {
		for _, v := range row {
			sum += v
		}
	}
	if math.Abs(sum-1) > 1e-9 || r.Width != 240 || r.Height != 160 || !r.Simulated || r.Note == "" || len(r.Areas) == 0 || r.PerMind == nil {
		t.Fatalf("%+v", r)
	}
}

// A question without a heatmap is none; one is started once, charged once, and read
// and reused for ever (M-230, M-231, M-232).
func TestEstimate_M230(t *testing.T) {
	w := open(t, account.Premium)
	s, m := w.asked(w.ctx, 3, false, "chat/u1/ad.png")
	v, err := w.s.Get(w.ctx, s, m, "")
	if err != nil || v.Status != heatmap.None || v.Heatmap != nil || v.SelectedAssetKey != nil || v.ResponsesUsed != nil || len(v.AssetHeatmaps) != 0 {
		t.Fatalf("%+v %v", v, err)
	}
	before := w.used(w.ctx)
	v, err = w.s.Start(w.ctx, s, m, "/uploads/chat/u1/ad.png")
	if err != nil || v.Status != heatmap.Queued || *v.ResponsesUsed != 3 || *v.SelectedAssetKey != "chat/u1/ad.png" || w.used(w.ctx) != before+3 {
		t.Fatalf("%+v %v", v, err)
	}
	if v, err = w.s.Start(w.ctx, s, m, ""); err != nil || *v.ResponsesUsed != 0 || v.Status != heatmap.Queued {
		t.Fatalf("not joined: %+v %v", v, err)
	}
	w.work()
	v, err = w.s.Get(w.ctx, s, m, "")
	if err != nil || v.Status != heatmap.Completed || v.Heatmap.Model != saliency.Model || v.Heatmap.Basis != heatmap.BasisPicture || len(v.Heatmap.PerMind) != 0 {
		t.Fatalf("%+v %v", v, err)
	}
	whole(t, v.Heatmap)
	if a := v.Heatmap.Areas[0]; a.Label != "upper left" || v.Heatmap.Base != (heatmap.Base{Minds: 3}) {
		t.Errorf("%+v", v.Heatmap)
	}
	w.Clock.Advance(5000 * time.Hour)
	v, err = w.s.Start(w.ctx, s, m, "chat/u1/ad.png")
	if err != nil || *v.ResponsesUsed != 0 || v.Status != heatmap.Completed || len(w.Engine.Take()) != 0 {
		t.Errorf("not reused: %+v %v", v, err)
	}
}

// With a connection that sees, every Mind says where it would look; what failed is
// given back (M-231).
func TestMindsLook_M231(t *testing.T) {
	w := open(t, account.Team)
	s, m := w.asked(w.ctx, 19, true, "https://Example.com:443/ad.png#top")
	n := 0
	w.eyes.look = func(simulate.Respondent) (answer.Looked, error) {
		if n++; n%10 == 0 {
			return answer.Looked{Reason: answer.ReasonMalformed}, nil
		}
		return answer.Looked{Points: []answer.Point{{Column: 4, Row: 3, Weight: 5, Reason: "The sign."}}}, nil
	}
	before := w.used(w.ctx)
	if v, err := w.s.Start(w.ctx, s, m, "https://example.com/ad.png"); err != nil || *v.ResponsesUsed != 19 {
		t.Fatalf("%+v %v", v, err)
	}
	w.work()
	v, err := w.s.Get(w.ctx, s, m, "")
	w.must(err)
	whole(t, v.Heatmap)
	h := v.Heatmap
	if h.Model != "vision:eyes@1" || h.Basis != heatmap.BasisMinds || len(h.PerMind) != 18 || h.Base != (heatmap.Base{Minds: 19, Answered: 18, Failed: 1}) || w.used(w.ctx) != before+18 {
		t.Errorf("%+v, %d used", h.Base, w.used(w.ctx)-before)
	}
	if h.Grid[2][3] < h.Grid[2][4] || h.Grid[2][3] < .1 || h.Grid[15][23] != 0 || h.Areas[0].Label != "upper left" || h.PerMind[0].Points[0].Reason == "" {
		t.Errorf("%+v", h.Areas)
	}
	if one := v.AssetHeatmaps["https://example.com/ad.png"]; one.Result == nil || len(one.Result.PerMind) != 0 {
		t.Errorf("%+v", one)
	}
}

// What cannot be started is refused, and nothing is charged (M-101, M-230).
func TestRefusals_M230(t *testing.T) {
	w := open(t, account.Team)
	s, m := w.asked(w.ctx, 2, false, "chat/u1/a.png", "chat/u1/b.png")
	s0, m0 := w.asked(w.ctx, 1, false)
	other := w.As(t, "other", account.Team)
	free := w.As(t, "free", account.Free)
	fs, fm := w.asked(free, 1, false, "chat/u1/a.png")
	before := w.used(w.ctx)
	for name, c := range map[string]struct {
		ctx     context.Context
		s, m, k string
		code    fault.Code
	}{
		"not assigned":  {w.ctx, s, m, "chat/u1/c.png", fault.AssetNotAssigned},
		"a website":     {w.ctx, s, m, "https://example.com/", fault.AssetNotAssigned},
		"no picture":    {w.ctx, s0, m0, "", fault.AssetNotAssigned},
		"which":         {w.ctx, s, m, "", fault.Validation},
		"no message":    {w.ctx, s, "cm123", "", fault.NotFound},
		"another Study": {w.ctx, s0, m, "", fault.NotFound},
		"tenant":        {other, s, m, "chat/u1/a.png", fault.NotFound},
		"free":          {free, fs, fm, "", fault.PlanLimit},
	} {
		if v, err := w.s.Start(c.ctx, c.s, c.m, c.k); !fault.Is(err, c.code) {
			t.Errorf("%s: %+v %v", name, v, err)
		}
	}
	if f := fault.From(func() error { _, err := w.s.Start(free, fs, fm, ""); return err }()); f.Data["limitType"] != "heatmaps" || f.Data["currentPlan"] != "free" {
		t.Errorf("%+v", f.Data)
	}
	if _, err := w.s.Get(w.ctx, s, m, "chat/u1/c.png"); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	if _, err := w.s.Get(other, s, m, ""); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	if w.used(w.ctx) != before || len(w.Engine.Take()) != 0 {
		t.Error("something was charged or started")
	}
}

// What fails gives everything back, says why, and may be started anew.
func TestFailures_M232(t *testing.T) {
	for name, c := range map[string]struct {
		sees bool
		at   string
		go_  func(w *world)
		says string
	}{
		"damaged": {false, "chat/u1/broken.png", func(*world) {}, "damaged"},
		"revoked": {true, "chat/u1/a.png", func(w *world) { w.eyes.gone = fault.New(fault.ModelConnectionStale, "gone") }, "revoked"},
		"nobody looks": {true, "chat/u1/a.png", func(w *world) {
			w.eyes.look = func(simulate.Respondent) (answer.Looked, error) {
				return answer.Looked{}, &model.Error{Kind: model.KindUnavailable}
			}
		}, "no place"},
		"blind now": {true, "chat/u1/a.png", func(w *world) { w.eyes.blind = true }, "Another model"},
		"late":      {true, "chat/u1/a.png", func(w *world) { w.Clock.Advance(31 * time.Minute) }, "in time"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, account.Team)
			s, m := w.asked(w.ctx, 2, c.sees, c.at)
			before := w.used(w.ctx)
			_, err := w.s.Start(w.ctx, s, m, "")
			w.must(err)
			c.go_(w)
			w.work()
			v, err := w.s.Get(w.ctx, s, m, "")
			if err != nil || v.Status != heatmap.Failed || v.Heatmap != nil || !strings.Contains(v.AssetHeatmaps[c.at].Error, c.says) || w.used(w.ctx) != before {
				t.Errorf("%+v %v, %d used", v, err, w.used(w.ctx)-before)
			}
			w.eyes.gone, w.eyes.blind = nil, false
			if v, err := w.s.Start(w.ctx, s, m, ""); err != nil || v.Status != heatmap.Queued || *v.ResponsesUsed != 2 {
				t.Errorf("not started anew: %+v %v", v, err)
			}
		})
	}
}

// A blind connection leaves the picture to be estimated, and says so.
func TestABlindConnectionIsNotAsked_M231(t *testing.T) {
	w := open(t, account.Team)
	s, m := w.asked(w.ctx, 2, true, "chat/u1/a.png")
	w.eyes.blind = true
	_, err := w.s.Start(w.ctx, s, m, "")
	w.must(err)
	w.work()
	if v, err := w.s.Get(w.ctx, s, m, ""); err != nil || v.Heatmap.Model != saliency.Model || len(w.eyes.asked) != 0 {
		t.Errorf("%+v %v", v, err)
	}
}

// Wherever the store goes down while an analysis works, before an access or behind a
// write, it comes to one result, charged once, and asks at most one piece twice.
func TestAnAnalysisSurvivesAnyBreak(t *testing.T) {
	for _, late := range []bool{false, true} {
		for at := 1; ; at++ {
			w := open(t, account.Team)
			s, m := w.asked(w.ctx, heatmap.PieceSize+2, true, "chat/u1/a.png")
			before := w.used(w.ctx)
			_, err := w.s.Start(w.ctx, s, m, "")
			w.must(err)
			job := w.Engine.Take()
			w.Engine.Return(job...)
			var in heatmap.JobInput
			w.must(json.Unmarshal(job[0].Input, &in))
			p, err := w.Accounts.Internal(t.Context(), in.Workspace, in.Account)
			w.must(err)
			w.store.ops, w.store.down, w.store.late = 0, at, late
			w.until(account.With(t.Context(), p), in)
			hit := w.store.ops >= at
			w.store.down = 0
			v, err := w.s.Get(w.ctx, s, m, "")
			if err != nil || v.Status != heatmap.Completed || v.Heatmap.Base.Answered != heatmap.PieceSize+2 || w.used(w.ctx) != before+heatmap.PieceSize+2 {
				t.Fatalf("down at %d (late %v): %+v %v, %d used", at, late, v, err, w.used(w.ctx)-before)
			}
			twice := 0
			for _, n := range w.eyes.asked {
				if n > 2 {
					t.Fatalf("down at %d: asked %d times", at, n)
				}
				twice += n - 1
			}
			if twice > heatmap.PieceSize {
				t.Fatalf("down at %d: %d asked twice", at, twice)
			}
			if !hit {
				break
			}
		}
	}
}

// Fifty starts at once make one analysis.
func TestManyStartsAreOne_M230(t *testing.T) {
	w := open(t, account.Team)
	s, m := w.asked(w.ctx, 2, false, "chat/u1/a.png")
	before := w.used(w.ctx)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if _, err := w.s.Start(w.ctx, s, m, ""); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	started := 0
	for _, j := range w.Engine.Take() {
		if j.Machine == heatmap.Machine {
			started++
		}
	}
	if started != 1 || w.used(w.ctx) != before+2 {
		t.Errorf("%d started, %d used", started, w.used(w.ctx)-before)
	}
}

// What gave up is settled by Fail, what is late by Expire; both once.
func TestFailAndExpire_M232(t *testing.T) {
	w := open(t, account.Team)
	s, m := w.asked(w.ctx, 2, false, "chat/u1/a.png")
	before := w.used(w.ctx)
	for i := range 2 {
		_, err := w.s.Start(w.ctx, s, m, "")
		w.must(err)
		j := w.Engine.Take()[0]
		var in heatmap.JobInput
		w.must(json.Unmarshal(j.Input, &in))
		for range 2 {
			if i == 0 {
				st, err := w.s.Fail(w.ctx, in, false)
				if err != nil || st != heatmap.Failed {
					t.Fatal(st, err)
				}
			} else {
				w.must(w.s.Expire(t.Context(), jobs.Job{ID: j.Name, Machine: j.Machine, Workspace: in.Workspace, Account: in.Account, Input: j.Input}))
			}
		}
		if v, err := w.s.Get(w.ctx, s, m, ""); err != nil || v.Status != heatmap.Failed || w.used(w.ctx) != before {
			t.Errorf("%+v %v", v, err)
		}
	}
	w.must(w.s.DeleteOf(t.Context(), account.From(w.ctx).Workspace, s))
	if v, err := w.s.Get(w.ctx, s, m, ""); err != nil || v.Status != heatmap.None {
		t.Errorf("%+v %v", v, err)
	}
}

// Assets have one name, however they are written.
func TestAssetKey_M230(t *testing.T) {
	for address, want := range map[string]string{
		"HTTPS://Example.COM:443/a/../b.png#x": "https://example.com/b.png",
		"https://example.com":                  "https://example.com/",
		"http://example.com:8080/a?b=1&a=2":    "http://example.com:8080/a?b=1&a=2",
		" chat/u/a.png ":                       "chat/u/a.png",
	} {
		if got := study.AssetKey(address); got != want || study.AssetKey(got) != want {
			t.Errorf("%s is %s", address, got)
		}
	}
	if a := study.AssetKey("data:image/png;base64," + base64.StdEncoding.EncodeToString(spot())); len(a) > 100 {
		t.Error(a)
	}
}

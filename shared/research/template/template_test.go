package template_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/research/snapshot"
	"github.com/mindgate-dev/mindgate/shared/research/studydraft"
	"github.com/mindgate-dev/mindgate/shared/research/template"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

type world struct {
	*researchtest.World
	*template.Service
	drafts *studydraft.Service
	snaps  *snapshot.Store
	cut    *researchtest.Cutting
}

type brought struct{ *upload.Service }

func (b brought) Ours(address string) bool { _, ok := b.Path(address); return ok }
func (b brought) Open(ctx context.Context, address string) (io.ReadCloser, string, bool, error) {
	at, ok := b.Path(address)
	if !ok {
		return nil, "", false, nil
	}
	in, f, err := b.Service.Open(ctx, at)
	return in, f.Type, true, err
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{cut: &researchtest.Cutting{}}
	w.World = researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Wrap: func(s records.Store) records.Store { w.cut.Store = s; return w.cut }})
	w.snaps = snapshot.New(snapshot.Deps{Records: w.Store, Blobs: w.Blobs, Clock: w.Clock, IDs: clock.RandomIDs{}})
	w.drafts = studydraft.New(studydraft.Deps{Records: w.Store, Clock: w.Clock, IDs: clock.RandomIDs{}, Snapshots: w.snaps})
	w.Service = template.New(template.Deps{Records: w.Store, Blobs: w.Blobs, Clock: w.Clock, IDs: clock.RandomIDs{}, Accounts: w.Accounts,
		Snapshots: w.snaps, Drafts: w.drafts, Files: brought{w.Uploads}, Check: func(address string) error {
			if strings.Contains(address, "169.254.") {
				return fault.New(fault.UnsafeURL, "This address is not asked for.")
			}
			return nil
		}})
	return w
}

const plain = `{"version":1,"goal":"pricing","studyLocale":"en","methodId":"van-westendorp","questions":[{"text":"Why?","response":{"type":"qualitative"}}]}`

func want(t testing.TB, err error, code fault.Code) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Errorf("%v, want %s", err, code)
	}
}

func (w *world) saved(t testing.TB, ctx context.Context, name, configuration string) template.Template {
	t.Helper()
	s, _, err := w.Save(ctx, template.SaveRequest{Name: name, Configuration: json.RawMessage(configuration)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// teammate is another account of the same workspace.
func teammate(ctx context.Context) context.Context {
	p := account.From(ctx)
	p.Account, p.Name = "0b2c1e34-5a6d-4f80-9b1c-2d3e4f506172", "mate"
	return account.With(ctx, p)
}

func word[T any](v T) *T { return &v }

// M-250: private at first; the owner alone changes, shares and deletes; teammates
// read and use what is shared.
func TestWhoSeesATemplate_M250(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	mate, other := teammate(ctx), w.As(t, "other", account.Team)
	s := w.saved(t, ctx, "Pricing check", plain)
	if s.Revision != 1 || s.IsSharedWithTeam || !s.CanManage || !s.CanShareWithTeam {
		t.Errorf("%+v", s)
	}
	hidden := func(who context.Context) {
		t.Helper()
		_, err := w.Get(who, s.ID)
		want(t, err, fault.NotFound)
		_, err = w.Use(who, s.ID, 1, clock.RandomIDs{}.NewID())
		want(t, err, fault.NotFound)
		if list, n, err := w.List(who); len(list) != 0 || n != 0 || err != nil {
			t.Errorf("%v of %d, %v", list, n, err)
		}
	}
	hidden(mate)
	hidden(other)
	if s, err := w.Update(ctx, s.ID, 1, template.Patch{IsSharedWithTeam: word(true)}); err != nil || s.Revision != 2 || !s.IsSharedWithTeam {
		t.Fatalf("%+v, %v", s, err)
	}
	hidden(other)
	seen, err := w.Get(mate, s.ID)
	if err != nil || seen.CanManage || seen.CanShareWithTeam || !seen.IsSharedWithTeam {
		t.Errorf("%+v, %v", seen, err)
	}
	if list, n, err := w.List(mate); len(list) != 1 || n != 1 || err != nil {
		t.Errorf("%v of %d, %v", list, n, err)
	}
	for _, who := range []context.Context{mate, other} {
		_, err := w.Update(who, s.ID, 2, template.Patch{Name: word("Mine")})
		want(t, err, fault.NotFound)
		want(t, w.Delete(who, s.ID), fault.NotFound)
	}
	u, err := w.Use(mate, s.ID, 2, "1b2c1e34-5a6d-4f80-9b1c-2d3e4f506172")
	if err != nil || !u.New || u.Draft.UserID != account.From(mate).Account {
		t.Errorf("%+v, %v", u, err)
	}
	if _, err := w.Update(ctx, s.ID, 2, template.Patch{IsSharedWithTeam: word(false)}); err != nil {
		t.Fatal(err)
	}
	hidden(mate)
	if d, err := w.drafts.Get(mate, u.Draft.ID); err != nil || d.ID != u.Draft.ID {
		t.Errorf("the draft went with the template: %v", err)
	}
	if err := w.Delete(ctx, s.ID); err != nil {
		t.Fatal(err)
	}
	hidden(ctx)
	want(t, w.Delete(ctx, s.ID), fault.NotFound)
}

// A plan without team sharing cannot share (M-101).
func TestSharingNeedsThePlan_M101(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "alone", account.Free)
	s := w.saved(t, ctx, "Mine", plain)
	if s.CanShareWithTeam {
		t.Error("a free plan shares")
	}
	_, err := w.Update(ctx, s.ID, 1, template.Patch{IsSharedWithTeam: word(true)})
	want(t, err, fault.PlanLimit)
}

// M-250: use makes an independent draft: instrument, and neither Audiences nor
// context. The same request gives the same draft, also once it is consumed.
func TestUse_M250(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	s := w.saved(t, ctx, "Pricing check", `{"version":1,"goal":"pricing","studyLocale":"de","methodId":"questionnaire","questions":[
		{"text":"Wie teuer?","response":{"type":"scale","scaleRange":[1,5]}},
		{"text":"Welche?","response":{"type":"multiselect","categoricalOptions":["a","b"],"maxSelections":2}}]}`)
	const request = "1b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"
	_, err := w.Use(ctx, s.ID, 2, request)
	want(t, err, fault.StaleRevision)
	u, err := w.Use(ctx, s.ID, 1, request)
	if err != nil || u.Replayed || !u.New || u.Draft.Name != "Pricing check" || u.Draft.Status != studydraft.Open {
		t.Fatalf("%+v, %v", u, err)
	}
	var p struct {
		Version int
		State   struct {
			Objective, Notes, Website, MethodID, Goal, StudyLocale string
			AudienceIDs, SourceURLs, Questions                     []string
			QuestionFormats                                        []struct{ Response template.Response }
			Template                                               struct {
				ID       string
				Revision int
			}
		}
	}
	if err := json.Unmarshal(u.Draft.Payload, &p); err != nil {
		t.Fatal(err)
	}
	st := p.State
	if st.Objective+st.Notes+st.Website != "" || len(st.AudienceIDs)+len(st.SourceURLs) != 0 || st.MethodID != "questionnaire" || st.StudyLocale != "de" ||
		len(st.Questions) != 2 || st.Questions[1] != "Welche?" || st.QuestionFormats[0].Response.ScaleRange[1] != 5 || st.Template.ID != s.ID {
		t.Errorf("%s", u.Draft.Payload)
	}
	if _, err := w.Update(ctx, s.ID, 1, template.Patch{Name: word("Other")}); err != nil {
		t.Fatal(err)
	}
	again, err := w.Use(ctx, s.ID, 1, strings.ToUpper(request))
	if err != nil || !again.Replayed || again.Draft.ID != u.Draft.ID || again.Draft.Name != "Pricing check" {
		t.Errorf("%+v, %v", again, err)
	}
	if _, _, err := w.drafts.Consume(ctx, u.Draft.ID, 1, ""); err != nil {
		t.Fatal(err)
	}
	late, err := w.Use(ctx, s.ID, 1, request)
	if err != nil || !late.Replayed || late.New || late.Draft.Status != studydraft.Consumed {
		t.Errorf("%+v, %v", late, err)
	}
}

// The list has the most used first.
func TestListOrder(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	a := w.saved(t, ctx, "A", plain)
	w.Clock.Advance(time.Second)
	b := w.saved(t, ctx, "B", plain)
	order := func() string {
		list, _, err := w.List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		out := ""
		for _, s := range list {
			out += s.Name
		}
		return out
	}
	if got := order(); got != "BA" {
		t.Error(got)
	}
	if _, err := w.Use(ctx, a.ID, 1, b.ID); err != nil {
		t.Fatal(err)
	}
	if got := order(); got != "AB" {
		t.Error(got)
	}
}

// M-250: files are copied on save and on use; a file that is gone is
// ASSET_UNAVAILABLE, and one of another tenant is never there (M-3).
func TestFilesAreCopied_M250(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	path, err := w.Uploads.Place(ctx, "Poster one.png", "image/png", strings.NewReader("poster"))
	if err != nil {
		t.Fatal(err)
	}
	shown := fmt.Sprintf(`{"version":1,"goal":"concept","studyLocale":"en","methodId":"questionnaire","questions":[{"text":"Like it?","response":{"type":"qualitative"},
		"attachments":[{"id":"p","name":"Poster","url":%q,"path":%[1]q,"mimeType":"image/png","sizeBytes":6},{"id":"w","name":"Page","url":"https://example.com/","kind":"link"}]}]}`, path)
	_, _, err = w.Save(w.As(t, "other", account.Team), template.SaveRequest{Name: "Theirs", Configuration: json.RawMessage(shown)})
	want(t, err, fault.AssetUnavailable)
	_, _, err = w.Save(ctx, template.SaveRequest{Name: "x", Configuration: json.RawMessage(strings.Replace(shown, "https://example.com/", "http://169.254.1.1/", 1))})
	want(t, err, fault.UnsafeURL)
	s := w.saved(t, ctx, "Poster", shown)
	w.Clock.Advance(upload.Lifetime + 3*time.Hour)
	if _, err := w.Uploads.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	_, _, err = w.Save(ctx, template.SaveRequest{Name: "Late", Configuration: json.RawMessage(shown)})
	want(t, err, fault.AssetUnavailable)
	u, err := w.Use(ctx, s.ID, 1, s.ID)
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		State struct {
			QuestionFormats []struct{ Attachments []template.Attachment }
		}
	}
	if err := json.Unmarshal(u.Draft.Payload, &p); err != nil {
		t.Fatal(err)
	}
	got := p.State.QuestionFormats[0].Attachments
	if len(got) != 2 || got[0].Path == path || got[1].URL != "https://example.com/" {
		t.Fatalf("%+v", got)
	}
	in, _, err := w.Uploads.Open(ctx, got[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := io.ReadAll(in)
	_ = in.Close()
	if !bytes.Equal(raw, []byte("poster")) {
		t.Errorf("%q", raw)
	}
	// Read back, changed and saved: the copies stay, though the upload is gone.
	seen, err := w.Get(ctx, s.ID)
	if err != nil {
		t.Fatal(err)
	}
	next := bytes.Replace(seen.Configuration, []byte("Like it?"), []byte("Love it?"), 1)
	if _, err := w.Update(ctx, s.ID, 1, template.Patch{Configuration: next}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Use(ctx, s.ID, 2, u.Draft.ID); err != nil {
		t.Error(err)
	}
}

// One requestId saves one template; another save under it is refused, and a template
// that was deleted stays deleted.
func TestSaveOnce_M320(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	r := template.SaveRequest{RequestID: "1b2c1e34-5a6d-4f80-9b1c-2d3e4f506172", Name: "One", Configuration: json.RawMessage(plain)}
	first, replayed, err := w.Save(ctx, r)
	if err != nil || replayed {
		t.Fatal(replayed, err)
	}
	w.Clock.Advance(1000 * time.Hour)
	again, replayed, err := w.Save(ctx, r)
	if err != nil || !replayed || again.ID != first.ID {
		t.Errorf("%+v, %v, %v", again, replayed, err)
	}
	other := r
	other.Name = "Two"
	_, _, err = w.Save(ctx, other)
	want(t, err, fault.IdempotencyConflict)
	if s, replayed, err := w.Save(w.As(t, "other", account.Team), r); err != nil || replayed || s.ID == first.ID {
		t.Errorf("%+v, %v, %v", s, replayed, err)
	}
	if err := w.Delete(ctx, first.ID); err != nil {
		t.Fatal(err)
	}
	_, _, err = w.Save(ctx, r)
	want(t, err, fault.IdempotencyConflict)
	if _, n, err := w.List(ctx); n != 0 || err != nil {
		t.Error(n, err)
	}
}

func TestConfigurationIsChecked(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	with := func(question string) string {
		return `{"version":1,"goal":"pricing","studyLocale":"en","methodId":"nps","questions":[` + question + `]}`
	}
	many := strings.TrimSuffix(strings.Repeat(`{"text":"a","response":{"type":"qualitative"}},`, 201), ",")
	for name, c := range map[string]struct{ configuration, path string }{
		"no JSON":            {`{`, "/configuration"},
		"two documents":      {plain + `{}`, "/configuration"},
		"unknown member":     {strings.Replace(plain, `"version"`, `"x":1,"version"`, 1), "/configuration"},
		"version 2":          {strings.Replace(plain, `"version":1`, `"version":2`, 1), "/configuration/version"},
		"goal":               {strings.Replace(plain, `pricing`, `profit`, 1), "/configuration/goal"},
		"language":           {strings.Replace(plain, `"en"`, `"it"`, 1), "/configuration/studyLocale"},
		"method":             {strings.Replace(plain, `van-westendorp`, `van`, 1), "/configuration/methodId"},
		"no question":        {with(``), "/configuration/questions"},
		"201 questions":      {with(many), "/configuration/questions"},
		"blank text":         {with(`{"text":" ","response":{"type":"qualitative"}}`), "/configuration/questions/0/text"},
		"long text":          {with(`{"text":"` + strings.Repeat("ä", 20001) + `","response":{"type":"qualitative"}}`), "/configuration/questions/0/text"},
		"one option":         {with(`{"text":"a","response":{"type":"categorical","categoricalOptions":["a"]}}`), "/configuration/questions/0/response/categoricalOptions"},
		"options of words":   {with(`{"text":"a","response":{"type":"qualitative","categoricalOptions":["a","b"]}}`), "/configuration/questions/0/response/categoricalOptions"},
		"one label twice":    {with(`{"text":"a","response":{"type":"categorical","categoricalOptions":["a","a"]}}`), "/configuration/questions/0/response/categoricalOptions/1"},
		"a scale upside":     {with(`{"text":"a","response":{"type":"scale","scaleRange":[5,1]}}`), "/configuration/questions/0/response/scaleRange"},
		"a scale of 101":     {with(`{"text":"a","response":{"type":"scale","scaleRange":[0,101]}}`), "/configuration/questions/0/response/scaleRange"},
		"too many to choose": {with(`{"text":"a","response":{"type":"multiselect","categoricalOptions":["a","b"],"maxSelections":3}}`), "/configuration/questions/0/response/maxSelections"},
		"no name of a file":  {with(`{"text":"a","response":{"type":"qualitative"},"attachments":[{"id":"a","name":"","url":"https://example.com"}]}`), "/configuration/questions/0/attachments/0/name"},
	} {
		_, _, err := w.Save(ctx, template.SaveRequest{Name: "x", Configuration: json.RawMessage(c.configuration)})
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.Validation || f.Data["path"] != c.path {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, _, err := w.Save(ctx, template.SaveRequest{Name: "x", Configuration: json.RawMessage(with(strings.TrimSuffix(strings.Repeat(`{"text":"`+strings.Repeat("a", 19000)+`","response":{"type":"qualitative"}},`, 30), ",")))})
	want(t, err, fault.PayloadTooLarge)
	for _, name := range []string{" ", strings.Repeat("a", 201), "a\nb"} {
		_, _, err := w.Save(ctx, template.SaveRequest{Name: name, Configuration: json.RawMessage(plain)})
		want(t, err, fault.Validation)
	}
	s := w.saved(t, ctx, "x", plain)
	_, err = w.Update(ctx, s.ID, 1, template.Patch{})
	want(t, err, fault.Validation)
	if same, err := w.Update(ctx, s.ID, 1, template.Patch{Name: word("x"), Configuration: json.RawMessage(plain)}); err != nil || same.Revision != 1 {
		t.Errorf("%+v, %v", same, err)
	}
}

// Cut off at any access to the store, calls made again end as if nothing had been.
func TestCutOffAnywhere_M250(t *testing.T) {
	for _, after := range []bool{false, true} {
		for at := 1; ; at++ {
			if at > 150 {
				t.Fatal("more accesses than were tried")
			}
			when := fmt.Sprintf("cut off at access %d, after it: %v", at, after)
			w := newWorld(t)
			ctx := w.As(t, "lab", account.Team)
			w.cut.Begin(at, after)
			r := template.SaveRequest{RequestID: "1b2c1e34-5a6d-4f80-9b1c-2d3e4f506172", Name: "One", Configuration: json.RawMessage(plain)}
			var s template.Template
			w.cut.Repeat(t, func() (err error) { s, _, err = w.Save(ctx, r); return err })
			w.cut.Repeat(t, func() error {
				_, err := w.Update(ctx, s.ID, 1, template.Patch{IsSharedWithTeam: word(true), Configuration: json.RawMessage(strings.Replace(plain, "Why?", "How?", 1))})
				if fault.Is(err, fault.StaleRevision) {
					return nil
				}
				return err
			})
			var u template.Used
			w.cut.Repeat(t, func() (err error) { u, err = w.Use(ctx, s.ID, 2, r.RequestID); return err })
			done := w.cut.Done()
			w.cut.Begin(0, false)
			seen, err := w.Get(ctx, s.ID)
			list, n, listed := w.List(teammate(ctx))
			if err != nil || listed != nil || seen.Revision != 2 || n != 1 || len(list) != 1 || !strings.Contains(string(list[0].Configuration), "How?") {
				t.Fatalf("%s: %+v, %d, %v, %v", when, seen, n, err, listed)
			}
			if rows, err := w.drafts.List(ctx); err != nil || len(rows) != 1 || rows[0].ID != u.Draft.ID {
				t.Fatalf("%s: %+v, %v", when, rows, err)
			}
			if err := w.Delete(ctx, s.ID); err != nil {
				t.Fatal(when, err)
			}
			if done {
				break
			}
		}
	}
}

func FuzzConfiguration(f *testing.F) {
	f.Add([]byte(plain))
	f.Add([]byte(`{"version":1,"questions":[{"response":{"scaleRange":[1.5,2]}}]}`))
	f.Add([]byte(`[]`))
	w := newWorld(f)
	ctx := w.As(f, "lab", account.Team)
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, _, err := w.Save(ctx, template.SaveRequest{Name: "x", Configuration: raw})
		var refused *fault.Error
		if err != nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		if same, err := w.Update(ctx, s.ID, 1, template.Patch{Configuration: s.Configuration}); err != nil || same.Revision != 1 {
			t.Errorf("%+v, %v", same, err)
		}
	})
}

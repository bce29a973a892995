package sourceimport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs/folder"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/research/sourceimport"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
)

type world struct {
	*sourceimport.Service
	uploads *upload.Service
	deps    sourceimport.Deps
}

func open(t testing.TB) *world {
	t.Helper()
	dir := t.TempDir()
	c := clock.Hold(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "r.db"), sqlite.Options{Clock: c, CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	files, err := folder.Open(filepath.Join(dir, "blobs"), folder.Options{Clock: c, LinkKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	up := upload.New(upload.Deps{Records: store, Blobs: files, Clock: c, IDs: clock.RandomIDs{}, Key: make([]byte, 32), PublicURL: "https://gate.example"})
	d := sourceimport.Deps{Records: store, Blobs: files, Clock: c, Uploads: up}
	return &world{Service: sourceimport.New(d), uploads: up, deps: d}
}

func as(t testing.TB, name string) context.Context {
	return account.With(t.Context(), account.Principal{Workspace: "ws-" + name, Account: name, Plan: account.Team})
}

const figures = `{"distributions":[{"name":"Gender","distribution":[{"label":"Female","pct":51,"sourceIdx":1},{"label":"Male","pct":49,"sourceIdx":1}]}]}`

// Files keep their order, the same bytes have one address for ever, and the
// snapshot binds figures to the files by index and digest (M-58, section 6).
func TestImport_M58(t *testing.T) {
	w := open(t)
	ctx := as(t, "a")
	first, err := w.Import(ctx, sourceimport.Request{Files: []sourceimport.File{{Name: "panel.csv", Content: "age,share\n18-29,20\n"}}})
	if err != nil || len(first.Files) != 1 || first.Files[0].Replayed || first.Snapshot != "" || first.Policy != sourceimport.Policy {
		t.Fatalf("%+v %v", first, err)
	}
	r := sourceimport.Request{
		Existing:      []sourceimport.Existing{{Name: "old.csv", URL: first.Files[0].URL}},
		Files:         []sourceimport.File{{Name: "b.md", Content: "# Women 51 %"}, {Name: "again.csv", Content: "age,share\n18-29,20\n"}},
		GroundingJSON: figures,
	}
	for try := range 2 {
		done, err := w.Import(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(done.Files[0].Name, done.Files[1].Name, done.Files[2].Name, done.Files[2].Index); got != "old.csvb.mdagain.csv2" {
			t.Errorf("order: %s", got)
		}
		if done.Files[2].URL != first.Files[0].URL || !done.Files[2].Replayed || done.Files[1].Replayed != (try == 1) {
			t.Errorf("the same bytes are not one file: %+v", done.Files)
		}
		s, err := grounding.ParseSnapshot(done.Snapshot)
		if err != nil {
			t.Fatal(err)
		}
		if done.SnapshotSHA256 != grounding.Checksum([]byte(done.Snapshot)) || s.Kind != "import" || s.InputsSHA256 != nil || s.MemberCount != nil ||
			len(s.Files) != 3 || s.Files[1].SHA256 != done.Files[1].SHA256 || s.Distributions[0].Status != grounding.Sourced || s.Sources[1].Title != "b.md" {
			t.Errorf("%s", done.Snapshot)
		}
	}
	kept, in, err := w.Open(ctx, first.Files[0].URL)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if text, _ := io.ReadAll(in); string(text) != "age,share\n18-29,20\n" || kept.Size != int64(len(text)) {
		t.Errorf("%q %+v", text, kept)
	}
	if !sourceimport.Ours(first.Files[0].URL) || sourceimport.Ours("/uploads/context/a/11111111-1111-4111-8111-111111111111/x.csv") {
		t.Error("addresses are mixed up")
	}
}

// An upload goes after a day; as a source it stays.
func TestAnUploadIsTakenOver(t *testing.T) {
	w := open(t)
	ctx := as(t, "a")
	up, err := w.uploads.Create(ctx, upload.Request{Name: "u.csv", Folder: "context"})
	if err != nil {
		t.Fatal(err)
	}
	take := sourceimport.Request{Existing: []sourceimport.Existing{{Name: "u.csv", URL: up.Path}}}
	if _, err := w.Import(ctx, take); !fault.Is(err, fault.Validation) {
		t.Errorf("a file that has not arrived: %v", err)
	}
	parts := strings.Split(up.UploadURL, "ticket=")
	id := strings.Split(up.Path, "/")[2]
	if err := w.uploads.Receive(ctx, id, parts[len(parts)-1], strings.NewReader("a,b\n1,2\n")); err != nil {
		t.Fatal(err)
	}
	done, err := w.Import(ctx, take)
	if err != nil || done.Files[0].Size != 8 || !sourceimport.Ours(done.Files[0].URL) {
		t.Fatalf("%+v %v", done, err)
	}
	take.Existing[0].URL = done.Files[0].URL
	if again, err := w.Import(ctx, take); err != nil || again.Files[0].SHA256 != done.Files[0].SHA256 {
		t.Errorf("%+v %v", again, err)
	}
}

// Every refusal names its field, and nothing is stored then (section 23).
func TestRefusals(t *testing.T) {
	w := open(t)
	ctx, other := as(t, "a"), as(t, "b")
	mine, err := w.Import(ctx, sourceimport.Request{Files: []sourceimport.File{{Name: "a.txt", Content: "mine"}}})
	if err != nil {
		t.Fatal(err)
	}
	file := func(name, content string) sourceimport.Request {
		return sourceimport.Request{Files: []sourceimport.File{{Name: "good.txt", Content: "untouched"}, {Name: name, Content: content}}}
	}
	with := func(figures string) sourceimport.Request {
		r := file("a.txt", "x")
		r.GroundingJSON = figures
		return r
	}
	many := sourceimport.Request{}
	for i := range 21 {
		many.Files = append(many.Files, sourceimport.File{Name: fmt.Sprintf("%d.txt", i), Content: "x"})
	}
	big := sourceimport.Request{}
	for i := range 3 {
		big.Files = append(big.Files, sourceimport.File{Name: "b.txt", Content: strings.Repeat("x", sourceimport.MaxFile-i)})
	}
	axis := func(share string) string {
		return `{"distributions":[{"name":"A","distribution":[` + share + `]}]}`
	}
	for name, c := range map[string]struct {
		r     sourceimport.Request
		code  fault.Code
		field string
	}{
		"nothing":            {sourceimport.Request{}, fault.Validation, "files"},
		"21 files":           {many, fault.Validation, "files"},
		"other kind":         {file("a.xlsx", "x"), fault.Validation, "files[1].name"},
		"folder":             {file("a/b.txt", "x"), fault.Validation, "files[1].name"},
		"blank":              {file("a.txt", " \n\ufeff"), fault.Validation, "files[1].content"},
		"not UTF-8":          {file("a.txt", "a\xff"), fault.Validation, "files[1].content"},
		"NUL":                {file("a.txt", "a\x00"), fault.Validation, "files[1].content"},
		"one byte over":      {file("a.txt", strings.Repeat("x", sourceimport.MaxFile+1)), fault.PayloadTooLarge, "files[1].content"},
		"12 MB over":         {big, fault.PayloadTooLarge, "files"},
		"missing":            {sourceimport.Request{Existing: []sourceimport.Existing{{Name: "a", URL: strings.Replace(mine.Files[0].URL, mine.Files[0].SHA256, strings.Repeat("0", 64), 1)}}}, fault.Validation, "existingFiles[0].url"},
		"elsewhere":          {sourceimport.Request{Existing: []sourceimport.Existing{{Name: "a", URL: "https://example.com/u/a.md"}}}, fault.Validation, "existingFiles[0].url"},
		"no object":          {with(`[1]`), fault.Validation, "groundingJson"},
		"no distributions":   {with(`{}`), fault.Validation, "groundingJson"},
		"unknown key":        {with(`{"distributions":[],"rows":[]}`), fault.Validation, "groundingJson"},
		"two objects":        {with(`{"distributions":[]}{}`), fault.Validation, "groundingJson"},
		"source beyond":      {with(axis(`{"label":"x","pct":100,"sourceIdx":2}`)), fault.Validation, "groundingJson.distributions[0].distribution[0].sourceIdx"},
		"sum of 90":          {with(axis(`{"label":"x","pct":90,"sourceIdx":0}`)), fault.Validation, "groundingJson.distributions[0].distribution"},
		"share of 101":       {with(axis(`{"label":"x","pct":101,"sourceIdx":0}`)), fault.Validation, "groundingJson.distributions[0].distribution[0].pct"},
		"no pct":             {with(axis(`{"label":"x"}`)), fault.Validation, "groundingJson"},
		"same label":         {with(axis(`{"label":"x","pct":50},{"label":"X ","pct":50}`)), fault.Validation, "groundingJson.distributions[0].distribution[1].label"},
		"sourced by nothing": {with(`{"distributions":[{"name":"A","status":"sourced","distribution":[{"label":"x","pct":100}]}]}`), fault.Validation, "groundingJson.distributions[0].status"},
		"two axes of a name": {with(`{"distributions":[{"name":"A","distribution":[{"label":"x","pct":100}]},{"name":"a","distribution":[{"label":"x","pct":100}]}]}`), fault.Validation, "groundingJson.distributions[1].name"},
	} {
		_, err := w.Import(ctx, c.r)
		if f := fault.From(err); f == nil || f.Code != c.code || f.Data["field"] != c.field {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if _, err := w.Import(other, sourceimport.Request{Existing: []sourceimport.Existing{{Name: "a", URL: mine.Files[0].URL}}}); !fault.Is(err, fault.Validation) {
		t.Errorf("M-3, another's file: %v", err)
	}
	if _, _, err := w.Open(other, mine.Files[0].URL); !fault.Is(err, fault.NotFound) {
		t.Errorf("M-3: %v", err)
	}
	good, err := w.Import(ctx, sourceimport.Request{Files: []sourceimport.File{{Name: "good.txt", Content: "untouched"}}})
	if err != nil || good.Files[0].Replayed {
		t.Errorf("a refused import stored a file: %+v %v", good, err)
	}
}

// cut is a store that breaks at the n-th write of a record.
type cut struct {
	records.Store
	at int
}

var errCut = errors.New("the process ended here")

func (c *cut) hit() bool { c.at--; return c.at == 0 }

func (c *cut) Transact(ctx context.Context, token string, a ...records.Action) error {
	if c.hit() {
		return errCut
	}
	return c.Store.Transact(ctx, token, a...)
}

// Wherever an import breaks off, the same import again ends it, and what was
// stored is counted once.
func TestAnImportGoesOnAfterABreak(t *testing.T) {
	r := sourceimport.Request{Files: []sourceimport.File{{Name: "a.txt", Content: "one"}, {Name: "b.txt", Content: "two"}}, GroundingJSON: figures}
	for at := 1; at <= 2; at++ {
		w := open(t)
		ctx := as(t, "a")
		d := w.deps
		d.Records = &cut{Store: w.deps.Records, at: at}
		if _, err := sourceimport.New(d).Import(ctx, r); !fault.Is(err, fault.StorageUnavailable) || strings.Contains(err.Error(), "ended here") && fault.From(err).Message == err.Error() {
			t.Fatalf("%v", err)
		}
		done, err := w.Import(ctx, r)
		if err != nil || done.Files[0].Replayed != (at == 2) || done.Files[1].Replayed {
			t.Errorf("%d: %+v %v", at, done.Files, err)
		}
		again, err := w.Import(ctx, r)
		if err != nil || again.SnapshotSHA256 != done.SnapshotSHA256 {
			t.Errorf("%d: %v", at, err)
		}
		held, err := w.deps.Records.Add(ctx, records.Key{PK: "w#ws-a#sources", SK: "held"}, records.Delta{})
		if err != nil || held != 6 {
			t.Errorf("%d: %d bytes are counted, %v", at, held, err)
		}
	}
}

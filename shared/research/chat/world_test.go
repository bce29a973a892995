package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs/folder"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/chat"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// engine answers as a test tells it and remembers what it was given.
type engine struct {
	simulate.Respondents // the offline one, for questions
	mu                   sync.Mutex
	fail                 func(mindID string) error
	during               func()
	asked                []asked
}

type asked struct {
	mind    simulate.Respondent
	message string
	policy  simulate.Policy
}

func (e *engine) Info() simulate.Info { return simulate.Info{Name: "scripted", Version: "1"} }

func (e *engine) Reply(ctx context.Context, r simulate.Respondent, message string, p simulate.Policy) (simulate.Reply, error) {
	e.mu.Lock()
	e.asked = append(e.asked, asked{r, message, p})
	fail, during := e.fail, e.during
	e.mu.Unlock()
	if during != nil {
		during()
	}
	if err := ctx.Err(); err != nil {
		return simulate.Reply{}, err
	}
	if fail != nil {
		if err := fail(r.ID); err != nil {
			return simulate.Reply{}, err
		}
	}
	return simulate.Reply{Text: r.Name + " on: " + message, State: simulate.Stated, SourceIDs: []string{"s"}}, nil
}

func (e *engine) last(t *testing.T) asked {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.asked) == 0 {
		t.Fatal("nobody was asked")
	}
	return e.asked[len(e.asked)-1]
}

func (e *engine) times() int { e.mu.Lock(); defer e.mu.Unlock(); return len(e.asked) }

// the engine that every connection gives.
type answerers struct{ simulate.Respondents }

func (a answerers) For(context.Context, *mind.ConnectionRef) (simulate.Respondents, error) {
	return a.Respondents, nil
}

type world struct {
	*researchtest.World
	*chat.Service
	engine  *engine
	studies *study.Service
	deps    chat.Deps
}

func newWorld(t testing.TB) *world { return with(t, nil) }

// with makes a world whose chats see the records through wrap.
func with(t testing.TB, wrap func(records.Store) records.Store) *world {
	t.Helper()
	e := &engine{Respondents: simulate.NewOffline()}
	w := &world{World: researchtest.With(t, e), engine: e}
	files, err := folder.Open(filepath.Join(t.TempDir(), "blobs"), folder.Options{Clock: w.Clock})
	if err != nil {
		t.Fatal(err)
	}
	w.studies = study.New(study.Deps{Records: w.Store, Blobs: files, Clock: w.Clock, IDs: clock.RandomIDs{}, Accounts: w.Accounts,
		Minds: w.Minds, Audiences: w.Audiences, Jobs: w.Jobs, Respondents: simulate.NewOffline(), PublicURL: "http://127.0.0.1:8080"})
	store := w.Store
	if wrap != nil {
		store = wrap(store)
	}
	w.deps = chat.Deps{Records: store, Blobs: files, Clock: w.Clock, IDs: clock.RandomIDs{}, Accounts: w.Accounts, Minds: w.Minds,
		Audiences: w.Audiences, Studies: w.studies, Answerers: answerers{e}}
	w.Service = chat.New(w.deps)
	return w
}

// mind makes a trained Mind.
func (w *world) mind(t testing.TB, ctx context.Context, name, persona string) string {
	t.Helper()
	made, err := w.Minds.Create(ctx, mind.CreateRequest{Name: name, Mode: mind.ModeClone, PersonaContext: persona})
	if err != nil {
		t.Fatal(err)
	}
	w.World.Run(t)
	return made.Mind.ID
}

func (w *world) audience(t testing.TB, ctx context.Context, name string, minds ...string) string {
	t.Helper()
	made, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: name, MindIDs: minds})
	if err != nil {
		t.Fatal(err)
	}
	return made.Audience.ID
}

func (w *world) withMind(t testing.TB, ctx context.Context, name string) chat.Chat {
	t.Helper()
	c, err := w.Create(ctx, chat.CreateRequest{MindID: w.mind(t, ctx, name, "Age: 40\nA baker from Bremen who has run a bakery for twelve years and bakes rye bread.")})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (w *world) left(t testing.TB, ctx context.Context) int64 {
	t.Helper()
	n, err := w.Accounts.ResponsesLeft(ctx)
	if err != nil || n == nil {
		t.Fatal(err)
	}
	return *n
}

func (w *world) say(t testing.TB, ctx context.Context, id, text string) chat.Sent {
	t.Helper()
	sent, err := w.Send(ctx, chat.SendRequest{ChatID: id, Message: text})
	if err != nil {
		t.Fatal(err)
	}
	return sent
}

func refused(t testing.TB, err error, code fault.Code) *fault.Error {
	t.Helper()
	if !fault.Is(err, code) {
		t.Errorf("%v, want %s", err, code)
		return &fault.Error{}
	}
	return fault.From(err)
}

// rows counts what is stored under a chat's key.
func (w *world) rows(t testing.TB, ctx context.Context, id string) int {
	t.Helper()
	page, err := w.Store.Query(ctx, records.Query{PK: "w#" + account.From(ctx).Workspace + "#chat#" + id})
	if err != nil {
		t.Fatal(err)
	}
	return len(page.Items)
}

// question takes every started question through its steps.
func (w *world) question(t testing.TB, ctx context.Context) {
	t.Helper()
	for _, started := range w.Engine.Take() {
		var in study.JobInput
		if err := json.Unmarshal(started.Input, &in); err != nil {
			t.Fatal(err)
		}
		chunks, err := w.studies.Prepare(ctx, in)
		for _, n := range chunks {
			if err == nil {
				_, err = w.studies.AnswerChunk(ctx, in, n)
			}
		}
		if err == nil {
			_, err = w.studies.Settle(ctx, in)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

var errBroken = errors.New("the process ended here")

// breaking is a store that ends the process before or after the n-th transaction.
type breaking struct {
	records.Store
	mu     sync.Mutex
	at     int  // 0: never
	after  bool // the transaction happens, its answer is lost
	broken bool
}

func (b *breaking) Transact(ctx context.Context, token string, a ...records.Action) error {
	b.mu.Lock()
	dead := b.broken
	if b.at > 0 {
		if b.at--; b.at == 0 {
			b.broken = true
		}
	}
	now := b.broken && !dead
	b.mu.Unlock()
	if dead || now && !b.after {
		return errBroken
	}
	if err := b.Store.Transact(ctx, token, a...); err != nil {
		return err
	}
	if now {
		return errBroken
	}
	return nil
}

// The whole process is gone: nothing else is written either.
func (b *breaking) dead() bool { b.mu.Lock(); defer b.mu.Unlock(); return b.broken }

func (b *breaking) Put(ctx context.Context, it records.Item, c ...records.Cond) (records.Item, error) {
	if b.dead() {
		return records.Item{}, errBroken
	}
	return b.Store.Put(ctx, it, c...)
}

func (b *breaking) Update(ctx context.Context, k records.Key, v int64, fn func(*records.Item) error) (records.Item, error) {
	if b.dead() {
		return records.Item{}, errBroken
	}
	return b.Store.Update(ctx, k, v, fn)
}

func (b *breaking) Delete(ctx context.Context, k records.Key, c ...records.Cond) error {
	if b.dead() {
		return errBroken
	}
	return b.Store.Delete(ctx, k, c...)
}

func texts(h []simulate.Earlier) string {
	var b strings.Builder
	for _, e := range h {
		fmt.Fprintf(&b, "[%s|%s]", e.Question, e.Text)
	}
	return b.String()
}

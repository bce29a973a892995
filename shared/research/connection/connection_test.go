package connection_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/research/connection"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/secrets"
	"github.com/mindgate-dev/mindgate/shared/secrets/rows"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

const key = "sk-never-shown-0123456789"

// provider is a model behind a connection, as a test wants it.
type provider struct {
	mu     sync.Mutex
	fail   error
	calls  int
	opened []string // secrets it was opened with
	during func()   // runs within a call
}

func (p *provider) open(_ context.Context, s model.Settings, secret string) (model.Client, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened = append(p.opened, secret)
	return &client{p, s}, nil
}

type client struct {
	p *provider
	s model.Settings
}

func (c *client) Info() model.Info { return model.Info{Provider: c.s.Provider, Model: c.s.Model} }

func (c *client) Complete(_ context.Context, r model.Request) (model.Response, error) {
	c.p.mu.Lock()
	c.p.calls++
	fail, during := c.p.fail, c.p.during
	c.p.mu.Unlock()
	if during != nil {
		during()
	}
	if fail != nil {
		return model.Response{}, fail
	}
	return model.Response{Text: "OK", JSON: json.RawMessage("{}"), Stop: model.StopEnd}, nil
}

func (c *client) Stream(ctx context.Context, r model.Request, delta func(string) error) (model.Response, error) {
	res, err := c.Complete(ctx, r)
	if err == nil {
		err = delta(res.Text)
	}
	return res, err
}

type world struct {
	*connection.Service
	clock    *clock.Held
	store    records.Store
	vault    secrets.Vault
	accounts *account.Service
	provider *provider
	log      *bytes.Buffer
	deps     connection.Deps
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{clock: clock.Hold(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)), provider: &provider{}, log: &bytes.Buffer{}}
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "records.db"), sqlite.Options{Clock: w.clock, CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	ring, err := secrets.NewRing(bytes.Repeat([]byte{7}, secrets.MasterSize))
	if err != nil {
		t.Fatal(err)
	}
	guard, err := fetch.NewGuard(fetch.Options{Allow: []string{"127.0.0.1:11434"}})
	if err != nil {
		t.Fatal(err)
	}
	w.store, w.vault = store, rows.New(store, ring)
	w.accounts = account.New(account.Config{Records: store, Clock: w.clock, IDs: clock.RandomIDs{}, Plans: account.DefaultPlans()})
	w.deps = connection.Deps{
		Enabled: true, Records: store, Clock: w.clock, IDs: clock.RandomIDs{}, Accounts: w.accounts, Vault: w.vault, Guard: guard,
		Open: w.provider.open, Offline: simulate.NewOffline(), Log: slog.New(slog.NewTextHandler(w.log, nil)),
	}
	w.Service = connection.New(w.deps)
	return w
}

func as(t *testing.T, workspace string, plan account.Plan, role account.Role) context.Context {
	return account.With(t.Context(), account.Principal{Account: workspace + "-account", Workspace: workspace, Plan: plan, Role: role, Scopes: []string{"*"}})
}

func own() connection.Create {
	return connection.Create{Name: "Our own", Provider: model.OpenAICompatible, Model: "llama3", Endpoint: "http://127.0.0.1:11434/v1", Secret: key}
}

func (w *world) make(t *testing.T, ctx context.Context) connection.Connection {
	t.Helper()
	c, err := w.Create(ctx, own())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (w *world) verified(t *testing.T, ctx context.Context) connection.Connection {
	t.Helper()
	c, v, err := w.Verify(ctx, w.make(t, ctx).ID)
	if err != nil || !v.Verified || c.VerifiedAt == nil || !c.Capabilities.Chat {
		t.Fatalf("%+v, %+v, %v", c, v, err)
	}
	return c
}

func ref(c connection.Connection) mind.ConnectionRef {
	return mind.ConnectionRef{ID: c.ID, Revision: c.Revision}
}

func code(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if !fault.Is(err, want) {
		t.Helper()
		t.Errorf("%v, want %s", err, want)
	}
	if strings.Contains(fmt.Sprint(err), key) {
		t.Errorf("a refusal repeats the secret: %v", err)
	}
}

func TestLifeOfAConnection_M300_M301(t *testing.T) {
	w := newWorld(t)
	ctx := as(t, "team", account.Team, account.Owner)
	c := w.make(t, ctx)
	if c.Revision != 1 || !c.IsActive || c.VerifiedAt != nil || c.Capabilities != (model.Capabilities{}) {
		t.Errorf("a new one is active and not verified: %+v", c)
	}
	page, err := w.List(ctx, "")
	if err != nil || len(page.Connections) != 1 || page.NextCursor != nil {
		t.Fatalf("listed is active, not necessarily verified: %+v, %v", page, err)
	}
	_, err = w.Select(ctx, ref(c))
	code(t, err, fault.ModelConnectionUnverified)

	c, v, err := w.Verify(ctx, c.ID)
	if err != nil || !v.Verified || c.VerifiedAt == nil || c.Revision != 1 {
		t.Fatalf("%+v, %+v, %v", c, v, err)
	}
	model1, err := w.Select(ctx, ref(c))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := model1.Complete(ctx, model.Request{}); err != nil {
		t.Fatal(err)
	}

	name := "Renamed"
	_, err = w.Update(ctx, c.ID, connection.Change{Revision: 9, Name: &name})
	code(t, err, fault.StaleRevision)
	if f := fault.From(err); f.Data["currentRevision"] != 1 {
		t.Errorf("data: %v", f.Data)
	}
	next, err := w.Update(ctx, c.ID, connection.Change{Revision: 1, Name: &name})
	if err != nil || next.Revision != 2 || next.VerifiedAt != nil || next.Capabilities.Chat || next.Name != name {
		t.Fatalf("%+v, %v", next, err)
	}
	// In the middle of work: the client of before answers nothing more.
	_, err = model1.Complete(ctx, model.Request{})
	code(t, err, fault.ModelConnectionStale)
	_, err = w.Select(ctx, ref(c))
	code(t, err, fault.ModelConnectionStale)
	_, err = w.Select(ctx, ref(next))
	code(t, err, fault.ModelConnectionUnverified)

	next, _, err = w.Verify(ctx, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	model2, err := w.Select(ctx, ref(next))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Delete(ctx, c.ID); err != nil {
		t.Fatal(err)
	}
	calls := w.provider.calls
	_, err = model2.Stream(ctx, model.Request{}, func(string) error { return nil })
	code(t, err, fault.ModelConnectionStale)
	if w.provider.calls != calls {
		t.Error("a revoked connection was called")
	}
	_, err = w.Select(ctx, ref(next))
	code(t, err, fault.ModelConnectionStale)
	code(t, w.Delete(ctx, c.ID), fault.NotFound)
	if page, err := w.List(ctx, ""); err != nil || len(page.Connections) != 0 {
		t.Errorf("%+v, %v", page, err)
	}
	if w.secrets(t, "team") != 0 {
		t.Error("the secret of a revoked connection is still there")
	}
}

// secrets counts what the vault holds of a team.
func (w *world) secrets(t *testing.T, ws string) int {
	t.Helper()
	page, err := w.store.Query(t.Context(), records.Query{PK: "w#" + ws + "#vault"})
	if err != nil {
		t.Fatal(err)
	}
	return len(page.Items)
}

func TestWhoMay_M2_M3_M302(t *testing.T) {
	w := newWorld(t)
	owner := as(t, "team", account.Team, account.Owner)
	c := w.verified(t, owner)
	name := "x"
	for _, tt := range []struct {
		who  string
		ctx  context.Context
		want fault.Code
	}{
		{"a member", as(t, "team", account.Team, account.Member), fault.Forbidden},
		{"a plan without it", as(t, "team", account.Premium, account.Owner), fault.Forbidden},
		{"another team", as(t, "other", account.Team, account.Owner), fault.NotFound},
	} {
		_, err := w.Update(tt.ctx, c.ID, connection.Change{Revision: 1, Name: &name})
		code(t, err, tt.want)
		_, _, err = w.Verify(tt.ctx, c.ID)
		code(t, err, tt.want)
		code(t, w.Delete(tt.ctx, c.ID), tt.want)
		if tt.want == fault.Forbidden {
			_, err = w.Create(tt.ctx, own())
			code(t, err, tt.want)
		}
	}
	if _, err := w.Create(as(t, "team", account.Team, account.Admin), own()); err != nil {
		t.Errorf("an admin may: %v", err)
	}
	if page, err := w.List(as(t, "team", account.Team, account.Member), ""); err != nil || len(page.Connections) != 2 {
		t.Errorf("a member reads and chooses: %+v, %v", page, err)
	}
	if _, err := w.Select(as(t, "team", account.Team, account.Member), ref(c)); err != nil {
		t.Errorf("a member chooses: %v", err)
	}
	_, err := w.List(as(t, "team", account.Free, account.Owner), "")
	code(t, err, fault.Forbidden)
	_, err = w.Select(as(t, "team", account.Free, account.Owner), ref(c))
	code(t, err, fault.PlanLimit)
	_, err = w.Select(as(t, "other", account.Team, account.Owner), ref(c))
	code(t, err, fault.ModelConnectionUnverified)
	_, err = w.Select(owner, mind.ConnectionRef{ID: uuid.NewString(), Revision: 1})
	code(t, err, fault.ModelConnectionUnverified)
	if page, err := w.List(as(t, "other", account.Team, account.Owner), ""); err != nil || len(page.Connections) != 0 {
		t.Errorf("another team's list: %+v, %v", page, err)
	}
	_, err = w.List(as(t, "other", account.Team, account.Owner), c.ID)
	code(t, err, fault.Validation) // another team's id is no cursor

	deps := w.deps
	deps.Enabled = false
	off := connection.New(deps)
	_, err = off.List(owner, "")
	code(t, err, fault.FeatureDisabled)
	_, err = off.Create(owner, own())
	code(t, err, fault.FeatureDisabled)
	_, err = off.Update(owner, c.ID, connection.Change{Revision: 1, Name: &name})
	code(t, err, fault.FeatureDisabled)
	_, _, err = off.Verify(owner, c.ID)
	code(t, err, fault.FeatureDisabled)
	code(t, off.Delete(owner, c.ID), fault.FeatureDisabled)
	r := ref(c)
	_, err = off.For(owner, &r)
	code(t, err, fault.FeatureDisabled)
	if who, err := off.For(owner, nil); err != nil || who.Info().Name != simulate.NewOffline().Info().Name {
		t.Errorf("without one: %v", err)
	}
}

func TestAVerificationBelongsToItsRevision(t *testing.T) {
	w := newWorld(t)
	ctx := as(t, "team", account.Team, account.Owner)
	c := w.make(t, ctx)
	w.provider.during = sync.OnceFunc(func() {
		name := "changed meanwhile"
		if _, err := w.Update(ctx, c.ID, connection.Change{Revision: 1, Name: &name}); err != nil {
			t.Error(err)
		}
	})
	_, _, err := w.Verify(ctx, c.ID)
	code(t, err, fault.StaleRevision)
	page, _ := w.List(ctx, "")
	if got := page.Connections[0]; got.Revision != 2 || got.VerifiedAt != nil {
		t.Errorf("what was seen of revision 1 was written to revision 2: %+v", got)
	}
}

func TestAFailedVerification(t *testing.T) {
	w := newWorld(t)
	ctx := as(t, "team", account.Team, account.Owner)
	c := w.verified(t, ctx)
	w.provider.fail = &model.Error{Kind: model.KindRateLimited}
	got, v, err := w.Verify(ctx, c.ID)
	if err != nil || v.Verified || v.Code != "rate_limited" || got.VerifiedAt == nil {
		t.Errorf("a busy provider proves nothing: %+v, %+v, %v", got, v, err)
	}
	w.provider.fail = &model.Error{Kind: model.KindAuth, Detail: "Incorrect key " + key}
	got, v, err = w.Verify(ctx, c.ID)
	if err != nil || v.Verified || v.Code != "auth" || got.VerifiedAt != nil || strings.Contains(v.Message, key) {
		t.Errorf("a key that is refused does: %+v, %+v, %v", got, v, err)
	}
	_, err = w.Select(ctx, ref(c))
	code(t, err, fault.ModelConnectionUnverified)
}

// The key is nowhere but in the vault: not in answers, not in records in plain,
// not in the log.
func TestTheSecretNeverComesOut(t *testing.T) {
	w := newWorld(t)
	ctx := as(t, "team", account.Team, account.Owner)
	c := w.verified(t, ctx)
	page, err := w.List(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	shown, _ := json.Marshal([]any{c, page})
	if strings.Contains(string(shown), key) || strings.Contains(string(shown), "secret") {
		t.Errorf("shown: %s", shown)
	}
	rowsOf, err := w.store.Query(ctx, records.Query{PK: "w#team#connections"})
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range rowsOf.Items {
		if bytes.Contains(it.Body, []byte(key)) {
			t.Errorf("the row %s holds the key", it.SK)
		}
	}
	if strings.Contains(w.log.String(), key) {
		t.Error("the log holds the key")
	}
	if got := w.provider.opened[len(w.provider.opened)-1]; got != key {
		t.Errorf("the provider was opened with %q", got)
	}
	endpoint := "http://127.0.0.1:11434/other"
	_, err = w.Update(ctx, c.ID, connection.Change{Revision: 1, Endpoint: &endpoint})
	code(t, err, fault.Validation) // or an address of one's own would be sent the key
	again := "sk-another"
	if _, err := w.Update(ctx, c.ID, connection.Change{Revision: 1, Endpoint: &endpoint, Secret: &again}); err != nil {
		t.Error(err)
	}
	if n := w.secrets(t, "team"); n != 1 {
		t.Errorf("%d secrets in the vault after a change of the key", n)
	}
}

func TestWhatIsRefused(t *testing.T) {
	w := newWorld(t)
	ctx := as(t, "team", account.Team, account.Owner)
	long := strings.Repeat("x", 101)
	for name, tt := range map[string]struct {
		change func(*connection.Create)
		want   fault.Code
	}{
		"no name":               {func(c *connection.Create) { c.Name = "  " }, fault.Validation},
		"a name of 101":         {func(c *connection.Create) { c.Name = long }, fault.Validation},
		"a model of 201":        {func(c *connection.Create) { c.Model = long + long[:100] }, fault.Validation},
		"unknown provider":      {func(c *connection.Create) { c.Provider = "acme" }, fault.Validation},
		"no endpoint":           {func(c *connection.Create) { c.Endpoint = "" }, fault.Validation},
		"a private endpoint":    {func(c *connection.Create) { c.Endpoint = "http://127.0.0.1:9000/v1" }, fault.UnsafeURL},
		"a metadata endpoint":   {func(c *connection.Create) { c.Endpoint = "http://169.254.169.254/latest" }, fault.UnsafeURL},
		"no web address":        {func(c *connection.Create) { c.Endpoint = "file:///etc/passwd" }, fault.UnsafeURL},
		"a secret of two lines": {func(c *connection.Create) { c.Secret = key + "\n" + key }, fault.Validation},
		"a secret with a blank": {func(c *connection.Create) { c.Secret = key + " " }, fault.Validation},
		"a secret of 8193":      {func(c *connection.Create) { c.Secret = strings.Repeat("k", 8193) }, fault.Validation},
		"openai without a key": {func(c *connection.Create) {
			c.Provider, c.Endpoint, c.Secret = model.OpenAI, "", ""
		}, fault.Validation},
		"bedrock without a region": {func(c *connection.Create) {
			c.Provider, c.Endpoint = model.Bedrock, ""
		}, fault.Validation},
		"bedrock on the installation's own role": {func(c *connection.Create) {
			c.Provider, c.Endpoint, c.Region, c.Secret = model.Bedrock, "", "eu-central-1", ""
		}, fault.Validation},
		"a region that means nothing": {func(c *connection.Create) { c.Region = "eu-central-1" }, fault.Validation},
	} {
		t.Run(name, func(t *testing.T) {
			c := own()
			tt.change(&c)
			_, err := w.Create(ctx, c)
			code(t, err, tt.want)
		})
	}
	if n := w.secrets(t, "team"); n != 0 {
		t.Errorf("refusals left %d secrets behind", n)
	}
	most := own()
	most.Name, most.Model, most.Secret = long[:100], long[:100]+long[:100], strings.Repeat("k", 8192)
	if _, err := w.Create(ctx, most); err != nil {
		t.Errorf("at the limits: %v", err)
	}
	free := own()
	free.Secret = ""
	if _, err := w.Create(ctx, free); err != nil {
		t.Errorf("a server of one's own needs no key: %v", err)
	}
	_, err := w.Update(ctx, uuid.NewString(), connection.Change{Revision: 1})
	code(t, err, fault.NotFound)
	_, err = w.Update(ctx, "abc", connection.Change{Revision: 1})
	code(t, err, fault.Validation)
}

func TestPages_M300(t *testing.T) {
	w := newWorld(t)
	ctx := as(t, "team", account.Team, account.Owner)
	made := map[string]bool{}
	for range 100 {
		made[w.make(t, ctx).ID] = true
		w.clock.Advance(time.Millisecond)
	}
	_, err := w.Create(ctx, own())
	code(t, err, fault.Validation) // the 101st
	if n := w.secrets(t, "team"); n != 100 {
		t.Errorf("%d secrets for 100 connections", n)
	}
	first, err := w.List(ctx, "")
	if err != nil || len(first.Connections) != 50 || first.NextCursor == nil {
		t.Fatalf("%d, %v", len(first.Connections), err)
	}
	// The connection of the cursor is revoked between two pages.
	if err := w.Delete(ctx, *first.NextCursor); err != nil {
		t.Fatal(err)
	}
	second, err := w.List(ctx, *first.NextCursor)
	if err != nil || len(second.Connections) != 50 || second.NextCursor != nil {
		t.Fatalf("%d, %v", len(second.Connections), err)
	}
	for _, c := range append(first.Connections, second.Connections...) {
		if !made[c.ID] {
			t.Fatalf("%s is listed twice, or is none of ours", c.ID)
		}
		delete(made, c.ID)
	}
	_, err = w.List(ctx, uuid.NewString())
	code(t, err, fault.Validation)
	inactive := false
	c := second.Connections[0]
	if c, err = w.Update(ctx, c.ID, connection.Change{Revision: 1, IsActive: &inactive}); err != nil || c.IsActive {
		t.Fatal(err)
	}
	if page, _ := w.List(ctx, *first.NextCursor); len(page.Connections) != 49 {
		t.Errorf("a disabled one is listed")
	}
	_, err = w.Select(ctx, ref(c))
	code(t, err, fault.ModelConnectionStale)
}

// breaking is a store that loses the process at the n-th transaction.
type breaking struct {
	records.Store
	at int
}

var errBroken = errors.New("the process ended here")

func (b *breaking) Transact(ctx context.Context, token string, a ...records.Action) error {
	if b.at--; b.at == 0 {
		return errBroken
	}
	return b.Store.Transact(ctx, token, a...)
}

// A break between vault and records leaves a secret that nobody refers to; the
// sweep removes it, and nothing that is in use.
func TestASweepRemovesWhatABreakLeft(t *testing.T) {
	w := newWorld(t)
	ctx := as(t, "team", account.Team, account.Owner)
	good := w.verified(t, ctx)
	deps := w.deps
	deps.Records = &breaking{w.store, 1}
	if _, err := connection.New(deps).Create(ctx, own()); !errors.Is(err, errBroken) {
		t.Fatal(err)
	}
	if n := w.secrets(t, "team"); n != 2 {
		t.Fatalf("%d secrets", n)
	}
	if n, err := w.Sweep(ctx); n != 0 || err != nil {
		t.Errorf("too early: %d, %v", n, err)
	}
	w.clock.Advance(11 * time.Minute)
	if n, err := w.Sweep(ctx); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n := w.secrets(t, "team"); n != 1 {
		t.Errorf("%d secrets", n)
	}
	if _, err := w.Select(ctx, ref(good)); err != nil {
		t.Errorf("what is in use: %v", err)
	}
}

package minds_test

import (
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	jobtasks "github.com/mindgate-dev/mindgate/functions/jobs"
	"github.com/mindgate-dev/mindgate/functions/minds"
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs/folder"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/tool"
	"github.com/mindgate-dev/mindgate/shared/tool/tooltest"
	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/shared/workflow/local"
	"github.com/mindgate-dev/mindgate/statemachines"
)

// gateway is the whole toolset over stores of its own: the real tasks and
// machines run in the process.
type gateway struct {
	research   *research.Research
	call       tooltest.Caller
	principals map[string]account.Principal // "" is on plan team; "other" too; "free" is not
}

func registry(t testing.TB) *tool.Registry {
	t.Helper()
	r, err := tool.NewRegistry(minds.Registry()...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func open(t testing.TB) *gateway {
	t.Helper()
	dir := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "records.db"), sqlite.Options{CursorKey: make([]byte, 32)})
	must(err)
	t.Cleanup(func() { _ = store.Close() })
	files, err := folder.Open(filepath.Join(dir, "blobs"), folder.Options{LinkKey: make([]byte, 32)})
	must(err)
	machines, err := statemachines.All()
	must(err)
	tasks := workflow.Tasks{}
	engine, err := local.Open(t.Context(), local.Options{Path: filepath.Join(dir, "jobs.db"), Machines: machines, Tasks: tasks})
	must(err)
	guard, err := fetch.NewGuard(fetch.Options{})
	must(err)
	g := &gateway{principals: map[string]account.Principal{}}
	g.research = research.New(research.Deps{
		Records: store, Blobs: files, Workflow: engine, Clock: clock.System{}, IDs: clock.RandomIDs{},
		Respondents: simulate.NewOffline(), Guard: guard, TicketKey: make([]byte, 32), PublicURL: "http://127.0.0.1:8080", Plans: account.DefaultPlans(),
	})
	maps.Copy(tasks, jobtasks.Tasks(g.research))

	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = engine.Run(ctx) })
	t.Cleanup(func() { stop(); running.Wait(); _ = engine.Close() })

	for name, plan := range map[string]account.Plan{"": account.Team, "other": account.Team, "free": account.Free} {
		secret, _, err := g.research.Accounts.CreateKey(t.Context(), "account "+name, plan, nil)
		must(err)
		g.principals[name], err = g.research.Accounts.Authenticate(t.Context(), secret)
		must(err)
	}
	d, err := tool.NewDispatcher(tool.DispatchOptions{
		Registry: registry(t), Catalogue: catalog.Minds(),
		Prepare: func(ctx context.Context) context.Context { return research.With(ctx, g.research) },
	})
	must(err)
	g.call = tooltest.Dispatched(t, d, catalog.Minds(), g.principals)
	return g
}

// tick lets the engine work on between two looks at a record.
func tick(ctx context.Context) { _ = clock.System{}.Sleep(ctx, 5*time.Millisecond) }

// mind makes a Mind of an account, past the tools.
func (g *gateway) mind(t testing.TB, as string, r mind.CreateRequest) mind.Mind {
	t.Helper()
	c, err := g.research.Minds.Create(account.With(t.Context(), g.principals[as]), r)
	if err != nil {
		t.Fatal(err)
	}
	return c.Mind
}

// survey are twelve completed respondents; grid is a questionnaire.
var (
	survey = "RespondentID,Gender,Age,Do you like tea?\n" + strings.Join([]string{
		"7101,Female,18-29,Yes", "7102,Male,30-44,No", "7103,Female,45-60,Yes", "7104,Male,18-29,Yes", "7105,Female,30-44,No", "7106,Male,45-60,Yes",
		"7107,Female,18-29,No", "7108,Male,30-44,Yes", "7109,Female,45-60,Yes", "7110,Male,18-29,No", "7111,Female,30-44,Yes", "7112,,,",
	}, "\n")
	grid = "code,text,options,route\nQ1,How old are you?,Under 18;18 to 29;30 or older,If under 18 screen out\nQ2,Which of these do you own?,Car;Bicycle;None of these,Ask all\n" +
		"Q3,How often do you drive?,Daily;Weekly;Never,Ask if Q2 is Car\nQ4,How satisfied are you?,Very;Somewhat;Not at all,Ask all\n"
)

// picture is a PNG of 48 by 32 pixels, even but for a square in its upper left.
func picture(t testing.TB) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 48, 32))
	draw.Draw(m, m.Bounds(), image.NewUniform(color.NRGBA{20, 40, 60, 255}), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(9, 5, 16, 12), image.NewUniform(color.NRGBA{250, 240, 90, 255}), image.Point{}, draw.Src)
	var out strings.Builder
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// upload sends a file of an account and gives its path.
func (g *gateway) upload(t testing.TB, as, name, text string) string {
	t.Helper()
	u, err := g.research.Uploads.Create(account.With(t.Context(), g.principals[as]), upload.Request{Name: name, Folder: "temp"})
	if err != nil {
		t.Fatal(err)
	}
	id, ticket, _ := strings.Cut(u.UploadURL[strings.LastIndex(u.UploadURL, "/")+1:], "?ticket=")
	if err := g.research.Uploads.Receive(t.Context(), id, ticket, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return u.Path
}

func TestStructsFitTheContract(t *testing.T) {
	var others []tool.Tool
	for _, tl := range minds.Registry() {
		if tl.Name != "chat_with_mind" && tl.Name != "manage_chat" && tl.Name != "manage_mind_knowledge" && tl.Name != "create_audience_from_brief" && tl.Name != "run_study_questions" {
			others = append(others, tl)
		}
	}
	r, err := tool.NewRegistry(others...)
	if err != nil {
		t.Fatal(err)
	}
	tooltest.Structs(t, r, catalog.Minds())

	// A reply says more than its schema, which is open there: what it rests on,
	// and that it is simulated (M-340).
	def, _ := catalog.Minds().Lookup("chat_with_mind")
	tooltest.Struct(t, "chat_with_mind input", minds.ChatWithMindInput{}, def.Input)
	for _, line := range tooltest.Differences(mind.ChatReply{}, def.Output) {
		if !strings.Contains(line, "field engine of") && !strings.Contains(line, "field evidenceState of") {
			t.Errorf("chat_with_mind output: %s", line)
		}
	}
	// So is that of knowledge: what was left out of a source, and why a keyword
	// search is not queued, is said beside it.
	def, _ = catalog.Minds().Lookup("manage_mind_knowledge")
	tooltest.Struct(t, "manage_mind_knowledge input", minds.ManageMindKnowledgeInput{}, def.Input)
	for _, line := range tooltest.Differences(minds.ManagedKnowledge{}, def.Output) {
		if !strings.Contains(line, "field notes of") && !strings.Contains(line, "field message of") && !strings.Contains(line, ".data.processing: field promptRegenerated of") {
			t.Errorf("manage_mind_knowledge output: %s", line)
		}
	}
	// A preview says, in the grounding, how each dimension is covered (M-46).
	def, _ = catalog.Minds().Lookup("create_audience_from_brief")
	tooltest.Struct(t, "create_audience_from_brief input", minds.CreateAudienceFromBriefInput{}, def.Input)
	for _, line := range tooltest.Differences(minds.AudienceFromBrief{}, def.Output) {
		if !strings.Contains(line, ".preview.grounding: field research of") {
			t.Errorf("create_audience_from_brief output: %s", line)
		}
	}
	// What a refusal has beside its error is no part of what was started.
	def, _ = catalog.Minds().Lookup("run_study_questions")
	tooltest.Struct(t, "run_study_questions input", minds.RunStudyQuestionsInput{}, def.Input)
	for _, line := range tooltest.Differences(minds.RunStudyQuestionsResult{}, def.Output) {
		if !strings.Contains(line, "property error has") && !strings.Contains(line, "property upgradeRequired has") {
			t.Errorf("run_study_questions output: %s", line)
		}
	}
	def, _ = catalog.Minds().Lookup("manage_chat")
	tooltest.Struct(t, "manage_chat input", minds.ManageChatInput{}, def.Input)
	for _, line := range tooltest.Differences(minds.ManagedChat{}, def.Output) {
		if !strings.Contains(line, "field metadata of") {
			t.Errorf("manage_chat output: %s", line)
		}
	}
}

func TestContractExamples(t *testing.T) { tooltest.Examples(t, registry(t), open(t).call) }

// Each transcript is a gateway's life of its own. Known before its first call:
// $foreign, a Mind of another tenant; $manual, a Mind without a prompt; $survey and
// $grid, uploads of respondents and of a questionnaire, and $picture, of a picture;
// $theirs, another tenant's respondents.
func TestTranscripts(t *testing.T) {
	tooltest.Transcripts(t, "testdata/*.txtar", tooltest.Conversation{
		Tick: tick,
		Fresh: func(t *testing.T) tooltest.Conversation {
			g := open(t)
			return tooltest.Conversation{Call: g.call, Tick: tick, Vars: map[string]any{
				"survey": g.upload(t, "", "wave3.csv", survey), "grid": g.upload(t, "", "grid.csv", grid), "theirs": g.upload(t, "other", "wave3.csv", survey),
				"picture": g.upload(t, "", "ad.png", picture(t)),
				"foreign": g.mind(t, "other", mind.CreateRequest{Name: "Elsewhere", Mode: mind.ModeManual}).ID,
				"manual":  g.mind(t, "", mind.CreateRequest{Name: "Blank Page", Mode: mind.ModeManual}).ID,
			}}
		},
	})
}

// Every refusal and every result is JSON that a client can read whole.
func TestAnswersAreJSON(t *testing.T) {
	g := open(t)
	a := g.call(t.Context(), "", "list_minds", json.RawMessage(`{}`))
	if a.Error != nil || !json.Valid(a.Structured) || a.Text == "" {
		t.Errorf("%+v", a)
	}
}

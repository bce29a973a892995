package e2e

import (
	"fmt"
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// The main job over MCP with the official client.
func TestVerticalOverMCP(t *testing.T) {
	s := start(t)
	walk(t, s, s.MCP(t))
}

// walk makes Minds of every mode, asks them a published question and exports
// the answers, through whatever way c is connected.
func walk(t *testing.T, s *gateway.Server, c *gateway.Client) {
	t.Helper()
	listed := map[string]bool{}
	for tool, err := range c.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		listed[tool.Name] = true
	}
	// Some tools are callable without being listed, to keep a model's context
	// small; the contract says which.
	for _, name := range []string{
		"list_minds", "create_mind", "get_mind_status", "chat_with_mind", "list_audiences", "create_audience", "get_audience",
		"create_study", "list_studies", "ask_study", "get_study_status", "get_study_analytics", "export_study",
	} {
		d, ok := catalog.Minds().Lookup(name)
		if !ok || listed[name] != (d.Discovery == "advertised") {
			t.Errorf("%s: listed %t, against the contract", name, listed[name])
		}
	}

	var minds []string
	for i := range 4 {
		r := c.Must(t, "create_mind", fields{"name": fmt.Sprintf("Clone %d", i), "mode": "clone",
			"personaContext": fmt.Sprintf("Age: %d\nGender: Male\nRegion: Mountain\nEducation: High school degree", 25+10*i)})
		minds = append(minds, r.Text("mind", "id"))
	}
	keywords := c.Must(t, "create_mind", fields{"name": "By keywords", "mode": "keywords", "keywords": []string{"steak", "grill"}, "includeWebSearch": false})
	link := c.Must(t, "create_mind", fields{"name": "By link", "mode": "link", "contextLink": site.URL + "/profile", "description": "Writes about steak."})
	manual := c.Must(t, "create_mind", fields{"name": "By hand", "mode": "manual"})
	if manual.At("training", "readyToChat") != false || manual.Text("training", "status") != "failed" {
		t.Errorf("M-21: a manual Mind starts failed: %s", manual.Body)
	}
	for _, id := range append(minds, keywords.Text("mind", "id"), link.Text("mind", "id")) {
		gateway.Eventually(t, patience, "training of "+id, func() bool {
			return c.Must(t, "get_mind_status", fields{"mindId": id}).At("training", "readyToChat") == true
		})
	}
	// What only the page says comes with the page as its source; what it does not
	// say is not made up.
	if said := c.Must(t, "chat_with_mind", fields{"mindId": link.Text("mind", "id"), "message": "Where do you buy your steak?"}); !strings.Contains(said.Text("content"), "Harbour Street") ||
		!strings.Contains(string(said.Body), site.URL) {
		t.Errorf("from the page: %s", said.Body)
	}
	if said := c.Must(t, "chat_with_mind", fields{"mindId": link.Text("mind", "id"), "message": "Which electric car do you drive?"}); strings.Contains(said.Text("content"), "Harbour") ||
		said.Text("metadata", "evidenceState") != "unsupported" {
		t.Errorf("off the page: %s", said.Body)
	} else if said.Text("metadata", "engine", "embeddings") == "" {
		t.Errorf("M-344: the answer does not name the space of its vectors: %s", said.Body)
	}
	for _, id := range minds {
		know(t, s, id, "steak.json", published)
	}
	if total := c.Must(t, "list_minds", fields{"limit": 2}); total.At("nextOffset") != 2.0 {
		t.Errorf("list_minds: %s", total.Body)
	}
	chat := c.Must(t, "chat_with_mind", fields{"mindName": "clone 1", "message": "How old are you?"})
	if chat.Text("content") == "" {
		t.Errorf("chat: %s", chat.Body)
	}
	audience := c.Must(t, "create_audience", fields{"name": "Grill club", "mindIds": minds}).Text("audience", "id")
	c.Must(t, "list_audiences", fields{})
	c.Must(t, "get_audience", fields{"audienceId": audience})
	study := c.Must(t, "create_study", fields{"name": "Grill study", "audienceIds": []string{audience}}).Text("studyId")
	c.Must(t, "list_studies", fields{})
	asked := c.Must(t, "ask_study", fields{"studyId": study, "question": steak})
	if asked.At("executionStarted") != true {
		t.Fatalf("ask_study: %s", asked.Body)
	}
	var status gateway.Result
	gateway.Eventually(t, patience, "the answers", func() bool {
		status = c.Must(t, "get_study_status", fields{"studyId": study})
		active, _ := status.At("activeQuestions").([]any)
		recent, _ := status.At("recentResults").([]any)
		return len(active) == 0 && len(recent) == 1
	})
	if n := strings.Count(string(status.Body), `"evidenceState":"grounded"`); n != 4 {
		t.Errorf("%d of 4 answers are grounded: %s", n, status.Body)
	}
	analytics := c.Must(t, "get_study_analytics", fields{"studyName": "Grill study"})
	if categorical, _ := analytics.At("categorical").([]any); len(categorical) != 1 {
		t.Errorf("analytics: %s", analytics.Body)
	}
	for _, f := range []fields{{"studyId": study, "format": "md"}, {"studyId": study, "format": "csv", "kind": "raw_data"}} {
		var job gateway.Result
		gateway.Eventually(t, patience, fmt.Sprintf("export %v", f), func() bool {
			job = c.Must(t, "export_study", f)
			return job.Text("status") == "completed"
		})
		file := s.Must(t, 302, "GET", strings.TrimPrefix(job.Text("downloadUrl"), s.URL), nil)
		s.Must(t, 200, "GET", strings.TrimPrefix(file.Header.Get("Location"), s.URL), nil, "Authorization", "")
	}
}

func stdio(t *testing.T, key string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(gateway.Program(t), append([]string{"mcp", "--toolset", "minds"}, args...)...)
	cmd.Env = append(gateway.Environment(), "MINDGATE_API_KEY="+key, "MINDGATE_RATE_PER_MINUTE=0", reachSite())
	return cmd
}

// stdio on a data folder beside the running server: one store, one set of jobs.
func TestStdioBesideAServer(t *testing.T) {
	s := start(t)
	walk(t, s, gateway.Stdio(t, stdio(t, s.Key, "--data", s.Dir)))
}

func TestStdioBridge(t *testing.T) {
	s := start(t)
	walk(t, s, gateway.Stdio(t, stdio(t, s.Key, "--url", s.URL+"/mcp")))
}

// stdio alone runs the jobs, and takes them over when the server goes.
func TestStdioTakesTheJobsOver(t *testing.T) {
	s := start(t)
	c := gateway.Stdio(t, stdio(t, s.Key, "--data", s.Dir))
	c.Must(t, "list_minds", fields{})
	s.Kill()
	id := c.Must(t, "create_mind", fields{"name": "Left alone", "mode": "clone", "personaContext": "Age: 40"}).Text("mind", "id")
	gateway.Eventually(t, patience, "training after the server went", func() bool {
		return c.Must(t, "get_mind_status", fields{"mindId": id}).At("training", "readyToChat") == true
	})
}

// No key, or an unknown one, is exit 2 with the command that makes one.
func TestStdioWithoutAKey(t *testing.T) {
	s := start(t)
	for name, c := range map[string]struct{ env, args []string }{
		"no key":          {nil, []string{"--data", s.Dir}},
		"unknown key":     {[]string{"MINDGATE_API_KEY=" + gateway.NewKey()}, []string{"--data", s.Dir}},
		"unknown bootkey": {[]string{"MINDGATE_BOOTSTRAP_KEY=" + gateway.NewKey()}, []string{"--data", s.Dir}},
		"malformed":       {[]string{"MINDGATE_API_KEY=x"}, []string{"--data", s.Dir}},
		"new folder":      {[]string{"MINDGATE_API_KEY=" + gateway.NewKey()}, []string{"--data", t.TempDir()}},
		"bridge, no key":  {nil, []string{"--url", s.URL + "/mcp"}},
		"bridge, unknown": {[]string{"MINDGATE_API_KEY=" + gateway.NewKey()}, []string{"--url", s.URL + "/mcp"}},
	} {
		t.Run(name, func(t *testing.T) {
			out, text, code := run(t, c.env, append([]string{"mcp"}, c.args...)...)
			if code != 2 || out != "" {
				t.Errorf("exit %d, stdout %q", code, out)
			}
			oneLine(t, text, "mindgate key create")
		})
	}
	if _, text, code := run(t, []string{"MINDGATE_API_KEY=" + s.Key}, "mcp", "--url", "http://"+gateway.FreeAddress(t)+"/mcp"); code != 1 || !strings.Contains(text, "no gateway answers") {
		t.Errorf("nobody there: exit %d, %s", code, text)
	}
	if _, text, code := run(t, []string{"MINDGATE_API_KEY=" + s.Key}, "mcp", "--url", s.URL); code != 1 || !strings.Contains(text, "/mcp") {
		t.Errorf("not the endpoint: exit %d, %s", code, text)
	}
}

// SIGTERM lets a call in flight end, and nothing is lost by it.
func TestStopIsClean(t *testing.T) {
	s := start(t)
	made := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Kept", "mode": "manual"})
	began := time.Now()
	if err := s.Stop(t); err != nil {
		t.Fatalf("%v\n%s", err, s.Log())
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("an idle server took %s to stop", took)
	}
	again := gateway.Start(t, s.Dir, s.Addr, s.Key)
	again.Must(t, 200, "GET", "/api/v1/minds/"+made.Text("data", "id"), nil)
}

// Without a server on the folder the links in results lead to the program itself,
// on this machine alone, for as long as it runs.
func TestStdioServesItsLinks(t *testing.T) {
	s := start(t)
	walk(t, s, s.MCP(t))
	if err := s.Stop(t); err != nil {
		t.Fatal(err)
	}
	c := gateway.Stdio(t, stdio(t, s.Key, "--data", s.Dir))
	var job gateway.Result
	gateway.Eventually(t, patience, "the export", func() bool {
		job = c.Must(t, "export_study", fields{"studyName": "Grill study", "format": "csv", "kind": "raw_data"})
		return job.Text("status") == "completed"
	})
	at, err := url.Parse(job.Text("downloadUrl"))
	if err != nil || at.Hostname() != "127.0.0.1" || strings.HasPrefix(at.String(), s.URL) {
		t.Fatalf("%s: %v", job.Body, err)
	}
	alone := gateway.At("http://"+at.Host, s.Key)
	file := alone.Must(t, 302, "GET", at.RequestURI(), nil)
	if got := alone.Must(t, 200, "GET", strings.TrimPrefix(file.Header.Get("Location"), alone.URL), nil, "Authorization", ""); len(got.Body) == 0 {
		t.Error("an empty file")
	}
	alone.Must(t, 401, "GET", "/api/v1/minds", nil, "Authorization", "")
}

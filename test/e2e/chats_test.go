package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// Chats of all three kinds over REST, every answer held to the contract, and the
// same chat over MCP.
func TestChats(t *testing.T) {
	s := start(t)
	mind := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ada Baker", "mode": "clone", "personaContext": "Age: 40\nA baker from Bremen who bakes rye bread."}).Text("data", "id")
	other := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ben Miller", "mode": "clone", "personaContext": "Age: 30\nA miller from Kiel who grinds wheat."}).Text("data", "id")
	ready(t, s, mind)
	ready(t, s, other)

	a := s.Must(t, 201, "POST", "/api/v1/chats", fields{"mindId": mind, "name": "Bread"})
	gateway.Shape(t, "createChat", a)
	chat := "/api/v1/chats/" + a.Text("data", "id")
	said := s.Must(t, 200, "POST", chat+"/messages", fields{"content": "How old are you?"})
	gateway.Shape(t, "sendChatMessage", said)
	if !strings.Contains(said.Text("content"), "40") || said.At("metadata", "engine", "simulated") != true {
		t.Errorf("%s", said.Body)
	}
	note := s.Must(t, 200, "POST", chat+"/messages", fields{"message": "Be brief.", "role": "system"})
	gateway.Shape(t, "sendChatMessage", note)

	c := s.MCP(t)
	over := c.Must(t, "manage_chat", fields{"action": "send_message", "chatId": a.Text("data", "id"), "message": "How old are you?"})
	if over.Text("content") != said.Text("content") { // the same Mind, on whichever surface
		t.Errorf("%s", over.Body)
	}

	several := s.Must(t, 201, "POST", "/api/v1/chats", fields{"mindIds": []string{mind, other}})
	gateway.Shape(t, "createChat", several)
	replies := s.Must(t, 200, "POST", "/api/v1/chats/"+several.Text("data", "id")+"/messages", fields{"content": "Ben, how old are you?"})
	gateway.Shape(t, "sendChatMessage", replies)

	audience := s.Must(t, 201, "POST", "/api/v1/audiences", fields{"name": "Mill and bakery", "mindIds": []string{mind, other}}).Text("data", "id")
	group := s.Must(t, 201, "POST", "/api/v1/chats", fields{"audienceIds": []string{audience}, "mindId": mind}) // the first of the three counts
	gateway.Shape(t, "createChat", group)
	if group.Text("data", "type") != "study" {
		t.Errorf("%s", group.Body)
	}
	figures := s.Must(t, 200, "POST", "/api/v1/chats/"+group.Text("data", "id")+"/messages", fields{"content": "Do you like rye bread, yes or no?"})
	gateway.Shape(t, "sendChatMessage", figures)

	for body, code := range map[string]string{
		`{}`:                              "VALIDATION",
		`{"content":" "}`:                 "VALIDATION",
		`{"content":"x","role":"tool"}`:   "VALIDATION",
		`{"content":"x","model":"gpt"}`:   "VALIDATION",
		`{"content":"x","tools":[{}]}`:    "VALIDATION",
		`{"content":"x","unknown":"any"}`: "VALIDATION",
	} {
		got := s.Must(t, 400, "POST", chat+"/messages", json.RawMessage(body))
		if got.Text("data", "code") != code {
			t.Errorf("%s: %s", body, got.Body)
		}
	}
	s.Must(t, 400, "POST", "/api/v1/chats", fields{})
	s.Must(t, 400, "POST", "/api/v1/chats", fields{"mindIds": []string{mind}, "responseThread": fields{"studyId": mind, "messageId": "m"}})
	s.Must(t, 404, "POST", "/api/v1/chats", fields{"mindId": audience})
	s.Must(t, 204, "DELETE", chat, nil)
	s.Must(t, 404, "POST", chat+"/messages", fields{"content": "Still there?"})
	s.Must(t, 404, "DELETE", chat, nil)
}

// A chat's message that a killed process was answering is answered by the next
// one at once: the lease of a run that is over is free.
func TestAChatOutlivesTheProcess(t *testing.T) {
	p := newProvider()
	defer p.Close()
	dir, addr, key := t.TempDir(), gateway.FreeAddress(t), gateway.NewKey()
	env := []string{"MINDGATE_MODEL=openai_compatible:small", "MINDGATE_MODEL_ENDPOINT=" + p.URL + "/v1", "MINDGATE_FETCH_ALLOW=" + p.Host()}
	s := gateway.Start(t, dir, addr, key, env...)
	mind := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ada Baker", "mode": "clone", "personaContext": "A baker from Bremen.", "generateImage": false}).Text("data", "id")
	ready(t, s, mind)
	chat := "/api/v1/chats/" + s.Must(t, 201, "POST", "/api/v1/chats", fields{"mindId": mind}).Text("data", "id")
	s.Must(t, 200, "POST", chat+"/messages", fields{"content": "First?"})
	asked := p.hold()
	go func() {
		_, _ = s.Call(context.Background(), "POST", chat+"/messages", fields{"content": "Second?"})
	}()
	<-asked
	s.Kill()
	p.release()
	s = gateway.Start(t, dir, addr, key, env...)
	a := s.Must(t, 200, "POST", chat+"/messages", fields{"content": "Second?"})
	if a.Text("content") == "" {
		t.Errorf("%s", a.Body)
	}
	used := s.Must(t, 200, "GET", "/api/v1/usage", nil)
	if !bytes.Contains(used.Body, []byte(`2`)) {
		t.Errorf("two messages, two responses: %s", used.Body)
	}
}

// A completion as a stream: start, a result or an error, done; refusals too.
func TestCompletionStreams(t *testing.T) {
	s := start(t)
	mind := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ada Baker", "mode": "clone", "personaContext": "Age: 40\nA baker from Bremen."}).Text("data", "id")
	ready(t, s, mind)
	path := "/api/v1/minds/" + mind + "/completion"
	ask := fields{"responseMode": "stream", "language": "de", "endUserName": "Kim", "messages": []fields{{"role": "user", "content": "How old are you?"}}}
	events, head := stream(t, s, s.Key, path, ask)
	if fmt.Sprint(names(events)) != "[start result done]" {
		t.Fatalf("%v", events)
	}
	gateway.Shape(t, "createMindCompletion", gateway.Answer{Status: 200, Body: []byte(events[1].data)})
	var got struct {
		Content  string
		Metadata struct {
			Language struct {
				Requested string
				Applied   bool
			}
		}
	}
	if err := json.Unmarshal([]byte(events[1].data), &got); err != nil || !strings.Contains(got.Content, "40") || got.Metadata.Language.Applied || got.Metadata.Language.Requested != "de" {
		t.Errorf("%v: %s", err, events[1].data)
	}
	if head.Get("X-RateLimit-Limit") != "30" || head.Get("X-RateLimit-Remaining") != "29" || head.Get("X-RateLimit-Reset") == "" {
		t.Errorf("M-106: %v", head)
	}
	for name, tt := range map[string]struct {
		key, path string
		body      any
		status    float64
	}{
		"no credential": {"minds_" + strings.Repeat("0", 48), path, ask, 401},
		"no such Mind":  {s.Key, "/api/v1/minds/0a9b8c7d-2222-4333-8444-555566667777/completion", ask, 404},
		"unknown field": {s.Key, path, fields{"responseMode": "stream", "nonsense": 1}, 400},
		"tools":         {s.Key, path, fields{"responseMode": "stream", "messages": ask["messages"], "tools": []fields{{"type": "function"}}}, 400},
	} {
		events, _ := stream(t, s, tt.key, tt.path, tt.body)
		var refusal map[string]any
		if fmt.Sprint(names(events)) != "[start error done]" || json.Unmarshal([]byte(events[1].data), &refusal) != nil || refusal["statusCode"] != tt.status {
			t.Errorf("%s: %v", name, events)
		}
	}
	// The same, whole: the headers of the window, and every refusal with its errorType.
	sync := s.Must(t, 200, "POST", path, fields{"messages": ask["messages"], "sourcePolicy": "request_only", "citationMarkers": "none"})
	gateway.Shape(t, "createMindCompletion", sync)
	if sync.Header.Get("X-RateLimit-Remaining") != "28" || sync.Text("metadata", "sourcePolicy") != "request_only" {
		t.Errorf("%v %s", sync.Header, sync.Body)
	}
	for want, more := range map[string]fields{
		"model_not_found":              {"model": "gpt-5", "provider": "openai"},
		"unsupported_model_capability": {"response_format": fields{"type": "json_schema", "json_schema": fields{"schema": fields{"type": "object"}}}},
		"invalid_prompt":               {"messages": []fields{{"role": "assistant", "content": "x"}}},
	} {
		body := fields{"messages": ask["messages"]}
		for k, v := range more {
			body[k] = v
		}
		if a := s.Must(t, 400, "POST", path, body); a.Text("data", "errorType") != want {
			t.Errorf("%s: %s", want, a.Body)
		}
	}
}

type event struct{ name, data string }

func names(events []event) (out []string) {
	for _, e := range events {
		out = append(out, e.name)
	}
	return out
}

func stream(t *testing.T, s *gateway.Server, key, path string, body any) ([]event, http.Header) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest("POST", s.URL+path, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %s", resp.StatusCode, resp.Header.Get("Content-Type"))
	}
	var events []event
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			events = append(events, event{name: name})
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && len(events) > 0 {
			events[len(events)-1].data = data
		}
	}
	return events, resp.Header
}

// provider is a server of OpenAI's protocol.
type provider struct {
	*httptest.Server
	mu    sync.Mutex
	keys  []string
	calls int
	held  chan struct{}
	asked chan struct{}
}

func newProvider() *provider {
	p := &provider{}
	p.Server = httptest.NewServer(p)
	return p
}

func (p *provider) Host() string { return strings.TrimPrefix(p.URL, "http://") }

// hold lets the next call wait; the channel is closed when it has come.
func (p *provider) hold() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held, p.asked = make(chan struct{}), make(chan struct{})
	return p.asked
}

func (p *provider) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.held)
	p.held = nil
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Stream   bool `json:"stream"`
		Format   any  `json:"response_format"`
		Messages []struct {
			Role    string `json:"role"`
			Content any    `json:"content"`
		} `json:"messages"`
	}
	_ = json.NewDecoder(r.Body).Decode(&in)
	p.mu.Lock()
	p.calls++
	p.keys = append(p.keys, r.Header.Get("Authorization"))
	held, asked := p.held, p.asked
	if held != nil {
		p.asked = nil
	}
	p.mu.Unlock()
	if held != nil {
		if asked != nil {
			close(asked)
		}
		<-held
	}
	text := "OK"
	switch form, _ := json.Marshal(in.Format); {
	case bytes.Contains(form, []byte("number")): // what verification tries
		text = `{"word":"yes","number":7}`
	case in.Format != nil:
		text = `{"mood":"content"}`
	}
	if in.Stream {
		w.Header().Set("Content-Type", "text/event-stream")
		chunk, _ := json.Marshal(fields{"id": "1", "object": "chat.completion.chunk", "model": "small",
			"choices": []fields{{"index": 0, "delta": fields{"role": "assistant", "content": text}, "finish_reason": nil}}})
		end, _ := json.Marshal(fields{"id": "1", "object": "chat.completion.chunk", "model": "small",
			"choices": []fields{{"index": 0, "delta": fields{}, "finish_reason": "stop"}}})
		fmt.Fprintf(w, "data: %s\n\ndata: %s\n\ndata: [DONE]\n\n", chunk, end)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(fields{"id": "1", "object": "chat.completion", "model": "small",
		"choices": []fields{{"index": 0, "message": fields{"role": "assistant", "content": text}, "finish_reason": "stop"}},
		"usage":   fields{"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}})
}

// A connection from its making to its end: what answers through it, and that
// nothing else does.
func TestModelConnections(t *testing.T) {
	p := newProvider()
	defer p.Close()
	s := gateway.Start(t, t.TempDir(), gateway.FreeAddress(t), gateway.NewKey(), "MINDGATE_FETCH_ALLOW="+p.Host())
	mind := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ada Baker", "mode": "clone", "personaContext": "A baker from Bremen."}).Text("data", "id")
	ready(t, s, mind)
	const path = "/api/v1/model-connections"
	const secret = "sk-e2e-0123456789abcdef"
	s.Must(t, 400, "POST", path, fields{"name": "x", "provider": "openai_compatible", "model": "small", "endpoint": "http://169.254.169.254/v1", "secret": secret})
	made := s.Must(t, 201, "POST", path, fields{"name": "Own", "provider": "openai_compatible", "model": "small", "endpoint": p.URL + "/v1", "secret": secret})
	id := made.Text("data", "id")
	ask := func(revision int) (gateway.Answer, error) {
		return s.Call(t.Context(), "POST", "/api/v1/minds/"+mind+"/completion", fields{
			"messages": []fields{{"role": "user", "content": "What do you bake?"}}, "modelConnection": fields{"id": id, "revision": revision}})
	}
	refused := func(revision int, code string) {
		t.Helper()
		before := p.times()
		if a, err := ask(revision); err != nil || a.Text("data", "code") != code {
			t.Errorf("%v %s, want %s", err, a.Body, code)
		}
		if p.times() != before {
			t.Error("the provider was asked")
		}
	}
	refused(1, "MODEL_CONNECTION_UNVERIFIED")
	seen := s.Must(t, 200, "POST", path+"/"+id+"/verify", nil)
	if seen.At("verification", "verified") != true || seen.At("data", "capabilities", "structuredOutput") != true || seen.Text("data", "verifiedAt") == "" {
		t.Fatalf("%s", seen.Body)
	}
	a, err := ask(1)
	if err != nil || a.Status != 200 || !strings.Contains(a.Text("metadata", "engine", "name"), "small") {
		t.Errorf("%v %s", err, a.Body)
	}
	formed := s.Must(t, 200, "POST", "/api/v1/minds/"+mind+"/completion", fields{
		"messages": []fields{{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How do you feel?"}}, "modelConnection": fields{"id": id, "revision": 1},
		"response_format": fields{"type": "json_schema", "json_schema": fields{"name": "mood", "schema": fields{
			"type": "object", "properties": fields{"mood": fields{"type": "string"}}, "required": []string{"mood"}}}}})
	gateway.Shape(t, "createMindCompletion", formed)
	if formed.Text("parsed", "mood") != "content" {
		t.Errorf("%s", formed.Body)
	}
	c := s.MCP(t)
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil || !slices.ContainsFunc(tools.Tools, func(tool *mcp.Tool) bool { return tool.Name == "list_model_connections" }) {
		t.Errorf("M-302: the tool is not listed while the feature is on: %v", err)
	}
	listed := c.Must(t, "list_model_connections", fields{})
	if !strings.Contains(string(listed.Body), id) || strings.Contains(string(listed.Body), "sk-e2e") || strings.Contains(string(listed.Body), "endpoint") {
		t.Errorf("%s", listed.Body)
	}
	over := c.Must(t, "chat_with_mind", fields{"mindId": mind, "message": "Hello?", "modelConnection": fields{"id": id, "revision": 1}})
	if !strings.Contains(over.Text("metadata", "engine", "name"), "small") {
		t.Errorf("%s", over.Body)
	}
	gateway.Shape(t, "listModelConnections", s.Must(t, 200, "GET", path, nil))

	s.Must(t, 409, "PATCH", path+"/"+id, fields{"revision": 7, "name": "Other"})
	s.Must(t, 200, "PATCH", path+"/"+id, fields{"revision": 1, "name": "Other"})
	refused(1, "MODEL_CONNECTION_STALE")
	refused(2, "MODEL_CONNECTION_UNVERIFIED")
	s.Must(t, 200, "POST", path+"/"+id+"/verify", nil)

	// Revoked while it answers: nothing more comes of it, and nobody else answers.
	asked := p.hold()
	answered := make(chan gateway.Answer, 1)
	go func() {
		a, _ := s.Call(context.Background(), "POST", "/api/v1/minds/"+mind+"/completion", fields{
			"messages": []fields{{"role": "user", "content": "And how do you feel?"}}, "modelConnection": fields{"id": id, "revision": 2},
			"response_format": fields{"type": "json_schema", "json_schema": fields{"schema": fields{"type": "object", "properties": fields{"mood": fields{"type": "string"}}}}}})
		answered <- a
	}()
	<-asked
	s.Must(t, 204, "DELETE", path+"/"+id, nil)
	before := p.times()
	p.release()
	if a := <-answered; a.Text("data", "code") != "MODEL_CONNECTION_STALE" {
		t.Errorf("%s", a.Body)
	}
	if p.times() != before {
		t.Error("a revoked connection was asked once more")
	}
	refused(2, "MODEL_CONNECTION_STALE")
	s.Must(t, 404, "POST", path+"/"+id+"/verify", nil)
	if log := s.Log(); strings.Contains(log, secret) {
		t.Error("the log holds the key")
	}
}

// A Study asks through the connection that was named, to the end; one that is
// revoked in the middle ends the question, and nobody else answers it.
func TestAStudyThroughAConnection_M301(t *testing.T) {
	p := newProvider()
	defer p.Close()
	s := gateway.Start(t, t.TempDir(), gateway.FreeAddress(t), gateway.NewKey(), "MINDGATE_FETCH_ALLOW="+p.Host())
	mind := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ada Baker", "mode": "clone", "personaContext": "A baker from Bremen."}).Text("data", "id")
	ready(t, s, mind)
	audience := s.Must(t, 201, "POST", "/api/v1/audiences", fields{"name": "Bakers", "mindIds": []string{mind}}).Text("data", "id")
	st := s.Must(t, 201, "POST", "/api/v1/studies", fields{"name": "Bread", "audienceIds": []string{audience}}).Text("data", "id")
	id := s.Must(t, 201, "POST", "/api/v1/model-connections", fields{"name": "Own", "provider": "openai_compatible", "model": "small", "endpoint": p.URL + "/v1"}).Text("data", "id")
	s.Must(t, 200, "POST", "/api/v1/model-connections/"+id+"/verify", nil)
	ask := fields{"question": "What do you bake in the morning, and why?", "modelConnection": fields{"id": id, "revision": 1}}
	run := s.Must(t, 202, "POST", "/api/v1/studies/"+st+"/runs", ask)
	done := settled(t, s, run.Text("data", "runId"))
	if done.Text("data", "status") != "completed" || done.Text("data", "engine", "modelConnection", "id") != id || !strings.Contains(done.Text("data", "engine", "name"), "small") {
		t.Errorf("%s", done.Body)
	}
	asked := p.hold()
	run = s.Must(t, 202, "POST", "/api/v1/studies/"+st+"/runs", fields{"question": "And what do you bake in the evening, and why?", "modelConnection": ask["modelConnection"]})
	<-asked
	s.Must(t, 204, "DELETE", "/api/v1/model-connections/"+id, nil)
	p.release()
	settled(t, s, run.Text("data", "runId"))
	// What was being answered stands; from then on the connection is refused.
	before := p.times()
	if a := s.Must(t, 409, "POST", "/api/v1/studies/"+st+"/runs", ask); a.Text("data", "code") != "MODEL_CONNECTION_STALE" || p.times() != before {
		t.Errorf("%s", a.Body)
	}
}

func (p *provider) times() int { p.mu.Lock(); defer p.mu.Unlock(); return p.calls }

// Switched off there is no tool, and every operation says so.
func TestModelConnectionsOff_M302(t *testing.T) {
	s := start(t, "MINDGATE_MODEL_CONNECTIONS=off")
	for _, tt := range [][2]string{{"GET", ""}, {"DELETE", "/0a9b8c7d-2222-4333-8444-555566667777"}, {"POST", "/0a9b8c7d-2222-4333-8444-555566667777/verify"}} {
		if a := s.Must(t, 404, tt[0], "/api/v1/model-connections"+tt[1], nil); a.Text("data", "code") != "FEATURE_DISABLED" {
			t.Errorf("%v: %s", tt, a.Body)
		}
	}
	tools, err := s.MCP(t).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		if tool.Name == "list_model_connections" {
			t.Error("it is listed")
		}
	}
}

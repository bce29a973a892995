package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// seer is a provider whose model sees pictures and calls tools.
type seer struct {
	*httptest.Server
	mu      sync.Mutex
	blind   bool // takes neither
	images  int
	bodies  []string
	nothing bool // calls what nobody offered
}

func newSeer() *seer {
	p := &seer{}
	p.Server = httptest.NewServer(p)
	return p
}

func (p *seer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Stream   bool
		Format   json.RawMessage `json:"response_format"`
		Tools    []struct{ Function struct{ Name string } }
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	_ = json.NewDecoder(r.Body).Decode(&in)
	last := in.Messages[len(in.Messages)-1]
	text := string(last.Content)
	seen := strings.Contains(text, "image_url")
	p.mu.Lock()
	all, _ := json.Marshal(in.Messages)
	p.bodies = append(p.bodies, string(all))
	if strings.Contains(string(all), "base64,") {
		p.images++
	}
	blind, nothing := p.blind, p.nothing
	p.mu.Unlock()
	message := fields{"role": "assistant", "content": "OK"}
	finish := "stop"
	call := func(name, arguments string) {
		message = fields{"role": "assistant", "content": nil, "tool_calls": []fields{{"id": "call_1", "type": "function", "function": fields{"name": name, "arguments": arguments}}}}
		finish = "tool_calls"
	}
	switch {
	case blind && (seen || len(in.Tools) > 0):
		w.WriteHeader(400)
		_, _ = w.Write([]byte(`{"error":{"message":"not supported","type":"invalid_request_error"}}`))
		return
	case nothing && len(in.Tools) > 0:
		call("shell", `{"run":"rm"}`)
	case strings.Contains(text, "Which colour fills"):
		message["content"] = "red"
	case len(in.Tools) > 0 && in.Tools[0].Function.Name == "note":
		call("note", `{"word":"yes","number":7}`)
	case last.Role == "tool":
		message["content"] = "It is 31 degrees in Rome [T1]."
	case len(in.Tools) > 0:
		call("weather", `{"city":"Rome"}`)
	case strings.Contains(string(in.Format), "number"):
		message["content"] = `{"word":"yes","number":7}`
	case strings.Contains(string(in.Format), "reason"):
		message["content"] = `{"answer":"Yes","basis":"sources","sources":["I1"],"reason":"The pack is red."}`
	case seen:
		message["content"] = "A red square [I1]."
	case strings.Contains(text, "A1"):
		message["content"] = "The bakery on Elm Street closes at six [A1]."
	}
	if in.Stream {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"OK\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(fields{"choices": []fields{{"index": 0, "message": message, "finish_reason": finish}}, "usage": fields{"prompt_tokens": 10, "completion_tokens": 2}})
}

func (p *seer) shown() int { p.mu.Lock(); defer p.mu.Unlock(); return p.images }

var redPNG, _ = base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")

// send uploads a file and gives its path.
func send(t *testing.T, s *gateway.Server, name string, raw []byte) string {
	t.Helper()
	up := s.Must(t, 201, "POST", "/api/v1/uploads", fields{"name": name, "folder": "chat", "sizeBytes": len(raw)})
	req, err := http.NewRequestWithContext(t.Context(), "PUT", up.Text("data", "uploadUrl"), strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 204 {
		t.Fatalf("upload: %d", res.StatusCode)
	}
	return up.Text("data", "path")
}

// A completion brings tools, pictures and files to a model that was seen to take
// them; a Study shows pictures; and all of it is counted.
func TestWhatCompletionsAndStudiesBring_M77_M301(t *testing.T) {
	p := newSeer()
	defer p.Close()
	s := gateway.Start(t, t.TempDir(), gateway.FreeAddress(t), gateway.NewKey(), "MINDGATE_FETCH_ALLOW="+strings.TrimPrefix(p.URL, "http://"))
	mind := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ada Baker", "mode": "clone", "personaContext": "A baker from Bremen."}).Text("data", "id")
	ready(t, s, mind)
	const connections = "/api/v1/model-connections"
	id := s.Must(t, 201, "POST", connections, fields{"name": "Own", "provider": "openai_compatible", "model": "small", "endpoint": p.URL + "/v1"}).Text("data", "id")
	if a := s.Must(t, 200, "POST", connections+"/"+id+"/verify", nil); !strings.Contains(string(a.Body), `"vision":true`) || !strings.Contains(string(a.Body), `"tools":true`) {
		t.Fatalf("%s", a.Body)
	}
	path := "/api/v1/minds/" + mind + "/completion"
	chosen := fields{"id": id, "revision": 1}
	with := func(more fields) fields {
		body := fields{"modelConnection": chosen}
		for k, v := range more {
			body[k] = v
		}
		return body
	}
	left := func() string {
		return string(s.Must(t, 200, "GET", "/api/v1/usage", nil).Body)
	}
	weather := []fields{{"type": "function", "function": fields{"name": "weather", "description": "Tells it.", "parameters": fields{"type": "object", "properties": fields{"city": fields{"type": "string"}}}}}}
	asked := fields{"role": "user", "content": "How warm is it in Rome?"}

	// A call comes back, whole and as a stream; then what it gave is cited.
	a := s.Must(t, 200, "POST", path, with(fields{"messages": []fields{asked}, "tools": weather}))
	gateway.Shape(t, "createMindCompletion", a)
	var got struct {
		Content  string
		Calls    []fields `json:"tool_calls"`
		Metadata struct {
			EvidenceState *string
			Citations     []struct{ Source, Origin string }
		}
	}
	if err := json.Unmarshal(a.Body, &got); err != nil || len(got.Calls) != 1 || got.Content != "" || got.Metadata.EvidenceState != nil || fmt.Sprint(got.Calls[0]["function"]) != `map[arguments:{"city":"Rome"} name:weather]` || a.Header.Get("Cache-Control") != "private, no-store" {
		t.Fatalf("%s %v", a.Body, err)
	}
	events, _ := stream(t, s, s.Key, path, with(fields{"responseMode": "stream", "messages": []fields{asked}, "tools": weather}))
	if fmt.Sprint(names(events)) != "[start result done]" || !strings.Contains(events[1].data, `"tool_calls":[{"id":"call_1","type":"function"`) {
		t.Errorf("%v", events)
	}
	round := []fields{asked, {"role": "assistant", "tool_calls": got.Calls}, {"role": "tool", "tool_call_id": "call_1", "content": `{"celsius":31}`}}
	a = s.Must(t, 200, "POST", path, with(fields{"messages": round, "tools": weather}))
	if err := json.Unmarshal(a.Body, &got); err != nil || got.Content != "It is 31 degrees in Rome. [1]" || len(got.Metadata.Citations) != 1 || got.Metadata.Citations[0].Source != "tool weather" {
		t.Errorf("%s", a.Body)
	}
	// The tools need not come again; what was called is told as called.
	s.Must(t, 200, "POST", path, with(fields{"messages": round}))

	// Pictures in the body, and by path; a text by path.
	inline := fields{"type": "image_url", "image_url": fields{"url": "data:image/png;base64," + base64.StdEncoding.EncodeToString(redPNG)}}
	a = s.Must(t, 200, "POST", path, with(fields{"messages": []fields{{"role": "user", "content": []fields{{"type": "text", "text": "What do you see?"}, inline}}}}))
	if a.Text("content") != "A red square. [1]" || a.Text("metadata", "evidenceState") != "related" {
		t.Errorf("%s", a.Body)
	}
	picture, note, pdf := send(t, s, "pack.png", redPNG), send(t, s, "note.txt", []byte("The bakery on Elm Street closes at six.")), send(t, s, "a.pdf", []byte("%PDF-1.7\n"))
	attach := func(paths ...string) []fields {
		var files []fields
		for _, p := range paths {
			files = append(files, fields{"path": p})
		}
		return []fields{{"role": "user", "content": "What does the note say?", "metadata": fields{"attachedFiles": files}}}
	}
	if a = s.Must(t, 200, "POST", path, with(fields{"messages": attach(note)})); a.Text("content") != "The bakery on Elm Street closes at six. [1]" {
		t.Errorf("%s", a.Body)
	}
	if a = s.Must(t, 200, "POST", path, with(fields{"messages": attach(picture)})); !strings.HasPrefix(a.Text("content"), "A red square.") {
		t.Errorf("%s", a.Body)
	}

	// Refusals cost nothing and name their reason.
	before := left()
	for name, c := range map[string]struct {
		body   fields
		says   string
		status int
	}{
		"offline with tools":         {fields{"messages": []fields{asked}, "tools": weather}, "unsupported_model_capability", 400},
		"offline with a picture":     {fields{"messages": []fields{{"role": "user", "content": []fields{inline}}}}, "unsupported_model_capability", 400},
		"offline with a file":        {fields{"messages": attach(note)}, "unsupported_model_capability", 400},
		"knowledge_only":             {with(fields{"messages": attach(note), "sourcePolicy": "knowledge_only"}), "knowledge_only", 400},
		"a PDF":                      {with(fields{"messages": attach(pdf)}), "as knowledge", 400},
		"another's path":             {with(fields{"messages": attach("chat/x/0a9b8c7d-2222-4333-8444-555566667777/a.png")}), "no upload of yours", 400},
		"a private address":          {with(fields{"messages": []fields{{"role": "user", "content": []fields{{"type": "image_url", "image_url": fields{"url": "https://10.0.0.1/a.png"}}}}}}), "UNSAFE_URL", 400},
		"a bad name":                 {with(fields{"messages": []fields{asked}, "tools": []fields{{"type": "function", "function": fields{"name": "get weather"}}}}), "tools[0].function.name", 400},
		"a bad schema":               {with(fields{"messages": []fields{asked}, "tools": []fields{{"type": "function", "function": fields{"name": "w", "parameters": fields{"type": "array"}}}}}), "tools[0].function.parameters", 400},
		"two of one name":            {with(fields{"messages": []fields{asked}, "tools": append(weather, weather...)}), "tools[1].function.name", 400},
		"a choice without tools":     {with(fields{"messages": []fields{asked}, "tool_choice": "auto"}), "tool_choice", 400},
		"a choice of another":        {with(fields{"messages": []fields{asked}, "tools": weather, "tool_choice": fields{"type": "function", "function": fields{"name": "x"}}}), "tool_choice", 400},
		"a result of nothing":        {with(fields{"messages": []fields{asked, {"role": "tool", "tool_call_id": "x", "content": "1"}}, "tools": weather}), "tool_call_id", 400},
		"a call without its result":  {with(fields{"messages": []fields{asked, round[1], asked}, "tools": weather}), "messages[2]", 400},
		"a form of a wrong type":     {with(fields{"messages": []fields{asked}, "tools": []fields{{"type": 7}}}), "must not be", 400},
		"a part that is not served":  {with(fields{"messages": []fields{{"role": "user", "content": []fields{{"type": "input_audio"}}}}}), "unsupported_model_capability", 400},
		"an image of the assistant":  {with(fields{"messages": []fields{{"role": "assistant", "content": []fields{inline}}, asked}}), "role user", 400},
		"more than 128 tools":        {with(fields{"messages": []fields{asked}, "tools": make([]fields, 129)}), "", 400},
		"a blank message":            {with(fields{"messages": []fields{{"role": "user", "content": " "}}, "tools": weather}), "blank", 400},
		"more than twenty with file": {with(fields{"messages": attach(make([]string, 21)...)}), "at most 20", 400},
	} {
		if a := s.Must(t, c.status, "POST", path, c.body); !strings.Contains(string(a.Body), c.says) {
			t.Errorf("%s: %s", name, a.Body)
		}
	}
	p.nothing = true
	if a := s.Must(t, 500, "POST", path, with(fields{"messages": []fields{asked}, "tools": weather})); a.Text("data", "errorType") != "ai_generation_error" || strings.Contains(string(a.Body), "shell") {
		t.Errorf("%s", a.Body)
	}
	p.nothing = false
	strip := func(usage string) string { u, _, _ := strings.Cut(usage, `"modelTokens"`); return u }
	if now := left(); strip(now) != strip(before) || now == before {
		t.Errorf("refusals are charged, or the failed calls not counted:\n%s\n%s", before, now)
	}

	// A Study shows its picture to a model that sees, and to no other.
	audience := s.Must(t, 201, "POST", "/api/v1/audiences", fields{"name": "Bakers", "mindIds": []string{mind}}).Text("data", "id")
	study := "/api/v1/studies/" + s.Must(t, 201, "POST", "/api/v1/studies", fields{"name": "Packs", "audienceIds": []string{audience}}).Text("data", "id")
	run := func(body fields) gateway.Answer {
		return settled(t, s, s.Must(t, 202, "POST", study+"/runs", body).Text("data", "runId"))
	}
	was := p.shown()
	ask := fields{"question": "Is this pack red? Yes or No", "attachments": []fields{{"path": picture, "name": "pack.png"}}}
	if done := run(with(ask)); done.Text("data", "status") != "completed" || p.shown() != was+1 {
		t.Errorf("%d pictures: %s", p.shown()-was, done.Body)
	}
	if done := run(ask); done.Text("data", "status") != "failed" || p.shown() != was+1 {
		t.Errorf("offline: %s", done.Body)
	}
	uncharged := strip(left())
	for name, bad := range map[string]string{"gone": "chat/x/0a9b8c7d-2222-4333-8444-555566667777/a.png", "no picture": note} {
		body := with(fields{"question": "Is this pack red?", "attachments": []fields{{"path": bad}}})
		if a := s.Must(t, 422, "POST", study+"/runs", body); a.Text("data", "code") != "STIMULUS_UNAVAILABLE" {
			t.Errorf("%s: %s", name, a.Body)
		}
	}
	if now := strip(left()); now != uncharged {
		t.Errorf("a question that was not asked is charged:\n%s\n%s", uncharged, now)
	}
	// A stream of a body that is longer than what is looked into beforehand.
	long := append(append([]byte(nil), redPNG...), make([]byte, 400<<10)...)
	large := fields{"type": "image_url", "image_url": fields{"url": "data:image/png;base64," + base64.StdEncoding.EncodeToString(long)}}
	if events, _ = stream(t, s, s.Key, path, with(fields{"responseMode": "stream", "messages": []fields{{"role": "user", "content": []fields{large}}}})); fmt.Sprint(names(events)) != "[start result done]" || !strings.Contains(events[1].data, "A red square.") {
		t.Errorf("%v", events)
	}
	p.blind = true
	s.Must(t, 200, "POST", connections+"/"+id+"/verify", nil)
	for _, more := range []fields{{"tools": weather, "messages": []fields{asked}}, {"messages": []fields{{"role": "user", "content": []fields{inline}}}}, {"messages": attach(picture)}} {
		if a := s.Must(t, 400, "POST", path, with(more)); a.Text("data", "errorType") != "unsupported_model_capability" {
			t.Errorf("%s", a.Body)
		}
	}
	if done := run(with(fields{"question": "Is that pack red? Yes or No", "attachments": ask["attachments"]})); done.Text("data", "status") != "failed" || p.shown() != was+3 { // the long one, and that of the verification
		t.Errorf("a model that does not see: %d %s", p.shown()-was, done.Body)
	}
	usage := s.Must(t, 200, "GET", "/api/v1/usage", nil)
	gateway.Shape(t, "getUsage", usage)
	if !strings.Contains(string(usage.Body), `"connectionId":"`+id) {
		t.Errorf("%s", usage.Body)
	}
}

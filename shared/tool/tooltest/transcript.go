package tooltest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mindgate-dev/mindgate/shared/tool"
)

// Conversation is what transcripts are played against.
type Conversation struct {
	Call Caller
	// Vars are known before the first call: "$training" in a file is
	// Vars["training"].
	Vars map[string]any
	// Tick lets queued work go on between the tries of an "eventually" section
	// (advance a clock, run a job). Without it the section is tried once.
	Tick func(context.Context)
	// Fresh, when set, makes a conversation of its own for each file.
	Fresh func(t *testing.T) Conversation
}

const maxTries = 500

// Transcripts plays every file that the pattern names. A file is a txtar
// archive: a comment, then sections in pairs.
//
//	A Mind that is still training says so.
//	-- call --
//	{"name":"get_mind_status","arguments":{"mindId":"$training"}}
//	-- result --
//	{"mindId":"$training","training":{"status":"running","…":"*"}}
//	-- call as other --
//	{"name":"get_mind_status","arguments":{"mindId":"$training"}}
//	-- error --
//	{"code":"NOT_FOUND","…":"*"}
//
// "-- eventually --" instead of "-- result --" repeats the call until the answer
// matches. Matching is described at Match.
func Transcripts(t *testing.T, pattern string, c Conversation) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcript matches %s (%v)", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			conversation := c
			if c.Fresh != nil {
				conversation = c.Fresh(t)
			}
			conversation.play(t, txtar.Parse(raw))
		})
	}
}

func (c Conversation) play(t *testing.T, a *txtar.Archive) {
	vars := Vars{}
	for k, v := range c.Vars {
		vars[k] = v
	}
	var again func() tool.Answer
	for i, section := range a.Files {
		name, as, _ := strings.Cut(section.Name, " as ")
		switch name {
		case "call":
			var call struct {
				Name      string `json:"name"`
				Arguments any    `json:"arguments"`
			}
			if err := read(section.Data, &call); err != nil {
				t.Fatalf("section %d: %v", i+1, err)
			}
			args, err := vars.Fill(call.Arguments)
			if err != nil {
				t.Fatalf("section %d (%s): %v", i+1, call.Name, err)
			}
			raw, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			again = func() tool.Answer { return c.Call(t.Context(), as, call.Name, raw) }
		case "result", "error", "eventually":
			if again == nil {
				t.Fatalf("section %d: %s without a call", i+1, name)
			}
			c.expect(t, i+1, name, section.Data, again, vars)
		default:
			t.Fatalf("section %d: unknown name %q", i+1, section.Name)
		}
	}
}

func (c Conversation) expect(t *testing.T, number int, kind string, want []byte, again func() tool.Answer, vars Vars) {
	t.Helper()
	var expected any
	if err := read(want, &expected); err != nil {
		t.Fatalf("section %d: %v", number, err)
	}
	tries := 1
	if kind == "eventually" && c.Tick != nil {
		tries = maxTries
	}
	var last string
	for try := range tries {
		if try > 0 {
			c.Tick(t.Context())
		}
		answer := again()
		got, wrong := pick(kind, answer)
		if wrong != "" {
			last = wrong
			if kind != "eventually" {
				break
			}
			continue
		}
		bound := vars.copy()
		if diff := Match(expected, got, bound); diff != "" {
			pretty, _ := json.MarshalIndent(got, "", "  ")
			last = diff + "\ngot:\n" + string(pretty)
			continue
		}
		for k, v := range bound {
			vars[k] = v
		}
		return
	}
	t.Fatalf("section %d (%s): %s", number, kind, last)
}

func pick(kind string, a tool.Answer) (got any, wrong string) {
	if kind == "error" {
		if a.Error == nil {
			return nil, "want a refusal, got the result " + string(a.Structured)
		}
		raw, _ := json.Marshal(a.Error)
		if err := read(raw, &got); err != nil {
			return nil, err.Error()
		}
		return got, ""
	}
	if a.Error != nil {
		raw, _ := json.Marshal(a.Error)
		return nil, "want a result, got the refusal " + string(raw)
	}
	if err := read(a.Structured, &got); err != nil {
		return nil, err.Error()
	}
	return got, ""
}

func read(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

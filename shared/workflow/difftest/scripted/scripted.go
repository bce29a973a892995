// Package scripted has tasks that do what the input of their execution tells
// them, so that one state machine meets the same tasks on every host.
//
// A task finds, in its payload or in the payload's member "job", a run id and a
// script: the steps of each task by name. The first call of a task with one
// payload takes its first step, a repeated one the next; the last step stays.
// A task without steps gives {"status": "done"}.
package scripted

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// Step is what one call does: exactly one of its members.
type Step struct {
	Return json.RawMessage `json:"return"` // the result
	Error  string          `json:"error"`  // fail with this name
	Echo   bool            `json:"echo"`   // give the payload back, without the script
	Answer json.RawMessage `json:"answer"` // answer the payload's token
	Refuse string          `json:"refuse"` // answer the payload's token with this error
}

type script struct {
	Run    string            `json:"run"`
	Script map[string][]Step `json:"script"`
}

// Answers takes the answers of waiting tasks; an Engine is one.
type Answers interface {
	Succeed(ctx context.Context, token string, output json.RawMessage) error
	Fail(ctx context.Context, token, name, cause string) error
}

// Task is the task of that name. Its calls are counted in files under dir,
// since a Lambda function has no memory of its own.
func Task(name, dir string, answers Answers) workflow.Task {
	return func(ctx context.Context, payload json.RawMessage) (json.RawMessage, error) {
		var in struct {
			script
			Job   script `json:"job"`
			Token string `json:"token"`
		}
		if err := json.Unmarshal(payload, &in); err != nil {
			return nil, workflow.Errorf("BadPayload", "%v", err)
		}
		if in.Script == nil {
			in.script = in.Job
		}
		steps := in.Script[name]
		if len(steps) == 0 {
			return json.RawMessage(`{"status":"done"}`), nil
		}
		n, err := count(dir, in.Run, name, payload)
		if err != nil {
			return nil, err
		}
		s := steps[min(n, len(steps)-1)]
		switch {
		case s.Error != "":
			return nil, workflow.Errorf(s.Error, "as the script says")
		case s.Answer != nil:
			return json.RawMessage(`{}`), answers.Succeed(ctx, in.Token, s.Answer)
		case s.Refuse != "":
			return json.RawMessage(`{}`), answers.Fail(ctx, in.Token, s.Refuse, "as the script says")
		case s.Echo:
			var all map[string]any
			if err := json.Unmarshal(payload, &all); err != nil {
				return nil, err
			}
			delete(all, "script")
			delete(all, "job")
			return json.Marshal(all)
		}
		return s.Return, nil
	}
}

// count says how many calls like this came before, and adds this one. A token
// differs at each attempt, so it does not count.
func count(dir, run, name string, payload json.RawMessage) (int, error) {
	var all map[string]any
	if err := json.Unmarshal(payload, &all); err != nil {
		return 0, err
	}
	delete(all, "token")
	key, err := json.Marshal(all)
	if err != nil {
		return 0, err
	}
	sum := sha256.Sum256([]byte(run + "\n" + name + "\n" + string(key)))
	file := filepath.Join(dir, hex.EncodeToString(sum[:]))
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	_, err = f.WriteString("x")
	return int(info.Size()), err
}

package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// ToolCall is a model's wish that a tool be run.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string // a JSON object; empty where the model gave none
}

// ToolChoice says whether and which tool is to be called.
type ToolChoice struct {
	Mode string // one of the modes; empty is ChooseAuto
	Name string // with ChooseTool
}

// The modes.
const (
	ChooseAuto = "auto"
	ChooseNone = "none"
	ChooseAny  = "required"
	ChooseTool = "tool"
)

// MaxToolName is the longest name of a tool and id of a call that every provider
// takes.
const MaxToolName = 64

// IsToolName tells whether every provider takes this as the name of a tool, or as
// the id of a call: 1 to 64 letters, digits, underscores and dashes.
func IsToolName(s string) bool {
	if s == "" || len(s) > MaxToolName {
		return false
	}
	for _, c := range []byte(s) {
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// CheckCalls gives the calls of an answer as a caller may take them: of tools that
// were offered, with a JSON object for arguments, which fits the schema of a strict
// tool, and with ids that every provider takes back and that differ; seed makes the
// ids that a server left out. What does not fit is an *Error of kind malformed.
func CheckCalls(r Request, calls []ToolCall, seed string) ([]ToolCall, error) {
	if len(calls) == 0 {
		if r.Choice.Mode == ChooseAny || r.Choice.Mode == ChooseTool {
			return nil, callTrouble("no tool was called")
		}
		return nil, nil
	}
	if r.Choice.Mode == ChooseNone {
		return nil, callTrouble("a tool was called where none was to be")
	}
	if r.OneCall {
		calls = calls[:1]
	}
	offered := make(map[string]Tool, len(r.Tools))
	for _, t := range r.Tools {
		offered[t.Name] = t
	}
	out, ids := make([]ToolCall, len(calls)), map[string]bool{}
	for i, c := range calls {
		t, ok := offered[c.Name]
		if !ok || r.Choice.Mode == ChooseTool && c.Name != r.Choice.Name {
			return nil, callTrouble("a tool was called that was not offered")
		}
		if strings.TrimSpace(c.Arguments) == "" {
			c.Arguments = "{}"
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(c.Arguments), &object); err != nil || object == nil {
			return nil, callTrouble("the arguments of a call are no JSON object")
		}
		if t.Strict {
			s := Schema{Name: t.Name, JSON: t.Parameters}
			if err := s.Check(json.RawMessage(c.Arguments)); err != nil {
				return nil, callTrouble("the arguments of a call do not fit the tool")
			}
		}
		if !IsToolName(c.ID) || ids[c.ID] {
			sum := sha256.Sum256([]byte(seed + "\x00" + strconv.Itoa(i)))
			c.ID = "call_" + hex.EncodeToString(sum[:12])
		}
		ids[c.ID] = true
		out[i] = c
	}
	return out, nil
}

func callTrouble(what string) *Error { return &Error{Kind: KindMalformed, Detail: what} }

// ToolParameters reads the schema of a tool for a provider that takes it as an
// object.
func ToolParameters(t Tool) (map[string]any, error) {
	var schema map[string]any
	d := json.NewDecoder(bytes.NewReader(t.Parameters))
	if err := d.Decode(&schema); err != nil {
		return nil, fmt.Errorf("model: parameters of %s: %w", t.Name, err)
	}
	return schema, nil
}

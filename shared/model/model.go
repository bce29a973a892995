// Package model is the port to language models: text, answers that follow a
// JSON schema, images and streaming, with what each call used. Adapters stand
// below it (openai, anthropic, bedrock) and are opened by package open; the rest
// of the project knows this package alone.
//
// A model is an optional guest: without one everything runs on the offline
// engine. What it says is never taken on trust: structured answers are checked
// (Structured), and who builds a prompt decides what in it is data.
package model

import (
	"context"
	"encoding/json"
)

// Client is one model. It is safe for concurrent use, holds no conversation and
// does not repeat a failed call: Retrying does, once for all adapters.
//
// An error is an *Error, or the context's own error when ctx ended.
type Client interface {
	Info() Info
	// Complete gives the whole answer.
	Complete(ctx context.Context, r Request) (Response, error)
	// Stream gives the answer piece by piece as it comes, then whole. The pieces,
	// joined, are Response.Text. An error of delta ends the call with that error.
	Stream(ctx context.Context, r Request, delta func(text string) error) (Response, error)
}

// ToolCaller is a Client whose model can be made to call a tool.
type ToolCaller interface {
	// CallTool has the model call the one tool t; Response.JSON holds the arguments.
	CallTool(ctx context.Context, r Request, t Tool) (Response, error)
}

// Info names the model that answers.
type Info struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
}

// Request is one call. Messages alternate between user and assistant and begin
// and end with user; where the assistant called tools, one message of the role
// tool follows for each call, in place of the user's or before it.
type Request struct {
	System      string
	Messages    []Message
	MaxTokens   int      // most tokens of the answer; 0 is DefaultMaxTokens
	Temperature *float64 // nil: the provider's own; left out where the provider or model fixes it
	Schema      *Schema  // the answer is JSON of this schema
	CacheSystem bool     // System is used again soon: ask the provider to cache it

	// Tools are what the model may call; nobody but the caller runs one. A request
	// with tools has no Schema.
	Tools   []Tool
	Choice  ToolChoice
	OneCall bool // at most one call in an answer
}

// DefaultMaxTokens bounds an answer when the request does not.
const DefaultMaxTokens = 1024

// Limit is the bound on the answer's tokens.
func (r Request) Limit() int {
	if r.MaxTokens > 0 {
		return r.MaxTokens
	}
	return DefaultMaxTokens
}

// Role is who speaks.
type Role string

// The roles; the system's words are Request.System.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool" // what a tool gave
)

// Message is one turn.
type Message struct {
	Role   Role
	Text   string
	Images []Image // of the user alone; they come before the text

	Calls  []ToolCall // of the assistant alone
	CallID string     // of a tool: the call that Text answers
}

// Image is a picture for the model to look at.
type Image struct {
	MediaType string // image/png, image/jpeg, image/gif or image/webp
	Data      []byte
}

// Tool is a function that a model may call.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON schema of type object
	// Strict calls have arguments that fit Parameters (Request.Tools alone).
	Strict bool
}

// Stop tells why an answer ended.
type Stop string

// The ends.
const (
	StopEnd      Stop = "end"      // the model was done
	StopLength   Stop = "length"   // MaxTokens was reached: the answer is cut
	StopFiltered Stop = "filtered" // the provider or the model declined to go on
	StopTools    Stop = "tools"    // the model waits for what it called
)

// Response is a whole answer.
type Response struct {
	Text  string
	JSON  json.RawMessage // a tool's arguments as the model gave them; from Structured: the checked object
	Stop  Stop
	Usage Usage
	Calls []ToolCall // with Request.Tools: as the model gave them; see CheckCalls
}

// Usage counts tokens. Input includes CachedInput.
type Usage struct {
	Input       int64 `json:"inputTokens"`
	Output      int64 `json:"outputTokens"`
	CachedInput int64 `json:"cachedInputTokens,omitempty"`
}

// Plus adds two counts.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.CachedInput + v.CachedInput}
}

// Settings is what a client is opened from, but for its secret.
type Settings struct {
	Provider string `json:"provider"`           // one of Providers
	Model    string `json:"model"`              // the provider's own id
	Endpoint string `json:"endpoint,omitempty"` // base address; needed with openai_compatible
	Region   string `json:"region,omitempty"`   // bedrock
}

// The providers.
const (
	OpenAI           = "openai"
	OpenAICompatible = "openai_compatible" // Ollama, vLLM, llama.cpp and many vendors
	Anthropic        = "anthropic"
	Bedrock          = "bedrock"
)

// Providers lists them, for messages.
var Providers = []string{OpenAI, OpenAICompatible, Anthropic, Bedrock}

// Opener opens a client. It makes no call; settings that cannot work are a
// VALIDATION refusal, and an address that the service may not call UNSAFE_URL.
// The secret is a key (openai, openai_compatible, anthropic), empty where none is
// needed; bedrock takes "access key id:secret access key", or the service's own
// role with an empty one.
type Opener func(ctx context.Context, s Settings, secret string) (Client, error)

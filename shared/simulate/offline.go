package simulate

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Name and version of the offline engine. The version changes with every
// change that alters an answer.
const (
	EngineName    = "offline-respondent"
	EngineVersion = "1.0.0"
)

// Offline is the respondent engine that needs no model. It has no state.
type Offline struct{}

// NewOffline gives the offline engine.
func NewOffline() *Offline { return &Offline{} }

var _ Respondents = (*Offline)(nil)

// Info names the engine.
func (*Offline) Info() Info { return Info{Name: EngineName, Version: EngineVersion} }

// Ask prepares a question.
func (*Offline) Ask(_ context.Context, q Question, p Policy) (Asked, error) {
	return nil, fault.New(fault.Internal, "The offline engine is being built.")
}

// Reply answers a chat message.
func (*Offline) Reply(_ context.Context, r Respondent, message string, p Policy) (Reply, error) {
	return Reply{}, fault.New(fault.Internal, "The offline engine is being built.")
}

// ParseEvidence reads one published distribution.
func ParseEvidence(raw []byte) (Evidence, error) { return Evidence{}, ErrNotEvidence }

// ParseProfile reads "Key: value" lines.
func ParseProfile(personaContext string) Profile { return Profile{Raw: personaContext} }

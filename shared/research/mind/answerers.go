package mind

import (
	"context"
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// ConnectionRef pins one revision of a team's connection to a model (M-301).
type ConnectionRef struct {
	ID       string `json:"id"`
	Revision int    `json:"revision"`
}

// Answerers gives who answers. A nil ref is the gateway's own model, or the
// offline engine when it has none; a ref is exactly that revision, or
// MODEL_CONNECTION_STALE, MODEL_CONNECTION_UNVERIFIED, FEATURE_DISABLED.
type Answerers interface {
	For(ctx context.Context, ref *ConnectionRef) (simulate.Respondents, error)
}

// Modelled is a Respondents that has a model of its own to ask.
type Modelled interface {
	// Shape puts a reply into a form and adds nothing to it.
	Shape(ctx context.Context, reply string, form *model.Schema) (json.RawMessage, error)
}

// Talker is a Modelled whose callers may bring something along.
type Talker interface {
	Modelled
	// Can is what the model was seen to do.
	Can() model.Capabilities
	// Talk answers a conversation that brings tools, pictures or texts.
	Talk(ctx context.Context, r simulate.Respondent, t answer.Talk, p simulate.Policy) (answer.Said, error)
}

// Answering gives one ready Mind with all that it knows, for chats and threads.
// SPARK_NOT_READY while it cannot answer.
func (s *Service) Answering(ctx context.Context, m Mind) (simulate.Respondent, error) {
	if !m.ReadyToChat() {
		return simulate.Respondent{}, notReady(m)
	}
	known, err := s.know(ctx, m)
	if err != nil {
		return simulate.Respondent{}, err
	}
	return m.respondent(known), nil
}

// answerer is who answers a request that names ref.
func (s *Service) answerer(ctx context.Context, ref *ConnectionRef) (simulate.Respondents, error) {
	if s.d.Answerers == nil {
		if ref != nil {
			return nil, connectionsOff()
		}
		return s.d.Respondents, nil
	}
	return s.d.Answerers.For(ctx, ref)
}

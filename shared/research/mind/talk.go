package mind

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// talker is who can answer what a conversation brings along; nil for none.
func (t *TalkRequest) talker(by simulate.Respondents) (Talker, error) {
	if t == nil {
		return nil, nil
	}
	talker, ok := by.(Talker)
	switch {
	case !ok && t.NeedsTools, ok && t.NeedsTools && !talker.Can().Tools:
		return nil, cannot("tools, tool_choice and messages of tools need", "tools", "leave those out")
	case !ok && t.NeedsVision, ok && t.NeedsVision && !talker.Can().Vision:
		return nil, blind()
	case !ok:
		return nil, fault.New(fault.Validation, "attachedFiles need a model to read them: name a verified modelConnection, or give the files to the Mind as knowledge.").
			With("errorType", "unsupported_model_capability")
	}
	return talker, nil
}

// read gives the conversation with all that it brings.
func (t *TalkRequest) read(ctx context.Context, by Talker) (answer.Talk, error) {
	if t == nil {
		return answer.Talk{}, nil
	}
	talk, err := t.Read(ctx)
	if err == nil && talk.Pictures() > 0 && !by.Can().Vision { // a file that turned out to be one
		err = blind()
	}
	return talk, err
}

func blind() error {
	return cannot("images need", "vision", "say in words what they show")
}

func cannot(what, capability, way string) error {
	return fault.New(fault.Validation, "%s a model that can take them: name a verified modelConnection whose capabilities.%s is true, or %s.", what, capability, way).
		With("errorType", "unsupported_model_capability")
}

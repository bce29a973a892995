package connection

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Look asks a Mind where its attention on a picture would go. Only who was seen to see
// is asked (Can).
func (m *modelled) Look(ctx context.Context, r simulate.Respondent, l answer.Looking) (answer.Looked, error) {
	e, ok := m.Respondents.(interface {
		Look(context.Context, simulate.Respondent, answer.Looking) (answer.Looked, error)
	})
	if !ok || !m.can.Vision {
		return answer.Looked{}, &model.Error{Kind: model.KindUnsupported}
	}
	return e.Look(ctx, r, l)
}

package answer

import (
	"context"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// count tells what a call used, a failed one too as far as it is known.
func (e *Engine) count(ctx context.Context, used model.Usage, err error) {
	var failed *model.Error
	if used == (model.Usage{}) && errors.As(err, &failed) {
		used = failed.Usage
	}
	if e.o.Used != nil && used != (model.Usage{}) {
		e.o.Used(ctx, e.client.Info(), used)
	}
}

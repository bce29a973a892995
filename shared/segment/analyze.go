package segment

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/grounding"
)

func analyze(ctx context.Context, rows Rows, o Options) (*Preview, error) {
	_, _, _ = ctx, rows, o
	return nil, nil
}

func distributions(p *Preview) []grounding.Distribution { _ = p; return nil }

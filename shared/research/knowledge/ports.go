package knowledge

import (
	"context"
	"io"

	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/webpage"
)

// Getter gets pages and files of the web; *webpage.Getter is one.
type Getter interface {
	Page(ctx context.Context, rawURL string, since webpage.Validators) (webpage.Fetched, error)
	File(ctx context.Context, rawURL string) (webpage.Fetched, error)
}

// Reader hands out the text of a file; extract.Read is one.
type Reader func(ctx context.Context, in io.Reader, o extract.Options, emit func(extract.Block) error) (extract.Info, error)

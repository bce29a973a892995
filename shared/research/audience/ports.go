package audience

import (
	"context"
	"encoding/json"
	"io"

	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/webpage"
)

// Pages gets pages and files of the web; *webpage.Getter is one.
type Pages interface {
	Page(ctx context.Context, rawURL string, since webpage.Validators) (webpage.Fetched, error)
	File(ctx context.Context, rawURL string) (webpage.Fetched, error)
}

// Files gives files that the caller keeps here: uploads, and sources that were
// imported. stored is false for an address that is none of these. NOT_FOUND for
// one of somebody else's as for one that does not exist (M-3).
type Files interface {
	Open(ctx context.Context, address string) (in io.ReadCloser, mediaType string, stored bool, err error)
}

// Reader hands out the text of a file; extract.Read is one.
type Reader func(ctx context.Context, in io.Reader, o extract.Options, emit func(extract.Block) error) (extract.Info, error)

// Searcher looks keywords up on the web: pages, each once, and in words what
// could not be looked up.
type Searcher func(ctx context.Context, keywords []string) (found []Found, notes []string, err error)

// Found is a page that a search gave.
type Found struct{ Link, Title string }

// Datasets gives what a reviewed data set observed beyond its margins, read again
// from the file by whoever may open it.
type Datasets interface {
	Observed(ctx context.Context, r DatasetRequest) (Observed, error)
}

// DatasetRequest names a file of respondents and what was kept of its review.
type DatasetRequest struct {
	Name, URL string // as in files
	Sheet     string
	Columns   []string // keys that shape the cohort
	Reviewed  json.RawMessage
}

// Observed is what the respondents of a data set have in common.
type Observed struct {
	Pairs    []grounding.Pair    // of the columns, by axis name
	Evidence []simulate.Evidence // what they answered to the held-out questions
}

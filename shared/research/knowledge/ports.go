package knowledge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/research/pattern"
	"github.com/mindgate-dev/mindgate/shared/webpage"
)

// Getter gets pages and files of the web; *webpage.Getter is one.
type Getter interface {
	Page(ctx context.Context, rawURL string, since webpage.Validators) (webpage.Fetched, error)
	File(ctx context.Context, rawURL string) (webpage.Fetched, error)
}

// Reader hands out the text of a file; extract.Read is one.
type Reader func(ctx context.Context, in io.Reader, o extract.Options, emit func(extract.Block) error) (extract.Info, error)

// Source is one thing that a training collects for a Mind.
type Source struct {
	Link    string // http or https
	Title   string // names the item; empty: host and path of the link (M-272)
	Keyword string // what it was found by; empty: the caller named the link
}

// ErrUnfinished says that the time of a task ran out before an item was whole.
// What was done stands; calling again goes on from there.
var ErrUnfinished = fmt.Errorf("knowledge: more of the item is to be done: %w", context.DeadlineExceeded)

// Pattern is one thing that a Mind's sources say of it or of its subject, with
// the words that say it.
type Pattern struct {
	ID        int64   `json:"id"`
	Aspect    string  `json:"aspect"`
	SubAspect *string `json:"subAspect"`
	Mind      string  `json:"mind"`  // the Mind's id
	Quote     string  `json:"quote"` // as it stands in the source
	ItemID    *string `json:"portfolioItemId"`
	CreatedAt string  `json:"createdAt"` // RFC 3339, UTC, milliseconds
}

// Grouped are the patterns of a Mind by framework, aspect and sub-aspect.
type Grouped struct {
	MindID     string              `json:"mindId"`
	MindName   string              `json:"mindName"`
	Total      int                 `json:"totalPatterns"`
	Frameworks []pattern.Framework `json:"frameworks"`
}

var errNotBuilt = errors.New("knowledge: not built yet")

// Search looks the keywords up with the search engine and gives what it found,
// each page once, and in words what could not be looked up. Without an engine
// it finds nothing and says so.
func (s *Service) Search(ctx context.Context, keywords []string) (found []Source, notes []string, err error) {
	return nil, nil, errNotBuilt
}

// Gather makes the items of what a training collects, or finds those that are
// there, in the order of sources; equal links are one item. The items wait for
// IngestNow: they have no job of their own.
func (s *Service) Gather(ctx context.Context, mindID string, sources []Source) ([]string, error) {
	return nil, errNotBuilt
}

// IngestNow makes one item retrievable, in the name of a job: fetch, extract,
// split, embed, patterns. A source that cannot be used ends the item as failed
// with the reason, which is no error here; Status tells. A link that was read
// before is read again, if it has changed. Repeating it changes nothing; an item
// or Mind that is gone, or that another job works on, is left alone.
// ErrUnfinished when the time of ctx runs out: call again.
func (s *Service) IngestNow(ctx context.Context, mindID, itemID, jobID string) error {
	return errNotBuilt
}

// Reembed makes the vectors that the current embedder has not made yet of what a
// Mind knows, until the given time; vectors of other spaces go. It begins at
// from ("" at first) and gives where to go on, "" at the end.
func (s *Service) Reembed(ctx context.Context, mindID, from string, until time.Time) (next string, err error) {
	return "", errNotBuilt
}

// Patterns pages through the patterns of a Mind, newest first, with the total.
func (s *Service) Patterns(ctx context.Context, mindID string, limit, offset int) ([]Pattern, int, error) {
	return nil, 0, errNotBuilt
}

// GroupedPatterns gives all patterns of a Mind by framework and aspect.
func (s *Service) GroupedPatterns(ctx context.Context, mindID string) (Grouped, error) {
	return Grouped{}, errNotBuilt
}

// DeleteOf removes everything that a deleted Mind of the caller's workspace knew:
// items, patterns, vectors, files. It asks for no record of the Mind, may be cut
// off and repeated.
func (s *Service) DeleteOf(ctx context.Context, mindID string) error {
	return errNotBuilt
}

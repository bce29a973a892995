// Package training makes a Mind from its sources: it collects them, has each
// read and embedded, writes the prompt and draws the portrait. It stands above
// mind and knowledge and gives the tasks of the machines mind-training,
// mind-portrait, mind-embeddings and mind-delete.
package training

import (
	"context"
	"errors"
	"time"
)

var errNotBuilt = errors.New("training: not built yet")

// Source is something to learn from.
type Source struct {
	Link    string // address of a page; empty for nothing but a keyword
	Title   string
	Keyword string // the topic or query that found it
}

// Knowledge is what a training needs of a Mind's knowledge.
type Knowledge interface {
	// Gather makes (or finds) the items of sources, and gives their ids in order.
	Gather(ctx context.Context, mindID string, sources []Source) ([]string, error)
	// IngestNow reads one item; a failure of the source stays on the item.
	IngestNow(ctx context.Context, mindID, itemID, jobID string) error
	// Reembed rebuilds vectors until the time is over; next is empty at the end.
	Reembed(ctx context.Context, mindID, from string, until time.Time) (next string, err error)
	// DeleteOf removes all that a deleted Mind knew; it may be repeated.
	DeleteOf(ctx context.Context, mindID string) error
}

// Service runs the steps.
type Service struct{}

// Collect is the first step: it finds the sources and gives the items to read.
func (s *Service) Collect(ctx context.Context, mindID, jobID string) (Collected, error) {
	return Collected{}, errNotBuilt
}

// Collected is what a training has to do.
type Collected struct {
	Items   []string `json:"items"`   // knowledge items to read
	Rebuild bool     `json:"rebuild"` // every vector is to be made anew
}

// Package knowledge takes what a Mind is given to know: files, split into
// passages and published distributions, kept once per content and workspace.
package knowledge

import (
	"io"
	"time"
)

// Item states.
const (
	Queued    = "queued"
	Running   = "running"
	Completed = "completed"
	Failed    = "failed"
)

// Item is one piece of knowledge of a Mind as callers see it.
type Item struct {
	ID          string     `json:"id"`
	Description string     `json:"description"`
	Link        *string    `json:"link"`
	FilePath    *string    `json:"filePath"`
	IsWatched   bool       `json:"isWatched"`
	Processing  Processing `json:"processing"`
	StatusURL   string     `json:"statusUrl"`
	CreatedAt   string     `json:"createdAt"` // RFC 3339, UTC, milliseconds
	UpdatedAt   string     `json:"updatedAt"`
}

// Processing is how far an item has come.
type Processing struct {
	Status            string `json:"status"`
	RegeneratePrompt  bool   `json:"regeneratePrompt"`
	Error             string `json:"error,omitempty"`
	PromptRegenerated bool   `json:"promptRegenerated"`
}

// Status is the state of one item's ingestion. EmbeddingCount counts the
// passages that can be retrieved (they are indexed by their words: no embedding
// model is needed), PatternCount the published distributions.
type Status struct {
	Status            string `json:"status"`
	EmbeddingCount    int    `json:"embeddingCount"`
	PatternCount      int    `json:"patternCount"`
	ReadyForRetrieval bool   `json:"readyForRetrieval"`
	Error             string `json:"error,omitempty"`
}

// AddFileRequest gives a Mind one file. Body is read as a stream.
type AddFileRequest struct {
	MindID           string
	Filename         string // its last path part names the item when there is no description (M-272)
	Description      string
	RegeneratePrompt bool
	Body             io.Reader
}

// row is the stored item.
type row struct {
	ID                string    `json:"id"`
	MindID            string    `json:"mindId"`
	Owner             string    `json:"owner"`
	Workspace         string    `json:"workspace"`
	Description       string    `json:"description"`
	Filename          string    `json:"filename"`
	Kind              string    `json:"kind"`   // txt | md | csv | json
	Digest            string    `json:"digest"` // SHA-256 of the file
	Size              int64     `json:"size"`
	Status            string    `json:"status"`
	JobID             string    `json:"jobId"`
	Passages          int       `json:"passages"`
	Distributions     int       `json:"distributions"`
	RegeneratePrompt  bool      `json:"regeneratePrompt"`
	PromptRegenerated bool      `json:"promptRegenerated"`
	Error             string    `json:"error,omitempty"`
	CreatedAt         time.Time `json:"createdAt"`
	UpdatedAt         time.Time `json:"updatedAt"`
}

// content names what was made of a file: the same bytes read as another kind
// make other passages.
func (r row) content() string { return r.Digest + "." + r.Kind }

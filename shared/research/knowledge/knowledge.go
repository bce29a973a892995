// Package knowledge takes what a Mind is given to know (files, links, what a
// search found, pasted text), splits it into passages with their vectors,
// patterns and published distributions, and finds again what answers a question.
// Content is kept once per workspace, however many Minds were given it.
package knowledge

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/webpage"
)

// Item states.
const (
	Queued    = "queued"
	Running   = "running"
	Completed = "completed"
	Failed    = "failed"
)

// Item is one piece of knowledge of a Mind as callers see it. Link is set for a
// page, FilePath for a file.
type Item struct {
	ID          string     `json:"id"`
	Description string     `json:"description"`
	Link        *string    `json:"link"`
	FilePath    *string    `json:"filePath"`
	IsWatched   bool       `json:"isWatched"` // a link that is read again when it is added again
	Processing  Processing `json:"processing"`
	StatusURL   string     `json:"statusUrl"`
	CreatedAt   string     `json:"createdAt"` // RFC 3339, UTC, milliseconds
	UpdatedAt   string     `json:"updatedAt"`
}

// Processing is how far an item has come.
type Processing struct {
	Status            string   `json:"status"`
	RegeneratePrompt  bool     `json:"regeneratePrompt"`
	Error             string   `json:"error,omitempty"`
	PromptRegenerated bool     `json:"promptRegenerated"`
	Notes             []string `json:"notes,omitempty"` // what was left out or could not be done, in words
}

// Status is the state of one item's ingestion. EmbeddingCount counts the
// passages that can be retrieved, PatternCount the patterns and published
// distributions.
type Status struct {
	Status            string   `json:"status"`
	EmbeddingCount    int      `json:"embeddingCount"`
	PatternCount      int      `json:"patternCount"`
	ReadyForRetrieval bool     `json:"readyForRetrieval"`
	Error             string   `json:"error,omitempty"`
	Notes             []string `json:"notes,omitempty"`
}

// How an item came.
const (
	fromFile   = "file"   // its bytes were sent, or stand in an upload of the workspace
	fromLink   = "link"   // a page
	fromRemote = "remote" // a file at an address
)

// row is the stored item.
type row struct {
	ID          string `json:"id"`
	MindID      string `json:"mindId"`
	Owner       string `json:"owner"`
	Workspace   string `json:"workspace"`
	Description string `json:"description"`

	Origin   string `json:"origin,omitempty"` // fromFile if empty
	Filename string `json:"filename,omitempty"`
	Link     string `json:"link,omitempty"`
	Type     string `json:"type,omitempty"` // media type as the caller or the server named it
	Keyword  string `json:"keyword,omitempty"`
	Watched  bool   `json:"watched,omitempty"`
	// Named says that the description is the caller's, not a default.
	Named bool `json:"named,omitempty"`

	// What was got and is being read: Raw is the item's own copy of the source
	// until its content is whole, Next the content that is made of it.
	Raw  *blobs.Ref `json:"raw,omitempty"`
	Kind string     `json:"kind,omitempty"`
	Next string     `json:"next,omitempty"`
	// Fetched says under which job Raw was got.
	Fetched    string             `json:"fetched,omitempty"`
	Validators webpage.Validators `json:"validators,omitzero"`
	ReadAt     time.Time          `json:"readAt,omitzero"` // of a link: when it was last read

	// What the Mind knows by this item.
	Content       string `json:"content,omitempty"`
	Digest        string `json:"digest,omitempty"` // earlier form of Content: SHA-256 of the file
	Passages      int    `json:"passages"`
	Distributions int    `json:"distributions"`
	Embedded      int    `json:"embedded"`
	Patterns      int    `json:"patterns"`
	Size          int64  `json:"size,omitempty"` // of the source in bytes
	// Counted is how many bytes the item counts among the sources of its Mind.
	Counted int64 `json:"counted,omitempty"`

	Status            string   `json:"status"`
	JobID             string   `json:"jobId"`
	OwnJob            bool     `json:"ownJob,omitempty"` // JobID is a job of this item alone
	RegeneratePrompt  bool     `json:"regeneratePrompt"`
	PromptRegenerated bool     `json:"promptRegenerated"`
	Error             string   `json:"error,omitempty"`
	Notes             []string `json:"notes,omitempty"`
	Deleting          bool     `json:"deleting,omitempty"`
	Working           bool     `json:"working,omitempty"` // a job was at it when its deletion began

	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// contentOf names what is made of a source: the same bytes read as another kind
// make other passages.
func contentOf(digest, kind string) string { return digest + "." + kind }

// again reports whether adding the item again reads its source again.
func (r row) again() bool { return r.Origin == fromLink || r.Origin == fromRemote }

// busy reports whether a job works on the item, or is about to. What has not
// moved for longer than any job lasts is left over from one that died.
func (r row) busy(now time.Time) bool {
	return (r.Status == Queued && r.JobID != "" || r.Status == Running) && now.Sub(r.UpdatedAt) < abandoned
}

// shown is the state as callers see it.
func (r row) shown(now time.Time) (status, problem string) {
	switch {
	case r.Deleting:
		return Failed, "Its deletion was cut off. Delete it again."
	case (r.Status == Queued || r.Status == Running) && now.Sub(r.UpdatedAt) >= abandoned:
		return Failed, "Processing was cut off. Add it again."
	}
	return r.Status, r.Error
}

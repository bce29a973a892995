package audience

import "github.com/mindgate-dev/mindgate/shared/blobs"

// reading is one thing to read for an operation, and what came of it.
type reading struct {
	Kind      string     `json:"kind"` // link | file | keyword
	Name      string     `json:"name,omitempty"`
	URL       string     `json:"url"`
	Title     string     `json:"title,omitempty"`
	Published string     `json:"published,omitempty"`
	Digest    string     `json:"digest,omitempty"` // SHA-256 of the bytes
	Text      *blobs.Ref `json:"text,omitempty"`
	Failed    string     `json:"failed,omitempty"` // why it could not be read
	Done      bool       `json:"done,omitempty"`
}

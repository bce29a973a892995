// Package blobs is the port to the store of large immutable content:
// artifacts, sources, groundings. A blob is addressed by its tenant prefix and
// the SHA-256 of its bytes; writing the same bytes twice is one blob.
package blobs

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/mindgate-dev/mindgate/shared/passing"
)

// Ref points to one blob. Records keep refs, never bytes.
type Ref struct {
	Prefix    string `json:"prefix"` // tenant prefix, e.g. "w/<workspace>"; [a-z0-9/_-], no ".."
	SHA256    string `json:"sha256"` // 64 lower-case hex digits
	Size      int64  `json:"size"`
	MediaType string `json:"mediaType"`
}

// Link tells how a download of a blob should present itself.
type Link struct {
	Filename string        // download name, may hold any Unicode
	TTL      time.Duration // how long the link works; 5 minutes by default
}

// Errors.
var (
	ErrNotFound = errors.New("blobs: no such blob")
	ErrTooLarge = errors.New("blobs: content above the stated limit")
	ErrInvalid  = errors.New("blobs: invalid reference")
	ErrBadLink  = errors.New("blobs: link is not one of ours, or has expired")
	ErrCorrupt  = errors.New("blobs: stored bytes do not match their name")
	ErrNoSpace  = passing.New("blobs: no room left in the store", "There is no room left to store this. Try again later; the operator must free some disk space.")

	ErrUnavailable = passing.New("blobs: store unavailable", "The store of files cannot be reached or is busy. Try again in a few seconds.")
)

// Store is the port. Put streams; nothing is visible before it is durable.
type Store interface {
	// Put stores what r gives, up to limit bytes (ErrTooLarge beyond), and
	// returns its reference.
	Put(ctx context.Context, prefix, mediaType string, r io.Reader, limit int64) (Ref, error)
	// Open reads length bytes from offset; length -1 reads to the end.
	Open(ctx context.Context, ref Ref, offset, length int64) (io.ReadCloser, error)
	// Stat tells whether the blob is there and how large it is.
	Stat(ctx context.Context, ref Ref) (Ref, error)
	// Delete removes the blob; removing what is not there is no error.
	Delete(ctx context.Context, ref Ref) error
	// SignedURL is a link that downloads the blob without a credential until
	// its time is over. Locally it points at the process's own download route.
	SignedURL(ctx context.Context, ref Ref, l Link) (string, error)
}

package blobs

import (
	"context"
	"io"
	"time"
)

// Stager is a Store to which a sender puts content directly, past the service,
// because what stands before the service lets no large body through. Staged
// content has no hash yet: whoever wants it opens it and puts it into the store.
// What nobody takes goes by itself within days.
type Stager interface {
	Store
	// SignedPut is an address that takes one PUT of the content until its time is
	// over. With a size above 0 it takes exactly so many bytes; else whoever opens
	// the content must bound it.
	SignedPut(ctx context.Context, name string, size int64, ttl time.Duration) (string, error)
	// OpenStaged reads what was put under a name; ErrNotFound if nothing was.
	OpenStaged(ctx context.Context, name string) (io.ReadCloser, error)
	// DeleteStaged removes it; removing what is not there is no error.
	DeleteStaged(ctx context.Context, name string) error
}

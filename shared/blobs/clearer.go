package blobs

import "context"

// Clearer is a Store that can remove everything under a prefix: whoever gives
// each piece of work a prefix of its own can then take away what work that was
// cut off left, without knowing what that is. All stores of this project are
// Clearers.
type Clearer interface {
	Store
	// Clear removes every blob whose prefix is the given one, or begins with it and
	// a slash. Removing what is not there is no error. Blobs that are being put
	// under it meanwhile may stay.
	Clear(ctx context.Context, prefix string) error
}

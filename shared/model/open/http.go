package open

import (
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// HTTP is the client through which models are called, for other calls to their
// servers: it goes only where the guard allows.
func HTTP(guard *fetch.Guard) *http.Client { return guarded(guard) }

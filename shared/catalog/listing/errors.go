package listing

import "errors"

var errNotObject = errors.New("listing: a tool's schema must be a JSON object")

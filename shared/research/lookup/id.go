package lookup

import (
	"strings"

	"github.com/google/uuid"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// ID reads a record's id from a caller: a UUID in its 36-character form, in
// lower case. field names it in the refusal.
func ID(field, s string) (string, error) {
	s = strings.ToLower(s)
	if len(s) != 36 || uuid.Validate(s) != nil {
		return "", fault.New(fault.Validation, "%s must be a UUID, for example 7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172.", field).With("field", field)
	}
	return s, nil
}

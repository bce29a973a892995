package lookup

import (
	"errors"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// About words the refusal of a value for the field that holds it; what is no
// refusal stays as it is.
func About(field string, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || f.Data["field"] != nil {
		return err
	}
	return fault.New(f.Code, "%s: %s", field, f.Message).With("field", field).With("path", "/"+strings.ReplaceAll(field, ".", "/")).Because(err)
}

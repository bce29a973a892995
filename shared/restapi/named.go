package restapi

import (
	"errors"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// renamed words a refusal for the field that the caller sent, where the domain
// knows it by another name.
func renamed(err error, from, to string) error {
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.Validation && f.Code != fault.UnsafeURL || f.Data["field"] != from {
		return err
	}
	text := f.Message
	if rest, ok := strings.CutPrefix(text, from); ok && (strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, ":")) {
		text = to + rest
	}
	return fault.New(f.Code, "%s", text).With("field", to).With("in", "body").
		With("path", "/"+strings.NewReplacer("[", "/", "]", "", ".", "/").Replace(to)).Because(err)
}

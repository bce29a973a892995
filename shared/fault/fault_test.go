package fault_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
)

// A store that fails for a while is a refusal that may be repeated (M-12); what
// stays, and what nobody expected, is 500 without a word of the inside (M-11).
func TestStoresThatFailForAWhileMayBeAskedAgain(t *testing.T) {
	deep := func(err error) error { return fmt.Errorf("study: saving /srv/data: %w", err) }
	file := func(kind error) error {
		return &sqlite.FileError{Path: "/srv/data/records.db", Kind: kind, Err: errors.New("SQL logic")}
	}
	for name, c := range map[string]struct {
		err  error
		code fault.Code
		says string
	}{
		"disk full":      {deep(file(sqlite.ErrDiskFull)), fault.StorageUnavailable, "no room"},
		"file held":      {deep(file(sqlite.ErrBusy)), fault.StorageUnavailable, "busy"},
		"reading failed": {deep(file(sqlite.ErrInOut)), fault.StorageUnavailable, "Try again"},
		"store away":     {deep(records.ErrUnavailable), fault.StorageUnavailable, "Try again"},
		"conflict":       {deep(records.ErrConflict), fault.StorageUnavailable, "change the same things"},
		"no blob space":  {deep(fmt.Errorf("%w: x", blobs.ErrNoSpace)), fault.StorageUnavailable, "no room"},
		"blobs away":     {deep(blobs.ErrUnavailable), fault.StorageUnavailable, "Try again"},
		"damaged file":   {deep(file(sqlite.ErrCorrupt)), fault.Internal, "on our side"},
		"newer file":     {deep(file(sqlite.ErrNewer)), fault.Internal, "on our side"},
		"damaged blob":   {deep(blobs.ErrCorrupt), fault.Internal, "on our side"},
		"a bug":          {errors.New("index out of range"), fault.Internal, "on our side"},
		"given up":       {context.Canceled, fault.Internal, "on our side"},
		"own refusal":    {fault.New(fault.NotFound, "No such Mind.").Because(records.ErrUnavailable), fault.NotFound, "No such Mind"},
	} {
		f := fault.From(c.err)
		if f.Code != c.code || !strings.Contains(f.Message, c.says) {
			t.Errorf("%s: %s %q", name, f.Code, f.Message)
		}
		if f.Retryable() != (c.code == fault.StorageUnavailable) || !errors.Is(f, c.err) && c.code != fault.NotFound {
			t.Errorf("%s: retryable %v, cause %v", name, f.Retryable(), f.Unwrap())
		}
		for _, inside := range []string{"/srv", "SQL", "sqlite", "records:", "blobs:", "index"} {
			if strings.Contains(f.Message, inside) {
				t.Errorf("%s tells %q: %q", name, inside, f.Message)
			}
		}
	}
}

package host

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// Addresses checks callers' addresses without fetching them.
type Addresses struct{ guard *fetch.Guard }

// Guard makes the check; allow lists host:port pairs that pass (development).
func Guard(allow []string) (Addresses, error) {
	g, err := fetch.NewGuard(fetch.Options{Allow: allow})
	return Addresses{g}, err
}

// CheckAddress refuses an address that no fetch may reach (UNSAFE_URL).
func (a Addresses) CheckAddress(_ context.Context, raw string) error {
	return a.guard.CheckAddress(raw, fetch.Page)
}

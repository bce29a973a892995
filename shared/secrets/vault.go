package secrets

import (
	"context"
	"errors"
	"fmt"
	"regexp"
)

// Vault keeps the secrets that callers entrust to the service, such as the key
// of a model provider. Values are never logged and never part of an error. The
// first part of a name is the tenant that the secret belongs to, as in
// <workspace>/model/<id>. Every method is safe for concurrent use; a write is
// durable when it returns nil.
type Vault interface {
	// Put keeps value under name, in place of an earlier one.
	Put(ctx context.Context, name string, value []byte) error
	// Get gives the value; ErrNoSecret when there is none.
	Get(ctx context.Context, name string) ([]byte, error)
	// Delete removes the secret for good; removing what is not there is no error.
	Delete(ctx context.Context, name string) error
}

// MaxSecret is the largest value that a vault keeps, in bytes. The smallest is 1.
const MaxSecret = 16 << 10

// Errors of vaults.
var (
	ErrNoSecret   = errors.New("secrets: no secret of this name")
	ErrSecretSize = fmt.Errorf("secrets: a secret has 1 to %d bytes", MaxSecret)
	ErrSecretName = errors.New("secrets: a name has two parts or more with slashes between them, of letters, digits, dashes, dots and underscores, 300 in all")
)

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)+$`)

// CheckName refuses a name that not every vault can keep. Names are the
// program's, never a caller's text.
func CheckName(name string) error {
	if len(name) > 300 || !nameForm.MatchString(name) {
		return ErrSecretName
	}
	return nil
}

// CheckSecret refuses a name or a value that not every vault can keep.
func CheckSecret(name string, value []byte) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if len(value) < 1 || len(value) > MaxSecret {
		return ErrSecretSize
	}
	return nil
}

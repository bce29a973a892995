// Package secrets gives every key that the service signs or encrypts with,
// all of them derived from one master secret, so that there is one thing to
// keep and nothing to hand around.
package secrets

import (
	"context"
	"errors"
)

// Keys derives keys. The same label and master give the same key, in every
// process and after every restart; one label says nothing about another.
type Keys interface {
	// Derive gives n bytes (1 to 255*32) for a label such as "records cursor v1".
	// The label is a constant of the caller's, never a caller's input; an empty
	// one or another n is a mistake in the program and panics.
	Derive(label string, n int) []byte
}

// Sealer keeps small secrets in records: sealed bytes may be stored anywhere.
type Sealer interface {
	// Seal encrypts plaintext for one purpose (label), bound to aad: the
	// record's identity, so that a sealed value cannot be moved to another record.
	Seal(label string, plaintext, aad []byte) ([]byte, error)
	// Open reverses Seal; ErrSealed when label, aad, master or bytes differ.
	Open(label string, sealed, aad []byte) ([]byte, error)
}

// Source gives the keys of this installation.
type Source interface {
	Ring(ctx context.Context) (*Ring, error)
}

// Errors.
var (
	ErrSealed    = errors.New("secrets: cannot open: changed, of another record, or sealed under another master key")
	ErrMalformed = errors.New("secrets: not a master key")
)

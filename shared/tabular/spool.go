package tabular

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrTooLarge is what Spool returns of an input above its limit.
var ErrTooLarge = errors.New("tabular: too large")

// Spooled is a file on this machine's disk without a name: what it takes is free
// when it is closed.
type Spooled struct {
	*os.File
	Size   int64
	SHA256 string // of its bytes, in hex
}

// Spool keeps an input of at most limit bytes where it can be read in any order.
// It ends with its context.
func Spool(ctx context.Context, in io.Reader, limit int64) (*Spooled, error) {
	file, err := os.CreateTemp("", "mindgate-table-*")
	if err != nil {
		return nil, fmt.Errorf("tabular: %w", err)
	}
	// Where an open file cannot be removed it stays in the folder for temporary
	// files, readable by its owner only.
	_ = os.Remove(file.Name())
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, sum), &bounded{ctx: ctx, in: in, left: limit})
	if err != nil {
		file.Close()
		return nil, err
	}
	return &Spooled{File: file, Size: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

type bounded struct {
	ctx  context.Context
	in   io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.ctx.Err() != nil {
		return 0, context.Cause(b.ctx)
	}
	n, err := b.in.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}

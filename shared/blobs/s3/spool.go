package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

// inMemory is what a spool keeps before it turns to a file. Most blobs are
// smaller.
const inMemory = 1 << 20

// spooled is content that can be read again, with its hash.
type spooled struct {
	body io.ReadSeeker
	sum  []byte
	size int64
	file *os.File
}

// Close removes what the spool took.
func (s *spooled) Close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}

// spool reads r to its end, or to the first byte beyond limit (ErrTooLarge).
func spool(ctx context.Context, dir string, r io.Reader, limit int64) (_ *spooled, err error) {
	s := &spooled{}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	h := sha256.New()
	// One byte more than allowed tells "exactly" from "over".
	in := io.TeeReader(io.LimitReader(reader{ctx, r}, max(limit, 0)+1), h)

	var head bytes.Buffer
	if s.size, err = head.ReadFrom(io.LimitReader(in, inMemory)); err != nil {
		return nil, fmt.Errorf("blobs: reading the content: %w", err)
	}
	s.body = bytes.NewReader(head.Bytes())
	if s.size == inMemory {
		if err = s.spill(dir, head.Bytes(), in); err != nil {
			return nil, err
		}
	}
	if s.size > limit {
		return nil, fmt.Errorf("%w of %d bytes", blobs.ErrTooLarge, limit)
	}
	s.sum = h.Sum(nil)
	return s, nil
}

func (s *spooled) spill(dir string, head []byte, rest io.Reader) error {
	f, err := os.CreateTemp(dir, "mindgate-blob-*")
	if err != nil {
		return fmt.Errorf("blobs: spool: %w", noSpace(err))
	}
	s.file, s.body = f, f
	if _, err := f.Write(head); err != nil {
		return fmt.Errorf("blobs: spool: %w", noSpace(err))
	}
	n, err := io.Copy(f, rest)
	if err != nil {
		return fmt.Errorf("blobs: spool: %w", noSpace(err))
	}
	s.size += n
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// reader ends with the context.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

func noSpace(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: the folder for temporary files is full: %w", blobs.ErrNoSpace, err)
	}
	return err
}

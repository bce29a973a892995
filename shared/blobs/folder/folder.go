// Package folder keeps blobs as files: DIR/<prefix>/<first two digits>/<SHA-256>.
//
// A blob is written beside the tree, synced, renamed to its name and its
// folders synced, so a reader sees all of it or nothing, and what Put has
// returned survives a crash. Several processes may use one folder.
package folder

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
)

// incoming holds files that are being written. Its dot keeps it apart from
// every prefix.
const incoming = ".incoming"

// leftoverAge is how long a file may lie in incoming without a write before it
// counts as left by a process that is gone.
const leftoverAge = time.Hour

// Options of Open. The zero value works, but signs no links.
type Options struct {
	Clock   clock.Clock  // the system's by default
	LinkKey []byte       // signs download links; at least 32 bytes, or none
	BaseURL string       // scheme and host in front of links; "" gives a bare path
	Log     *slog.Logger // of Download; none by default
}

// Store is a blobs.Store in a folder.
type Store struct {
	dir   string
	clock clock.Clock
	key   []byte
	base  string
	log   *slog.Logger

	newTemp func(dir string) (tempFile, error) // a test makes it fail
}

var _ blobs.Store = (*Store)(nil)

// tempFile is what Put needs of a file that it writes.
type tempFile interface {
	io.Writer
	Name() string
	Sync() error
	Close() error
}

// Open makes the folder if it is not there, and removes what writers left that
// stopped more than an hour ago.
func Open(dir string, opt Options) (*Store, error) {
	if opt.Clock == nil {
		opt.Clock = clock.System{}
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if n := len(opt.LinkKey); n > 0 && n < sha256.Size {
		return nil, fmt.Errorf("blobs: a link key has at least %d bytes, this one %d", sha256.Size, n)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("blobs: folder: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, incoming), 0o700); err != nil {
		return nil, fmt.Errorf("blobs: cannot use the folder: %w", noSpace(err))
	}
	if err := syncDir(filepath.Dir(dir)); err != nil {
		return nil, fmt.Errorf("blobs: cannot use the folder: %w", noSpace(err))
	}
	s := &Store{
		dir: dir, clock: opt.Clock, key: append([]byte(nil), opt.LinkKey...),
		base: strings.TrimRight(opt.BaseURL, "/"), log: opt.Log, newTemp: createTemp,
	}
	if err := s.Sweep(); err != nil {
		return nil, fmt.Errorf("blobs: cannot clear old unfinished files: %w", err)
	}
	return s, nil
}

// Incoming is where unfinished files lie, on the disk that keeps the blobs. Who
// spools an upload there has what a kill leaves removed by Sweep.
func (s *Store) Incoming() string { return filepath.Join(s.dir, incoming) }

// Sweep removes files from Incoming that nobody has written for an hour. A
// running writer touches its file with every write, and a younger file may
// belong to another process.
func (s *Store) Sweep() error {
	list, err := os.ReadDir(filepath.Join(s.dir, incoming))
	if err != nil {
		return err
	}
	before := s.clock.Now().Add(-leftoverAge)
	for _, e := range list {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || info.ModTime().After(before) {
			continue
		}
		if err := os.Remove(filepath.Join(s.dir, incoming, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func createTemp(dir string) (tempFile, error) {
	return os.OpenFile(filepath.Join(dir, "put-"+rand.Text()), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
}

// Put stores what r gives, up to limit bytes. It returns after the bytes and
// their name are on disk.
func (s *Store) Put(ctx context.Context, prefix, mediaType string, r io.Reader, limit int64) (blobs.Ref, error) {
	if err := blobs.CheckPrefix(prefix); err != nil {
		return blobs.Ref{}, err
	}
	mediaType, err := blobs.MediaType(mediaType)
	if err != nil {
		return blobs.Ref{}, err
	}
	tmp, err := s.newTemp(filepath.Join(s.dir, incoming))
	if err != nil {
		return blobs.Ref{}, fmt.Errorf("blobs: cannot write: %w", noSpace(err))
	}
	kept := false
	defer func() {
		if !kept {
			_ = tmp.Close() // closed twice after a late failure; the second is harmless
			_ = os.Remove(tmp.Name())
		}
	}()

	sum, size, err := copyLimited(ctx, tmp, r, limit)
	if err != nil {
		return blobs.Ref{}, err
	}
	ref := blobs.Ref{Prefix: prefix, SHA256: sum, Size: size, MediaType: mediaType}
	if s.has(ref) {
		// Another writer may have renamed it a moment ago and not synced yet.
		return ref, s.syncChain(ref)
	}
	if err := tmp.Sync(); err != nil {
		return blobs.Ref{}, fmt.Errorf("blobs: cannot write: %w", noSpace(err))
	}
	if err := tmp.Close(); err != nil {
		return blobs.Ref{}, fmt.Errorf("blobs: cannot write: %w", noSpace(err))
	}
	if err := s.place(tmp.Name(), ref); err != nil {
		return blobs.Ref{}, fmt.Errorf("blobs: cannot write: %w", noSpace(err))
	}
	kept = true
	return ref, s.syncChain(ref)
}

// placeAttempts bounds how often a folder is made that others clear meanwhile.
const placeAttempts = 20

// place gives a written file its name. A Clear of its folders may come in
// between; then they are made once more.
func (s *Store) place(written string, ref blobs.Ref) (err error) {
	path := s.path(ref)
	for range placeAttempts {
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			// Over a damaged file of the same name this also heals it.
			err = os.Rename(written, path)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return err
}

// copyLimited copies and hashes; it stops at the first byte beyond limit.
func copyLimited(ctx context.Context, w io.Writer, r io.Reader, limit int64) (sum string, size int64, err error) {
	h := sha256.New()
	buf := make([]byte, 128<<10)
	for {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		n, rerr := r.Read(buf)
		if size += int64(n); size > limit {
			return "", 0, fmt.Errorf("%w of %d bytes", blobs.ErrTooLarge, limit)
		}
		h.Write(buf[:n])
		if _, err := w.Write(buf[:n]); err != nil {
			return "", 0, fmt.Errorf("blobs: cannot write: %w", noSpace(err))
		}
		if rerr == io.EOF {
			return hex.EncodeToString(h.Sum(nil)), size, nil
		}
		if rerr != nil {
			return "", 0, fmt.Errorf("blobs: reading the content: %w", rerr)
		}
	}
}

// Open reads length bytes from offset; length -1 reads to the end.
func (s *Store) Open(ctx context.Context, ref blobs.Ref, offset, length int64) (io.ReadCloser, error) {
	if err := blobs.CheckRange(offset, length); err != nil {
		return nil, err
	}
	f, size, err := s.open(ctx, ref)
	if err != nil {
		return nil, err
	}
	from, n, err := blobs.Range(size, offset, length)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &section{SectionReader: io.NewSectionReader(f, from, n), f: f}, nil
}

type section struct {
	*io.SectionReader
	f *os.File
}

func (s *section) Close() error { return s.f.Close() }

// open gives the file after a check of its size.
func (s *Store) open(ctx context.Context, ref blobs.Ref) (*os.File, int64, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if err := ref.Check(); err != nil {
		return nil, 0, err
	}
	f, err := os.Open(s.path(ref))
	if err != nil {
		return nil, 0, missing(err)
	}
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || !ref.Fits(info.Size())) {
		err = blobs.ErrCorrupt
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Stat tells whether the blob is there and how large it is.
func (s *Store) Stat(ctx context.Context, ref blobs.Ref) (blobs.Ref, error) {
	f, size, err := s.open(ctx, ref)
	if err != nil {
		return blobs.Ref{}, err
	}
	_ = f.Close()
	ref.Size = size
	return ref, nil
}

// Verify reads the whole blob and compares it with its name: ErrCorrupt when
// they differ.
func (s *Store) Verify(ctx context.Context, ref blobs.Ref) error {
	f, size, err := s.open(ctx, ref)
	if err != nil {
		return err
	}
	defer f.Close()
	sum, _, err := copyLimited(ctx, io.Discard, f, size)
	if errors.Is(err, blobs.ErrTooLarge) || err == nil && sum != ref.SHA256 {
		return blobs.ErrCorrupt
	}
	return err
}

// Delete removes the blob; removing what is not there is no error.
func (s *Store) Delete(ctx context.Context, ref blobs.Ref) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := ref.Check(); err != nil {
		return err
	}
	path := s.path(ref)
	if err := os.Remove(path); err != nil {
		if errors.Is(missing(err), blobs.ErrNotFound) {
			return nil
		}
		return fmt.Errorf("blobs: cannot delete: %w", err)
	}
	return syncDir(filepath.Dir(path))
}

// path trusts that the reference was checked.
func (s *Store) path(ref blobs.Ref) string {
	return filepath.Join(s.dir, filepath.FromSlash(ref.Key()))
}

func (s *Store) has(ref blobs.Ref) bool {
	info, err := os.Lstat(s.path(ref))
	return err == nil && info.Mode().IsRegular() && info.Size() == ref.Size
}

func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return blobs.ErrNotFound
	}
	return fmt.Errorf("blobs: cannot read: %w", err)
}

// noSpace names a full disk or a used-up quota.
func noSpace(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: free some disk space and try again: %w", blobs.ErrNoSpace, err)
	}
	return err
}

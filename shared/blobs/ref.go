package blobs

import (
	"fmt"
	"mime"
	"strings"
	"time"
)

// Unknown is the Size of a reference whose size is not known yet.
const Unknown int64 = -1

// EmptySHA256 is the name of the blob without bytes.
const EmptySHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// DefaultMediaType stands for content that was stored without a type.
const DefaultMediaType = "application/octet-stream"

// Links live 5 minutes unless told otherwise (M-222), and never longer than a
// week: the longest that S3 signs.
const (
	DefaultTTL = 5 * time.Minute
	MaxTTL     = 7 * 24 * time.Hour
)

// CheckPrefix accepts 1 to 200 characters of [a-z0-9/_-], in parts that are
// not empty. As no dot is among them, no prefix can climb out of the store.
func CheckPrefix(prefix string) error {
	if prefix == "" || len(prefix) > 200 {
		return fmt.Errorf("%w: a prefix has 1 to 200 characters", ErrInvalid)
	}
	last := byte('/') // so that a leading slash is an empty part too
	for i := range len(prefix) {
		c := prefix[i]
		switch {
		case c == '/':
			if last == '/' {
				return fmt.Errorf("%w: a prefix has no empty part", ErrInvalid)
			}
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			return fmt.Errorf("%w: a prefix holds only a-z, 0-9, '/', '_' and '-'", ErrInvalid)
		}
		last = c
	}
	if last == '/' {
		return fmt.Errorf("%w: a prefix has no empty part", ErrInvalid)
	}
	return nil
}

// Check tells whether the reference could name a blob at all.
func (r Ref) Check() error {
	if err := CheckPrefix(r.Prefix); err != nil {
		return err
	}
	if len(r.SHA256) != 64 || strings.Trim(r.SHA256, "0123456789abcdef") != "" {
		return fmt.Errorf("%w: a name is 64 lower-case hex digits", ErrInvalid)
	}
	if r.Size < Unknown {
		return fmt.Errorf("%w: a size is not negative", ErrInvalid)
	}
	_, err := MediaType(r.MediaType)
	return err
}

// Key is the place of the blob in either store: prefix/ab/abcdef…, so that no
// folder grows past a 256th of its tenant.
func (r Ref) Key() string { return r.Prefix + "/" + r.SHA256[:2] + "/" + r.SHA256 }

// Fits tells whether a stored size agrees with the reference. A size of 0
// counts as unknown, unless the name is that of the empty blob.
func (r Ref) Fits(size int64) bool {
	if r.Size == Unknown || r.Size == 0 && r.SHA256 != EmptySHA256 {
		return true
	}
	return r.Size == size
}

// MediaType checks a media type and fills in the default, so that nothing a
// caller says can break a response header.
func MediaType(s string) (string, error) {
	if s == "" {
		return DefaultMediaType, nil
	}
	t, _, err := mime.ParseMediaType(s)
	if err != nil || !strings.Contains(t, "/") || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "", fmt.Errorf("%w: %q is not a media type", ErrInvalid, s)
	}
	return s, nil
}

// Life gives the time that a link works: the default for zero or less,
// ErrInvalid beyond a week.
func (l Link) Life() (time.Duration, error) {
	switch {
	case l.TTL <= 0:
		return DefaultTTL, nil
	case l.TTL > MaxTTL:
		return 0, fmt.Errorf("%w: a link lives at most %s", ErrInvalid, MaxTTL)
	}
	return l.TTL, nil
}

// Range turns offset and length (-1: to the end) into the part of size bytes
// that they name. What passes the end is cut; an offset past the end, or a
// negative number, is ErrInvalid.
func Range(size, offset, length int64) (from, n int64, err error) {
	if err := CheckRange(offset, length); err != nil {
		return 0, 0, err
	}
	if offset > size {
		return 0, 0, fmt.Errorf("%w: offset %d is past the end at %d", ErrInvalid, offset, size)
	}
	n = size - offset
	if length >= 0 && length < n {
		n = length
	}
	return offset, n, nil
}

// CheckRange refuses offsets and lengths that no blob could satisfy.
func CheckRange(offset, length int64) error {
	if offset < 0 || length < -1 {
		return fmt.Errorf("%w: an offset is at least 0, a length at least -1", ErrInvalid)
	}
	return nil
}

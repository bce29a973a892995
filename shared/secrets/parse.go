package secrets

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// Parse reads master keys as text: each 32 bytes in hex or base64 (standard or
// URL alphabet, padded or not), separated by commas or white space, current
// first. Its errors never quote the text.
func Parse(text string) (*Ring, error) {
	return parse(text, func(string) ([]byte, error) {
		return nil, fmt.Errorf("%w: write 32 bytes as 64 hex digits or as base64 (for example the output of: openssl rand -base64 32)", ErrMalformed)
	})
}

// minPassword is the length at which letters and digits drawn at random pass
// 190 bits.
const minPassword = 32

// ParseGenerated is Parse that also takes a password of 32 characters or more
// in place of a key, as generators of passwords give it. The password must be
// random: it is not stretched.
func ParseGenerated(text string) (*Ring, error) {
	return parse(text, func(s string) ([]byte, error) {
		if len(s) < minPassword {
			return nil, fmt.Errorf("%w: a generated secret has at least %d characters", ErrMalformed, minPassword)
		}
		return []byte(s), nil
	})
}

func parse(text string, other func(string) ([]byte, error)) (*Ring, error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\r' || r == '\t' })
	if len(fields) == 0 {
		return nil, fmt.Errorf("%w: it is empty", ErrMalformed)
	}
	var all [][]byte
	for _, f := range fields {
		key, ok := decode(f)
		if !ok {
			var err error
			if key, err = other(f); err != nil {
				return nil, err
			}
		}
		all = append(all, key)
	}
	return NewRing(all[0], all[1:]...)
}

func decode(s string) ([]byte, bool) {
	if b, err := hex.DecodeString(s); err == nil && len(b) == MasterSize {
		return b, true
	}
	s = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(s), "=")
	if b, err := base64.RawStdEncoding.DecodeString(s); err == nil && len(b) == MasterSize {
		return b, true
	}
	return nil, false
}

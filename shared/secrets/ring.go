package secrets

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
)

// MasterSize is the size of a master key in bytes.
const MasterSize = 32

// Ring holds the current master key and those it replaced. New keys and seals
// come from the current one; what an older one sealed still opens. To rotate,
// put a new master in front of the list; to finish, seal the records anew
// (Stale tells which) and drop the old one. Signatures of before end with the
// rotation.
type Ring struct {
	masters []master // current first, never empty
}

// master is the extracted (uniform) form of one master secret.
type master struct {
	prk []byte
	id  [idSize]byte // tells masters apart in a sealed value
}

var (
	_ Keys   = (*Ring)(nil)
	_ Sealer = (*Ring)(nil)
	_ Source = (*Ring)(nil)
)

// salt separates this service's keys from any other use of the same secret.
const salt = "mindgate secrets v1"

// NewRing makes a ring of secrets of at least 32 bytes each, current first.
func NewRing(current []byte, older ...[]byte) (*Ring, error) {
	r := &Ring{}
	for _, secret := range append([][]byte{current}, older...) {
		if len(secret) < MasterSize {
			return nil, fmt.Errorf("%w: it has %d bytes, at least %d are needed", ErrMalformed, len(secret), MasterSize)
		}
		prk, err := hkdf.Extract(sha256.New, secret, []byte(salt))
		if err != nil {
			return nil, fmt.Errorf("secrets: %w", err)
		}
		m := master{prk: prk}
		copy(m.id[:], m.derive("master id", idSize))
		r.masters = append(r.masters, m)
	}
	return r, nil
}

// Ring makes a ring its own Source.
func (r *Ring) Ring(context.Context) (*Ring, error) { return r, nil }

// Derive is HKDF-Expand with SHA-256 (RFC 5869) of the current master; the
// label is its info.
func (r *Ring) Derive(label string, n int) []byte {
	// The ring's own purposes have their own names, so no label can meet them.
	return r.masters[0].derive("key "+label, n)
}

func (m master) derive(info string, n int) []byte {
	if info == "key " || n < 1 {
		panic(fmt.Sprintf("secrets: cannot derive %d bytes for %q", n, info))
	}
	key, err := hkdf.Expand(sha256.New, m.prk, info, n)
	if err != nil {
		panic(fmt.Sprintf("secrets: cannot derive %d bytes for %q: %v", n, info, err))
	}
	return key
}

// A sealed value: version (1 byte), id of the master (4), nonce (12),
// ciphertext and tag (16 more than the plaintext). AES-256-GCM with a random
// nonce is safe for 2^32 seals under one label, far above the records of one
// installation.
const (
	version  = 1
	idSize   = 4
	headSize = 1 + idSize
)

// Seal encrypts under the current master.
func (r *Ring) Seal(label string, plaintext, aad []byte) ([]byte, error) {
	m := r.masters[0]
	box, err := m.box(label)
	if err != nil {
		return nil, err
	}
	head := append([]byte{version}, m.id[:]...)
	return box.Seal(head, nil, plaintext, bind(head, aad)), nil
}

// Open decrypts under whichever master sealed.
func (r *Ring) Open(label string, sealed, aad []byte) ([]byte, error) {
	if len(sealed) < headSize || sealed[0] != version {
		return nil, ErrSealed
	}
	head, body := sealed[:headSize], sealed[headSize:]
	for _, m := range r.masters {
		if string(m.id[:]) != string(head[1:]) {
			continue
		}
		box, err := m.box(label)
		if err != nil {
			return nil, err
		}
		plain, err := box.Open(nil, nil, body, bind(head, aad))
		if err != nil {
			return nil, ErrSealed
		}
		return plain, nil
	}
	return nil, ErrSealed
}

// Stale tells that a sealed value is not under the current master.
func (r *Ring) Stale(sealed []byte) bool {
	return len(sealed) < headSize || sealed[0] != version || string(sealed[1:headSize]) != string(r.masters[0].id[:])
}

func (m master) box(label string) (cipher.AEAD, error) {
	block, err := aes.NewCipher(m.derive("seal "+label, 32))
	if err != nil {
		return nil, fmt.Errorf("secrets: %w", err)
	}
	box, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("secrets: %w", err)
	}
	return box, nil
}

// bind joins header and aad; the header's size is fixed, so no two pairs are alike.
func bind(head, aad []byte) []byte {
	return append(append(make([]byte, 0, len(head)+len(aad)), head...), aad...)
}

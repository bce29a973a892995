package folder

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

// DownloadPath is where the process must mount Download; a link is this path
// and a token.
const DownloadPath = "/download/"

// grant is what a link allows: one blob under one name until one moment. The
// signature covers all of it, so no part can be moved to another link.
type grant struct {
	Prefix    string `json:"p"`
	SHA256    string `json:"h"`
	Size      int64  `json:"s"`
	MediaType string `json:"t"`
	Filename  string `json:"n"`
	Until     int64  `json:"u"` // Unix milliseconds
}

// SignedURL makes a link to Download of this process, or of any other that
// shares the folder and the key.
func (s *Store) SignedURL(_ context.Context, ref blobs.Ref, l blobs.Link) (string, error) {
	if len(s.key) == 0 {
		return "", errors.New("blobs: this store was opened without a link key")
	}
	if err := ref.Check(); err != nil {
		return "", err
	}
	life, err := l.Life()
	if err != nil {
		return "", err
	}
	payload, err := json.Marshal(grant{
		Prefix: ref.Prefix, SHA256: ref.SHA256, Size: ref.Size, MediaType: ref.MediaType,
		Filename: blobs.Filename(l.Filename), Until: s.clock.Now().Add(life).UnixMilli(),
	})
	if err != nil {
		return "", err
	}
	return s.base + DownloadPath + encoding.EncodeToString(payload) + "." + encoding.EncodeToString(s.mac(payload)), nil
}

// Strict, so that one link has one spelling.
var encoding = base64.RawURLEncoding.Strict()

func (s *Store) mac(payload []byte) []byte {
	m := hmac.New(sha256.New, s.key)
	m.Write([]byte("mindgate blob link v1\n"))
	m.Write(payload)
	return m.Sum(nil)
}

// admit reads a token back. ErrBadLink says neither what was wrong nor whether
// the blob is there.
func (s *Store) admit(token string) (blobs.Ref, string, error) {
	head, tail, ok := strings.Cut(token, ".")
	if !ok || len(token) > 8<<10 || len(s.key) == 0 {
		return blobs.Ref{}, "", blobs.ErrBadLink
	}
	payload, err := encoding.DecodeString(head)
	if err != nil {
		return blobs.Ref{}, "", blobs.ErrBadLink
	}
	sum, err := encoding.DecodeString(tail)
	if err != nil || !hmac.Equal(sum, s.mac(payload)) {
		return blobs.Ref{}, "", blobs.ErrBadLink
	}
	var g grant
	if err := json.Unmarshal(payload, &g); err != nil || s.clock.Now().UnixMilli() >= g.Until {
		return blobs.Ref{}, "", blobs.ErrBadLink
	}
	ref := blobs.Ref{Prefix: g.Prefix, SHA256: g.SHA256, Size: g.Size, MediaType: g.MediaType}
	if ref.Check() != nil {
		return blobs.Ref{}, "", blobs.ErrBadLink
	}
	return ref, g.Filename, nil
}

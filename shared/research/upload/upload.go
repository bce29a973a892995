// Package upload takes files into a workspace before they are used: a caller gets
// a short-lived address to send a file to, and a path by which it is named
// afterwards. What was sent is kept for a day, long enough to be used: what it is
// given to makes a copy of its own.
package upload

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// MaxBytes is the ceiling of one file (section 23).
const MaxBytes = 50 << 20

const (
	maxName = 300 // characters
	maxType = 255

	// linkTTL is how long the addresses of an upload work.
	linkTTL = 15 * time.Minute
	// Lifetime is how long a file is kept after it came, and how long a path waits
	// for a file that may come straight into the bucket.
	Lifetime = 24 * time.Hour
)

// Folders are what an upload can be for.
var Folders = []string{"chat", "portfolio", "context", "temp"}

// Deps is what a Service works with.
type Deps struct {
	Records   records.Store
	Blobs     blobs.Store // one that is a blobs.Stager takes files straight from their sender
	Clock     clock.Clock
	IDs       clock.IDs
	Key       []byte // signs addresses
	PublicURL string // without a trailing slash
	Log       *slog.Logger
}

// Service is what one can do with uploads.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d}
}

// Request asks for an address.
type Request struct {
	Name      string // of the file, with its ending; at most 300 characters
	Folder    string // one of Folders
	Type      string // media type, a hint
	SizeBytes int64  // 0: not known, where the store takes no files from their sender
}

// Created is where to send the file, and how to name it afterwards.
type Created struct {
	Path      string `json:"path"`
	UploadURL string `json:"uploadUrl"` // PUT the bytes here; it needs no credential
	ReadURL   string `json:"readUrl"`   // gives the file back for as long
	ExpiresAt string `json:"expiresAt"` // of both addresses
}

// File is an upload that has arrived.
type File struct {
	Path string
	Name string
	Type string
	Size int64
	Ref  blobs.Ref
}

// row is the stored upload.
type row struct {
	ID        string     `json:"id"`
	Workspace string     `json:"workspace"`
	Owner     string     `json:"owner"`
	Path      string     `json:"path"`
	Name      string     `json:"name"`
	Type      string     `json:"type,omitempty"`
	Size      int64      `json:"size,omitempty"` // announced
	Ref       *blobs.Ref `json:"ref,omitempty"`  // nil until it has arrived
	Held      int64      `json:"held,omitempty"` // bytes that it takes of the workspace's room
	CreatedAt time.Time  `json:"createdAt"`
	EndsAt    time.Time  `json:"endsAt"`           // from then on it is not there
	Ending    bool       `json:"ending,omitempty"` // the sweep takes it away
}

// Keys of this package.
//
//	w#<ws>#upload#<id>   upload   one upload; in the first index by when it goes
//	w#<ws>#uploads       held     how many bytes the uploads of the workspace take (counter)
//
// Files are blobs under w/<ws>/u/<id>; those that came straight into the bucket
// wait under the same name among the staged ones.

func key(workspace, id string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + "upload#" + id, SK: "upload"}
}

func prefix(workspace, id string) string { return "w/" + workspace + "/u/" + id }

// Create gives the path of a new upload with its addresses. VALIDATION, also for a
// size that is not said where files go straight into the bucket; PAYLOAD_TOO_LARGE
// for a size above 50 MiB; PLAN_LIMIT when the workspace has no room for it now.
func (s *Service) Create(ctx context.Context, r Request) (Created, error) {
	p := account.From(ctx)
	name, err := check(r)
	if err != nil {
		return Created{}, err
	}
	id := s.d.IDs.NewID()
	now := s.d.Clock.Now()
	u := row{
		ID: id, Workspace: p.Workspace, Owner: p.Account, Name: name, Type: r.Type, Size: r.SizeBytes, CreatedAt: now,
		Path: r.Folder + "/" + p.Account + "/" + id + "/" + safeName(name),
	}
	u.EndsAt = now.Add(linkTTL)
	out := Created{Path: u.Path, ExpiresAt: clock.Stamp(u.EndsAt), ReadURL: s.address(u, reading)}
	if st, ok := s.d.Blobs.(blobs.Stager); ok {
		// What is put there is not seen until it is used, so its size is said before.
		if r.SizeBytes == 0 {
			return Created{}, fault.New(fault.Validation, "sizeBytes is required: the number of bytes of the file, which must then have just so many.").With("path", "/sizeBytes")
		}
		u.EndsAt = now.Add(Lifetime)
		if out.UploadURL, err = st.SignedPut(ctx, prefix(u.Workspace, u.ID), r.SizeBytes, linkTTL); err != nil {
			return Created{}, err
		}
	} else {
		out.UploadURL = s.address(u, sending)
	}
	return out, s.save(ctx, row{}, u, records.NotExists())
}

func check(r Request) (name string, err error) {
	name = strings.TrimSpace(r.Name)
	switch {
	case name == "" || utf8.RuneCountInString(name) > maxName || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "", fault.New(fault.Validation, "name must be a file name of 1 to %d characters, such as report.pdf.", maxName).With("path", "/name")
	case path.Base(strings.ReplaceAll(name, `\`, "/")) != name || name == "." || name == "..":
		return "", fault.New(fault.Validation, "name must be a file name without folders, such as report.pdf.").With("path", "/name")
	case !slices.Contains(Folders, r.Folder):
		return "", fault.New(fault.Validation, "folder must be one of %s.", strings.Join(Folders, ", ")).With("path", "/folder")
	case len(r.Type) > maxType || strings.ContainsFunc(r.Type, unicode.IsControl):
		return "", fault.New(fault.Validation, "type must be a media type, such as application/pdf.").With("path", "/type")
	case r.SizeBytes < 0:
		return "", fault.New(fault.Validation, "sizeBytes must be 1 or more.").With("path", "/sizeBytes")
	case r.SizeBytes > MaxBytes:
		return "", tooLarge()
	}
	return name, nil
}

func tooLarge() *fault.Error {
	return fault.New(fault.PayloadTooLarge, "A file has at most %d bytes (%d MiB). Split it, or leave out what is not needed.", MaxBytes, MaxBytes>>20).With("limitBytes", MaxBytes)
}

// safeName is the part of a path that shows the file's name.
func safeName(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 100 {
			break
		}
	}
	if out := strings.Trim(b.String(), ".-"); out != "" {
		return out
	}
	return "file"
}

// Path reports whether an address names an upload of this service, and its path:
// the path as Create gave it, with or without /uploads/ before it, or the address
// to read it from. The path need not exist.
func (s *Service) Path(address string) (string, bool) {
	address = strings.TrimSpace(address)
	if at, ok := strings.CutPrefix(address, s.d.PublicURL+uploadsPath); ok && s.d.PublicURL != "" {
		at, _, _ = strings.Cut(at, "?")
		return at, true
	}
	if strings.Contains(address, "://") {
		return "", false
	}
	at := strings.TrimPrefix(strings.TrimPrefix(address, "/"), "uploads/")
	folder, _, ok := strings.Cut(at, "/")
	if !ok || !slices.Contains(Folders, folder) {
		return "", false
	}
	return at, true
}

const uploadsPath = "/api/v1/uploads/"

// Open gives the file at a path of the caller's workspace. NOT_FOUND for a path of
// another tenant as for one that does not exist or whose file has not arrived.
func (s *Service) Open(ctx context.Context, at string) (io.ReadCloser, File, error) {
	p := account.From(ctx)
	u, version, err := s.find(ctx, p.Workspace, at)
	if err != nil {
		return nil, File{}, err
	}
	if u.Ref == nil {
		if u, err = s.adopt(ctx, u, version); err != nil {
			return nil, File{}, err
		}
	}
	in, err := s.d.Blobs.Open(ctx, *u.Ref, 0, -1)
	if errors.Is(err, blobs.ErrNotFound) {
		return nil, File{}, notFound()
	}
	return in, File{Path: u.Path, Name: u.Name, Type: u.Type, Size: u.Ref.Size, Ref: *u.Ref}, err
}

func notFound() *fault.Error {
	return fault.New(fault.NotFound, "No upload with this path, or its file has not arrived yet. Ask for an upload address with POST /api/v1/uploads, PUT the file there, and use the path it gave.")
}

// find reads an upload by its path, or by its id alone.
func (s *Service) find(ctx context.Context, workspace, at string) (row, int64, error) {
	id := at
	if parts := strings.Split(at, "/"); len(parts) > 1 {
		if len(parts) != 4 {
			return row{}, 0, notFound()
		}
		id = parts[2]
	}
	if len(id) != 36 || uuid.Validate(id) != nil || workspace == "" {
		return row{}, 0, notFound()
	}
	it, err := s.d.Records.Get(ctx, key(workspace, id))
	if errors.Is(err, records.ErrNotFound) {
		return row{}, 0, notFound()
	}
	if err != nil {
		return row{}, 0, err
	}
	var u row
	if err := json.Unmarshal(it.Body, &u); err != nil {
		return row{}, 0, err
	}
	if at != id && at != u.Path || u.Ending || u.Ref != nil && !s.d.Clock.Now().Before(u.EndsAt) {
		return row{}, 0, notFound()
	}
	return u, it.Version, nil
}

// Receive takes the file of an upload from its sender, who holds a ticket. A path
// takes one file: sent again, the same bytes are fine and others are refused.
func (s *Service) Receive(ctx context.Context, id, ticket string, in io.Reader) error {
	p, err := s.redeem(id, ticket, sending)
	if err != nil {
		return err
	}
	u, version, err := s.find(ctx, p.Workspace, strings.ToLower(id))
	if err != nil {
		return err
	}
	if u.Ref != nil {
		return again(in, *u.Ref)
	}
	if u.Size > 0 {
		in = &exact{r: in, left: u.Size}
	}
	_, err = s.keep(ctx, u, version, in)
	return err
}

// exact refuses another number of bytes than was announced.
type exact struct {
	r    io.Reader
	left int64
}

func (e *exact) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.left -= int64(n)
	if e.left < 0 || errors.Is(err, io.EOF) && e.left > 0 {
		return 0, fault.New(fault.Validation, "The file does not have the size that was announced as sizeBytes. Send all of the file that was announced, or ask for a new upload address with the size of this one.")
	}
	return n, err
}

// Link is where the file of an upload can be read without a credential for some
// minutes, for whoever holds a ticket.
func (s *Service) Link(ctx context.Context, id, ticket string) (string, error) {
	p, err := s.redeem(id, ticket, reading)
	if err != nil {
		return "", err
	}
	body, f, err := s.Open(account.With(ctx, p), strings.ToLower(id))
	if err != nil {
		return "", err
	}
	_ = body.Close()
	return s.d.Blobs.SignedURL(ctx, f.Ref, blobs.Link{Filename: f.Name})
}

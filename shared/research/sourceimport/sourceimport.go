// Package sourceimport keeps the files that an Audience is grounded on. They are
// addressed by their content: the same bytes are one file with one address for
// ever, so that an import can be repeated whenever it broke off. Figures that
// were read from them by whoever imports come along as a snapshot, bound to the
// files and to nothing else.
package sourceimport

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
)

// The ceilings of section 23.
const (
	MaxFiles = 20
	MaxFile  = 5 << 20  // bytes of one file
	MaxTotal = 12 << 20 // bytes of all new files of a call

	maxName = 200 // characters
	maxURL  = 2000

	// maxHeld is how much the sources of one workspace may take.
	maxHeld = 2 << 30
)

// Policy is the rule that binds a snapshot to its files: what it says comes from
// them, and nobody verified it independently.
const Policy = "supplied_files_only"

// Deps is what a Service works with.
type Deps struct {
	Records records.Store
	Blobs   blobs.Store
	Clock   clock.Clock
	Uploads *upload.Service
}

// Service is what one can do with sources.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service { return &Service{d: d} }

// Request is one import. Existing files come before new ones in the order of
// sources that GroundingJSON counts by.
type Request struct {
	Files         []File
	Existing      []Existing
	GroundingJSON string
}

// File is a new source.
type File struct {
	Name    string // ends in .txt, .md, .csv or .json
	Content string // UTF-8
}

// Existing names a file of the caller that is stored already: an earlier import,
// or an upload, which is kept from now on.
type Existing struct{ Name, URL string }

// Imported is what stands now. The snapshot is there when figures were sent.
type Imported struct {
	Files           []Stored
	Policy          string
	Snapshot        string // canonical JSON
	SnapshotSHA256  string
	Distributions   int
	WithoutSnapshot bool
}

// Stored is one source, as Open takes it by its URL.
type Stored struct {
	Name     string
	URL      string
	Index    int // among the sources of the import
	SHA256   string
	Size     int64
	Replayed bool // the same content was there before
}

// row is a stored source; its key is its digest.
type row struct {
	Name      string    `json:"name"` // under which it came first
	Ref       blobs.Ref `json:"ref"`
	CreatedAt time.Time `json:"createdAt"`
}

// Keys of this package.
//
//	w#<ws>#<owner>#sources   <sha256>   one source
//	w#<ws>#sources           held       bytes that all sources of the workspace take (counter)
//
// The bytes are blobs under w/<ws>/sources.
func key(p account.Principal, digest string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(p.Workspace) + p.Account + "#sources", SK: digest}
}

func heldKey(workspace string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + "sources", SK: "held"}
}

// address is where a source of an account is named; it holds no name of the file,
// since the same bytes have one address.
func address(owner, digest string) string { return addressPrefix + owner + "/" + digest }

const addressPrefix = "/uploads/context/"

// digestOf reads an address of the caller's; ok is false for any other.
func digestOf(owner, url string) (digest string, ok bool) {
	digest, ok = strings.CutPrefix(url, addressPrefix+owner+"/")
	if raw, err := hex.DecodeString(digest); !ok || err != nil || len(raw) != sha256.Size || digest != strings.ToLower(digest) {
		return "", false
	}
	return digest, true
}

// Import stores new files, finds existing ones, and binds figures to them.
// Everything is checked before anything is stored. VALIDATION for bad text, bad
// figures and a file that is not there or another's; PAYLOAD_TOO_LARGE;
// STORAGE_UNAVAILABLE, after which the same import is repeated.
func (s *Service) Import(ctx context.Context, r Request) (Imported, error) {
	if err := check(r); err != nil {
		return Imported{}, err
	}
	figures, err := readFigures(r.GroundingJSON, len(r.Existing)+len(r.Files))
	if err != nil {
		return Imported{}, err
	}
	out := Imported{Policy: Policy, WithoutSnapshot: figures == nil}
	for i, f := range r.Existing {
		found, err := s.existing(ctx, i, f)
		if err != nil {
			return Imported{}, err
		}
		out.Files = append(out.Files, found)
	}
	for _, f := range r.Files {
		kept, err := s.keep(ctx, f.Name, strings.NewReader(f.Content), int64(len(f.Content)), mediaTypes[ending(f.Name)])
		if err != nil {
			return Imported{}, outage(err)
		}
		out.Files = append(out.Files, kept)
	}
	for i := range out.Files {
		out.Files[i].Index = i
	}
	if figures == nil {
		return out, nil
	}
	snapshot := figures.snapshot(out.Files)
	text, err := snapshot.Canonical()
	if err != nil {
		return Imported{}, err
	}
	out.Snapshot, out.SnapshotSHA256, out.Distributions = string(text), grounding.Checksum(text), len(snapshot.Distributions)
	return out, nil
}

// existing finds a file of the caller; an upload is taken over, since it goes
// after a day.
func (s *Service) existing(ctx context.Context, i int, f Existing) (Stored, error) {
	p := account.From(ctx)
	if digest, ok := digestOf(p.Account, f.URL); ok {
		it, err := s.d.Records.Get(ctx, key(p, digest))
		if err == nil {
			have, err := decode(it)
			return Stored{Name: f.Name, URL: f.URL, SHA256: digest, Size: have.Ref.Size, Replayed: true}, err
		}
		if !errors.Is(err, records.ErrNotFound) {
			return Stored{}, outage(err)
		}
		return Stored{}, notThere(i)
	}
	at, ok := s.d.Uploads.Path(f.URL)
	if !ok {
		return Stored{}, notThere(i)
	}
	in, up, err := s.d.Uploads.Open(ctx, at)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Validation) {
		return Stored{}, notThere(i)
	}
	if err != nil {
		return Stored{}, outage(err)
	}
	defer in.Close()
	if up.Ref.Size > MaxFile {
		return Stored{}, tooLarge(fmt.Sprintf("existingFiles[%d]", i), up.Ref.Size)
	}
	text, err := io.ReadAll(io.LimitReader(in, MaxFile+1))
	if err != nil {
		return Stored{}, outage(err)
	}
	if err := checkText(fmt.Sprintf("existingFiles[%d]", i), string(text)); err != nil {
		return Stored{}, err
	}
	kept, err := s.keep(ctx, f.Name, bytes.NewReader(text), int64(len(text)), mediaTypes[ending(f.Name)])
	return kept, outage(err)
}

// keep stores a file under its digest. The record and what it takes of the room
// are one write; a blob that a break leaves without one is found by the next try.
func (s *Service) keep(ctx context.Context, name string, in io.Reader, size int64, media string) (Stored, error) {
	p := account.From(ctx)
	ref, err := s.d.Blobs.Put(ctx, "w/"+p.Workspace+"/sources", media, in, size)
	if err != nil {
		return Stored{}, err
	}
	out := Stored{Name: name, URL: address(p.Account, ref.SHA256), SHA256: ref.SHA256, Size: ref.Size}
	body, err := json.Marshal(row{Name: name, Ref: ref, CreatedAt: s.d.Clock.Now()})
	if err != nil {
		return Stored{}, err
	}
	ceil := int64(maxHeld)
	err = s.d.Records.Transact(ctx, "",
		records.PutItem(records.Item{Key: key(p, ref.SHA256), Body: body}, records.NotExists()),
		records.AddTo(heldKey(p.Workspace), records.Delta{By: ref.Size, Ceil: &ceil}))
	var refused *records.CanceledError
	if errors.As(err, &refused) && refused.Failed(0) {
		out.Replayed = true
		return out, nil
	}
	if errors.As(err, &refused) && refused.Failed(1) {
		return Stored{}, fault.New(fault.PlanLimit, "The sources of this workspace take %d bytes at most, and this file would go beyond.", ceil).
			With("limitType", "sources").With("limit", ceil).With("currentPlan", string(p.Plan))
	}
	return out, err
}

// Ours tells whether an address is one that an import gives out, whoever's.
func Ours(url string) bool {
	rest, ok := strings.CutPrefix(url, addressPrefix)
	owner, digest, cut := strings.Cut(rest, "/")
	_, is := digestOf(owner, addressPrefix+owner+"/"+digest)
	return ok && cut && is
}

// Open reads a source of the caller by its address. NOT_FOUND for one that is not
// there or another's.
func (s *Service) Open(ctx context.Context, url string) (Stored, io.ReadCloser, error) {
	p := account.From(ctx)
	missing := fault.New(fault.NotFound, "No stored source with this address. Import the file with import_audience_sources and use the url that it gives.")
	digest, ok := digestOf(p.Account, url)
	if !ok {
		return Stored{}, nil, missing
	}
	it, err := s.d.Records.Get(ctx, key(p, digest))
	if errors.Is(err, records.ErrNotFound) {
		return Stored{}, nil, missing
	}
	if err != nil {
		return Stored{}, nil, err
	}
	have, err := decode(it)
	if err != nil {
		return Stored{}, nil, err
	}
	in, err := s.d.Blobs.Open(ctx, have.Ref, 0, -1)
	return Stored{Name: have.Name, URL: url, SHA256: digest, Size: have.Ref.Size, Replayed: true}, in, err
}

func decode(it records.Item) (row, error) {
	var r row
	err := json.Unmarshal(it.Body, &r)
	return r, err
}

// outage hides what a store says of itself; a refusal stays what it is.
func outage(err error) error {
	var f *fault.Error
	if err == nil || errors.As(err, &f) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fault.New(fault.StorageUnavailable, "The sources could not be stored now. Repeat the same import: what was stored already is kept and counted once.").Because(err)
}

package audience

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/webpage"
)

// reading is one thing to read for an operation, and what came of it.
type reading struct {
	Kind   string     `json:"kind"` // link | file | keyword: a page that a search found
	Name   string     `json:"name,omitempty"`
	URL    string     `json:"url"`
	Title  string     `json:"title,omitempty"`
	Digest string     `json:"digest,omitempty"` // SHA-256 of the bytes
	Text   *blobs.Ref `json:"text,omitempty"`   // []block
	Failed string     `json:"failed,omitempty"` // why it could not be read
	Done   bool       `json:"done,omitempty"`
}

// block is a piece of text with its place in its source.
type block struct {
	Text  string `json:"t"`
	Where string `json:"w,omitempty"`
}

// Bounds of what is read for an operation.
const (
	readSlice    = 40 * time.Second // of one task; the machine calls again
	readTime     = 30 * time.Second // of one source
	searchTime   = 15 * time.Second // of all keywords
	searchPages  = 6                // pages that are read of what a search finds
	maxText      = 1_000_000        // characters of one source that are looked at
	maxFileBytes = 50 << 20
)

// ReadMaterial reads what the operation was given: files, links, and pages that a
// search finds for its keywords. It works for some time; done is false when there
// is more: call again. A page that cannot be read is noted and left out; a file
// that cannot be read ends the operation, since its owner meant it to count.
func (s *Service) ReadMaterial(ctx context.Context, j CreationJob) (done bool, err error) {
	o, mine, err := s.running(ctx, j)
	if err != nil || !mine {
		return true, err
	}
	until := s.d.Clock.Now().Add(readSlice)
	if !o.Gathered {
		if err := s.gather(ctx, &o); err != nil {
			return false, moved(err)
		}
	}
	for i := range o.Readings {
		r := &o.Readings[i]
		if r.Done {
			continue
		}
		if s.d.Clock.Now().After(until) {
			return false, nil
		}
		err := s.readOne(ctx, o.Workspace, r)
		if refused := fault.From(err); err != nil && refused.Code != fault.Internal && !refused.Retryable() && ctx.Err() == nil {
			if r.Kind == SourceFile {
				return true, s.fail(ctx, o, fault.New(refused.Code, "The file %q cannot be read: %s", r.Name, refused.Message))
			}
			r.Failed, err = refused.Message, nil
		}
		if err != nil {
			return false, err
		}
		r.Done = true
		o.Progress = 5 + 35*(i+1)/len(o.Readings)
		if err := s.step(ctx, &o); err != nil {
			return false, moved(err)
		}
	}
	return true, nil
}

// moved turns a lost race into a repeated step: what is stored decides.
func moved(err error) error {
	if errors.Is(err, errMoved) {
		return nil
	}
	return err
}

// gather lists what is to be read.
func (s *Service) gather(ctx context.Context, o *operation) error {
	var in admitted
	if err := s.getJSON(ctx, o.Request, &in); err != nil {
		return err
	}
	r := in.Request
	o.Readings = nil
	for _, f := range r.Files {
		o.Readings = append(o.Readings, reading{Kind: SourceFile, Name: f.Name, URL: f.URL})
	}
	seen := map[string]bool{}
	for _, l := range r.Links {
		if l = strings.TrimSpace(l); !seen[l] {
			seen[l] = true
			o.Readings = append(o.Readings, reading{Kind: SourceLink, URL: l})
		}
	}
	switch {
	case len(r.Keywords) == 0:
	case !*r.IncludeWebSearch:
		o.Notes = append(o.Notes, "The keywords were not looked up: web search was left out, as asked.")
	case s.d.Search == nil:
		o.Notes = append(o.Notes, "The keywords were not looked up: no search provider is set up.")
	default:
		bounded, cancel := context.WithTimeout(ctx, searchTime)
		found, notes, err := s.d.Search(bounded, r.Keywords)
		cancel()
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			s.d.Log.WarnContext(ctx, "a search for a brief failed", "workspace", o.Workspace, "operation", o.ID, "error", err)
			notes = append(notes, "The keywords were not looked up: the search provider could not be reached in time.")
		}
		o.Notes = append(o.Notes, notes...)
		for _, f := range found {
			if len(o.Readings) < len(r.Files)+len(seen)+searchPages && !seen[f.Link] {
				o.Readings = append(o.Readings, reading{Kind: SourceKeyword, URL: f.Link, Title: f.Title})
			}
		}
	}
	o.Gathered, o.Status, o.Progress = true, OperationProcessing, 5
	return s.step(ctx, o)
}

// readOne reads one source into blocks of text.
func (s *Service) readOne(ctx context.Context, workspace string, r *reading) error {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	body, name, media, page, err := s.open(ctx, r)
	if err != nil {
		return readable(err)
	}
	defer body.Close()
	sum := sha256.New()
	in := bufio.NewReaderSize(io.TeeReader(io.LimitReader(body, maxFileBytes+1), sum), 32<<10)
	head, _ := in.Peek(4 << 10)
	o := extract.Options{Filename: name, MediaType: media, MaxText: maxText, Time: readTime}
	if page {
		o.Kind, o.PageURL = extract.HTML, r.URL
	} else if o.Kind, err = extract.KindOf(name, media, head); err != nil {
		if spreadsheet(name) { // its rows are read by the review of data sets
			r.Title = name
			_, err := io.Copy(io.Discard, in)
			r.Digest = hex.EncodeToString(sum.Sum(nil))
			return err
		}
		return readable(err)
	}
	var blocks []block
	info, err := s.d.Read(ctx, in, o, func(b extract.Block) error {
		blocks = append(blocks, block{b.Text, b.Where})
		return nil
	})
	if err != nil {
		var bad *extract.Problem
		if errors.As(err, &bad) && bad.Code == extract.CodeNoText {
			r.Failed = bad.Message
			return nil
		}
		return readable(err)
	}
	if _, err := io.Copy(io.Discard, in); err != nil { // the digest is of all of it
		return readable(err)
	}
	r.Digest = hex.EncodeToString(sum.Sum(nil))
	if r.Title == "" {
		r.Title = strings.TrimSpace(info.Title)
	}
	if r.Title == "" {
		r.Title = name
	}
	ref, err := s.putJSON(ctx, workspace, blocks)
	r.Text = &ref
	return err
}

func spreadsheet(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".xlsx") || strings.HasSuffix(name, ".xls") || strings.HasSuffix(name, ".xlsm")
}

// open gets the bytes of a source: an upload of the caller's, or what an address
// gives through the guard.
func (s *Service) open(ctx context.Context, r *reading) (body io.ReadCloser, name, media string, page bool, err error) {
	if r.Kind == SourceFile && s.d.Files != nil {
		if in, media, stored, err := s.d.Files.Open(ctx, r.URL); stored || err != nil {
			return in, r.Name, media, false, err
		}
	}
	if s.d.Pages == nil {
		return nil, "", "", false, fault.New(fault.Validation, "This gateway reads no addresses. Send the content itself as an upload.")
	}
	if r.Kind == SourceFile {
		got, err := s.d.Pages.File(ctx, r.URL)
		return got.Body, r.Name, got.MediaType, false, err
	}
	got, err := s.d.Pages.Page(ctx, r.URL, webpage.Validators{})
	if err != nil {
		return nil, "", "", false, err
	}
	page = got.MediaType == "text/html" || got.MediaType == "application/xhtml+xml"
	return got.Body, got.Filename, got.MediaType, page, nil
}

// readable turns what is the source's fault into a refusal in words.
func readable(err error) error {
	var no *webpage.Refused
	var bad *extract.Problem
	switch {
	case errors.As(err, &no):
		return fault.New(fault.Validation, "%s", no.Message).Because(err)
	case errors.As(err, &bad):
		return fault.New(fault.Validation, "%s", bad.Message).Because(err)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Validation, "Reading it took longer than %d seconds.", int(readTime.Seconds())).Because(err)
	}
	return err
}

// texts gives a reading's blocks.
func (s *Service) texts(ctx context.Context, r reading) ([]block, error) {
	if r.Text == nil {
		return nil, nil
	}
	var blocks []block
	if err := s.getJSON(ctx, *r.Text, &blocks); err != nil {
		return nil, fmt.Errorf("audience: what was read of %s: %w", r.Name, err)
	}
	return blocks, nil
}

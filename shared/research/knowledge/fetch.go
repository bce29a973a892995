package knowledge

import (
	"bufio"
	"context"
	"errors"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/webpage"
)

// kindPage is HTML of which only the main content is read.
const kindPage = "page"

// fetch has the source at hand in row.Raw; same says that the Mind knows it
// already, just as it is.
func (w *work) fetch(ctx context.Context) (same bool, err error) {
	r := w.row
	switch {
	case r.Raw != nil && (r.Origin == fromFile || r.Origin == "" || r.Fetched == w.jobID):
		return false, nil
	case r.again():
		return w.download(ctx)
	case r.Content != "":
		return true, nil
	}
	return false, unusable{"The file did not arrive whole. Send it again."}
}

// download gets the page or file, unless the server says that it is as it was.
func (w *work) download(ctx context.Context) (same bool, err error) {
	r := w.row
	if w.s.d.Pages == nil {
		return false, unusable{"This gateway reads no addresses. Send the content itself as a file."}
	}
	var got webpage.Fetched
	if r.Origin == fromLink {
		var since webpage.Validators
		if r.Content != "" && r.Next == "" {
			since = r.Validators
		}
		got, err = w.s.d.Pages.Page(ctx, r.Link, since)
	} else {
		got, err = w.s.d.Pages.File(ctx, r.Link)
	}
	if err != nil {
		return false, refusal(ctx, err)
	}
	defer got.Body.Close()
	if got.NotModified {
		return true, nil
	}
	in := bufio.NewReaderSize(got.Body, 32<<10)
	kind, media, err := kindOfFetched(in, r, got)
	if err != nil {
		return false, refusal(ctx, err)
	}
	ref, err := w.s.d.Blobs.Put(ctx, blobPrefix(r.Workspace, makeName(w.jobID, r.ID)), media, in, MaxFileBytes)
	if errors.Is(err, blobs.ErrTooLarge) {
		return false, unusable{"The source is larger than 50 MB. Send the part of it that matters as a file."}
	}
	if err != nil {
		return false, refusal(ctx, err)
	}
	r.Validators = got.Validators
	if contentOf(ref.SHA256, kind) == r.Content {
		w.row.Validators = got.Validators
		return true, w.s.d.Blobs.Delete(ctx, ref)
	}
	old := r.Raw
	r.Raw, r.Kind, r.Fetched, r.Size, r.UpdatedAt = &ref, kind, w.jobID, ref.Size, w.s.d.Clock.Now()
	count := r.room(ref.Size)
	if err := w.save(ctx, r, count...); err != nil {
		full := len(count) > 0 && refusedAt(err, 1)
		if errors.Is(err, errGone) || full {
			_ = w.s.d.Blobs.Delete(context.WithoutCancel(ctx), ref)
		}
		if full {
			return false, unusable{noRoom}
		}
		return false, err
	}
	if old != nil && *old != ref {
		return false, w.s.d.Blobs.Delete(ctx, *old)
	}
	return false, nil
}

// kindOfFetched decides what came: a page, or a file by its kind.
func kindOfFetched(in *bufio.Reader, r row, got webpage.Fetched) (kind, media string, err error) {
	if r.Origin == fromLink && (got.MediaType == "text/html" || got.MediaType == "application/xhtml+xml") {
		return kindPage, mediaTypeOf(extract.HTML), nil
	}
	name := got.Filename
	if r.Origin == fromRemote {
		name = r.Filename
	}
	k, err := sniff(in, name, got.MediaType)
	if err != nil {
		return "", "", err
	}
	return string(k), mediaTypeOf(k), nil
}

// refusal turns what is the source's fault into the reason of a failed item; all
// else stays an error, and the step is tried again.
func refusal(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	var no *webpage.Refused
	if errors.As(err, &no) {
		return unusable{sentence(no.Message)}
	}
	switch f := fault.From(err); f.Code {
	case fault.UnsafeURL, fault.Validation:
		return unusable{sentence(f.Message)}
	}
	return err
}

// readKind is the kind as package extract knows it.
func readKind(kind string) extract.Kind {
	if kind == kindPage {
		return extract.HTML
	}
	return extract.Kind(strings.ToLower(kind))
}

package restapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"syscall"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
)

// createUpload gives an address to send a file to, and the path that names it.
func createUpload(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Name      string `json:"name"`
		Folder    string `json:"folder"`
		Type      string `json:"type"`
		SizeBytes int64  `json:"sizeBytes"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	made, err := c.Uploads.Create(ctx, upload.Request{Name: in.Name, Folder: in.Folder, Type: in.Type, SizeBytes: in.SizeBytes})
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusCreated, body: data(made)}, nil
}

// uploads are the addresses that createUpload gives out where the store takes
// nothing from a sender itself. They ask for no credential: the ticket in them is
// one, for a single file.
func (a *API) uploads() {
	a.mux.HandleFunc("PUT "+uploadPattern, func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > upload.MaxBytes {
			a.refuse(w, r, fault.New(fault.PayloadTooLarge, "A file has at most %d bytes (%d MiB).", upload.MaxBytes, upload.MaxBytes>>20).With("limitBytes", upload.MaxBytes))
			return
		}
		in := &arriving{body: r.Body}
		err := a.config.Research.Uploads.Receive(r.Context(), r.PathValue("uploadId"), r.URL.Query().Get("ticket"), in)
		if err != nil {
			Refuse(w, r, a.config.Log, in.fault(err))
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	a.mux.HandleFunc("GET "+uploadPattern, func(w http.ResponseWriter, r *http.Request) {
		link, err := a.config.Research.Uploads.Link(r.Context(), r.PathValue("uploadId"), r.URL.Query().Get("ticket"))
		if err != nil {
			Refuse(w, r, a.config.Log, err)
			return
		}
		w.Header().Set("Cache-Control", "private, no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		http.Redirect(w, r, link, http.StatusFound)
	})
}

// arriving is a file on its way, of which it is known whether the sender or the
// store broke off.
type arriving struct {
	body   io.Reader
	some   bool
	failed error // of the sender
}

func (f *arriving) Read(p []byte) (int, error) {
	n, err := f.body.Read(p)
	f.some = f.some || n > 0
	switch {
	case err == nil:
	case errors.Is(err, io.EOF) && !f.some:
		return 0, fault.New(fault.Validation, "The body is empty; PUT the bytes of the file, as with curl -T report.pdf.").With("in", "body")
	case !errors.Is(err, io.EOF):
		f.failed = err
	}
	return n, err
}

// fault turns what Receive gave into the refusal for it.
func (f *arriving) fault(err error) error {
	var said *fault.Error
	switch {
	case errors.As(err, &said):
		return said
	case errors.Is(f.failed, os.ErrDeadlineExceeded), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return uploadFault(err)
	case f.failed != nil:
		return fault.New(fault.Validation, "The file ended early; PUT the whole of it again.").With("in", "body").Because(err)
	}
	return err
}

// describeUpload says what the contract leaves to us: who may send a file. What is
// sent is for the knowledge of Minds, so that whoever may give them some may.
func describeUpload(a *agreed) { a.Scope = "sparks:write" }

const uploadPattern = "/api/v1/uploads/{uploadId}"

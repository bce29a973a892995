package restapi

import (
	"context"
	"net/http"

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
		err := a.config.Research.Uploads.Receive(r.Context(), r.PathValue("uploadId"), r.URL.Query().Get("ticket"), r.Body)
		if err != nil {
			Refuse(w, r, a.config.Log, uploadFault(err))
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

const uploadPattern = "/api/v1/uploads/{uploadId}"

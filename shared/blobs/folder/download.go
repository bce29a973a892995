package folder

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Download serves signed links; mount it at DownloadPath. It asks for no
// credential: the link is one. A forged, expired or moved link and a blob that
// is gone are all the same 404.
func (s *Store) Download() http.Handler { return http.HandlerFunc(s.ServeDownload) }

// ServeDownload answers GET and HEAD of one link, ranges included.
func (s *Store) ServeDownload(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	// A link is a secret of whoever holds it, and what it gives is somebody's
	// upload: keep both out of caches, referrers and the page's own origin.
	h.Set("Cache-Control", "private, no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		refuse(w, fault.New(fault.MethodNotAllowed, "A download link answers GET and HEAD only."))
		return
	}
	_, token, _ := strings.Cut(r.URL.Path, DownloadPath)
	ref, name, err := s.admit(token)
	if err != nil {
		refuse(w, noSuchLink())
		return
	}
	f, _, err := s.open(r.Context(), ref)
	switch {
	case errors.Is(err, blobs.ErrNotFound):
		refuse(w, noSuchLink())
		return
	case err != nil:
		s.log.ErrorContext(r.Context(), "download failed", "error", err, "blob", ref.SHA256)
		refuse(w, fault.From(err))
		return
	}
	defer f.Close()
	mediaType := ref.MediaType
	if mediaType == "" {
		mediaType = blobs.DefaultMediaType
	}
	h.Set("Content-Type", mediaType)
	h.Set("Content-Disposition", blobs.Disposition(name))
	h.Set("ETag", `"`+ref.SHA256+`"`)
	http.ServeContent(w, r, "", time.Time{}, f)
}

func noSuchLink() *fault.Error {
	return fault.New(fault.NotFound, "This download link does not work (any more). Ask for the file again to get a new one.")
}

// refuse writes the REST error envelope (M-10). It leaves out the token, as
// error bodies end up in logs.
func refuse(w http.ResponseWriter, e *fault.Error) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(e.Status())
	_ = json.NewEncoder(w).Encode(map[string]any{
		"statusCode": e.Status(), "statusMessage": http.StatusText(e.Status()), "message": e.Message,
		"url": DownloadPath, "error": true, "data": map[string]any{"code": e.Code},
	})
}

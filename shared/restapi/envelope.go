package restapi

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/middleware"
)

// Envelope is the one form of every refusal over REST (M-10).
type Envelope struct {
	StatusCode    int            `json:"statusCode"`
	StatusMessage string         `json:"statusMessage"`
	Message       string         `json:"message"`
	URL           string         `json:"url"`
	Error         bool           `json:"error"`
	Data          map[string]any `json:"data,omitempty"`
}

// EnvelopeOf writes a refusal for one request. 401 says one text and carries
// no data, so that nobody learns why a credential was refused. The URL is the
// path alone: a query may hold a signature. A failure on our side names the
// request, so that a caller can quote what the log calls it.
func EnvelopeOf(r *http.Request, f *fault.Error) Envelope {
	status := f.Status()
	e := Envelope{StatusCode: status, StatusMessage: http.StatusText(status), Message: f.Message, URL: r.URL.Path, Error: true}
	if status == http.StatusUnauthorized {
		e.Message = "Unauthorized"
		return e
	}
	e.Data = make(map[string]any, len(f.Data)+1)
	for k, v := range f.Data {
		e.Data[k] = v
	}
	e.Data["code"] = string(f.Code)
	if id := middleware.RequestIDFrom(r.Context()); id != "" && status >= 500 {
		e.Data["requestId"] = id
	}
	if f.Code == fault.PlanLimited { // M-72: over REST this is a plan limit with a status
		e.Data["code"] = string(fault.PlanLimit)
		e.Data["status"] = string(fault.PlanLimited)
	}
	return e
}

// Refuse answers a request with a refusal, always in JSON. The cause of an
// unexpected failure goes to the log and nowhere else (M-11).
func Refuse(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	f := fault.From(err)
	if f.Status() >= 500 && log != nil {
		log.ErrorContext(r.Context(), "request failed", "method", r.Method, "path", r.Pattern, "code", string(f.Code), "error", err, "requestId", middleware.RequestIDFrom(r.Context()))
	}
	waitHeaders(w.Header(), f)
	writeJSON(w, f.Status(), EnvelopeOf(r, f))
}

// waitHeaders says when to come back where a refusal knows it. The account's
// own window has set its headers already; that of completions is named with
// X- (M-106).
func waitHeaders(h http.Header, f *fault.Error) {
	seconds, ok := f.Data["retryAfter"].(int)
	if !ok || h.Get("Retry-After") != "" {
		return
	}
	h.Set("Retry-After", strconv.Itoa(seconds))
	if limit, ok := f.Data["limit"].(int); ok && f.Code == fault.RateLimited {
		h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
		h.Set("X-RateLimit-Remaining", "0")
		h.Set("X-RateLimit-Reset", strconv.Itoa(seconds))
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		status = http.StatusInternalServerError
		body = []byte(`{"statusCode":500,"statusMessage":"Internal Server Error","message":"The answer could not be written.","url":"","error":true,"data":{"code":"INTERNAL_ERROR"}}`)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "private, no-store")
	}
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // the caller is gone if this fails
}

package restapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
)

// The log of a failure names its code in the open, and the caller gets the id
// under which the log has it; a refusal of the caller's doing needs none, so
// that two of them are the same byte for byte.
func TestFailuresCanBeFoundInTheLog(t *testing.T) {
	var log bytes.Buffer
	logger, err := telemetry.New(telemetry.Options{Writer: &log, Format: "json"})
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(err error) map[string]any {
		r := httptest.NewRequest(http.MethodGet, "/api/v1/minds", nil)
		r = r.WithContext(middleware.WithRequestID(r.Context(), "req-1"))
		w := httptest.NewRecorder()
		Refuse(w, r, logger, err)
		var e Envelope
		if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		return e.Data
	}
	if d := refuse(errors.New("index out of range")); d["requestId"] != "req-1" || d["code"] != "INTERNAL_ERROR" {
		t.Errorf("%v", d)
	}
	if text := log.String(); !strings.Contains(text, `"code":"INTERNAL_ERROR"`) || !strings.Contains(text, "req-1") || strings.Contains(text, "omitted") {
		t.Errorf("log: %s", text)
	}
	if d := refuse(fault.New(fault.NotFound, "No such Mind.")); d["requestId"] != nil {
		t.Errorf("%v", d)
	}
}

package restapi

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A call that would outlast the gateway in front of it is ended, as a tool's
// is, with a text that says what to do; an upload takes the time that it needs.
func TestCallsHaveABudget(t *testing.T) {
	all, err := parseContract(contractFile(t))
	if err != nil {
		t.Fatal(err)
	}
	a := &API{config: Config{Log: slog.New(slog.DiscardHandler)}, budget: 10 * time.Millisecond}
	for _, upload := range []bool{false, true} {
		bounded := false
		o := &operation{id: "health", path: "/healthz", agreed: all["health"], upload: upload,
			handle: func(ctx context.Context, _ *call) (reply, error) {
				if _, bounded = ctx.Deadline(); bounded {
					<-ctx.Done()
				}
				return reply{status: 204}, ctx.Err()
			}}
		w := httptest.NewRecorder()
		a.serve(o, w, httptest.NewRequest("GET", "/healthz", nil))
		switch {
		case upload && (bounded || w.Code != 204):
			t.Errorf("an upload is bounded: %d", w.Code)
		case !upload && (w.Code != 504 || !strings.Contains(w.Body.String(), "DEADLINE_EXCEEDED")):
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
}

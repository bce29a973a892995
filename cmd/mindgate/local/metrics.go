package local

import (
	"context"
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
)

// called writes the audit line of a call and counts it.
func (h *Host) called(m *telemetry.Metrics) func(context.Context, telemetry.Call) {
	return func(ctx context.Context, c telemetry.Call) {
		telemetry.Audit(telemetry.WithLogger(ctx, h.Log), c)
		if m != nil {
			m.Call(c)
		}
	}
}

// metricsFor shows the figures to who may see them; for others there is nothing
// here. Unless all may, that is this machine itself: neither a page in a browser
// nor who comes through a proxy.
func metricsFor(all bool, metrics, nothing http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		near := middleware.Loopback(r.RemoteAddr) && middleware.Loopback(r.Host) && r.Header.Get("Origin") == "" &&
			r.Header.Get("Forwarded") == "" && r.Header.Get("X-Forwarded-For") == "" && r.Header.Get("Via") == ""
		if all || near {
			metrics.ServeHTTP(w, r)
			return
		}
		nothing.ServeHTTP(w, r)
	})
}

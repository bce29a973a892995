package local

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestWhoSeesMetrics(t *testing.T) {
	figures, nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), http.NotFoundHandler()
	for what, c := range map[string]struct {
		all                        bool
		remote, host, name, header string
		status                     int
	}{
		"this machine":    {false, "127.0.0.1:5000", "127.0.0.1:8080", "", "", 200},
		"by its name":     {false, "[::1]:5000", "localhost:8080", "", "", 200},
		"another machine": {false, "192.0.2.1:5000", "127.0.0.1:8080", "", "", 404},
		"another name":    {false, "127.0.0.1:5000", "gate.example", "", "", 404},
		"a proxy":         {false, "127.0.0.1:5000", "localhost:8080", "X-Forwarded-For", "192.0.2.1", 404},
		"a page":          {false, "127.0.0.1:5000", "localhost:8080", "Origin", "https://page.example", 404},
		"all":             {true, "192.0.2.1:5000", "gate.example", "", "", 200},
	} {
		r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		r.RemoteAddr, r.Host = c.remote, c.host
		if c.name != "" {
			r.Header.Set(c.name, c.header)
		}
		w := httptest.NewRecorder()
		metricsFor(c.all, figures, nothing).ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s: %d", what, w.Code)
		}
	}
}

package stdio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A stream may last for hours as long as it goes on; one that says nothing any
// more ends, and the client is told why.
func TestStreamsLastWhileTheyGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			body, _ := io.ReadAll(r.Body)
			m := peek(body)
			for range 100 {
				time.Sleep(time.Minute) // of the bubble's clock
				_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
				_ = http.NewResponseController(w).Flush()
			}
			if m.Method == "silent" {
				<-r.Context().Done()
				return
			}
			_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", m.ID)
		})
		for method, want := range map[string]string{
			"talks":  `{"jsonrpc":"2.0","id":1,"result":{}}`,
			"silent": `{"error":{"code":-32603,"message":"The gateway's stream ended before its answer: nothing came for 2m0s"},"id":1,"jsonrpc":"2.0"}`,
		} {
			var got []string
			began := time.Now()
			Local(gate, "key").Handle(context.Background(), []byte(`{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`), func(b []byte) error {
				got = append(got, string(bytes.TrimSpace(b)))
				return nil
			})
			if len(got) != 101 || got[100] != want || time.Since(began) < 100*time.Minute {
				t.Errorf("%s: %d messages in %s, the last %s", method, len(got), time.Since(began), got[len(got)-1])
			}
		}
	})
}

// The client for gateways elsewhere limits silence and no exchange as a whole.
func TestNetworkLimits(t *testing.T) {
	c := Network()
	transport, ok := c.Transport.(*http.Transport)
	if !ok || c.Timeout != 0 || transport.ResponseHeaderTimeout != headerTime || transport.TLSHandshakeTimeout == 0 {
		t.Errorf("%+v", c)
	}
	if !strings.Contains(errIdle.Error(), "2m") {
		t.Error(errIdle)
	}
}

package middleware

import (
	"bytes"
	"net/http"
)

// Kept is an answer that waits in memory: what a handler writes before it is known
// how it leaves. It is for one goroutine at a time. The zero value is ready.
type Kept struct {
	Status int // 0: nothing was written
	Body   bytes.Buffer

	header http.Header
}

// Header is the header of the answer.
func (k *Kept) Header() http.Header {
	if k.header == nil {
		k.header = http.Header{}
	}
	return k.header
}

// WriteHeader keeps the first status.
func (k *Kept) WriteHeader(status int) {
	if k.Status == 0 {
		k.Status = status
	}
}

// Write keeps the body.
func (k *Kept) Write(b []byte) (int, error) {
	k.WriteHeader(http.StatusOK)
	return k.Body.Write(b)
}

// To sends what was kept as it is.
func (k *Kept) To(w http.ResponseWriter) {
	for name, values := range k.Header() {
		w.Header()[name] = values
	}
	if k.Status != 0 {
		w.WriteHeader(k.Status)
	}
	_, _ = w.Write(k.Body.Bytes())
}

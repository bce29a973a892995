package gateway

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"testing"
)

// At is a gateway that runs already, somewhere else.
func At(url, key string) *Server { return &Server{URL: url, Key: key} }

// Form is a form with one file in it, and its content type.
func Form(t testing.TB, name string, content []byte) (io.Reader, string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return &b, w.FormDataContentType()
}

// Put sends content to an address that needs no credential, and tells the status.
func Put(t testing.TB, url string, content []byte) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := noRedirect.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body) // only the status counts
	return resp.StatusCode
}

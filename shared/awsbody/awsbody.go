// Package awsbody keeps clients of AWS from losing an answer and sending a
// request twice.
package awsbody

import (
	"bytes"
	"fmt"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
)

// Whole is the largest body, in bytes, that is sent from a copy. It is above
// all that the clients here send but streamed uploads, which are left alone:
// their answer begins after the last byte was read.
const Whole = 16 << 20

// Config gives clients made from cfg request bodies of their own: the SDK closes
// its body as soon as an answer begins, and when that overtakes the transport,
// which may still be finishing the request, the connection breaks off, the
// answer is lost and the request is sent again, though it was carried out.
// Against a near and quick server on a busy machine that happens once in some
// hundred requests.
func Config(cfg aws.Config) aws.Config {
	cfg.HTTPClient = Client(cfg.HTTPClient)
	return cfg
}

// Client is Config for one HTTP client; nil stands for the SDK's own.
func Client(next aws.HTTPClient) aws.HTTPClient {
	switch c := next.(type) {
	case nil:
		next = awshttp.NewBuildableClient()
	case client:
		return c
	}
	return client{next}
}

type client struct{ next aws.HTTPClient }

// Do sends the request.
func (c client) Do(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength > Whole {
		return c.next.Do(r)
	}
	// A length that is not known is found out within the bound.
	all, err := io.ReadAll(io.LimitReader(r.Body, Whole+1))
	if err != nil {
		return nil, fmt.Errorf("awsbody: request body: %w", err)
	}
	own := r.Clone(r.Context())
	if len(all) > Whole {
		own.Body = rest{io.MultiReader(bytes.NewReader(all), r.Body), r.Body}
		return c.next.Do(own)
	}
	own.Body = io.NopCloser(bytes.NewReader(all))
	own.ContentLength = int64(len(all))
	own.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(all)), nil }
	return c.next.Do(own)
}

// rest is a body whose beginning was read already.
type rest struct {
	io.Reader
	io.Closer
}

package dynamo

import (
	"bytes"
	"fmt"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// NewClient makes the SDK's client for New. It sends each request from a body of
// its own: the SDK closes its body as soon as an answer begins, and when that
// overtakes the transport, which may still be finishing the request, the
// connection breaks off, the answer is lost and the request is sent again,
// though it was carried out. Against a near and quick server on a busy machine
// that happens once in some hundred requests.
func NewClient(cfg aws.Config, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.NewFromConfig(cfg, append(options, func(o *dynamodb.Options) {
		o.HTTPClient = ownBody{o.HTTPClient}
	})...)
}

type ownBody struct{ next dynamodb.HTTPClient }

func (c ownBody) Do(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return c.next.Do(r)
	}
	all, err := io.ReadAll(r.Body) // at most some MB: DynamoDB takes no more
	if err != nil {
		return nil, fmt.Errorf("dynamo: request body: %w", err)
	}
	own := r.Clone(r.Context())
	own.Body = io.NopCloser(bytes.NewReader(all))
	own.ContentLength = int64(len(all))
	own.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(all)), nil }
	return c.next.Do(own)
}

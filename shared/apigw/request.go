package apigw

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// parts are an event's, in the form that both versions share.
type parts struct {
	method, host, path, query string
	header                    http.Header
	body                      string
	base64                    bool
}

func (x *exchange) readV2(ctx context.Context, raw []byte, basePath string) error {
	var e events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(raw, &e); err != nil {
		return fmt.Errorf("apigw: event v2: %w", err)
	}
	c := e.RequestContext
	p := parts{method: c.HTTP.Method, host: c.DomainName, path: e.RawPath, query: e.RawQueryString, header: http.Header{}, body: e.Body, base64: e.IsBase64Encoded}
	if p.path == "" {
		p.path = c.HTTP.Path
	}
	if c.Stage != "" && c.Stage != "$default" {
		p.path = cutPrefix(p.path, c.Stage)
	}
	if p.query == "" && len(e.QueryStringParameters) > 0 {
		q := url.Values{}
		for k, v := range e.QueryStringParameters {
			q.Set(k, v)
		}
		p.query = q.Encode()
	}
	for k, v := range e.Headers {
		p.header.Set(k, v)
	}
	if len(e.Cookies) > 0 {
		p.header.Set("Cookie", strings.Join(e.Cookies, "; "))
	}
	x.info = Info{SourceIP: c.HTTP.SourceIP, Stage: c.Stage, RequestID: c.RequestID}
	if a := c.Authorizer; a != nil {
		x.info.Claims = map[string]any{}
		if a.JWT != nil {
			for k, v := range a.JWT.Claims {
				x.info.Claims[k] = v
			}
		}
		for k, v := range a.Lambda {
			x.info.Claims[k] = v
		}
	}
	return x.build(ctx, p, basePath)
}

func (x *exchange) readV1(ctx context.Context, raw []byte, basePath string) error {
	var e events.APIGatewayProxyRequest
	if err := json.Unmarshal(raw, &e); err != nil {
		return fmt.Errorf("apigw: event v1: %w", err)
	}
	c := e.RequestContext
	p := parts{method: e.HTTPMethod, host: c.DomainName, path: e.Path, header: http.Header{}, body: e.Body, base64: e.IsBase64Encoded}
	if c.Stage != "" && c.Stage != "$default" && c.Path == e.Path {
		// A v1 event of an HTTP API keeps the stage in both paths; a REST API
		// only in the context's.
		p.path = cutPrefix(p.path, c.Stage)
	}
	q := url.Values{}
	for k, v := range e.MultiValueQueryStringParameters {
		q[k] = v
	}
	for k, v := range e.QueryStringParameters {
		if len(q[k]) == 0 {
			q.Set(k, v)
		}
	}
	p.query = q.Encode()
	for k, v := range e.MultiValueHeaders {
		p.header[http.CanonicalHeaderKey(k)] = v
	}
	for k, v := range e.Headers {
		if len(p.header.Values(k)) == 0 {
			p.header.Set(k, v)
		}
	}
	x.info = Info{SourceIP: c.Identity.SourceIP, Stage: c.Stage, RequestID: c.RequestID, Claims: claims(c.Authorizer)}
	return x.build(ctx, p, basePath)
}

// claims of a REST API's authorizer: a token authorizer nests them.
func claims(authorizer map[string]any) map[string]any {
	if inner, ok := authorizer["claims"].(map[string]any); ok {
		return inner
	}
	return authorizer
}

func (x *exchange) build(ctx context.Context, p parts, basePath string) error {
	if p.method == "" {
		return errNoMethod
	}
	path := cutPrefix(p.path, basePath)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	// A gateway hands on some paths decoded, and a decoded path need not be a
	// URL: then it is taken as it is.
	u := &url.URL{Scheme: "https", Path: path, RawQuery: p.query}
	if decoded, err := url.PathUnescape(path); err == nil && decoded != path {
		u.Path, u.RawPath = decoded, path
	}
	host := p.header.Get("Host")
	if host == "" {
		host = p.host
	}
	u.Host = host
	// What belongs to the hop before is not the request's.
	for _, hop := range []string{"Host", "Connection", "Transfer-Encoding", "Content-Length", "Te", "Trailer", "Upgrade"} {
		p.header.Del(hop)
	}
	if x.info.RequestID != "" && p.header.Get("X-Request-Id") == "" {
		p.header.Set("X-Request-Id", x.info.RequestID)
	}
	body := []byte(p.body)
	var reader io.Reader
	if p.base64 {
		decoded, err := base64.StdEncoding.DecodeString(p.body)
		if err != nil {
			reader, body = brokenBody{}, nil
		} else {
			body = decoded
		}
	}
	length := int64(len(body))
	switch {
	case reader != nil:
		length = -1
	case length == 0:
		reader = http.NoBody
	default:
		reader = bytes.NewReader(body)
	}
	remote := ""
	if x.info.SourceIP != "" {
		remote = net.JoinHostPort(x.info.SourceIP, "0")
	}
	r := (&http.Request{
		Method: strings.ToUpper(p.method), URL: u, Host: host, Header: p.header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(reader), ContentLength: length, RemoteAddr: remote,
	}).WithContext(ctx)
	u2 := *u
	u2.Scheme, u2.Host = "", ""
	r.URL = &u2
	r.RequestURI = u2.RequestURI()
	x.request = r
	return nil
}

// brokenBody is a body that did not arrive whole; the handler refuses it in its
// own form.
type brokenBody struct{}

func (brokenBody) Read([]byte) (int, error) { return 0, errors.New("apigw: body is not base64") }

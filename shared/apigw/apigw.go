// Package apigw runs an http.Handler behind an API gateway: it reads the
// gateway's event (payload v2 of an HTTP API or a function URL, v1 of a REST
// API), serves it as net/http would and gives back the gateway's answer.
//
// aws-lambda-go-api-proxy carries the exchange. What it would get wrong is put
// right around it, each with a test: it splits every header at commas, fails
// when a handler writes nothing, lets a second status replace the first, takes
// a path that is no URL for an error, keeps cookies apart, and knows no v1.
package apigw

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// Options change how events are read.
type Options struct {
	// BasePath is cut from each path, for a custom domain with a mapping.
	BasePath string
	// Oversize answers instead of a handler whose answer does not fit into a
	// function's payload; nil is a plain 500 in JSON.
	Oversize http.Handler
}

// maxAnswer is the largest answer event, in bytes of JSON, with room to spare
// under the 6 MiB (6,291,456) that a function may return.
const maxAnswer = 6_280_000

// Info is what the gateway knows of a request.
type Info struct {
	SourceIP  string
	Stage     string
	RequestID string
	Claims    map[string]any // of the gateway's authorizer
}

type infoKey struct{}

// From reads what the gateway said, in a handler.
func From(ctx context.Context) (Info, bool) {
	i, ok := ctx.Value(infoKey{}).(Info)
	return i, ok
}

// Handler makes the function's handler, for lambda.Start.
func Handler(h http.Handler, o Options) func(context.Context, json.RawMessage) (any, error) {
	a := &adapter{h: h, o: o}
	a.proxy = httpadapter.NewV2(http.HandlerFunc(a.serve))
	return a.invoke
}

type adapter struct {
	h     http.Handler
	o     Options
	proxy *httpadapter.HandlerAdapterV2
}

// exchange is one event on its way through the library.
type exchange struct {
	request *http.Request
	info    Info
	header  http.Header // of the answer, before the library folds it
}

type exchangeKey struct{}

func (a *adapter) invoke(ctx context.Context, raw json.RawMessage) (any, error) {
	var sniff struct {
		Version    string `json:"version"`
		HTTPMethod string `json:"httpMethod"`
	}
	if err := json.Unmarshal(raw, &sniff); err != nil {
		return nil, fmt.Errorf("apigw: event: %w", err)
	}
	v1 := sniff.HTTPMethod != "" && sniff.Version != "2.0"
	x := &exchange{}
	var err error
	if v1 {
		err = x.readV1(ctx, raw, a.o.BasePath)
	} else {
		err = x.readV2(ctx, raw, a.o.BasePath)
	}
	if err != nil {
		return nil, err
	}
	answer, err := a.through(ctx, x)
	if err != nil {
		return nil, err
	}
	if tooLarge(answer) {
		over := a.o.Oversize
		if over == nil {
			over = http.HandlerFunc(oversize)
		}
		b := &adapter{h: over, o: a.o}
		b.proxy = httpadapter.NewV2(http.HandlerFunc(b.serve))
		if answer, err = b.through(ctx, x); err != nil {
			return nil, err
		}
	}
	if v1 {
		return events.APIGatewayProxyResponse{
			StatusCode: answer.StatusCode, MultiValueHeaders: x.header,
			Body: answer.Body, IsBase64Encoded: answer.IsBase64Encoded,
		}, nil
	}
	return answer, nil
}

// through sends the exchange through the library with an event that it cannot
// misread; serve takes the real request from the context.
func (a *adapter) through(ctx context.Context, x *exchange) (events.APIGatewayV2HTTPResponse, error) {
	return a.proxy.ProxyWithContext(context.WithValue(ctx, exchangeKey{}, x), events.APIGatewayV2HTTPRequest{
		RawPath: "/",
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			DomainName: "gateway.invalid",
			HTTP:       events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: http.MethodPost, SourceIP: x.info.SourceIP},
		},
	})
}

func (a *adapter) serve(w http.ResponseWriter, carrier *http.Request) {
	x, ok := carrier.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		http.Error(w, "no event", http.StatusInternalServerError)
		return
	}
	own := &writer{out: w, head: x.request.Method == http.MethodHead, header: http.Header{}}
	r := x.request.WithContext(context.WithValue(carrier.Context(), infoKey{}, x.info))
	a.h.ServeHTTP(own, r)
	own.finish()
	x.header = own.header
}

func tooLarge(a events.APIGatewayV2HTTPResponse) bool {
	if len(a.Body) < maxAnswer/6 {
		return false // even if every byte became \u00xx
	}
	raw, err := json.Marshal(a)
	return err != nil || len(raw) > maxAnswer
}

func oversize(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusInternalServerError)
	_, _ = w.Write([]byte(`{"statusCode":500,"statusMessage":"Internal Server Error","message":"The answer is too large for the gateway. Ask for less in one call.","error":true,"data":{"code":"PAYLOAD_TOO_LARGE"}}`))
}

var errNoMethod = errors.New("apigw: the event is no HTTP request of a gateway")

// writer has net/http's manners: the first status holds, silence is 200, a body
// gets a type, HEAD and bodiless statuses get no body.
type writer struct {
	out    http.ResponseWriter
	header http.Header
	status int
	head   bool
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if w.status != 0 || status < 200 {
		return
	}
	w.status = status
	to := w.out.Header()
	for k, v := range w.header {
		to[k] = v
	}
	w.out.WriteHeader(status)
}

func (w *writer) Write(b []byte) (int, error) {
	if w.status == 0 {
		if len(w.header["Content-Type"]) == 0 && w.header.Get("Content-Encoding") == "" && len(b) > 0 {
			w.header.Set("Content-Type", http.DetectContentType(b))
		}
		w.WriteHeader(http.StatusOK)
	}
	if w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		return 0, http.ErrBodyNotAllowed
	}
	if w.head {
		return len(b), nil
	}
	if w.out.Header().Get("Content-Type") == "" {
		w.out.Header().Set("Content-Type", http.DetectContentType(b))
	}
	return w.out.Write(b)
}

// Flush does nothing: an answer leaves whole.
func (w *writer) Flush() {}

func (w *writer) finish() {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	w.header = w.out.Header().Clone()
	delete(w.header, "Date")
}

func cutPrefix(path, prefix string) string {
	prefix = "/" + strings.Trim(prefix, "/")
	if prefix == "/" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == "" || rest[0] == '/') {
		if rest == "" {
			return "/"
		}
		return rest
	}
	return path
}

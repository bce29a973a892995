// Command shim is the HTTP API before a function: it turns each request into
// the event that the gateway would send, posts it to the runtime interface
// emulator and turns the answer back. One request at a time, which is what a
// function's environment serves.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

func main() {
	emulator := flag.String("emulator", "", "address of the emulator, http://127.0.0.1:PORT")
	form := flag.String("event", "2.0", "payload format: 1.0 or 2.0")
	flag.Parse()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		fmt.Println("http://" + l.Addr().String())
		s := &shim{url: strings.TrimRight(*emulator, "/") + "/2015-03-31/functions/function/invocations", v1: *form == "1.0"}
		err = http.Serve(l, s)
	}
	fmt.Fprintln(os.Stderr, "shim:", err)
	os.Exit(1)
}

type shim struct {
	mu     sync.Mutex
	client http.Client
	url    string
	v1     bool
	count  int
}

func (s *shim) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	r.Header.Set("Host", r.Host)
	event, err := json.Marshal(s.event(r, body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	resp, err := s.client.Post(s.url, "application/json", bytes.NewReader(event))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	answer(w, raw)
}

// event is the request as API Gateway describes it.
func (s *shim) event(r *http.Request, raw []byte) any {
	body, coded := string(raw), false
	if !utf8.Valid(raw) {
		body, coded = base64.StdEncoding.EncodeToString(raw), true
	}
	id := "conformance-request-" + strconv.Itoa(s.count)
	if s.v1 {
		return events.APIGatewayProxyRequest{
			HTTPMethod: r.Method, Path: r.URL.Path, MultiValueQueryStringParameters: r.URL.Query(), MultiValueHeaders: r.Header, Body: body, IsBase64Encoded: coded,
			RequestContext: events.APIGatewayProxyRequestContext{Stage: "$default", Path: r.URL.Path, RequestID: id},
		}
	}
	headers := map[string]string{}
	for k, v := range r.Header {
		headers[strings.ToLower(k)] = strings.Join(v, ",")
	}
	return events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "$default", RawPath: r.URL.EscapedPath(), RawQueryString: r.URL.RawQuery, Headers: headers, Body: body, IsBase64Encoded: coded,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			Stage: "$default", RequestID: id, DomainName: r.Host, TimeEpoch: time.Now().UnixMilli(),
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: r.Method, Path: r.URL.Path, SourceIP: "127.0.0.1", Protocol: "HTTP/1.1"},
		},
	}
}

// answer turns the function's answer, of either format, into HTTP.
func answer(w http.ResponseWriter, raw []byte) {
	var out struct {
		StatusCode        int
		Headers           map[string]string
		MultiValueHeaders map[string][]string
		Body              string
		IsBase64Encoded   bool
		ErrorMessage      string
	}
	if err := json.Unmarshal(raw, &out); err != nil || out.StatusCode == 0 {
		http.Error(w, "the function gave no answer: "+string(raw), http.StatusBadGateway)
		return
	}
	for k, v := range out.Headers {
		w.Header().Set(k, v)
	}
	for k, list := range out.MultiValueHeaders {
		w.Header()[http.CanonicalHeaderKey(k)] = list
	}
	body := []byte(out.Body)
	if out.IsBase64Encoded {
		decoded, err := base64.StdEncoding.DecodeString(out.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		body = decoded
	}
	w.WriteHeader(out.StatusCode)
	if len(body) > 0 { // an empty write would be given a content type
		_, _ = w.Write(body)
	}
}

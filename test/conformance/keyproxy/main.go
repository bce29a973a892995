// Command keyproxy stands before a gateway and adds the key that a client
// cannot send: the official conformance suite sends no credential, and the
// gateway must never be open for its sake. Everything else, Host and Origin
// included, passes as it came; answers stream.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
)

func main() {
	target := flag.String("target", "", "address of the gateway, http://127.0.0.1:PORT")
	flag.Parse()
	if err := serve(*target, os.Getenv("MINDGATE_API_KEY")); err != nil {
		fmt.Fprintln(os.Stderr, "keyproxy:", err)
		os.Exit(1)
	}
}

// serve prints its own address on the first line and then answers until it is
// killed.
func serve(target, key string) error {
	to, err := url.Parse(target)
	if err != nil {
		return err
	}
	if host := to.Hostname(); host != "127.0.0.1" || key == "" {
		return fmt.Errorf("it adds the key in MINDGATE_API_KEY for a gateway on 127.0.0.1 only")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + l.Addr().String())
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host
			// Its own port stands for the gateway's.
			if strings.EqualFold(r.In.Host, l.Addr().String()) {
				r.Out.Host = to.Host
			}
			r.Out.Header.Set("Authorization", "Bearer "+key)
		},
	}
	server := &http.Server{Handler: proxy}
	// A connection each, on both sides: the suite breaks streams off, and the end
	// of one request must not reach the next on the same connection.
	server.SetKeepAlivesEnabled(false)
	return server.Serve(l)
}

// Command hostproxy makes a deployed HTTP API on a local double of AWS
// reachable at a plain address: the double tells APIs apart by their Host
// header, which ordinary clients cannot set.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
)

func main() {
	api := flag.String("api", "", "id of the HTTP API")
	listen := flag.String("listen", "127.0.0.1:0", "address to listen on")
	target := flag.String("target", "", "host and port of the double")
	flag.Parse()
	to := &url.URL{Scheme: "http", Host: *target}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = *api + ".execute-api.localhost:" + to.Port()
	}}
	if err := http.ListenAndServe(*listen, proxy); err != nil {
		fmt.Fprintln(os.Stderr, "hostproxy:", err)
		os.Exit(1)
	}
}

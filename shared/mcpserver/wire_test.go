package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mindgate-dev/mindgate/shared/tool/tooltest"
)

// Wire transcripts: what a client sends and what it gets, as HTTP. A request
// section is a request line, headers, a blank line and the body; Content-Type
// and the owner's credential are added unless given. A response section is a
// status, the headers that matter, a blank line and the body, matched as
// tooltest.Match says.
func TestWire(t *testing.T) {
	wire(t, "testdata/*.txtar", func(t *testing.T) http.Handler { return fixture(t, nil) })
}

func wire(t *testing.T, pattern string, fresh func(*testing.T) http.Handler) {
	t.Helper()
	transcripts(t, pattern, func(t *testing.T) (http.Handler, func(string) string) {
		return fresh(t), func(s string) string { return s }
	})
}

// The same behind an issuer; "Bearer $flows:read,sparks:read" stands for a token
// of these scopes, "none" for no credential, $issuer for the issuer's address.
func TestWireIssuer(t *testing.T) {
	transcripts(t, "testdata/issuer/*.txtar", func(t *testing.T) (http.Handler, func(string) string) {
		h, issuer := withIssuer(t, "")
		return h, func(s string) string {
			s = strings.ReplaceAll(s, "$issuer", issuer.URL)
			s = strings.ReplaceAll(s, "Authorization: none\n", "Authorization:\n")
			return regexp.MustCompile(`Bearer \$[a-z:,]+`).ReplaceAllStringFunc(s, func(m string) string {
				return "Bearer " + issuer.Token("ec", "person-1", strings.ReplaceAll(m[len("Bearer $"):], ",", " "), nil)
			})
		}
	})
}

func transcripts(t *testing.T, pattern string, host func(*testing.T) (http.Handler, func(string) string)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			h, fill := host(t)
			var w *httptest.ResponseRecorder
			vars := tooltest.Vars{}
			for i, section := range txtar.Parse(raw).Files {
				data := []byte(fill(string(section.Data)))
				switch section.Name {
				case "request":
					r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(wireRequest(data))))
					if err != nil {
						t.Fatalf("section %d: %v", i+1, err)
					}
					switch given, sent := r.Header["Authorization"]; {
					case !sent:
						r.Header.Set("Authorization", "Bearer owner")
					case given[0] == "":
						r.Header.Del("Authorization")
					}
					if r.Header.Get("Content-Type") == "" {
						r.Header.Set("Content-Type", "application/json")
					}
					w = httptest.NewRecorder()
					h.ServeHTTP(w, r)
				case "response":
					wireResponse(t, i+1, data, w, vars)
				default:
					t.Fatalf("section %d: %q", i+1, section.Name)
				}
			}
		})
	}
}

func wireRequest(data []byte) []byte {
	head, body, _ := strings.Cut(string(data), "\n\n")
	line, headers, _ := strings.Cut(head, "\n")
	body = strings.TrimSpace(body)
	out := line + " HTTP/1.1\r\nHost: gate.example\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n"
	for h := range strings.SplitSeq(headers, "\n") {
		if h != "" {
			out += h + "\r\n"
		}
	}
	return []byte(out + "\r\n" + body)
}

func wireResponse(t *testing.T, section int, data []byte, w *httptest.ResponseRecorder, vars tooltest.Vars) {
	t.Helper()
	head, body, _ := strings.Cut(string(data), "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	if status := strconv.Itoa(w.Code); status != lines[0] {
		t.Fatalf("section %d: status %s, want %s: %s", section, status, lines[0], w.Body)
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		if got := w.Header().Get(name); got != value {
			t.Errorf("section %d: %s: %q, want %q", section, name, got, value)
		}
	}
	if strings.TrimSpace(body) == "" {
		if w.Body.Len() > 0 {
			t.Errorf("section %d: want no body, got %s", section, w.Body)
		}
		return
	}
	var want, got any
	for raw, into := range map[io.Reader]*any{strings.NewReader(body): &want, bytes.NewReader(w.Body.Bytes()): &got} {
		d := json.NewDecoder(raw)
		d.UseNumber()
		if err := d.Decode(into); err != nil {
			t.Fatalf("section %d: %v", section, err)
		}
	}
	if diff := tooltest.Match(want, got, vars); diff != "" {
		t.Errorf("section %d: %s\ngot %s", section, diff, w.Body)
	}
}

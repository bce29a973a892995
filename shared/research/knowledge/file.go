package knowledge

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// sniffBytes is how much of a file decides what it is.
const sniffBytes = 4 << 10

// sniff decides what a file is by its name and its beginning, and refuses what
// cannot be known.
func sniff(in *bufio.Reader, name, mediaType string) (extract.Kind, error) {
	head, err := in.Peek(sniffBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	if len(head) == 0 {
		return "", fault.New(fault.Validation, "file %q is empty. %s", name, accepted).With("field", "file")
	}
	kind, err := extract.KindOf(name, mediaType, head)
	var bad *extract.Problem
	if errors.As(err, &bad) {
		return "", fault.New(fault.Validation, "file %q cannot be taken as knowledge: %s %s", name, sentence(bad.Message), accepted).With("field", "file").With("reason", bad.Code)
	}
	return kind, err
}

func checkDescription(s string) (string, error) {
	s = strings.TrimSpace(s)
	if n := utf8.RuneCountInString(s); n > maxDescription {
		return "", fault.New(fault.Validation, "description has %d characters; at most %d are taken.", n, maxDescription).With("field", "description").With("path", "/description")
	}
	if !utf8.ValidString(s) {
		return "", fault.New(fault.Validation, "description is not valid UTF-8.").With("field", "description").With("path", "/description")
	}
	return s, nil
}

// baseName is the last path part of what a client calls its file.
func baseName(filename string) string {
	name := strings.TrimSpace(path.Base(strings.ReplaceAll(strings.ToValidUTF8(filename, ""), `\`, "/")))
	if name == "." || name == "/" {
		return ""
	}
	return clip(name, 200)
}

func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit {
			return s[:i]
		}
		n++
	}
	return s
}

// addressName names a page by host and path (M-272).
func addressName(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" {
		return link
	}
	at := strings.TrimRight(u.Path, "/")
	return strings.TrimPrefix(u.Hostname(), "www.") + at
}

// sameAddress writes one address one way: scheme and host in lower case, no
// fragment, no port that goes without saying.
func sameAddress(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" {
		return link
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if p := u.Port(); u.Scheme == "https" && p == "443" || u.Scheme == "http" && p == "80" {
		u.Host = strings.TrimSuffix(u.Host, ":"+p)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}

func mediaTypeOf(k extract.Kind) string {
	if t := mediaTypes[k]; t != "" {
		return t
	}
	return "application/octet-stream"
}

var mediaTypes = map[extract.Kind]string{
	extract.Text: "text/plain; charset=utf-8", extract.MD: "text/markdown; charset=utf-8",
	extract.CSV: "text/csv; charset=utf-8", extract.JSON: "application/json", extract.XML: "application/xml",
	extract.HTML: "text/plain; charset=utf-8", // somebody's page is never shown as one of ours
	extract.RTF:  "application/rtf", extract.PDF: "application/pdf", extract.DOC: "application/msword",
	extract.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	extract.PPTX: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}

// sentence makes a text one that can stand alone.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return s
	}
	r, size := utf8.DecodeRuneInString(s)
	s = strings.ToUpper(string(r)) + s[size:]
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "!") && !strings.HasSuffix(s, "?") {
		s += "."
	}
	return s
}

func plural(n int, one, many string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, one)
	}
	return fmt.Sprintf("%d %s", n, many)
}

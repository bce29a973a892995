package knowledge

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Kinds of files that can be processed.
const (
	kindText     = "txt"
	kindMarkdown = "md"
	kindCSV      = "csv"
	kindJSON     = "json"
)

var mediaTypes = map[string]string{
	kindText: "text/plain; charset=utf-8", kindMarkdown: "text/markdown; charset=utf-8",
	kindCSV: "text/csv; charset=utf-8", kindJSON: "application/json",
}

const accepted = "Files of these kinds are taken: txt, md, csv and json, in UTF-8, at most 50 MB."

// sniffBytes is how much of a file decides whether it is what its name says.
const sniffBytes = 512

// kindOf decides what a file is by its name and its first bytes.
func kindOf(filename string, head []byte) (string, error) {
	kind := strings.ToLower(strings.TrimPrefix(path.Ext(filename), "."))
	if kind == "markdown" {
		kind = kindMarkdown
	}
	if mediaTypes[kind] == "" {
		return "", fault.New(fault.Validation, "file %q cannot be taken as knowledge. %s", baseName(filename), accepted).With("field", "file")
	}
	if len(head) == 0 {
		return "", fault.New(fault.Validation, "file %q is empty. %s", baseName(filename), accepted).With("field", "file")
	}
	if !textual(head) {
		return "", fault.New(fault.Validation, "file %q does not hold UTF-8 text, whatever its name says. %s", baseName(filename), accepted).With("field", "file")
	}
	if kind == kindJSON && !startsJSON(head) {
		return "", fault.New(fault.Validation, "file %q does not hold JSON. %s", baseName(filename), accepted).With("field", "file")
	}
	return kind, nil
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// binaryStarts are beginnings of files that could pass for text.
var binaryStarts = []string{"%PDF-", "{\\rtf", "PK\x03\x04"}

func textual(head []byte) bool {
	for _, s := range binaryStarts {
		if bytes.HasPrefix(head, []byte(s)) {
			return false
		}
	}
	if bytes.ContainsFunc(head, func(r rune) bool {
		return r < ' ' && !slices.Contains([]rune{'\t', '\n', '\r', '\f'}, r)
	}) {
		return false
	}
	// The last character may be cut in two.
	for cut := 0; cut < utf8.UTFMax && cut < len(head); cut++ {
		if utf8.Valid(head[:len(head)-cut]) {
			return true
		}
		if len(head) < sniffBytes {
			return false
		}
	}
	return false
}

func startsJSON(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n")
	return len(head) > 0 && strings.IndexByte(`{["-0123456789tfn`, head[0]) >= 0
}

// baseName is the last path part of what a client calls its file.
func baseName(filename string) string {
	name := strings.TrimSpace(path.Base(strings.ReplaceAll(filename, `\`, "/")))
	if name == "." || name == "/" {
		return ""
	}
	return clip(name, 200)
}

func clip(s string, limit int) string {
	r := []rune(s)
	if len(r) <= limit {
		return s
	}
	return string(r[:limit])
}

package webpage

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestFilename(t *testing.T) {
	for _, c := range []struct{ disposition, url, want string }{
		{"", "https://www.example.com/a/Report%202025.pdf?x=1", "Report 2025.pdf"},
		{"", "https://www.example.com/", "www.example.com"},
		{"", "https://www.example.com/a/", "a"},
		{`attachment; filename="Q3 report.docx"`, "https://www.example.com/x", "Q3 report.docx"},
		{`attachment; filename*=UTF-8''%e2%82%ac%20rates.csv; filename="rates.csv"`, "https://www.example.com/x", "€ rates.csv"},
		{`attachment; filename="../../etc/passwd"`, "https://www.example.com/x", "passwd"},
		{`attachment; filename="C:\\temp\\a.txt"`, "https://www.example.com/x", "a.txt"},
		{`attachment; filename=".htaccess"`, "https://www.example.com/x", "htaccess"},
		{`attachment; filename="..."`, "https://www.example.com/x.txt", "x.txt"},
		{`attachment; filename="nul.txt"`, "https://www.example.com/x", "_nul.txt"},
		{`attachment; filename="a<b>:c?.txt"`, "https://www.example.com/x", "a_b__c_.txt"},
		{"attachment; filename=\"evil\u202efdp.exe\"", "https://www.example.com/x", "evilfdp.exe"},
		{"attachment; filename*=UTF-8''a%00b%0d%0ac.txt", "https://www.example.com/x", "ab c.txt"},
		{"nonsense; =", "https://www.example.com/%2e%2e%2fsecret", "secret"},
		{"attachment", "https://www.example.com/" + strings.Repeat("é", 200) + ".html", strings.Repeat("é", 57) + ".html"},
		{"", "://", "file"},
	} {
		if got := filename(c.disposition, c.url); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.disposition, c.url, got, c.want)
		}
	}
}

func FuzzFilename(f *testing.F) {
	f.Add(`attachment; filename="a/b"`, "https://x.example/y")
	f.Add("attachment; filename*=UTF-8''%ff%2f..", "https://x.example/%2e")
	f.Fuzz(func(t *testing.T, disposition, raw string) {
		name := filename(disposition, raw)
		if name == "" || len(name) > maxName || !utf8.ValidString(name) || strings.ContainsAny(name, "/\\\x00") || strings.HasPrefix(name, ".") || name != safeName(name) ||
			strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("%q", name)
		}
	})
}

func TestMediaType(t *testing.T) {
	for _, c := range []struct{ declared, sniffed, media, charset string }{
		{"text/html; charset=UTF-8", "text/html; charset=utf-8", "text/html", "utf-8"},
		{"", "text/html; charset=utf-8", "text/html", "utf-8"},
		{"application/octet-stream", "application/pdf", "application/pdf", ""},
		{"application/octet-stream", "application/octet-stream", "application/octet-stream", ""},
		{"text/markdown", "text/plain; charset=utf-8", "text/markdown", ""},
		{"text/csv; charset=utf-16", "text/plain; charset=utf-16le", "text/csv", "utf-16"},
		{"application/xhtml+xml", "text/xml; charset=utf-8", "application/xhtml+xml", ""},
		{"application/json", "text/plain; charset=utf-8", "application/json", ""},
		{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/zip", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", ""},
		{"application/msword", "application/octet-stream", "application/msword", ""},
		{"image/jpg", "image/jpeg", "image/jpeg", ""},
		{"application/x-pdf", "application/pdf", "application/pdf", ""},
		{"application/pdf", "text/plain; charset=utf-8", "application/pdf", ""},
		{"TEXT/HTML;;", "text/html; charset=utf-8", "text/html", ""},
		// contradictions, and what nothing here reads
		{"text/html", "application/pdf", "", ""},
		{"text/html", "image/png", "", ""},
		{"image/png", "text/html; charset=utf-8", "", ""},
		{"application/pdf", "text/html; charset=utf-8", "", ""},
		{"text/plain", "application/octet-stream", "", ""},
		{"text/plain", "application/zip", "", ""},
		{"image/png", "application/octet-stream", "image/png", ""}, // a kind that is not sniffed, such as AVIF: the reader decides
		{"video/mp4", "application/octet-stream", "", ""},
		{"text/html", "application/x-gzip", "", ""},
		{"", "audio/mpeg", "", ""},
	} {
		media, charset, err := mediaType(c.declared, c.sniffed)
		if media != c.media || charset != c.charset || (err == nil) != (c.media != "") {
			t.Errorf("%q with %q: %q %q %v", c.declared, c.sniffed, media, charset, err)
		}
	}
}

package webpage

import (
	"fmt"
	"mime"
	"slices"
	"strings"
)

// unsaid are types by which a server says that it does not know.
var unsaid = []string{
	"", "application/octet-stream", "binary/octet-stream", "application/x-download", "application/download",
	"application/force-download", "application/unknown", "unknown/unknown", "application/x-unknown-content-type", "*/*",
}

// mediaType joins what the header says with what the content shows (M-115):
// the header is more exact about texts and archives, the content about the rest.
func mediaType(declared, sniffed string) (media, charset string, err error) {
	said, params, perr := mime.ParseMediaType(declared)
	if perr != nil && said == "" {
		said, _, _ = strings.Cut(declared, ";")
		said = strings.ToLower(strings.TrimSpace(said))
	}
	charset = strings.ToLower(params["charset"])
	shown, shownParams, _ := mime.ParseMediaType(sniffed)
	if slices.Contains(unsaid, said) {
		said, charset = shown, shownParams["charset"]
	}
	if unreadable(shown) || unreadable(said) {
		name := said
		if unreadable(shown) {
			name = shown
		}
		return "", "", &Refused{Code: MediaType, Message: fmt.Sprintf("The address holds %s, not a text, a document or a picture. Give another link.", printable(name))}
	}
	if !fits(said, shown) {
		return "", "", &Refused{Code: MediaType, Message: fmt.Sprintf("The server calls the content %s, but it is %s. Check the link, or save the content and give it as a file.", printable(said), shown)}
	}
	if strings.HasPrefix(shown, "image/") || shown == "application/pdf" {
		said = shown
	}
	return said, charset, nil
}

// fits tells whether content that shows itself as shown may be called said.
func fits(said, shown string) bool {
	switch {
	case said == shown:
		return true
	case strings.HasPrefix(shown, "image/"):
		return strings.HasPrefix(said, "image/")
	case shown == "application/pdf":
		return strings.HasSuffix(said, "pdf")
	case shown == "application/zip":
		return !textual(said) && !strings.HasPrefix(said, "image/") && !strings.HasSuffix(said, "pdf")
	case shown == "text/html" || shown == "text/xml":
		return textual(said)
	case shown == "text/plain":
		// A PDF may begin with a few lines that are none of it.
		return textual(said) || strings.HasSuffix(said, "pdf")
	case shown == "application/octet-stream":
		return !textual(said)
	}
	return false
}

// textual is a type whose content is text.
func textual(media string) bool {
	if strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "+xml") || strings.HasSuffix(media, "+json") {
		return true
	}
	switch media {
	case "application/json", "application/xml", "application/javascript", "application/rtf", "application/csv", "application/x-ndjson",
		"application/ndjson", "application/jsonl", "application/yaml", "application/x-yaml", "application/markdown", "application/rss", "application/ecmascript":
		return true
	}
	return false
}

// unreadable is a type that nothing here reads.
func unreadable(media string) bool {
	for _, p := range []string{"audio/", "video/", "font/", "model/"} {
		if strings.HasPrefix(media, p) {
			return true
		}
	}
	switch media {
	case "application/ogg", "application/x-gzip", "application/gzip", "application/x-rar-compressed", "application/vnd.rar", "application/wasm",
		"application/x-7z-compressed", "application/x-tar", "application/vnd.ms-fontobject", "application/x-msdownload":
		return true
	}
	return false
}

// printable keeps a server's word short and harmless in a sentence.
func printable(media string) string {
	media = strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r
		}
		return -1
	}, media)
	if len(media) > 80 {
		media = media[:80]
	}
	return media
}

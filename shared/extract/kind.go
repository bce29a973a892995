package extract

import (
	"bytes"
	"mime"
	"path"
	"strings"
	"unicode/utf8"
)

// endings are the names that a kind goes by.
var endings = map[string]Kind{
	"pdf": PDF, "docx": DOCX, "docm": DOCX, "dotx": DOCX, "pptx": PPTX, "pptm": PPTX, "ppsx": PPTX,
	"doc": DOC, "dot": DOC, "rtf": RTF, "csv": CSV, "tsv": CSV, "json": JSON, "jsonl": JSON, "ndjson": JSON,
	"xml": XML, "html": HTML, "htm": HTML, "xhtml": HTML, "txt": Text, "text": Text, "log": Text,
	"md": MD, "markdown": MD, "jpg": Image, "jpeg": Image, "png": Image, "gif": Image, "webp": Image,
}

// media are the media types that decide where a name does not.
var media = map[string]Kind{
	"application/pdf": PDF, "application/msword": DOC, "application/rtf": RTF, "text/rtf": RTF,
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   DOCX,
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": PPTX,
	"text/csv": CSV, "text/tab-separated-values": CSV, "application/json": JSON, "application/x-ndjson": JSON,
	"application/xml": XML, "text/xml": XML, "text/html": HTML, "application/xhtml+xml": HTML,
	"text/plain": Text, "text/markdown": MD,
	"image/jpeg": Image, "image/png": Image, "image/gif": Image, "image/webp": Image,
}

// instead says what to do with files that are not read.
var instead = map[string]string{
	"xlsx": "Save the sheet as CSV and send that.", "xls": "Save the sheet as CSV and send that.",
	"xlsm": "Save the sheet as CSV and send that.", "ods": "Save the sheet as CSV and send that.",
	"ppt": "Save the presentation as .pptx or PDF and send that.", "odp": "Save the presentation as .pptx or PDF and send that.",
	"key": "Export the presentation as .pptx or PDF and send that.", "odt": "Save the document as .docx or PDF and send that.",
	"pages": "Export the document as .docx or PDF and send that.", "epub": "Save the text as PDF, HTML or .txt and send that.",
	"wps": "Save the document as .docx or PDF and send that.", "tex": "Send the PDF that it makes.", "ps": "Send it as PDF.", "eps": "Send it as PDF.",
	"zip": "Unpack it and send the files one by one.", "7z": "Unpack it and send the files one by one.",
	"rar": "Unpack it and send the files one by one.", "tar": "Unpack it and send the files one by one.", "gz": "Unpack it and send the files one by one.",
	"eml": "Save the message as PDF or .txt and send that.", "msg": "Save the message as PDF or .txt and send that.",
	"svg": "Send the picture as PNG.", "bmp": "Send the picture as PNG.", "tif": "Send the picture as PNG.",
	"tiff": "Send the picture as PNG.", "heic": "Send the picture as JPEG.", "avif": "Send the picture as JPEG.",
	"mp3": "Send a transcript as .txt.", "wav": "Send a transcript as .txt.", "m4a": "Send a transcript as .txt.",
	"mp4": "Send a transcript as .txt.", "mov": "Send a transcript as .txt.", "webm": "Send a transcript as .txt.",
	"exe": "Send a document.", "dll": "Send a document.", "so": "Send a document.", "jar": "Send a document.",
}

// KindOf decides what a file is by its first bytes, its name and the media type
// that it was sent with; name and media type may be empty, but the content has
// the last word. A content that does not fit the name is a *Problem with the
// code mislabelled, a kind that cannot be read one with the code unsupported.
func KindOf(filename, mediaType string, head []byte) (Kind, error) {
	ending := strings.ToLower(strings.TrimPrefix(path.Ext(path.Base(strings.ReplaceAll(filename, `\`, "/"))), "."))
	named := endings[ending]
	sent := media[essence(mediaType)]
	if named == "" && instead[ending] == "" {
		named = sent
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return "", problem(CodeNoText, filename, "is empty. Check that it was saved and sent whole, and send it again.")
	}
	if held, ending := signature(head, named); held != "" || ending != "" {
		return agree(filename, named, held, ending)
	}
	if way := instead[ending]; way != "" {
		return "", problem(CodeUnsupported, filename, "is of a kind (.%s) that cannot be read. %s", ending, way)
	}
	switch named {
	case PDF, DOCX, PPTX, DOC, RTF, Image:
		return "", problem(CodeMislabelled, filename, "is no %s file, whatever its name or media type says. Open it, save it as %s and send it again, or give it the ending of what it is.", describe(named), describe(named))
	}
	if !textual(head) {
		return "", problem(CodeMislabelled, filename, "holds binary data and no text that can be read. Send it as PDF, .docx or UTF-8 text, with the ending that fits.")
	}
	start := bytes.TrimLeft(bytes.TrimPrefix(readable(head), mark8), " \t\r\n")
	switch {
	case named == JSON && !startsJSON(start):
		return "", problem(CodeMislabelled, filename, "does not hold JSON. Give it the ending .txt if it is plain text, or export it again.")
	case named == XML && looksHTML(start):
		return HTML, nil
	case named == XML && (len(start) == 0 || start[0] != '<'):
		return "", problem(CodeMislabelled, filename, "does not hold XML. Give it the ending .txt if it is plain text, or export it again.")
	case named == Text && looksHTML(start) && sent != Text && ending == "":
		return HTML, nil
	case named != "":
		return named, nil
	case looksHTML(start):
		return HTML, nil
	case bytes.HasPrefix(start, []byte("<?xml")):
		return XML, nil
	}
	return Text, nil
}

func essence(mediaType string) string {
	t, _, err := mime.ParseMediaType(mediaType)
	if err != nil {
		t, _, _ = strings.Cut(mediaType, ";")
	}
	return strings.ToLower(strings.TrimSpace(t))
}

// signature tells a file by how it begins. An ending without a kind is one that
// cannot be read. named decides where containers look the same from outside.
func signature(head []byte, named Kind) (held Kind, ending string) {
	has := func(s string) bool { return bytes.HasPrefix(head, []byte(s)) }
	switch {
	case bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")) && (has("%PDF-") || !textual(head) || named == PDF):
		return PDF, ""
	case has("{\\rtf"):
		return RTF, ""
	case has("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"): // a compound file: old Office, or encrypted new Office
		if named == DOCX || named == PPTX {
			return named, ""
		}
		return DOC, ""
	case has("PK\x03\x04"), has("PK\x05\x06"), has("PK\x07\x08"):
		return packed(head, named)
	case has("\x89PNG\r\n\x1a\n"), has("\xff\xd8\xff"), has("GIF87a"), has("GIF89a"),
		has("RIFF") && len(head) >= 12 && string(head[8:12]) == "WEBP":
		return Image, ""
	case has("BM") && !textual(head):
		return "", "bmp"
	case has("II*\x00"), has("MM\x00*"):
		return "", "tiff"
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		if bytes.HasPrefix(head[8:], []byte("he")) || bytes.HasPrefix(head[8:], []byte("mif1")) {
			return "", "heic"
		}
		if bytes.HasPrefix(head[8:], []byte("avif")) {
			return "", "avif"
		}
		return "", "mp4"
	case has("ID3"), has("\xff\xfb"), has("OggS"), has("fLaC"):
		return "", "mp3"
	case has("\x1f\x8b"), has("BZh") && !textual(head), has("\xfd7zXZ\x00"), has("\x28\xb5\x2f\xfd"):
		return "", "gz"
	case has("7z\xbc\xaf\x27\x1c"):
		return "", "7z"
	case has("Rar!\x1a\x07"):
		return "", "rar"
	case has("%!PS"):
		return "", "ps"
	case has("MZ") && !textual(head), has("\x7fELF"):
		return "", "exe"
	}
	return "", ""
}

// packed tells what a zip file is by the names at its beginning.
func packed(head []byte, named Kind) (Kind, string) {
	switch {
	case bytes.Contains(head, []byte("word/")):
		return DOCX, ""
	case bytes.Contains(head, []byte("ppt/")):
		return PPTX, ""
	case bytes.Contains(head, []byte("xl/")):
		return "", "xlsx"
	case bytes.Contains(head, []byte("opendocument.text")):
		return "", "odt"
	case bytes.Contains(head, []byte("opendocument.spreadsheet")):
		return "", "ods"
	case bytes.Contains(head, []byte("opendocument.presentation")):
		return "", "odp"
	case bytes.Contains(head, []byte("epub+zip")):
		return "", "epub"
	case named == DOCX, named == PPTX: // their reader looks inside
		return named, ""
	}
	return "", "zip"
}

// agree settles what a file is that is known by its signature.
func agree(filename string, named, held Kind, ending string) (Kind, error) {
	switch {
	case held == "":
		if named != "" {
			return "", problem(CodeMislabelled, filename, "is no %s file but one of the kind .%s, which cannot be read. %s", describe(named), ending, instead[ending])
		}
		return "", problem(CodeUnsupported, filename, "is of a kind (.%s) that cannot be read. %s", ending, instead[ending])
	case named == "" || named == held:
		return held, nil
	case named == DOC && (held == RTF || held == DOCX): // Word itself opens these under that name
		return held, nil
	}
	return "", problem(CodeMislabelled, filename, "is named as %s but holds %s. Give it the ending .%s and send it again.", describe(named), describe(held), plainEnding(held))
}

func plainEnding(k Kind) string {
	if k == Image {
		return "png, .jpg, .gif or .webp"
	}
	return string(k)
}

func describe(k Kind) string {
	switch k {
	case PDF, RTF, CSV, JSON, XML, HTML:
		return strings.ToUpper(string(k))
	case DOCX, DOC:
		return "Word (." + string(k) + ")"
	case PPTX:
		return "PowerPoint (.pptx)"
	case Image:
		return "picture"
	case MD:
		return "Markdown"
	}
	return "plain text"
}

var mark8 = []byte("\xef\xbb\xbf")

// textual says whether bytes can be the beginning of a text in one of the
// encodings that are read: no zero bytes but those of UTF-16, and hardly any
// control characters.
func textual(head []byte) bool {
	if wide(head) != nil {
		return true
	}
	controls := 0
	for _, b := range head {
		switch {
		case b == 0:
			return false
		case b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x1b, b == 0x7f:
			controls++
		}
	}
	return controls*50 <= len(head)
}

// readable makes the beginning of a UTF-16 text legible.
func readable(head []byte) []byte {
	e := wide(head)
	if e == nil {
		return head
	}
	out, _ := e.NewDecoder().Bytes(head)
	for len(out) > 0 && !utf8.FullRune(out) {
		out = out[:len(out)-1]
	}
	return out
}

func startsJSON(start []byte) bool {
	return len(start) > 0 && strings.IndexByte(`{["-0123456789tfn`, start[0]) >= 0
}

func looksHTML(start []byte) bool {
	low := bytes.ToLower(start[:min(len(start), 512)])
	if bytes.HasPrefix(low, []byte("<!doctype html")) || bytes.HasPrefix(low, []byte("<html")) {
		return true
	}
	return bytes.HasPrefix(low, []byte("<")) && bytes.Contains(low, []byte("<html"))
}

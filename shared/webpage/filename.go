package webpage

import (
	"mime"
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxName is the length of a file's name, in bytes.
const maxName = 120

// filename is what to call a content: what the server calls it, else the last
// part of its address, else the host. It is never a path, hidden, empty or too
// long, and can be seen whole.
func filename(disposition, rawURL string) string {
	if _, params, err := mime.ParseMediaType(disposition); err == nil {
		if name := safeName(params["filename"]); name != "" {
			return name
		}
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return "file"
	}
	if name := safeName(path.Base(u.Path)); name != "" {
		return name
	}
	if name := safeName(u.Hostname()); name != "" {
		return name
	}
	return "file"
}

func safeName(name string) string {
	name = strings.ToValidUTF8(name, "")
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r): // controls, and marks that turn the direction of writing
			return -1
		case strings.ContainsRune(`<>:"|?*`, r):
			return '_'
		}
		return r
	}, name))
	name = strings.Trim(strings.Join(strings.Fields(name), " "), ". ")
	stem, _, _ := strings.Cut(name, ".")
	if device(strings.ToUpper(strings.TrimSpace(stem))) {
		name = "_" + name
	}
	ext := path.Ext(name)
	if len(ext) > 16 {
		ext = ""
	}
	stem = strings.TrimSuffix(name, ext)
	if most := maxName - len(ext); len(stem) > most {
		for !utf8.RuneStart(stem[most]) {
			most--
		}
		stem = strings.TrimRight(stem[:most], ". ")
	}
	return stem + ext
}

// device is a name that Windows keeps for a device, whatever its extension.
func device(stem string) bool {
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) && stem[3] >= '0' && stem[3] <= '9'
}

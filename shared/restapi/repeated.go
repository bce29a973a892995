package restapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// repeated gives a key that stands twice in one object of a valid JSON text; ""
// for none. A reader takes the last of two, and who filters before it perhaps the
// first, so that a body could show two faces.
func repeated(raw []byte) string {
	type level struct {
		keys  map[string]bool // nil in a list
		value bool            // a key was read, and its value comes next
	}
	var open []level
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) || err != nil { // the text is valid, so it is its end
			return ""
		}
		at := len(open) - 1
		if d, ok := token.(json.Delim); ok && (d == '}' || d == ']') {
			open = open[:at]
			continue
		}
		if at >= 0 && open[at].keys != nil {
			if !open[at].value {
				name, _ := token.(string)
				if open[at].keys[name] {
					return name
				}
				open[at].keys[name], open[at].value = true, true
				continue
			}
			open[at].value = false
		}
		switch token {
		case json.Delim('{'):
			open = append(open, level{keys: map[string]bool{}})
		case json.Delim('['):
			open = append(open, level{})
		}
	}
}

// clipped is as much of a name as a refusal repeats.
func clipped(name string) string {
	if len(name) <= 60 {
		return name
	}
	return strings.ToValidUTF8(name[:60], "") + "…"
}

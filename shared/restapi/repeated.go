package restapi

import (
	"encoding/json"
	"strings"
)

// repeated gives a key that stands twice in one object of a valid JSON text, if
// there is one. A reader takes the last of two, and who filters before it perhaps the
// first, so that a body could show two faces. One pass over the bytes: the text is
// valid, so that only strings and the signs between them count.
func repeated(raw []byte) (key string, is bool) {
	type level struct {
		keys map[string]struct{}
		key  bool // in an object, where the next string is a key
		list bool
	}
	var open []level
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '{', '[':
			open = append(open, level{key: raw[i] == '{', list: raw[i] == '['})
		case '}', ']':
			open = open[:len(open)-1]
		case ',':
			at := &open[len(open)-1]
			at.key = !at.list
		case '"':
			from, escaped := i, false
			for i++; raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					escaped = true
					i++
				}
			}
			if len(open) == 0 || !open[len(open)-1].key {
				continue
			}
			at := &open[len(open)-1]
			at.key = false
			name := string(raw[from+1 : i])
			if escaped {
				_ = json.Unmarshal(raw[from:i+1], &name)
			}
			if _, there := at.keys[name]; there {
				return name, true
			}
			if at.keys == nil {
				at.keys = map[string]struct{}{}
			}
			at.keys[name] = struct{}{}
		}
	}
	return "", false
}

// clipped is as much of a name as a refusal repeats.
func clipped(name string) string {
	if len(name) <= 60 {
		return name
	}
	return strings.ToValidUTF8(name[:60], "") + "…"
}

package knowledge

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// The bodies that give a Mind knowledge, in the order in which they are tried
// when a body could be several.
var bodies = []struct {
	by     string
	fields []string
}{
	{"file", []string{"file", "description", "regeneratePrompt"}},
	{"keywords", []string{"keywords", "regeneratePrompt"}},
	{"link", []string{"link", "description", "regeneratePrompt"}},
	{"text", []string{"text", "description", "regeneratePrompt"}},
}

const bodyRule = "Send one of {\"file\": {\"name\", \"url\"}}, {\"keywords\": […]}, {\"link\": \"https://…\"} and {\"text\": \"…\"}, or the file itself as multipart/form-data in the field file."

// ReadAdd reads a JSON body of the add operation. VALIDATION names the field,
// the rule and what can be sent.
func ReadAdd(body []byte) (AddRequest, error) {
	refuse := func(field, text string, args ...any) (AddRequest, error) {
		return AddRequest{}, fault.New(fault.Validation, text, args...).With("in", "body").With("path", pointer(field))
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return refuse("", "The body must be a JSON object. %s", bodyRule)
	}
	var r AddRequest
	for _, b := range bodies {
		if _, ok := fields[b.by]; !ok {
			continue
		}
		for name := range fields {
			if !slices.Contains(b.fields, name) {
				return refuse(name, "%q is not a known field beside %s; known are %s.", shown(name), b.by, strings.Join(b.fields, ", "))
			}
		}
		for name, into := range map[string]any{
			"file": &r.File, "keywords": &r.Keywords, "link": &r.Link, "text": &r.Text,
			"description": &r.Description, "regeneratePrompt": &r.RegeneratePrompt,
		} {
			raw, ok := fields[name]
			if !ok {
				continue
			}
			if string(raw) == "null" {
				return refuse(name, "%s must not be null.", name)
			}
			if name == "file" {
				if err := known(raw, "name", "url", "type"); err != nil {
					return refuse("file", "%s", err.Error())
				}
			}
			if err := json.Unmarshal(raw, into); err != nil {
				return refuse(name, "%s must be %s.", name, shapes[name])
			}
		}
		switch {
		case b.by == "file" && (strings.TrimSpace(r.File.Name) == "" || strings.TrimSpace(r.File.URL) == ""):
			return refuse("file", "file must have a name and a url, neither of them blank.")
		case b.by == "file" && len(r.File.URL) > maxAddress:
			return refuse("file/url", "file.url has %d characters; at most %d are taken.", len(r.File.URL), maxAddress)
		case b.by == "file" && len(r.File.Type) > MaxType:
			return refuse("file/type", "file.type has %d characters; a media type has at most %d.", len(r.File.Type), MaxType)
		case b.by == "keywords" && len(r.Keywords) == 0:
			return refuse("keywords", "keywords must hold at least one topic.")
		case b.by == "link" && strings.TrimSpace(r.Link) == "":
			return refuse("link", "link must not be blank.")
		case b.by == "text" && strings.TrimSpace(r.Text) == "":
			return refuse("text", "text must not be blank.")
		}
		return r, nil
	}
	return refuse("", "The body names none of file, keywords, link and text. %s", bodyRule)
}

const maxAddress = 4_000

// MaxType is the most that a media type has, in bytes.
const MaxType = 255

var shapes = map[string]string{
	"file": "an object {name, url, type}", "keywords": "a list of texts", "link": "a text", "text": "a text",
	"description": "a text", "regeneratePrompt": "true or false",
}

// known refuses an object with other fields than these.
func known(raw json.RawMessage, names ...string) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return errors.New("file must be an object {name, url, type}")
	}
	for name := range fields {
		if !slices.Contains(names, name) {
			return errors.New("“" + shown(name) + "” is not a field of file; known are " + strings.Join(names, ", ") + ".")
		}
	}
	return nil
}

// shown bounds what is repeated of a caller's own name.
func shown(name string) string { return clip(name, 60) }

func pointer(field string) string {
	if field == "" {
		return ""
	}
	return "/" + strings.NewReplacer("~", "~0").Replace(clip(field, 60))
}

package restapi

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// maxProblems bounds what one refusal lists; the rest is counted.
const maxProblems = 10

// problem is one thing that is wrong with a request.
type problem struct {
	Path    string `json:"path"` // JSON pointer inside the part it was found in
	Message string `json:"message"`
}

// retired maps field names of older editions to what replaced them. A name is
// only called retired where its replacement is a field.
var retired = map[string]string{
	"sparkId": "mindId", "sparkIds": "mindIds",
	"groupId": "audienceId", "groupIds": "audienceIds", "groupName": "name", "groupConfigs": "audienceConfigs",
	"panelId": "audienceId", "panelIds": "audienceIds", "panelName": "name", "panelConfigs": "audienceConfigs",
	"flowId": "studyId",
}

// check validates one part of a request (where: "body", "query", "path",
// "header") and returns nil or a refusal that names each field, its rule and
// an example.
func check(where string, s *shape, v any) error {
	err := s.compiled.Validate(v)
	if err == nil {
		return nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return err
	}
	c := collector{where: where, operation: s.operation, root: s.plain}
	c.walk(ve)
	return c.refusal()
}

type collector struct {
	where     string
	operation string
	root      map[string]any
	problems  []problem
	unworded  int // faults that are only counted
	retired   bool
}

// maxFound bounds what is put into words: a caller may send a million faults, and
// reads the first of them.
const maxFound = 200

// walk gathers the leaves: a parent only says that something below is wrong.
// Of alternatives it reports the one that went furthest.
func (c *collector) walk(e *jsonschema.ValidationError) {
	switch k := e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		if len(e.Causes) > 0 {
			c.walk(closest(e.Causes))
			return
		}
		c.add(e.InstanceLocation, "fits more than one of the forms that are allowed; send the fields of one form only")
		return
	case *kind.AdditionalProperties:
		c.allUnknown(e.InstanceLocation, k.Properties)
		return
	case *kind.Required:
		if len(c.problems) >= maxFound {
			c.unworded += len(k.Missing)
			return
		}
		for _, name := range k.Missing {
			c.add(append(slices.Clone(e.InstanceLocation), name), "is required")
		}
		return
	}
	if len(e.Causes) == 0 {
		c.add(e.InstanceLocation, sentence(e.ErrorKind))
		return
	}
	for _, cause := range e.Causes {
		c.walk(cause)
	}
}

// closest picks the alternative with the deepest, then fewest faults, so that
// a caller who meant one form is told about that form.
func closest(causes []*jsonschema.ValidationError) *jsonschema.ValidationError {
	return slices.MinFunc(causes, func(a, b *jsonschema.ValidationError) int {
		return leaves(a) - leaves(b)
	})
}

func leaves(e *jsonschema.ValidationError) int {
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		return len(k.Properties)
	case *kind.Required:
		return 2 * len(k.Missing) // a missing key says more about the meant form than an extra one
	}
	n := 0
	for _, c := range e.Causes {
		n += leaves(c)
	}
	return max(n, 1)
}

// allUnknown words no more unknown fields than are shown, and counts the rest: a
// body can bring hundreds of thousands.
func (c *collector) allUnknown(at, names []string) {
	if len(c.problems) < maxFound {
		names = slices.Sorted(slices.Values(names))
	}
	for _, name := range names {
		if len(c.problems) >= maxFound {
			if _, old := retired[name]; !old || c.retired {
				c.unworded++
				continue
			}
		}
		c.unknown(at, name)
	}
}

func (c *collector) unknown(at []string, name string) {
	path := append(slices.Clone(at), name)
	fields := fieldsAt(c.root, at)
	if now, ok := retired[name]; ok && slices.Contains(fields, now) {
		c.retired = true
		c.problems = append(c.problems, problem{pointer(path), fmt.Sprintf("%s is a retired name; send %q instead", c.name(path), now)})
		return
	}
	text := fmt.Sprintf("%s is not a known field", c.name(path))
	if near := nearest(name, fields); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	} else if len(fields) > 0 {
		text += "; known are " + strings.Join(fields, ", ")
	} else {
		text += "; none is allowed here"
	}
	c.problems = append(c.problems, problem{pointer(path), text})
}

func (c *collector) add(at []string, rule string) {
	if len(c.problems) >= maxFound {
		c.unworded++
		return
	}
	text := c.name(at) + " " + rule
	if ex := exampleAt(c.operation, c.root, at); ex != "" {
		text += ", for example " + ex
	}
	c.problems = append(c.problems, problem{pointer(at), text})
}

// name is how a sentence calls a field: audienceConfigs[0].mindIds.
func (c *collector) name(at []string) string {
	if len(at) == 0 {
		return "The " + c.where
	}
	var b strings.Builder
	for i, part := range at {
		switch {
		case part != "" && strings.Trim(part, "0123456789") == "":
			b.WriteString("[" + part + "]")
		case i == 0:
			b.WriteString(part)
		default:
			b.WriteString("." + part)
		}
	}
	if c.where == "body" {
		return b.String()
	}
	return c.where + " parameter " + b.String()
}

func (c *collector) refusal() error {
	slices.SortStableFunc(c.problems, func(a, b problem) int { return strings.Compare(a.Path, b.Path) })
	left := c.unworded
	if n := len(c.problems); n > maxProblems {
		c.problems, left = c.problems[:maxProblems], left+n-maxProblems
	}
	texts := make([]string, len(c.problems))
	for i, p := range c.problems {
		texts[i] = p.Message
	}
	message := strings.Join(texts, ". ") + "."
	message = strings.ReplaceAll(message, "?.", "?")
	if left > 0 {
		message += fmt.Sprintf(" And %d more.", left)
	}
	code := fault.Validation
	if c.retired {
		code = fault.RetiredField
	}
	return fault.New(code, "%s", message).With("in", c.where).With("path", c.problems[0].Path).With("problems", c.problems)
}

var escaped = strings.NewReplacer("~", "~0", "/", "~1")

func pointer(at []string) string {
	var b strings.Builder
	for _, part := range at {
		b.WriteByte('/')
		b.WriteString(escaped.Replace(part))
	}
	return b.String()
}

// sentence says a rule in words.
func sentence(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("must be %s, not %s", strings.Join(withArticles(k.Want), " or "), article(k.Got))
	case *kind.Enum:
		var all []string
		for _, w := range k.Want {
			all = append(all, fmt.Sprintf("%v", w))
		}
		return "must be one of " + strings.Join(all, ", ")
	case *kind.MinLength:
		if k.Want == 1 {
			return "must not be empty"
		}
		return fmt.Sprintf("must have at least %d characters (has %d)", k.Want, k.Got)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %d characters (has %d)", k.Want, k.Got)
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %d entries (has %d)", k.Want, k.Got)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %d entries (has %d)", k.Want, k.Got)
	case *kind.Minimum:
		return "must be at least " + k.Want.RatString()
	case *kind.Maximum:
		return "must be at most " + k.Want.RatString()
	case *kind.Format:
		return "must be " + formatName(k.Want)
	case *kind.Pattern:
		return "must match " + k.Want
	case *kind.UniqueItems:
		return fmt.Sprintf("must not repeat an entry (%d and %d are the same)", k.Duplicates[0], k.Duplicates[1])
	case *kind.FalseSchema:
		return "is not allowed here"
	case *kind.Const:
		return fmt.Sprintf("must be %v", k.Want)
	}
	return "does not fit its schema"
}

func formatName(f string) string {
	switch f {
	case "uuid":
		return "a UUID"
	case "uri":
		return "an absolute address"
	case "date-time":
		return "an RFC 3339 time"
	}
	return "a valid " + f
}

func article(t string) string {
	switch t {
	case "null":
		return "null"
	case "array", "object", "integer":
		return "an " + t
	}
	return "a " + t
}

func withArticles(types []string) []string {
	out := make([]string, len(types))
	for i, t := range types {
		out[i] = article(t)
	}
	return out
}

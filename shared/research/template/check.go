package template

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

var (
	goals   = []string{"concept", "comparison", "website", "pricing", "market", "explore"}
	locales = []string{"en", "es", "fr", "de", "zh", "tr", "ar", "ja", "ko"}
	types   = []string{"qualitative", "categorical", "multiselect", "scale"}
)

func invalid(path, format string, args ...any) error {
	return fault.New(fault.Validation, format, args...).With("field", strings.TrimPrefix(path, "/")).With("path", path)
}

func checkName(name string) (string, error) {
	name = strings.TrimSpace(name)
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", invalid("/name", "name is blank; a template needs a name of 1 to %d characters.", maxName)
	case n > maxName:
		return "", invalid("/name", "name has %d characters; at most %d are allowed.", n, maxName)
	}
	return name, lookup.OneLine("name", name)
}

// read checks a configuration against every rule that needs no look at a store.
func read(raw json.RawMessage) (Configuration, error) {
	var c Configuration
	if len(raw) > 2*MaxBody {
		return c, tooLarge(len(raw))
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return c, invalid("/configuration", "configuration is not of the form of a template: %s. It holds version 1, goal, studyLocale, methodId and questions.", formFault(err))
	}
	if _, err := dec.Token(); err != io.EOF {
		return c, invalid("/configuration", "configuration holds more than one document.")
	}
	switch {
	case c.Version != 1:
		return c, invalid("/configuration/version", "configuration.version is %d; it must be 1.", c.Version)
	case !slices.Contains(goals, c.Goal):
		return c, invalid("/configuration/goal", "configuration.goal must be one of %s.", strings.Join(goals, ", "))
	case !slices.Contains(locales, c.StudyLocale):
		return c, invalid("/configuration/studyLocale", "configuration.studyLocale must be one of %s.", strings.Join(locales, ", "))
	case len(c.Questions) == 0 || len(c.Questions) > maxQuestions:
		return c, invalid("/configuration/questions", "configuration.questions holds %d questions; 1 to %d are kept.", len(c.Questions), maxQuestions)
	}
	if _, ok := method.Lookup(c.MethodID); !ok {
		return c, invalid("/configuration/methodId", "configuration.methodId is none of the registered methods; list_research_methods names them.")
	}
	files := 0
	for i := range c.Questions {
		if err := c.Questions[i].check(fmt.Sprintf("/configuration/questions/%d", i)); err != nil {
			return c, err
		}
		files += len(c.Questions[i].Attachments)
	}
	if files > maxFiles {
		return c, invalid("/configuration/questions", "The questions show %d attachments together; a template keeps at most %d.", files, maxFiles)
	}
	return c, nil
}

// formFault says what does not fit without words of the decoder's own types.
func formFault(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Sprintf("%s cannot be a %s", strings.TrimPrefix(kind.Field, "Configuration."), kind.Value)
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return "it has no member " + name
	}
	return "it is not valid JSON"
}

func (q *Question) check(at string) error {
	name := dotted(at)
	if n := utf8.RuneCountInString(q.Text); strings.TrimSpace(q.Text) == "" || n > maxText {
		return invalid(at+"/text", "%s.text has %d characters; a question has 1 to %d, and not only blanks.", name, n, maxText)
	}
	if err := q.Response.check(at+"/response", name+".response"); err != nil {
		return err
	}
	if len(q.Attachments) > maxShown {
		return invalid(at+"/attachments", "%s shows %d attachments; at most %d are allowed.", name, len(q.Attachments), maxShown)
	}
	for i, a := range q.Attachments {
		if err := a.check(fmt.Sprintf("%s/attachments/%d", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func (r Response) check(at, name string) error {
	if !slices.Contains(types, r.Type) {
		return invalid(at+"/type", "%s.type must be one of %s.", name, strings.Join(types, ", "))
	}
	options := r.Type == "categorical" || r.Type == "multiselect"
	switch n := len(r.CategoricalOptions); {
	case options && (n < 2 || n > maxOptions):
		return invalid(at+"/categoricalOptions", "%s.categoricalOptions holds %d labels; %s needs 2 to %d.", name, n, r.Type, maxOptions)
	case !options && n > 0:
		return invalid(at+"/categoricalOptions", "%s.categoricalOptions belongs to categorical and multiselect; leave it out of %s.", name, r.Type)
	}
	seen := map[string]bool{}
	for i, o := range r.CategoricalOptions {
		if strings.TrimSpace(o) == "" || utf8.RuneCountInString(o) > maxOption || seen[o] {
			return invalid(fmt.Sprintf("%s/categoricalOptions/%d", at, i), "%s.categoricalOptions[%d] must be a label of 1 to %d characters that stands there once.", name, i, maxOption)
		}
		seen[o] = true
	}
	if r.MaxSelections != 0 && (r.Type != "multiselect" || r.MaxSelections < 1 || r.MaxSelections > len(r.CategoricalOptions)) {
		return invalid(at+"/maxSelections", "%s.maxSelections belongs to multiselect, and is 1 to the number of its labels.", name)
	}
	switch {
	case r.Type != "scale" && len(r.ScaleRange) > 0:
		return invalid(at+"/scaleRange", "%s.scaleRange belongs to scale; leave it out of %s.", name, r.Type)
	case r.Type != "scale":
	case len(r.ScaleRange) != 2 || r.ScaleRange[0] < -100 || r.ScaleRange[1] > 100 || r.ScaleRange[0] >= r.ScaleRange[1]:
		return invalid(at+"/scaleRange", "%s.scaleRange must be [minimum, maximum] within -100 to 100, such as [1, 5].", name)
	}
	return nil
}

func (a Attachment) check(at string) error {
	for _, f := range []struct {
		name, value string
		least, most int
	}{{"id", a.ID, 1, 200}, {"name", a.Name, 1, 500}, {"url", a.URL, 1, 4000}, {"path", a.Path, 0, 2000}, {"mimeType", a.MimeType, 0, 200}} {
		if n := utf8.RuneCountInString(f.value); n < f.least || n > f.most {
			return invalid(at+"/"+f.name, "%s.%s has %d characters; it has %d to %d.", dotted(at), f.name, n, f.least, f.most)
		}
	}
	switch {
	case a.Kind != "" && a.Kind != "link":
		return invalid(at+"/kind", "%s.kind can only be link.", dotted(at))
	case a.MediaType != "" && a.MediaType != "video":
		return invalid(at+"/mediaType", "%s.mediaType can only be video.", dotted(at))
	case a.SizeBytes != nil && *a.SizeBytes < 0:
		return invalid(at+"/sizeBytes", "%s.sizeBytes must be 0 or more.", dotted(at))
	}
	return nil
}

// dotted shows a JSON pointer as callers write fields.
func dotted(pointer string) string {
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	var b strings.Builder
	for i, p := range parts {
		switch {
		case p != "" && p[0] >= '0' && p[0] <= '9':
			b.WriteString("[" + p + "]")
		case i > 0:
			b.WriteString("." + p)
		default:
			b.WriteString(p)
		}
	}
	return b.String()
}

// encode writes a configuration in its one stored form.
func encode(c Configuration) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		return nil, err
	}
	stored := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	if len(stored) > MaxConfiguration {
		return nil, tooLarge(len(stored))
	}
	return stored, nil
}

func tooLarge(n int) error {
	return fault.New(fault.PayloadTooLarge, "configuration has %d bytes; at most %d (512 KiB) are kept. Split the instrument into several templates.", n, MaxConfiguration).
		With("limitBytes", MaxConfiguration).With("field", "configuration")
}

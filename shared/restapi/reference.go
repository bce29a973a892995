package restapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"maps"
	"slices"
	"strings"
)

//go:embed reference.html
var referencePage string

// reference writes the page for people from the same table as the document. It
// loads nothing from elsewhere and runs no script.
func reference(rows []*operation, version string) ([]byte, error) {
	page, err := template.New("reference").Parse(referencePage)
	if err != nil {
		return nil, err
	}
	var groups []referenceGroup
	for _, o := range rows {
		if n := len(groups); n == 0 || groups[n-1].Name != o.tag() {
			groups = append(groups, referenceGroup{Name: o.tag()})
		}
		last := &groups[len(groups)-1]
		last.Operations = append(last.Operations, o.entry())
	}
	var out bytes.Buffer
	err = page.Execute(&out, map[string]any{"Version": version, "Groups": groups})
	return out.Bytes(), err
}

type referenceGroup struct {
	Name       string
	Operations []referenceEntry
}

type referenceEntry struct {
	ID, Method, Path, Summary, Remarks, Scope string
	Open                                      bool
	Parameters                                []referenceField
	Body, Answer                              string // schemas, indented
	Statuses                                  []referenceStatus
}

type referenceField struct{ Name, In, Rule string }

type referenceStatus struct{ Code, Text string }

func (o *operation) entry() referenceEntry {
	e := referenceEntry{
		ID: o.id, Method: o.method, Path: o.path, Summary: o.agreed.Summary, Remarks: o.remarks(),
		Scope: o.agreed.Scope, Open: o.open(),
	}
	for _, p := range o.parameters() {
		param := p.(map[string]any)
		e.Parameters = append(e.Parameters, referenceField{param["name"].(string), param["in"].(string), line(param["schema"])})
	}
	switch {
	case o.upload:
		e.Body = indented(uploadSchema())
	case o.body() != nil:
		e.Body = indented(o.body())
	}
	for _, code := range slices.Sorted(maps.Keys(o.agreed.Response)) {
		if s, ok := o.agreed.Response[code].(map[string]any); ok && len(s) > 0 {
			e.Answer = indented(s)
			break
		}
	}
	for _, code := range slices.Sorted(maps.Keys(o.agreed.StatusCodes)) {
		e.Statuses = append(e.Statuses, referenceStatus{code, o.agreed.StatusCodes[code]})
	}
	return e
}

func indented(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the template escapes
	enc.SetIndent("", "  ")
	_ = enc.Encode(v) // a schema that was read from JSON
	return strings.TrimSpace(b.String())
}

func line(v any) string {
	raw, _ := json.Marshal(v) // as above
	return string(raw)
}

package restapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
)

//go:embed reference.html
var referencePage string

// reference writes the page for people from the same table as the document. It
// loads nothing from elsewhere and runs no script. It is filled in by hand: a
// template engine finds methods by name, for which the linker keeps every
// method of every AWS client in a function.
func reference(rows []*operation, version string) string {
	var nav, body strings.Builder
	group := ""
	for _, o := range rows {
		if t := o.tag(); t != group {
			group = t
			fmt.Fprintf(&nav, `<a href="#%s">%s</a>`, t, t)
			fmt.Fprintf(&body, "<h2 id=%q>%s</h2>\n", t, t)
		}
		o.section(&body)
	}
	return strings.NewReplacer(
		"{{version}}", html.EscapeString(version), "{{nav}}", nav.String(), "{{operations}}", body.String(),
	).Replace(referencePage)
}

// section writes one operation. Its id, method and path are our own words; all
// else is escaped.
func (o *operation) section(b *strings.Builder) {
	esc := html.EscapeString
	fmt.Fprintf(b, "<details id=%q>\n<summary><code><span class=\"method\">%s</span> %s</code><br>%s</summary>\n",
		o.id, o.method, o.path, esc(o.agreed.Summary))
	if r := o.remarks(); r != "" {
		fmt.Fprintf(b, "<p>%s</p>\n", esc(r))
	}
	who := "Any API key."
	switch {
	case o.open():
		who = "No credential."
	case o.agreed.Scope != "":
		who = "Scope <code>" + esc(o.agreed.Scope) + "</code>."
	}
	fmt.Fprintf(b, "<p>%s Operation <code>%s</code>.</p>\n", who, o.id)
	if params := o.parameters(); len(params) > 0 {
		b.WriteString("<h3>Parameters</h3>\n<table><tr><th>Name</th><th>In</th><th>Rule</th></tr>\n")
		for _, p := range params {
			p := p.(map[string]any)
			fmt.Fprintf(b, "<tr><td><code>%v</code></td><td>%v</td><td><code>%s</code></td></tr>\n", p["name"], p["in"], esc(encoded(p["schema"], "")))
		}
		b.WriteString("</table>\n")
	}
	if s := o.bodySchema(); s != nil {
		fmt.Fprintf(b, "<h3>Body</h3><pre>%s</pre>\n", esc(encoded(s, "  ")))
	}
	for _, code := range slices.Sorted(maps.Keys(o.agreed.Response)) {
		if s, ok := o.agreed.Response[code].(map[string]any); ok && len(s) > 0 {
			fmt.Fprintf(b, "<h3>Answer %s</h3><pre>%s</pre>\n", esc(code), esc(encoded(s, "  ")))
			break
		}
	}
	b.WriteString("<h3>Refusals</h3>\n<table>\n")
	for _, code := range slices.Sorted(maps.Keys(o.agreed.StatusCodes)) {
		fmt.Fprintf(b, "<tr><td>%s</td><td>%s</td></tr>\n", esc(code), esc(o.agreed.StatusCodes[code]))
	}
	b.WriteString("</table>\n</details>\n")
}

// bodySchema is what a body may hold, form or JSON; nil if there is none.
func (o *operation) bodySchema() map[string]any {
	if o.upload {
		return uploadSchema()
	}
	return o.body()
}

func encoded(v any, indent string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the page escapes
	enc.SetIndent("", indent)
	_ = enc.Encode(v) // a schema that was read from JSON
	return strings.TrimSpace(b.String())
}

package mcpserver

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/shared/catalog"
)

// firstLinks is the revision that knows resource links; an older client may
// refuse a result that holds a kind of block which it does not know.
const firstLinks = "2025-06-18"

// linked are the tools whose results name something that can be read.
var linked = map[string]bool{
	"create_study": true, "ask_study": true, "export_study": true, "get_study_status": true,
	"create_audience": true, "create_mind": true, "export_mind": true, "export_audience": true, "export_heatmap": true,
}

type download struct {
	DownloadURL string `json:"downloadUrl"`
	Filename    string `json:"filename"`
	MIMEType    string `json:"mimeType"`
	Format      string `json:"format"`
}

// text is a member of a result that is a text.
func (p parts) text(name string) string {
	var s string
	_ = json.Unmarshal(p.get(name), &s)
	return s
}

// named is a member of a result that is a record.
func (p parts) named(name string) record {
	var r record
	_ = json.Unmarshal(p.get(name), &r)
	return r
}

// links point from a result to what it speaks of: the record as a resource, the
// file as a download. Nothing depends on them; the ids stand in the result.
func (s *server) links(v *catalog.View, d *catalog.Definition, p parts, revision string) []mcp.Content {
	if !linked[d.Name] || revision < firstLinks {
		return nil
	}
	var out []mcp.Content
	add := func(kind, id, name, title string) {
		src, ok := sourceNamed(kind)
		if !ok || id == "" {
			return
		}
		reader, ok := s.o.Catalogue.Lookup(src.tool)
		if !ok || reader.Name == d.Name || v.Barred(reader) != "" {
			return
		}
		title += " " + clean(name)
		if name == "" {
			title = src.title
		}
		out = append(out, &mcp.ResourceLink{
			URI: src.address(id), Name: kind + "-" + id, Title: title, Description: src.title + ".", MIMEType: mimeJSON,
		})
	}
	audience, mind := p.named("audience"), p.named("mind")
	add("study", p.text("studyId"), p.text("name"), "Study")
	add("audience", audience.ID, audience.Name, "Audience")
	add("mind", mind.ID, mind.Name, "Mind")
	var exported download
	_ = json.Unmarshal(p.get("exportStatus"), &exported)
	for _, file := range []download{{p.text("downloadUrl"), p.text("filename"), p.text("mimeType"), p.text("format")}, exported} {
		if file.DownloadURL == "" {
			continue
		}
		name := clean(file.Filename)
		if name == "" {
			name = "export." + file.Format
		}
		out = append(out, &mcp.ResourceLink{URI: file.DownloadURL, Name: name, Title: name, MIMEType: file.MIMEType,
			Description: "The exported file; ask for it again if the address has expired."})
	}
	return out
}

func sourceNamed(name string) (source, bool) {
	for _, src := range sources {
		if src.name == name {
			return src, true
		}
	}
	return source{}, false
}

// address is the resource of one record.
func (src source) address(id string) string {
	before, rest, ok := strings.Cut(src.uri, "{")
	if !ok {
		return src.uri
	}
	_, after, _ := strings.Cut(rest, "}")
	return before + url.PathEscape(id) + after
}

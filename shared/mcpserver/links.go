package mcpserver

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// firstLinks is the revision that knows resource links; an older client may
// refuse a result that holds a kind of block which it does not know.
const firstLinks = "2025-06-18"

// linked are the tools whose results name something that can be read.
var linked = map[string]bool{
	"create_study": true, "ask_study": true, "export_study": true, "get_study_status": true,
	"create_audience": true, "create_mind": true, "export_mind": true, "export_audience": true, "export_heatmap": true,
}

type linkable struct {
	StudyID  string `json:"studyId"`
	Name     string `json:"name"`
	Audience struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"audience"`
	Mind struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"mind"`
	Format string `json:"format"`
	download
	ExportStatus *download `json:"exportStatus"`
}

type download struct {
	DownloadURL string `json:"downloadUrl"`
	Filename    string `json:"filename"`
	MIMEType    string `json:"mimeType"`
}

// links point from a result to what it speaks of: the record as a resource, the
// file as a download. Nothing depends on them; the ids stand in the result.
func (s *server) links(v *catalog.View, d *catalog.Definition, a tool.Answer, revision string) []mcp.Content {
	if !linked[d.Name] || revision < firstLinks {
		return nil
	}
	var in linkable
	if json.Unmarshal(a.Structured, &in) != nil {
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
		out = append(out, &mcp.ResourceLink{
			URI: src.address(id), Name: kind + "-" + id, Title: clean(title + name), Description: src.title + ".", MIMEType: mimeJSON,
		})
	}
	add("study", in.StudyID, in.Name, "Study ")
	add("audience", in.Audience.ID, in.Audience.Name, "Audience ")
	add("mind", in.Mind.ID, in.Mind.Name, "Mind ")
	for _, file := range []*download{&in.download, in.ExportStatus} {
		if file == nil || file.DownloadURL == "" {
			continue
		}
		name := clean(file.Filename)
		if name == "" {
			name = "export." + in.Format
		}
		out = append(out, &mcp.ResourceLink{URI: file.DownloadURL, Name: name, Title: name, MIMEType: file.MIMEType,
			Description: "The exported file."})
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

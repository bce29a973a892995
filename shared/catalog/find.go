package catalog

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode"
)

// FindTools is the tool that searches the tools which are not listed.
const FindTools = "find_tools"

// finder is no tool of a contract: it is about the tools, so it belongs to no
// area and needs no scope.
func finder() *Definition {
	return &Definition{
		Name:  FindTools,
		Title: "Find tools",
		Description: "Search the tools that tools/list leaves out, by words about the task. Gives name, description and input schema " +
			"of the best matches; call such a tool by its name like any other.",
		Discovery:   Explicit,
		Annotations: Annotations{Title: "Find tools", ReadOnly: true, Idempotent: true},
		Scopes:      []string{},
		Input: json.RawMessage(`{"type":"object","properties":{` +
			`"query":{"type":"string","description":"What you want to do, in a few words.","minLength":1,"maxLength":300,"pattern":"\\S"},` +
			`"limit":{"type":"integer","description":"How many matches to give.","minimum":1,"maximum":20,"default":5}},` +
			`"required":["query"],"additionalProperties":false}`),
		ListedInput: json.RawMessage(`{"type":"object","properties":{` +
			`"query":{"type":"string","description":"What you want to do, in a few words."},` +
			`"limit":{"type":"integer","description":"How many matches to give.","minimum":1,"maximum":20,"default":5}},` +
			`"required":["query"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"object","properties":{` +
			`"tools":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"title":{"type":"string"},` +
			`"description":{"type":"string"},"area":{"type":"string"},"readOnly":{"type":"boolean"},"inputSchema":{"type":"object"},"schemaUri":{"type":"string"}},` +
			`"required":["name","title","description","area","readOnly","inputSchema","schemaUri"],"additionalProperties":false}},` +
			`"totalCount":{"type":"integer","minimum":0},"shownCount":{"type":"integer","minimum":0},` +
			`"searched":{"type":"array","items":{"type":"string"}}},` +
			`"required":["tools","totalCount","shownCount"],"additionalProperties":false}`),
		ListedOutput: json.RawMessage(`{"type":"object","properties":{"tools":{"type":"array"},"totalCount":{"type":"integer"},` +
			`"shownCount":{"type":"integer"},"searched":{"type":"array"},"error":{"type":"object"}}}`),
		Examples: []json.RawMessage{json.RawMessage(`{"query":"make a new Mind"}`)},
		compiled: &compiled{},
	}
}

// WithFinder adds find_tools behind the catalogue's own tools, if there is a
// tool to be found by it.
func (c *Catalogue) WithFinder() *Catalogue {
	if _, has := c.names[FindTools]; has || !slices.ContainsFunc(c.tools, func(d *Definition) bool { return d.Discovery == Explicit }) {
		return c
	}
	out := &Catalogue{toolset: c.toolset, areas: c.areas, tools: slices.Clone(c.tools), enabled: c.enabled, names: make(map[string]*Definition, len(c.names)+1)}
	for n, d := range c.names {
		out.names[n] = d
	}
	d := finder()
	out.tools = append(out.tools, d)
	out.names[d.Name] = d
	return out
}

// Search ranks tools by the words of a query: a word counts more in a name than
// in a description, and more when few of the tools have it. Tools that share no
// word are left out; equal ranks keep their order.
func Search(tools []*Definition, query string) []*Definition {
	asked := words(query)
	if len(asked) == 0 || len(tools) == 0 {
		return nil
	}
	fields := make([]map[string]float64, len(tools))
	for i, d := range tools {
		fields[i] = weights(d)
	}
	type hit struct {
		d     *Definition
		score float64
	}
	hits := make([]hit, len(tools))
	for i, d := range tools {
		hits[i].d = d
	}
	for _, w := range asked {
		found := make([]float64, len(tools))
		n := 0
		for i, f := range fields {
			found[i] = weight(f, w)
			for _, other := range alike[w] {
				found[i] = max(found[i], 0.9*weight(f, other))
			}
			if found[i] > 0 {
				n++
			}
		}
		rarity := math.Log(1 + float64(len(tools))/float64(max(1, n)))
		for i := range hits {
			hits[i].score += found[i] * rarity
		}
	}
	hits = slices.DeleteFunc(hits, func(h hit) bool { return h.score == 0 })
	slices.SortStableFunc(hits, func(a, b hit) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	out := make([]*Definition, len(hits))
	for i, h := range hits {
		out[i] = h.d
	}
	return out
}

// weights are the words of a tool with the best weight of the fields in which
// each stands.
func weights(d *Definition) map[string]float64 {
	out := map[string]float64{}
	add := func(text string, w float64) {
		for _, word := range words(text) {
			out[word] = max(out[word], w)
		}
	}
	add(d.Description, 1)
	add(d.Area, 1.5)
	var in struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(d.ListedInput, &in) == nil {
		for name := range in.Properties {
			add(name, 1.5)
		}
	}
	for _, n := range d.LegacyNames {
		add(n, 3)
	}
	add(d.Title, 4)
	add(d.Name, 5)
	return out
}

// weight of a word: a longer word that begins so counts for less.
func weight(field map[string]float64, word string) float64 {
	if w, ok := field[word]; ok {
		return w
	}
	best := 0.0
	if len(word) >= 3 {
		for f, w := range field {
			if strings.HasPrefix(f, word) || len(f) >= 4 && strings.HasPrefix(word, f) {
				best = max(best, 0.5*w)
			}
		}
	}
	return best
}

// alike are the contract's words for what people say.
var alike = map[string][]string{
	"make": {"create"}, "new": {"create"}, "build": {"create"}, "add": {"create"}, "generate": {"create"},
	"talk": {"chat"}, "speak": {"chat"}, "conversation": {"chat"}, "interview": {"chat", "ask"},
	"remove": {"delete", "manage"}, "delete": {"manage"}, "edit": {"manage", "update"}, "rename": {"manage"}, "change": {"manage", "update"},
	"show": {"get", "list"}, "see": {"get", "list"}, "read": {"get"}, "persona": {"mind"}, "person": {"mind"}, "people": {"audience"},
	"survey": {"study"}, "panel": {"study", "audience"}, "group": {"audience"}, "segment": {"formation", "segmentation"},
	"figure": {"analytic", "statistic"}, "stat": {"analytic", "statistic"}, "statistic": {"analytic"}, "download": {"export"},
}

// common words say nothing about a tool.
var common = map[string]bool{
	"a": true, "an": true, "and": true, "are": true, "by": true, "can": true, "do": true, "for": true, "from": true, "how": true, "i": true,
	"in": true, "is": true, "it": true, "its": true, "me": true, "my": true, "of": true, "on": true, "or": true, "that": true, "the": true,
	"this": true, "to": true, "tool": true, "want": true, "what": true, "which": true, "with": true, "you": true,
}

// words are the lower-case words of a text, parts of camelCase apart, a plural s
// taken off, each once.
func words(text string) []string {
	var b strings.Builder
	lower := false
	for _, r := range text {
		switch {
		case unicode.IsUpper(r):
			if lower {
				b.WriteByte(' ')
			}
			b.WriteRune(unicode.ToLower(r))
			lower = false
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
			lower = true
		default:
			b.WriteByte(' ')
			lower = false
		}
	}
	var out []string
	for _, w := range strings.Fields(b.String()) {
		if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
			w = w[:len(w)-1]
		}
		if !common[w] && !slices.Contains(out, w) {
			out = append(out, w)
		}
		if len(out) == 64 {
			break
		}
	}
	return out
}

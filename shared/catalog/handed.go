package catalog

// handedOn are fields that a result of one tool holds and an argument of another
// does not take, where callers are told to pass the result on unchanged. They say
// how the result came about and are left out before the arguments are checked;
// anything else that is not an argument is refused as ever.
var handedOn = map[string][]handed{
	"create_audience_from_brief": {
		{path: []string{"datasetSegmentation"}, fields: []string{"relationshipCount", "dependencyCount", "warnings", "rowCount", "excludedRowCount"}},
		{path: []string{"datasetSegmentation", "variables"}, fields: []string{"role", "selected"}},
		{path: []string{"datasetSegmentation", "columns"}, fields: []string{"role", "selected"}},
	},
}

type handed struct {
	path   []string // to an object, or to a list of objects
	fields []string
}

// leaveOut takes what was handed on out of the arguments, in place. A null in a
// field of the result that may be null is no value either.
func (d *Definition) leaveOut(given map[string]any) {
	for _, h := range handedOn[d.Name] {
		var at any = given
		for _, name := range h.path {
			object, _ := at.(map[string]any)
			at = object[name]
		}
		list, ok := at.([]any)
		if !ok {
			list = []any{at}
		}
		for _, e := range list {
			object, _ := e.(map[string]any)
			for _, f := range h.fields {
				delete(object, f)
			}
			if v, there := object["sheetName"]; there && v == nil {
				delete(object, "sheetName")
			}
		}
	}
}

package catalog

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// legacyArguments are argument names that mean something else under one old
// name of a tool: there panelId is the Study and studyId the run.
var legacyArguments = map[string]struct {
	when   string // only if this argument is sent
	rename map[string]string
}{
	"get_panel_study": {when: "panelId", rename: map[string]string{"panelId": "studyId", "studyId": "runId"}},
}

// Rename maps the arguments of a call that used an old tool name whose
// arguments have another meaning. Other calls pass unchanged.
func Rename(called string, args json.RawMessage) json.RawMessage {
	rule, ok := legacyArguments[fold(called)]
	if !ok {
		return args
	}
	v, err := decode(args)
	given, isObject := v.(map[string]any)
	if err != nil || !isObject {
		return args
	}
	if _, sent := given[rule.when]; !sent {
		return args
	}
	out := make(map[string]any, len(given))
	for k, e := range given {
		if to, ok := rule.rename[k]; ok {
			k = to
		}
		out[k] = e
	}
	raw, err := encode(out)
	if err != nil {
		return args
	}
	return raw
}

// mapAliases renames old argument names in place. An alias beside a different
// canonical value is refused: only one of the two can be meant.
func (d *Definition) mapAliases(given map[string]any) error {
	aliases := make([]string, 0, len(d.ArgumentAliases))
	for a := range d.ArgumentAliases {
		aliases = append(aliases, a)
	}
	slices.Sort(aliases)
	var problems []Problem
	for _, alias := range aliases {
		canonical := d.ArgumentAliases[alias]
		value, sent := take(given, alias)
		if !sent {
			continue
		}
		if current, both := given[canonical]; both && !reflect.DeepEqual(current, value) {
			problems = append(problems, Problem{
				Field: alias, Rule: "is an old name of " + canonical + " and was sent with another value; send only " + canonical,
				Example: d.exampleAt([]string{canonical}),
			})
			continue
		}
		given[canonical] = value
	}
	if len(problems) > 0 {
		return refuse(fault.Validation, d.Name, problems, 0)
	}
	return nil
}

// take removes an argument and returns it; "a.b" is b inside the object a,
// which goes too once it is empty.
func take(given map[string]any, name string) (any, bool) {
	if v, ok := given[name]; ok {
		delete(given, name)
		return v, true
	}
	outer, inner, dotted := strings.Cut(name, ".")
	if !dotted {
		return nil, false
	}
	o, ok := given[outer].(map[string]any)
	if !ok {
		return nil, false
	}
	v, ok := o[inner]
	if !ok {
		return nil, false
	}
	delete(o, inner)
	if len(o) == 0 {
		delete(given, outer)
	}
	return v, true
}

package catalog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Problem is one fault of the arguments: where, which rule, and a value that
// would pass, taken from a checked example of the contract.
type Problem struct {
	Field   string `json:"field"`
	Rule    string `json:"rule"`
	Example any    `json:"example,omitempty"`
}

const (
	maxProblems = 10
	// maxFound bounds what is put into words: a caller may send a million
	// faults, and reads ten.
	maxFound = 200
)

// refusal turns the validator's tree into problems that a caller can act on.
func (d *Definition) refusal(doc any, ve *jsonschema.ValidationError) error {
	r := &reader{def: d, doc: doc}
	r.read(ve)
	problems := r.problems()
	code := fault.Validation
	if onlyConfirmation(problems) {
		code = fault.ConfirmationRequired
		problems = []Problem{{Field: "confirmed", Rule: ruleConfirm, Example: true}}
	}
	return refuse(code, d.Name, problems, r.more)
}

// OptOutRemoved refuses trainMembers false, which an earlier generation took.
func OptOutRemoved() error {
	return fault.New(fault.TrainMembersOptOutRemoved, "trainMembers false is taken no more: every member is trained, one by one and in the background. Leave trainMembers out.").
		With("path", "/trainMembers").With("errors", []Problem{{Field: "trainMembers", Rule: "false is taken no more; leave it out"}})
}

// A step that only lacks the person's yes has its own code.
func onlyConfirmation(problems []Problem) bool {
	return len(problems) > 0 && !slices.ContainsFunc(problems, func(p Problem) bool {
		return p.Field != "confirmed" || p.Rule != ruleRequired && p.Rule != "must be true"
	})
}

// refuse shows the first problems and counts the rest, more of them not in the
// list.
func refuse(code fault.Code, tool string, problems []Problem, uncounted int) error {
	shown := problems
	if len(shown) > maxProblems {
		shown = shown[:maxProblems]
	}
	var b strings.Builder
	if total := len(problems) + uncounted; total > 1 {
		fmt.Fprintf(&b, "%d problems with the arguments of %s: ", total, tool)
	}
	for i, p := range shown {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(p.Field + ": " + p.Rule)
		if p.Example != nil {
			if x, err := encode(p.Example); err == nil && len(x) <= 200 {
				fmt.Fprintf(&b, " (for example %s)", x)
			}
		}
	}
	if more := len(problems) - len(shown) + uncounted; more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	if text := b.String(); !strings.HasSuffix(text, "?") {
		b.WriteByte('.')
	}
	return fault.New(code, "%s", b.String()).With("errors", shown)
}

// reader walks a validation error and collects problems in order.
type reader struct {
	def   *Definition
	doc   any
	found []Problem
	seen  map[[2]string]bool // field and rule of what was found
	more  int                // faults beyond maxFound, not put into words
}

// add notes a problem with an example; forbid notes one whose way out is to
// leave the field out.
func (r *reader) add(at []string, rule string) {
	r.note(Problem{Field: path(at), Rule: rule, Example: r.def.exampleAt(at)})
}

func (r *reader) forbid(at []string, rule string) { r.note(Problem{Field: path(at), Rule: rule}) }

func (r *reader) note(p Problem) {
	at := [2]string{p.Field, p.Rule}
	switch {
	case r.seen[at]:
		return
	case len(r.found) >= maxFound:
		r.more++
		return
	case r.seen == nil:
		r.seen = map[[2]string]bool{}
	}
	r.seen[at] = true
	r.found = append(r.found, p)
}

// full reports whether enough was found; the fault at hand is then only counted.
func (r *reader) full() bool {
	if len(r.found) < maxFound {
		return false
	}
	r.more++
	return true
}

// problems drops what another line about the same field says better.
func (r *reader) problems() []Problem {
	if len(r.found) == 0 {
		r.add(nil, "do not fit the schema of "+r.def.Name)
	}
	blank := map[string]bool{}
	for _, p := range r.found {
		if p.Rule == ruleBlank {
			blank[p.Field] = true
		}
	}
	out := slices.DeleteFunc(r.found, func(p Problem) bool {
		return blank[p.Field] && p.Rule != ruleBlank && strings.Contains(p.Rule, "character")
	})
	// The validator walks maps; a caller must get the same words each time.
	slices.SortFunc(out, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Rule, b.Rule))
	})
	return out
}

func (r *reader) read(e *jsonschema.ValidationError) {
	at := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		r.anyOf(e)
	case *kind.OneOf:
		r.oneOf(e, k)
	case *kind.Not:
		r.not(e)
	case *kind.Required:
		for _, name := range k.Missing {
			r.add(join(at, name), ruleRequired)
		}
	case *kind.DependentRequired:
		for _, name := range k.Missing {
			r.add(join(at, name), "is required together with "+k.Prop)
		}
	case *kind.AdditionalProperties:
		names := slices.Sorted(slices.Values(k.Properties)) // the same ten each time
		if over := len(names) - maxFound; over > 0 {
			names, r.more = names[:maxFound], r.more+over
		}
		for _, name := range names {
			r.forbid(join(at, clip(name)), r.unknown(e, name))
		}
	case *kind.FalseSchema:
		r.forbid(at, "cannot be given here, together with the other arguments")
	default:
		if len(e.Causes) == 0 {
			r.note(Problem{Field: path(at), Rule: rule(e.ErrorKind), Example: r.fitting(e)})
			return
		}
		for _, c := range e.Causes {
			if !r.full() {
				r.read(c)
			}
		}
	}
}

// fitting is an example that obeys the rule that was broken.
func (r *reader) fitting(e *jsonschema.ValidationError) any {
	example := r.def.exampleAt(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.Const:
		return k.Want
	case *kind.Enum:
		if len(k.Want) > 0 && !slices.Contains(k.Want, example) {
			return k.Want[0]
		}
	}
	return example
}

// anyOf of required fields reads as a choice; else the nearest branch speaks.
func (r *reader) anyOf(e *jsonschema.ValidationError) {
	var choices []string
	simple := true
	for _, c := range e.Causes {
		q, ok := leaf(c).ErrorKind.(*kind.Required)
		if !ok || len(leaf(c).InstanceLocation) != len(e.InstanceLocation) {
			simple = false
			break
		}
		choices = append(choices, strings.Join(q.Missing, " and "))
	}
	if simple && len(choices) > 0 {
		name := choices[0]
		if first, _, many := strings.Cut(name, " and "); many {
			name = first
		}
		r.add(join(e.InstanceLocation, name), "give one of "+strings.Join(choices, ", "))
		return
	}
	r.branch(e)
}

func leaf(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	for len(e.Causes) == 1 {
		e = e.Causes[0]
	}
	return e
}

// oneOf: the branch that the caller chose (action) speaks; two fitting branches
// mean that the arguments ask for two things.
func (r *reader) oneOf(e *jsonschema.ValidationError, k *kind.OneOf) {
	if len(k.Subschemas) > 1 {
		r.forbid(e.InstanceLocation, "mix two forms of the call; keep the fields of one")
		return
	}
	if at, allowed := chosen(e); allowed != nil {
		p := Problem{Field: path(at), Rule: "must be one of " + values(allowed), Example: r.def.exampleAt(at)}
		if !slices.Contains(allowed, p.Example) {
			p.Example = allowed[0]
		}
		r.note(p)
		return
	}
	if r.either(e) {
		return
	}
	r.branch(e)
}

// either words what no branch alone can say: that nothing was given of which any
// branch needs one, or that fields were given together that exclude each other.
func (r *reader) either(e *jsonschema.ValidationError) bool {
	var missing, together []string
	lacking, clashing := 0, 0
	for _, branch := range e.Causes {
		lack, clash, other := differs(branch, len(e.InstanceLocation))
		if other {
			continue
		}
		switch {
		case len(lack) == 1 && len(clash) == 0:
			lacking, missing = lacking+1, append(missing, lack[0])
		case len(lack) == 0 && len(clash) > 0:
			clashing, together = clashing+1, append(together, clash...)
		}
	}
	switch {
	case lacking == len(e.Causes) && lacking > 1:
		r.add(join(e.InstanceLocation, missing[0]), "give one of "+strings.Join(missing, ", "))
	case clashing > 1:
		slices.Sort(together)
		together = slices.Compact(together)
		r.forbid(join(e.InstanceLocation, together[0]), strings.Join(together, " and ")+" cannot be given together; give one of them")
	default:
		return false
	}
	return true
}

// differs is what a branch misses and what it bars, at a depth; other is whether it
// has other faults too.
func differs(e *jsonschema.ValidationError, depth int) (missing, barred []string, other bool) {
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		if len(e.InstanceLocation) == depth {
			return k.Missing, nil, false
		}
		return nil, nil, true
	case *kind.FalseSchema:
		if len(e.InstanceLocation) == depth+1 {
			return nil, []string{e.InstanceLocation[depth]}, false
		}
		return nil, nil, true
	}
	if len(e.Causes) == 0 {
		return nil, nil, true
	}
	for _, c := range e.Causes {
		m, b, o := differs(c, depth)
		missing, barred, other = append(missing, m...), append(barred, b...), other || o
	}
	return missing, barred, other
}

// chosen is the field by which every branch was turned down, such as action, with
// the values that it may have; nil when some branch takes the value that was sent.
// Then no branch was meant, and what else each would ask for says nothing.
func chosen(e *jsonschema.ValidationError) (at []string, allowed []any) {
	depth := len(e.InstanceLocation) + 1
	for i, branch := range e.Causes {
		c := constantAt(branch, depth, at)
		if c == nil {
			return nil, nil
		}
		if i == 0 {
			at = c.InstanceLocation
		}
		if want := c.ErrorKind.(*kind.Const).Want; !slices.Contains(allowed, want) {
			allowed = append(allowed, want)
		}
	}
	if len(allowed) < 2 {
		return nil, nil
	}
	return at, allowed
}

// constantAt finds the fault of a constant text at a depth, of the field at when
// that is known.
func constantAt(e *jsonschema.ValidationError, depth int, at []string) *jsonschema.ValidationError {
	if c, ok := e.ErrorKind.(*kind.Const); ok && len(e.InstanceLocation) == depth && (at == nil || slices.Equal(at, e.InstanceLocation)) {
		if _, text := c.Want.(string); text {
			return e
		}
	}
	for _, c := range e.Causes {
		if found := constantAt(c, depth, at); found != nil {
			return found
		}
	}
	return nil
}

// branch reports the branch with the fewest wrong constants, then the fewest
// faults, so that a caller who chose an action hears about that action only.
func (r *reader) branch(e *jsonschema.ValidationError) {
	best, bestWrong, bestCount := -1, 0, 0
	for i, c := range e.Causes {
		wrong, count := weigh(c)
		if best < 0 || wrong < bestWrong || wrong == bestWrong && count < bestCount {
			best, bestWrong, bestCount = i, wrong, count
		}
	}
	if best < 0 {
		r.add(e.InstanceLocation, "fit none of the allowed forms")
		return
	}
	r.read(e.Causes[best])
}

func weigh(e *jsonschema.ValidationError) (wrongConstants, faults int) {
	switch e.ErrorKind.(type) {
	case *kind.Const:
		if n := len(e.InstanceLocation); n > 0 && e.InstanceLocation[n-1] != "confirmed" {
			return 1, 1
		}
		return 0, 1
	case *kind.Enum, *kind.FalseSchema:
		return 1, 1
	}
	if len(e.Causes) == 0 {
		return 0, 1
	}
	for _, c := range e.Causes {
		w, f := weigh(c)
		wrongConstants += w
		faults += f
	}
	return wrongConstants, faults
}

func (r *reader) not(e *jsonschema.ValidationError) {
	inner, _ := lookup(r.doc, e.SchemaURL, "not").(map[string]any)
	if list, ok := inner["required"].([]any); ok {
		var names []string
		for _, n := range list {
			names = append(names, fmt.Sprint(n))
		}
		if len(names) == 1 {
			r.forbid(join(e.InstanceLocation, names[0]), "cannot be given here, together with the other arguments")
			return
		}
		r.forbid(join(e.InstanceLocation, names[len(names)-1]), "cannot be given together with "+strings.Join(names[:len(names)-1], " and "))
		return
	}
	r.forbid(e.InstanceLocation, "has a value that is not allowed here")
}

// unknown names the nearest field, or all when they are few.
func (r *reader) unknown(e *jsonschema.ValidationError, name string) string {
	s, _ := lookup(r.doc, e.SchemaURL, "").(map[string]any)
	props, _ := s["properties"].(map[string]any)
	names := make([]string, 0, len(props))
	for n := range props {
		names = append(names, n)
	}
	slices.Sort(names)
	best, distance := "", 4
	for _, n := range names {
		if d := edits(strings.ToLower(name), strings.ToLower(n), distance); d < distance {
			best, distance = n, d
		}
	}
	if title, ok := s["title"].(string); ok && title != "" {
		return "is no argument of " + title + "; it takes " + strings.Join(names, ", ")
	}
	switch {
	case best != "":
		return "is no known argument; did you mean " + best + "?"
	case len(names) == 0:
		return "is no known argument; this call takes none"
	default:
		return "is no known argument; known are " + strings.Join(names, ", ")
	}
}

// lookup reads the schema that a URL with a JSON pointer names.
func lookup(doc any, url, child string) any {
	_, pointer, _ := strings.Cut(url, "#")
	at := doc
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	if child != "" {
		steps = append(steps, child)
	}
	for _, step := range steps {
		if step == "" {
			continue
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch v := at.(type) {
		case map[string]any:
			next, ok := v[step]
			if !ok {
				if step == "not" { // the URL already ended in it
					return at
				}
				return nil
			}
			at = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			at = v[i]
		default:
			return nil
		}
	}
	return at
}

// exampleAt is the value at a path in the first checked example that has it.
func (d *Definition) exampleAt(at []string) any {
	if len(at) == 0 {
		return d.example()
	}
	for _, raw := range d.Examples {
		var v any
		if json.Unmarshal(raw, &v) != nil {
			continue
		}
		for _, step := range at {
			switch c := v.(type) {
			case map[string]any:
				v = c[step]
			case []any: // every element of a list has the same form
				v = nil
				if len(c) > 0 {
					v = c[0]
				}
			default:
				v = nil
			}
		}
		if v != nil {
			return v
		}
	}
	return nil
}

func join(at []string, name string) []string { return append(slices.Clone(at), name) }

// path writes a place as a caller would: audienceConfigs[0].mindIds[2].
func path(at []string) string {
	if len(at) == 0 {
		return "arguments"
	}
	var b strings.Builder
	for i, step := range at {
		switch _, err := strconv.Atoi(step); {
		case err == nil && i > 0:
			b.WriteString("[" + step + "]")
		case i > 0:
			b.WriteString("." + step)
		default:
			b.WriteString(step)
		}
	}
	return b.String()
}

func clip(name string) string {
	if len(name) <= 60 {
		return name
	}
	return strings.ToValidUTF8(name[:60], "") + "…"
}

package simulate

import (
	"bytes"
	"encoding/json"
	"sort"
	"strings"
)

// The fields of the document, and of one of its options.
var (
	knownFields = []string{"question", "options", "type", "n", "source", "dates", "population", "url", "breakdowns"}
	knownTypes  = []string{string(Categorical), string(Scale), string(Multiselect)}
	shareNames  = []string{"shares", "percent", "percentage", "pct", "value", "proportion"} // what people write for share
)

// slipOf gives the known name that a written one is a slip of: another case, one
// letter wrong, missing, too many or swapped; two in names of eight and more.
func slipOf(name string, known []string) (string, bool) {
	for _, k := range known {
		if strings.EqualFold(name, k) {
			return k, true
		}
	}
	for _, k := range known {
		allowed := 1
		switch {
		case len(k) < 4 || len(name) > 40:
			continue
		case len(k) >= 8:
			allowed = 2
		}
		if edits(strings.ToLower(name), k) <= allowed {
			return k, true
		}
	}
	return "", false
}

// edits is the optimal string alignment distance in bytes: letters changed, left
// out, added, or swapped with the next.
func edits(a, b string) int {
	var older []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, last = last, row
	}
	return last[len(b)]
}

// checkFields tells a document with a slip in it from text: ErrNotEvidence for
// what is no distribution at all, VALIDATION for one whose field is misnamed.
// ignored names fields that mean nothing here.
func checkFields(top map[string]json.RawMessage) (ignored []string, err error) {
	slips := map[string]string{} // known field -> as written
	names := make([]string, 0, len(top))
	for name := range top {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if known(name) {
			continue
		}
		k, ok := slipOf(name, knownFields)
		if _, there := top[k]; ok && !there && slips[k] == "" {
			slips[k] = name
			continue
		}
		ignored = append(ignored, name)
	}
	field := func(k string) json.RawMessage {
		if v, ok := top[k]; ok {
			return v
		}
		return top[slips[k]]
	}
	options := bytes.TrimSpace(field("options"))
	if len(field("question")) == 0 || len(options) == 0 || options[0] != '[' {
		return nil, ErrNotEvidence
	}
	var list []json.RawMessage
	if json.Unmarshal(options, &list) == nil && len(list) == 0 {
		if slips["question"] != "" || slips["options"] != "" {
			return nil, ErrNotEvidence
		}
		return nil, invalid("options", "must hold 2 to 100 objects {label, share}, but is empty")
	}
	if !hasShares(options) {
		if at, ok := misnamedShare(list); ok {
			return nil, invalid("options[]."+clipped(at), "is no field of an option; name the share of an answer \"share\"")
		}
		return nil, ErrNotEvidence // a questionnaire, say: options without figures
	}
	for _, k := range knownFields {
		if slips[k] != "" {
			return nil, invalid(clipped(slips[k]), "is no field of the document. Did you mean \""+k+"\"? Rename it, or leave it out")
		}
	}
	return ignored, nil
}

func known(name string) bool {
	for _, k := range knownFields {
		if k == name {
			return true
		}
	}
	return false
}

// misnamedShare finds the field by which options with labels bear a figure.
func misnamedShare(options []json.RawMessage) (string, bool) {
	for _, o := range options {
		var fields map[string]json.RawMessage
		if json.Unmarshal(o, &fields) != nil || len(fields["label"]) == 0 {
			continue
		}
		names := make([]string, 0, len(fields))
		for name := range fields {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			_, slip := slipOf(name, append([]string{"share"}, shareNames...))
			if _, _, figure := shareOf(fields[name]); slip && figure {
				return name, true
			}
		}
	}
	return "", false
}

// readType reads the document's type: whether several answers were allowed.
func readType(raw json.RawMessage) (multi bool, err error) {
	if len(raw) == 0 || string(raw) == "null" {
		return false, nil
	}
	const rule = "must be \"multiselect\" when several answers were allowed, else \"categorical\", \"scale\" or left out"
	var kind string
	if json.Unmarshal(raw, &kind) != nil {
		return false, invalid("type", rule)
	}
	for _, k := range knownTypes {
		if fold(kind) == k {
			return k == string(Multiselect), nil
		}
	}
	said := ", not \"" + clipped(kind) + "\""
	if k, ok := slipOf(strings.TrimSpace(kind), knownTypes); ok {
		said += " (did you mean \"" + k + "\"?)"
	}
	return false, invalid("type", rule+said)
}

// clipped bounds what a message repeats of the document.
func clipped(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

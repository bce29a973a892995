package catalog

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

const (
	ruleBlank    = "must not be blank"
	ruleRequired = "is required"
	ruleConfirm  = "must be true, and nothing was done: ask the person first whether this may be done, and only if they say yes send the same call again with confirmed:true"
)

// rule says one keyword in words. It never repeats the caller's value.
func rule(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return "must be " + article(strings.Join(k.Want, " or ")) + ", not " + article(k.Got)
	case *kind.Enum:
		return "must be one of " + values(k.Want)
	case *kind.Const:
		return "must be " + values([]any{k.Want})
	case *kind.Format:
		return "must be " + formats(k.Want)
	case *kind.MinLength:
		if k.Got == 0 {
			return ruleBlank
		}
		return fmt.Sprintf("must have at least %s", count(k.Want, "character"))
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %s, not %d", count(k.Want, "character"), k.Got)
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %s", count(k.Want, "entry"))
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %s, not %d", count(k.Want, "entry"), k.Got)
	case *kind.MinProperties:
		return fmt.Sprintf("must have at least %s", count(k.Want, "field"))
	case *kind.MaxProperties:
		return fmt.Sprintf("must have at most %s", count(k.Want, "field"))
	case *kind.Minimum:
		return "must be at least " + number(k.Want)
	case *kind.Maximum:
		return "must be at most " + number(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be above " + number(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be below " + number(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + number(k.Want)
	case *kind.UniqueItems:
		return fmt.Sprintf("must not repeat an entry; entries %d and %d are equal", k.Duplicates[0]+1, k.Duplicates[1]+1)
	case *kind.Pattern:
		return pattern(k.Want)
	}
	return "does not fit its schema"
}

// pattern gives the contract's patterns a name; a new one shows itself.
func pattern(p string) string {
	switch {
	case p == `\S`:
		return ruleBlank
	case strings.HasPrefix(p, "^[0-9a-fA-F]{8}-"):
		return "must be " + formats("uuid")
	case strings.HasPrefix(p, "^https?://"):
		return "must be an http or https address"
	case p == "^[0-9a-f]{64}$":
		return "must be a SHA-256 sum, 64 lower-case hexadecimal digits"
	case p == `\.(txt|md|csv|json)$`:
		return "must end in .txt, .md, .csv or .json"
	case p == `\.([cC][sS][vV]|[xX][lL][sS][xX]?)$`:
		return "must end in .csv, .xls or .xlsx"
	case strings.Contains(p, "@"):
		return "must be " + formats("email")
	}
	return "must match " + p
}

func formats(name string) string {
	switch name {
	case "uuid":
		return "a UUID"
	case "uri":
		return "an absolute address (URI)"
	case "date-time":
		return "a time like 2026-01-31T12:00:00Z"
	case "email":
		return "an e-mail address"
	}
	return "a valid " + name
}

func values(list []any) string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
			continue
		}
		raw, err := encode(v)
		if err == nil {
			out = append(out, string(raw))
		}
	}
	return strings.Join(out, ", ")
}

func number(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(6), "0")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if what == "entry" {
		return fmt.Sprintf("%d entries", n)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func article(what string) string {
	if strings.HasPrefix(what, "null") {
		return what
	}
	if strings.ContainsRune("aeiou", rune(what[0])) {
		return "an " + what
	}
	return "a " + what
}

// edits is the Levenshtein distance, given up above the bound.
func edits(a, b string, bound int) int {
	if len(a)-len(b) >= bound || len(b)-len(a) >= bound {
		return bound
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal, row[j] = row[j], min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

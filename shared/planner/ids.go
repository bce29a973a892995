package planner

import (
	"strconv"
	"strings"
)

// slug is an id as the contract writes it (M-85): lower case, each run of other
// characters than a-z 0-9 _ becomes one "-", trimmed, at most 80 characters.
func slug(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
			if b.Len() >= MaxID {
				break
			}
			continue
		}
		gap = true
	}
	out := b.String()
	if len(out) > MaxID {
		out = out[:MaxID]
	}
	return strings.Trim(out, "-")
}

// unused gives id, or id-2, id-3 … where it is taken, and takes it.
func unused(id string, taken map[string]bool) string {
	out := id
	for n := 2; taken[out]; n++ {
		tail := "-" + strconv.Itoa(n)
		out = strings.TrimRight(id[:min(len(id), MaxID-len(tail))], "-") + tail
	}
	taken[out] = true
	return out
}

// pointer is a JSON pointer of names and indexes.
func pointer(parts ...any) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteByte('/')
		switch v := p.(type) {
		case int:
			b.WriteString(strconv.Itoa(v))
		case string:
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(v, "~", "~0"), "/", "~1"))
		}
	}
	return b.String()
}

func pointerAt(path string, i int) string { return path + "/" + strconv.Itoa(i) }

// folded compares texts of questions: trimmed, case-folded, spaces as one.
func folded(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

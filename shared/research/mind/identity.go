package mind

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Identity is what a member of a cohort was assigned; no regeneration of its
// prompt changes it (M-26). What is zero was not assigned.
type Identity struct {
	Age            int    `json:"age,omitempty"` // years
	Gender         string `json:"gender,omitempty"`
	Representation string `json:"representation,omitempty"`
}

// headerMark begins the line of a prompt that holds the identity.
const headerMark = "Assigned for good: "

// header is the line that every prompt of a member begins with; empty without
// an identity.
func (id *Identity) header() string {
	if id == nil {
		return ""
	}
	id = id.plain()
	var parts []string
	if id.Age > 0 {
		parts = append(parts, fmt.Sprintf("age %d", id.Age))
	}
	if id.Gender != "" {
		parts = append(parts, "gender "+id.Gender)
	}
	if id.Representation != "" {
		parts = append(parts, "representation "+id.Representation)
	}
	if len(parts) == 0 {
		return ""
	}
	return headerMark + strings.Join(parts, ", ") + "."
}

// Ways in which a text states an age or a gender of its subject. The first
// group is what stands before the value, the second the value.
var (
	agesStated = []*regexp.Regexp{
		regexp.MustCompile(`(?im)(^[ \t\-*•]*\**age\**[ \t]*[:：][ \t]*)(\d{1,3})\b`),
		regexp.MustCompile(`(?i)(\b(?:i am|i'm|you are|you're|an?|aged|age)[ \t]+)(\d{1,3})\b(?:[ \-]years?[ \-]old\b|[ \-]year[ \-]old\b|[ \t]*[,.;\n]|$)`),
		regexp.MustCompile(`(?i)()\b(\d{1,3})[ \-]years?[ \-]old\b`),
	}
	genderLine         = regexp.MustCompile(`(?im)(^[ \t\-*•]*\**gender(?: identity)?\**[ \t]*[:：][ \t]*)([^\n;|.]+)`)
	representationLine = regexp.MustCompile(`(?im)(^[ \t\-*•]*\**representation\**[ \t]*[:：][ \t]*)([^\n;|.]+)`)
	genderStated       = regexp.MustCompile(`(?i)(\b(?:i am|i'm|you are|you're|as)[ \t]+(?:an?[ \t]+)?(?:[\w\-]+[ \t]+){0,4}?)(women|woman|men|man|females?|males?|non-binary person|girl|boy)\b`)
)

// sexes folds words for a gender so that they can be compared; what is not here
// is compared as it is written.
var sexes = map[string]string{
	"woman": "female", "women": "female", "female": "female", "females": "female", "girl": "female", "f": "female",
	"man": "male", "men": "male", "male": "male", "males": "male", "boy": "male", "m": "male",
	"non-binary person": "non-binary", "nonbinary": "non-binary", "non-binary": "non-binary",
}

func sexOf(s string) string {
	s = strings.ToLower(strings.Trim(strings.TrimSpace(s), "*_ .,"))
	if folded, ok := sexes[s]; ok {
		return folded
	}
	return s
}

// nounOf is a word that can stand where a text says "a man".
func (id *Identity) nounOf() string {
	switch sexOf(id.Gender) {
	case "female":
		return "woman"
	case "male":
		return "man"
	}
	return "person"
}

// plain keeps each value on its line: what ends a value in a text cannot be in one.
func (id *Identity) plain() *Identity {
	part := strings.NewReplacer("\n", " ", "\r", " ", ";", " ", "|", " ", ".", " ", ":", " ")
	one := func(s string) string { return strings.Join(strings.Fields(part.Replace(s)), " ") }
	return &Identity{Age: id.Age, Gender: one(id.Gender), Representation: one(id.Representation)}
}

// Denies reports whether a text says another age, gender or representation of
// its subject than was assigned.
func (id *Identity) Denies(text string) bool { return id != nil && id.Hold(text) != text }

// Hold puts what was assigned where a text says something else of its subject
// (M-26: the line is overwritten). A text that agrees comes back as it is.
func (id *Identity) Hold(text string) string {
	if id == nil {
		return text
	}
	id = id.plain()
	if id.Age > 0 {
		age := strconv.Itoa(id.Age)
		for _, re := range agesStated {
			text = overwrite(re, text, func(was string) (string, bool) { return age, was != age })
		}
	}
	if id.Gender != "" {
		text = overwrite(genderLine, text, func(was string) (string, bool) { return id.Gender, sexOf(was) != sexOf(id.Gender) })
		text = overwrite(genderStated, text, func(was string) (string, bool) { return id.nounOf(), sexOf(was) != sexOf(id.Gender) })
	}
	if id.Representation != "" {
		text = overwrite(representationLine, text, func(was string) (string, bool) {
			return id.Representation, !strings.EqualFold(strings.TrimSpace(was), id.Representation)
		})
	}
	return text
}

// overwrite replaces the second group of each match for which change says so,
// until none is left: what was replaced no longer ends a match, so the next word
// of its kind may. Each pass leaves fewer of them.
func overwrite(re *regexp.Regexp, text string, change func(was string) (string, bool)) string {
	for range maxPasses {
		next := overwriteOnce(re, text, change)
		if next == text {
			break
		}
		text = next
	}
	return text
}

// maxPasses is more than a text that means somebody has of one kind of word.
const maxPasses = 50

func overwriteOnce(re *regexp.Regexp, text string, change func(was string) (string, bool)) string {
	var b strings.Builder
	end := 0
	for _, at := range re.FindAllStringSubmatchIndex(text, -1) {
		now, differs := change(text[at[4]:at[5]])
		if !differs {
			continue
		}
		b.WriteString(text[end:at[4]])
		b.WriteString(now)
		end = at[5]
	}
	if end == 0 {
		return text
	}
	b.WriteString(text[end:])
	return b.String()
}

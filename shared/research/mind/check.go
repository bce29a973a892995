package mind

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// Limits of the texts of a Mind, in characters (section 23).
const (
	maxPersona     = 16_000
	maxDescription = 2_000
	maxDiscipline  = 200
	maxKeyword     = 200
	maxKeywords    = 50
	maxLink        = 2_000
	maxTags        = 20
	maxTag         = 100
)

func (r CreateRequest) defaulted() CreateRequest {
	if r.Type == "" {
		r.Type = "expert"
	}
	if r.SourcePolicy == "" {
		r.SourcePolicy = PolicyAuto
	}
	if r.IncludeWebSearch == nil {
		yes := true
		r.IncludeWebSearch = &yes
	}
	return r
}

// checked gives the request with defaults and trimmed texts, or the refusal of
// its first mistake.
func (r CreateRequest) checked() (CreateRequest, error) {
	r = r.defaulted()
	var err error
	if r.Name, err = CheckName(r.Name); err != nil {
		return r, err
	}
	if r.Key != "" {
		if r.Key, err = lookup.ID("idempotencyKey", r.Key); err != nil {
			return r, err
		}
	}
	if !slices.Contains([]string{"creative", "expert", "user"}, r.Type) {
		return r, invalid("type", "type is %q; it must be creative, expert or user.", clip(r.Type))
	}
	if !slices.Contains([]string{PolicyAuto, PolicyKnowledgeOnly}, r.SourcePolicy) {
		return r, invalid("sourcePolicy", "sourcePolicy is %q; it must be auto or knowledge_only.", clip(r.SourcePolicy))
	}
	r.Discipline = strings.TrimSpace(r.Discipline)
	r.Description = strings.TrimSpace(r.Description)
	r.ContextLink = strings.TrimSpace(r.ContextLink)
	for _, l := range []struct {
		field, text string
		limit       int
	}{
		{"discipline", r.Discipline, maxDiscipline}, {"description", r.Description, maxDescription},
		{"personaContext", r.PersonaContext, maxPersona}, {"contextLink", r.ContextLink, maxLink},
	} {
		if err := checkLength(l.field, l.text, l.limit); err != nil {
			return r, err
		}
	}
	if r.Keywords, err = checkKeywords(r.Keywords); err != nil {
		return r, err
	}
	if r.Tags, err = checkTags(r.Tags); err != nil {
		return r, err
	}
	switch r.Mode {
	case ModeKeywords:
		if len(r.Keywords) == 0 {
			return r, invalid("keywords", "mode keywords needs keywords: at least one topic that is not blank, for example [\"SaaS pricing\"].")
		}
	case ModeClone:
		if strings.TrimSpace(r.PersonaContext) == "" {
			return r, invalid("personaContext", "mode clone needs personaContext: who to model, for example \"Age: 34\\nGender: Female\\nWorks as a nurse.\"")
		}
	case ModeLink:
		if r.ContextLink == "" {
			return r, invalid("contextLink", "mode link needs contextLink: the address of a public page, starting with https://.")
		}
	case ModeManual:
	default:
		return r, invalid("mode", "mode is %q; it must be keywords, clone, link or manual.", clip(r.Mode))
	}
	return r, nil
}

// CheckName trims a Mind's name and holds it to 2..100 characters on one line.
func CheckName(name string) (string, error) {
	name = strings.TrimSpace(name)
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", invalid("name", "name is blank. A Mind needs a name of 2 to 100 characters.")
	case n < 2 || n > 100:
		return "", invalid("name", "name has %d characters after trimming; it must have 2 to 100.", n)
	}
	return name, lookup.OneLine("name", name)
}

func checkLength(field, text string, limit int) error {
	if n := utf8.RuneCountInString(text); n > limit {
		return invalid(field, "%s has %d characters; at most %d are taken.", field, n, limit)
	}
	return nil
}

// checkKeywords trims the topics and drops blank and repeated ones.
func checkKeywords(in []string) ([]string, error) {
	if len(in) > maxKeywords {
		return nil, invalid("keywords", "keywords has %d entries; at most %d are taken.", len(in), maxKeywords)
	}
	var out []string
	for _, k := range in {
		k = strings.TrimSpace(k)
		if err := checkLength("keywords", k, maxKeyword); err != nil {
			return nil, err
		}
		if k != "" && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out, nil
}

// checkTags drops blank and repeated tags and cuts the list at 20 (section 23). A
// tag has at most 100 characters.
func checkTags(in []string) ([]string, error) {
	var out []string
	for i, t := range in {
		t = strings.TrimSpace(t)
		if n := utf8.RuneCountInString(t); n > maxTag {
			return nil, invalid("tags", "tags[%d] has %d characters; a tag has at most %d.", i, n, maxTag)
		}
		if t != "" && !slices.Contains(out, t) && len(out) < maxTags {
			out = append(out, t)
		}
	}
	return out, nil
}

func invalid(field, format string, args ...any) *fault.Error {
	return fault.New(fault.Validation, format, args...).With("field", field)
}

// Package pattern finds in a text what it says of a person or a subject: values,
// preferences, habits, pains, goals, views, facts, tone. Every finding carries
// the words that say it, as they stand in the source. Without a model this is
// done by rules for English texts; figures, headings and labelled lines are found
// in any language. Nothing is concluded that no sentence says.
package pattern

import (
	"strings"
	"unicode/utf8"
)

// Pattern is one finding.
type Pattern struct {
	Aspect    string `json:"aspect"`              // one of the aspects below
	SubAspect string `json:"subAspect,omitempty"` // what it is about, in words of the source
	Quote     string `json:"quote"`               // verbatim, at most MaxQuote characters
	Where     string `json:"where,omitempty"`     // its place in the source, such as "page 3"
}

// Aspects.
const (
	Values      = "values"
	Preferences = "preferences"
	Dislikes    = "dislikes"
	Habits      = "habits"
	Pains       = "pain points"
	Goals       = "goals"
	Views       = "views"
	Background  = "background"
	Tone        = "tone"
	Facts       = "facts"
	Topics      = "topics"
	Published   = "published figures"
)

// frameworks put the aspects into families, in the order in which they are read.
var frameworks = []struct {
	name    string
	aspects []string
}{
	{"Person", []string{Background, Values, Goals, Preferences, Dislikes, Habits, Pains, Views, Tone}},
	{"Subject", []string{Topics, Facts}},
	{"Evidence", []string{Published}},
}

// Text is a piece of the source.
type Text struct {
	Text    string
	Where   string
	Heading string // above it, if the text does not hold it
}

// Bounds of a pattern, in characters.
const (
	MaxQuote = 300
	maxSub   = 60
)

// FromDistribution is the pattern of a published distribution: its question.
func FromDistribution(question, source string) Pattern {
	return Pattern{Aspect: Published, SubAspect: cut(source, maxSub), Quote: cut(question, MaxQuote)}
}

// Framework is a family of aspects, for reading.
type Framework struct {
	Name    string        `json:"name"`
	Total   int           `json:"totalPatterns"`
	Aspects []AspectGroup `json:"aspects"`
}

// AspectGroup is one aspect with its sub-aspects.
type AspectGroup struct {
	Aspect     string           `json:"aspect"`
	Total      int              `json:"totalPatterns"`
	SubAspects []SubAspectGroup `json:"subAspects"`
}

// SubAspectGroup is one sub-aspect with the evidence for it.
type SubAspectGroup struct {
	SubAspect *string    `json:"subAspect"`
	Evidence  []Evidence `json:"evidence"`
}

// Evidence is one quote and where it stands.
type Evidence struct {
	ID     int64  `json:"id"`
	Quote  string `json:"quote"`
	ItemID string `json:"itemId"`
	Source string `json:"source,omitempty"` // description of the item
	Where  string `json:"where,omitempty"`
}

// Found is a pattern with its number and its item.
type Found struct {
	Pattern
	ID     int64
	ItemID string
	Source string
}

// Group puts findings into frameworks, aspects and sub-aspects. Frameworks and
// aspects stand in a fixed order, sub-aspects in the order of the findings; what
// has no finding is left out.
func Group(all []Found) []Framework {
	out := []Framework{}
	for _, f := range frameworks {
		family := Framework{Name: f.name}
		for _, aspect := range f.aspects {
			if g := groupAspect(aspect, all); g.Total > 0 {
				family.Aspects = append(family.Aspects, g)
				family.Total += g.Total
			}
		}
		if family.Total > 0 {
			out = append(out, family)
		}
	}
	return out
}

func groupAspect(aspect string, all []Found) AspectGroup {
	g := AspectGroup{Aspect: aspect}
	at := map[string]int{}
	for _, f := range all {
		if f.Aspect != aspect {
			continue
		}
		key := strings.ToLower(f.SubAspect)
		i, ok := at[key]
		if !ok {
			i = len(g.SubAspects)
			at[key] = i
			s := SubAspectGroup{}
			if f.SubAspect != "" {
				s.SubAspect = &f.SubAspect
			}
			g.SubAspects = append(g.SubAspects, s)
		}
		g.SubAspects[i].Evidence = append(g.SubAspects[i].Evidence, Evidence{ID: f.ID, Quote: f.Quote, ItemID: f.ItemID, Source: f.Source, Where: f.Where})
		g.Total++
	}
	return g
}

// known reports whether an aspect is one of ours.
func known(aspect string) bool {
	for _, f := range frameworks {
		for _, a := range f.aspects {
			if a == aspect {
				return true
			}
		}
	}
	return false
}

// cut keeps at most limit characters of a text, whole words if there are any.
// What is kept is a part of the text as it stands.
func cut(s string, limit int) string {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	n, end, word := 0, len(s), 0
	for i, r := range s {
		if n == limit {
			end = i
			break
		}
		if r == ' ' || r == '\n' {
			word = i
		}
		n++
	}
	if word > end/2 {
		end = word
	}
	return strings.TrimSpace(s[:end])
}

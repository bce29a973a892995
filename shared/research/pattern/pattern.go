// Package pattern finds in a text what it says of a person or a subject: values,
// preferences, habits, pains, goals, facts, tone. Every finding carries the words
// that say it, as they stand in the source.
package pattern

// Pattern is one finding.
type Pattern struct {
	Aspect    string `json:"aspect"`              // one of the names in Aspects
	SubAspect string `json:"subAspect,omitempty"` // what it is about, in words of the source
	Quote     string `json:"quote"`               // verbatim, at most MaxQuote characters
	Where     string `json:"where,omitempty"`     // its place in the source, such as "page 3"
}

// MaxQuote bounds a quote, in characters.
const MaxQuote = 300

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
	ID     int64   `json:"id"`
	Quote  string  `json:"quote"`
	ItemID *string `json:"itemId"`
	Source string  `json:"source,omitempty"` // description of the item
	Where  string  `json:"where,omitempty"`
}

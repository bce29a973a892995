package method

// Item is one question that a method asks: Item of the contract without what
// only a plan knows (module, position, attachments).
type Item struct {
	ID       string    `json:"id"` // <methodId>-<n>
	Text     string    `json:"text"`
	Response Response  `json:"response"`
	Variants []Variant `json:"variants,omitempty"` // M-88: text and response above are those of version 1
}

// Response is the answer format; its JSON is ResponseContract.
type Response struct {
	Type               string            `json:"type"` // qualitative, categorical, multiselect, scale, numeric, ranking, best_worst
	CategoricalOptions []string          `json:"categoricalOptions,omitempty"`
	MaxSelections      int               `json:"maxSelections,omitempty"`
	MinSelections      int               `json:"minSelections,omitempty"`
	ExclusiveOptions   []string          `json:"exclusiveOptions,omitempty"`
	ScaleRange         []int             `json:"scaleRange,omitempty"`
	ScaleLabels        map[string]string `json:"scaleLabels,omitempty"`
	ScaleTop           string            `json:"scaleTop,omitempty"`
	Minimum            *float64          `json:"minimum,omitempty"`
	Maximum            *float64          `json:"maximum,omitempty"`
	Integer            bool              `json:"integer,omitempty"`
	Unit               string            `json:"unit,omitempty"`
	TopK               int               `json:"topK,omitempty"`
}

// Variant is an item in one design version; its JSON is ItemVariant.
type Variant struct {
	VersionID    string        `json:"versionId"`
	Text         string        `json:"text"`
	Response     Response      `json:"response"`
	Alternatives []Alternative `json:"alternatives,omitempty"`
}

// Alternative is one thing to choose from in a task.
type Alternative struct {
	ID     string            `json:"id"`
	Label  string            `json:"label"`
	Levels map[string]string `json:"levels,omitempty"` // conjoint: attribute id to level id
}

// Prepared are the items of a method with what is known of their design.
type Prepared struct {
	Items       []Item
	Versions    []string       // ids of design versions; none when all Minds see the same (M-88)
	Diagnostics map[string]any // ExecutionPlan.designs; nil without a design
	Warnings    []string
}

// VersionOf is the variant of an item that the Mind at a slot answers; ok is
// false for an item without variants.
func (i Item) VersionOf(slot int64) (Variant, bool) {
	n := int64(len(i.Variants))
	if n == 0 {
		return Variant{}, false
	}
	return i.Variants[((slot%n)+n)%n], true
}

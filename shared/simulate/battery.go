package simulate

// The forms that only a method asks for.
const (
	Numeric   QuestionType = "numeric"
	Ranking   QuestionType = "ranking"
	BestWorst QuestionType = "best_worst"
)

// Battery is what an item that a method wrote has in common with the others of
// its kind. The same Subject in any Study is the same construct: a Mind keeps
// its tastes and the most that it would pay from item to item.
type Battery struct {
	Method  string `json:"method"`            // id of the method, such as "van-westendorp"
	Subject string `json:"subject,omitempty"` // the product, the feature, or what the items answer; else the question's text
	Role    string `json:"role,omitempty"`    // RoleTooCheap … RoleWithout
	Task    string `json:"task,omitempty"`    // names the task: its error is drawn from it. Two tasks of one battery have different ones

	Items        []string      `json:"items,omitempty"`        // all items of the battery; Question.Options are those shown
	Attributes   []Attribute   `json:"attributes,omitempty"`   // conjoint
	Alternatives []Alternative `json:"alternatives,omitempty"` // conjoint: aligned to Question.Options

	Price    *float64  `json:"price,omitempty"`  // named by this item
	Prices   []float64 `json:"prices,omitempty"` // known of the product: what it costs today, a price list. Evidence
	Grid     []float64 `json:"grid,omitempty"`   // the prices that are asked. No evidence: they only bound what is drawn without any
	Currency string    `json:"currency,omitempty"`
}

// Methods whose items have a model of their own here.
const (
	MethodWestendorp = "van-westendorp"
	MethodGranger    = "gabor-granger"
	MethodKano       = "kano"
	MethodConjoint   = "conjoint"
)

// Roles of items of van-westendorp, gabor-granger (RoleIntent) and kano.
const (
	RoleTooCheap     = "too_cheap"
	RoleCheap        = "cheap"
	RoleExpensive    = "expensive"
	RoleTooExpensive = "too_expensive"
	RoleIntent       = "intent" // of buying at Price, on a scale or over ordered options
	RoleWith         = "with"   // kano: the feature is there
	RoleWithout      = "without"
)

// Attribute of a conjoint. Kind is "", "ordered" (a later level is better) or
// "price" (levels hold amounts).
type Attribute struct {
	ID     string  `json:"id"`
	Label  string  `json:"label,omitempty"`
	Kind   string  `json:"kind,omitempty"`
	Levels []Level `json:"levels"`
}

// Level of an attribute. Utility is its part-worth where it is declared, such as
// by an earlier study.
type Level struct {
	ID      string   `json:"id"`
	Label   string   `json:"label,omitempty"`
	Value   *float64 `json:"value,omitempty"`
	Utility *float64 `json:"utility,omitempty"`
}

// Alternative is one thing to choose from: attribute id to level id. Without
// Levels it is the choice of none.
type Alternative struct {
	ID     string            `json:"id"`
	Levels map[string]string `json:"levels,omitempty"`
}

// task answers an item whose form or method has a model of its own.
type task interface {
	answer(p *prepared, r Respondent, passages []Passage) (Answer, basis)
}

// subject names the construct of a question with a battery.
func (q Question) subject() string {
	if q.Battery != nil && q.Battery.Subject != "" {
		return q.Battery.Subject
	}
	return q.Text
}

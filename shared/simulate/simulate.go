// Package simulate answers questions as the Minds of a study would, when no
// model connection is set, and defines the interface that a model connection
// answers through as well. It is a pure engine: no store, no clock, no network,
// no global random source. The same Mind, question and knowledge give the same
// answer, byte for byte, in any order and on any machine (M-344).
//
// What it can do is reproduce published or imported distributions and repeat
// what a Mind's own record says. What it cannot do is know an opinion: where
// nothing supports an answer, the answer says so (State Unsupported).
package simulate

import "context"

// Info names who answered. An answer of this package is always simulated.
type Info struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Embeddings is the space of the vectors that answers depend on, such as
	// "hashed@1/2048"; "" when they depend on none. Answers are equal for an equal
	// space (M-344).
	Embeddings string `json:"embeddings,omitempty"`
}

// QuestionType is the form of an answer. The names are those of the contract.
type QuestionType string

// The forms an author can ask for.
const (
	Scale       QuestionType = "scale"
	Categorical QuestionType = "categorical"
	Multiselect QuestionType = "multiselect"
	Qualitative QuestionType = "qualitative"
)

// Question is one item as a respondent sees it, with its exact answer form.
type Question struct {
	Text    string       `json:"text"`
	Type    QuestionType `json:"type"`
	Options []string     `json:"options,omitempty"` // shown labels, in shown order (categorical, multiselect)
	Ordinal bool         `json:"ordinal,omitempty"` // options run from one end to the other

	Min         int            `json:"min,omitempty"` // scale only, inclusive
	Max         int            `json:"max,omitempty"`
	ScaleLabels map[int]string `json:"scaleLabels,omitempty"` // text of single points
	TopLow      bool           `json:"topLow,omitempty"`      // the low end is the top

	MinSelections int      `json:"minSelections,omitempty"` // multiselect; 0 = none required
	MaxSelections int      `json:"maxSelections,omitempty"` // multiselect; 0 = no limit
	Exclusive     []string `json:"exclusive,omitempty"`     // labels that exclude all others

	TopK    int      `json:"topK,omitempty"`    // ranking: how many ranks are asked; 0 = all
	Minimum *float64 `json:"minimum,omitempty"` // numeric
	Maximum *float64 `json:"maximum,omitempty"`
	Integer bool     `json:"integer,omitempty"`
	Unit    string   `json:"unit,omitempty"`    // of a number: a currency code or a unit
	Battery *Battery `json:"battery,omitempty"` // of an item that a method wrote

	StimulusKinds []string `json:"stimulusKinds,omitempty"` // StimulusImage, "video": cannot be seen offline; other kinds are text
	// Pictures are the images, for a model that sees; who stores a question keeps
	// them elsewhere. Offline they count for nothing.
	Pictures []Picture `json:"-"`
	// Material is a text that is shown with the question, for a model that reads; it
	// is data and says nothing about a Mind. Offline it counts for nothing.
	Material *Material `json:"material,omitempty"`
}

// Material is a text of a question under its label.
type Material struct {
	Label string `json:"label"`
	Text  string `json:"text"`
}

// StimulusImage is the kind of a picture among StimulusKinds.
const StimulusImage = "image"

// Picture is an image of a question.
type Picture struct {
	Name      string // as the author named it
	MediaType string // image/png, image/jpeg, image/gif or image/webp
	Data      []byte
}

// State tells what one answer rests on (M-341).
type State string

// The states, strongest first.
const (
	Stated      State = "stated"      // the Mind's own record or earlier answer
	Grounded    State = "grounded"    // a distribution for this question and population
	Related     State = "related"     // a near question or a near population
	Trait       State = "trait"       // mapped profile traits only
	Unsupported State = "unsupported" // nothing but the shape of the question
)

// Status tells whether there is an answer.
const (
	Answered     = "answered"
	CannotAnswer = "cannot_answer"
)

// Reasons of CannotAnswer.
const (
	ReasonNeedsVision = "needs_vision" // an image or a video, and no model to see it
	ReasonNoEvidence  = "no_evidence"  // strict mode instead of an unsupported draw
)

// Profile is what a Mind's persona says about itself, read by ParseProfile.
type Profile struct {
	Fields []Field // in the order in which they were written; keys folded
	Prose  string  // the lines that are no pair
	Raw    string  // the text as given
}

// Field is one "Key: value" line. Key is folded (lower case, single spaces).
type Field struct{ Key, Value string }

// Passage is a piece of a Mind's own knowledge. ID is the knowledge item's id;
// several passages may share it. Where is its place inside the item ("page 12"),
// Heading what it stands under there, Source the item's title or link, URL the
// whole link of a page; all may be empty.
type Passage struct {
	ID     string `json:"id"`
	Text   string `json:"text"`
	Where  string `json:"where,omitempty"`
	Source string `json:"source,omitempty"`

	Heading string `json:"heading,omitempty"`
	URL     string `json:"url,omitempty"`
}

// Recaller finds the passages of one Mind's knowledge that are nearest to a
// text, best first, at most k. It is safe for concurrent use, and the same
// knowledge gives the same passages.
type Recaller interface {
	Recall(ctx context.Context, query string, k int) ([]Recalled, error)
}

// Recalled is a passage with how near it is.
type Recalled struct {
	Passage
	Relevance float64 // 0 to 1, lexical and vector rank together
	Lexical   float64 // BM25, as a share of the most that the text could score
	Cosine    float64 // of the vectors; NaN without them
}

// Earlier is an answer that the same Mind gave before in this run (M-74), or a
// turn of its own conversation. For a conversation Question holds the message
// and Text the reply.
type Earlier struct {
	Question string   `json:"question"`
	Option   string   `json:"option,omitempty"`
	Options  []string `json:"options,omitempty"`
	Number   *float64 `json:"number,omitempty"`
	Text     string   `json:"text,omitempty"`
	Ranking  []string `json:"ranking,omitempty"` // best first
	Best     string   `json:"best,omitempty"`
	Worst    string   `json:"worst,omitempty"`
}

// Respondent is one Mind as the engine needs it. Slot is its home slot, given
// at creation and kept for life: a Mind answers from it in every Study and in
// chat alike. Register is a word for how it speaks ("plain", "formal"); empty
// is plain.
type Respondent struct {
	ID       string
	Name     string
	Slot     int64
	Profile  Profile
	Passages []Passage
	Evidence []*Evidence // shared between Minds: pass the same pointers, they are only read
	Register string
	Earlier  []Earlier

	SystemPrompt string   // the Mind's own prompt, for answers by a model
	Recall       Recaller // nil: Passages are looked through
}

// Policy is how an answer may be made.
type Policy struct {
	KnowledgeOnly bool      // M-27: nothing but the Mind's own knowledge; else persona only, no facts
	Strict        bool      // cannot_answer instead of an unsupported draw
	ResponseForm  string    // concise | standard | expanded; empty is standard
	History       []Earlier // earlier turns with this Mind, oldest first (Reply)
	// SimilarityRating asks for words first and maps them to the options by their
	// meaning, with anchors in the question's language; text and mapping are
	// recorded (Answer.Rating).
	SimilarityRating bool
	Language         string // of the words around what is quoted: en es fr de zh tr ar ja ko; else the question's own, where it is plainly one of these
}

// Citation is one source behind an answer.
type Citation struct {
	SourceID string `json:"sourceId"`
	Source   string `json:"source,omitempty"`
	Dates    string `json:"dates,omitempty"`
	URL      string `json:"url,omitempty"`
	N        *int   `json:"n,omitempty"`
	Where    string `json:"where,omitempty"`  // the passage's place in its source
	Quote    string `json:"quote,omitempty"`  // extract of a passage, verbatim
	Origin   string `json:"origin,omitempty"` // mind_knowledge | audience_grounding
}

// Answer is one Mind's answer to one question. Exactly one of Number, Option,
// Options, Text, Ranking, and Best with Worst is set when Status is answered, by
// the question's type (Options may be empty when nothing was picked).
type Answer struct {
	Status        string     `json:"status"`           // answered | cannot_answer
	Reason        string     `json:"reason,omitempty"` // with cannot_answer
	Number        *float64   `json:"number,omitempty"` // scale, numeric
	Option        string     `json:"option,omitempty"` // categorical: the label as asked
	Options       []string   `json:"options,omitempty"`
	Text          string     `json:"text,omitempty"`    // qualitative
	Message       string     `json:"message,omitempty"` // a sentence that says what the answer rests on
	State         State      `json:"state,omitempty"`   // empty with cannot_answer
	SourceIDs     []string   `json:"sourceIds,omitempty"`
	Citations     []Citation `json:"citations,omitempty"`
	Probabilities []float64  `json:"probabilities,omitempty"` // per option (or scale point, ascending) as asked; multiselect: each option's own
	Warnings      []string   `json:"warnings,omitempty"`
	Ranking       []string   `json:"ranking,omitempty"` // best first
	Best          string     `json:"best,omitempty"`
	Worst         string     `json:"worst,omitempty"`
	Rating        *Rating    `json:"rating,omitempty"` // how words were mapped to options, where that was asked for
}

// Rating is a mapping of words to options by how like their meanings are
// (semantic similarity rating, Maier et al. 2025).
type Rating struct {
	Text      string    `json:"text"`                // the words that were mapped
	Space     string    `json:"space"`               // of the vectors
	Relevance float64   `json:"relevance,omitempty"` // of the words to the question, 0..1
	Weight    float64   `json:"weight"`              // of the mapping in the answer, 0..1
	Mapping   []float64 `json:"mapping"`             // per option or scale point, as asked
}

// Reply is one turn of a conversation with a Mind.
type Reply struct {
	Text      string     `json:"text"`
	State     State      `json:"state"`
	SourceIDs []string   `json:"sourceIds,omitempty"`
	Citations []Citation `json:"citations,omitempty"`
	Fallback  bool       `json:"fallback,omitempty"` // knowledge_only and nothing relevant found (M-27)
}

// Respondents answers for Minds: the offline engine, or a model connection.
type Respondents interface {
	Info() Info
	// Ask prepares a question once. It refuses (VALIDATION) a question that has
	// no answer form; what depends on a Mind is left to Asked.Answer.
	Ask(ctx context.Context, q Question, p Policy) (Asked, error)
	// Reply answers one chat message as the Mind r.
	Reply(ctx context.Context, r Respondent, message string, p Policy) (Reply, error)
}

// Streamer is a Respondents that can give a reply piece by piece. The pieces,
// joined, are Reply.Text; an error of delta ends the reply with that error.
type Streamer interface {
	ReplyStream(ctx context.Context, r Respondent, message string, p Policy, delta func(string) error) (Reply, error)
}

// Asked is a prepared question. Answer is cheap and safe for concurrent use.
type Asked interface {
	Answer(ctx context.Context, r Respondent) (Answer, error)
}

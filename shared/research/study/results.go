package study

// Base counts the Minds behind a figure: asked = answered + failed (+ pending
// while running), participating = asked + notAsked.
type Base struct {
	Participating int      `json:"participating"` // members of the Audience when the question was put
	Asked         int      `json:"asked"`
	Answered      int      `json:"answered"` // the base of every figure
	Failed        int      `json:"failed"`   // failed and cannot_answer
	NotAsked      int      `json:"notAsked"` // without a working prompt when the question was put
	EffectiveN    *float64 `json:"effectiveN"`
}

// AudienceResult is the result of one question in one Audience, the same object
// in get_study_status and in the answers endpoint.
type AudienceResult struct {
	AudienceID  string             `json:"audienceId"`
	Audience    string             `json:"audience"`
	Value       string             `json:"value"` // headline figure as text; says so when there is none
	Base        Base               `json:"base"`
	Counts      map[string]int     `json:"counts,omitempty"`
	Percentages map[string]float64 `json:"percentages,omitempty"` // 100 x count / base.answered, unrounded
	Evidence    EvidenceSummary    `json:"evidence"`
	Answers     []AudienceAnswer   `json:"answers"` // never nil; empty above the payload ceiling
}

// AudienceAnswer is one Mind's answer as results show it.
type AudienceAnswer struct {
	MindID           string           `json:"mindId"`
	Persona          string           `json:"persona"` // Mind name
	Discipline       *string          `json:"discipline,omitempty"`
	Value            string           `json:"value"`
	RawValue         string           `json:"rawValue,omitempty"`
	Message          string           `json:"message"`
	ImageURL         *string          `json:"imageUrl,omitempty"`
	EvidenceState    *string          `json:"evidenceState"` // null when the Mind could not answer
	CitationSources  []CitationSource `json:"citationSources,omitempty"`
	AnswerProvenance *Provenance      `json:"answerProvenance,omitempty"`
}

// CitationSource is one source behind an answer.
type CitationSource struct {
	ID     string `json:"id"`
	Title  string `json:"title,omitempty"`
	URL    string `json:"url,omitempty"`
	Dates  string `json:"dates,omitempty"`
	N      *int   `json:"n,omitempty"`     // base of the source; absent when it does not state one
	Where  string `json:"where,omitempty"` // the place of the quote in its source: "page 12"
	Quote  string `json:"quote,omitempty"`
	Origin string `json:"origin,omitempty"` // mind_knowledge | audience_grounding
}

// Provenance says where an answer comes from (M-342) and who gave it (M-340).
type Provenance struct {
	Origin      string   `json:"origin"`
	Unsupported bool     `json:"unsupported,omitempty"`
	SourceIDs   []string `json:"sourceIds"`
	Engine      Engine   `json:"engine"`
	Status      string   `json:"status"` // answered | cannot_answer | failed
	Reason      string   `json:"reason,omitempty"`
	Warnings    []string `json:"warnings,omitempty"` // what the sources leave in doubt
}

// QuestionResult is one question of a Study with what is known of it.
type QuestionResult struct {
	QuestionID    string           `json:"questionId"`
	MessageID     string           `json:"messageId"`
	Question      string           `json:"question"`
	Type          string           `json:"type"`
	Status        string           `json:"status"`
	TotalMinds    int              `json:"totalMinds"`    // Minds asked, each once
	AnsweredCount int              `json:"answeredCount"` // answers stored
	HasHeatmap    bool             `json:"hasHeatmap"`
	Audiences     []AudienceResult `json:"audiences"`
	Error         *string          `json:"error"`
	Evidence      *EvidenceSummary `json:"evidence,omitempty"` // over all asked Minds; absent until settled
}

// Status is a Study with its questions, sorted by how far they are.
type Status struct {
	Study           Study
	Audiences       []AudienceRef // with members
	Active          []QuestionResult
	Recent          []QuestionResult // settled, newest first
	FailedQuestions []QuestionResult
	Runs            []Run // newest first, complete
}

// MessageAnswers are the individual answers of one question.
type MessageAnswers struct {
	MessageID  string     `json:"messageId"`
	OutputData OutputData `json:"outputData"`
}

// OutputData is the result of one question for the answers endpoint.
type OutputData struct {
	Title          string           `json:"title"`
	Type           string           `json:"type"`
	Classification Classification   `json:"classification"`
	Audiences      []AudienceResult `json:"audiences"`
}

// Analytics are the statistics over the answered questions of a Study.
type Analytics struct {
	StudyID       string              `json:"studyId"`
	QuestionCount int                 `json:"questionCount"`
	Scale         []ScaleResult       `json:"scale"`
	Categorical   []ChoiceResult      `json:"categorical"`
	Qualitative   []QualitativeResult `json:"qualitative"`
	WorkspaceURL  string              `json:"workspaceUrl"`
}

// ScaleResult holds the statistics of a scale question; null without answers.
type ScaleResult struct {
	QuestionID        string           `json:"questionId"`
	Mean              *float64         `json:"mean"`
	Median            *float64         `json:"median"`
	StandardDeviation *float64         `json:"standardDeviation"`
	Consensus         *float64         `json:"consensus"`
	AudienceRanking   []RankedAudience `json:"audienceRanking"` // empty when the evidence is insufficient
	Base              int              `json:"base"`
	Evidence          EvidenceSummary  `json:"evidence"`
}

// RankedAudience is one Audience's place by mean; places are shared where the
// 95% interval of the difference holds 0.
type RankedAudience struct {
	AudienceID string   `json:"audienceId"`
	Name       string   `json:"name"`
	Mean       *float64 `json:"mean"`
	Rank       int      `json:"rank"`
}

// ChoiceResult holds the figures of a categorical or multiselect question.
type ChoiceResult struct {
	QuestionID              string          `json:"questionId"`
	Type                    string          `json:"type"`
	Distribution            []Share         `json:"distribution"`
	DominantCategory        *string         `json:"dominantCategory"`
	CrossAudienceDivergence *float64        `json:"crossAudienceDivergence"`
	Base                    int             `json:"base"`
	Entropy                 *float64        `json:"entropy"`
	DivergenceNoiseFloor    *float64        `json:"divergenceNoiseFloor"`
	Evidence                EvidenceSummary `json:"evidence"`
}

// Share is one label's count and percentage of the respondents.
type Share struct {
	Label string  `json:"label"`
	Count int     `json:"count"`
	Pct   float64 `json:"pct"`
}

// QualitativeResult holds the themes of an open question.
type QualitativeResult struct {
	QuestionID           string          `json:"questionId"`
	Themes               []Theme         `json:"themes"`
	SharedThemes         []string        `json:"sharedThemes"`
	DiversityIndex       *float64        `json:"diversityIndex"`
	Base                 int             `json:"base"`
	MeanPairwiseDistance *float64        `json:"meanPairwiseDistance"`
	Evidence             EvidenceSummary `json:"evidence"`
}

// Theme is one cluster of open answers.
type Theme struct {
	Label       string   `json:"label"`
	Count       int      `json:"count"`
	AudienceIDs []string `json:"audienceIds"`
	MindIDs     []string `json:"mindIds"`
	Quotes      []string `json:"quotes"`
}

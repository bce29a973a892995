package study

import (
	"context"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// previewAnswers is how many answers of each Audience a preview shows.
const previewAnswers = 5

// Answers gives the individual answers of one question by its message id. A
// preview shows the first few of each Audience; its figures are over all.
func (s *Service) Answers(ctx context.Context, studyID, messageID string, preview bool) (MessageAnswers, error) {
	row, err := s.load(ctx, studyID)
	if err != nil {
		return MessageAnswers{}, err
	}
	q, err := s.byMessage(ctx, row.ID, messageID)
	if err != nil {
		return MessageAnswers{}, err
	}
	r, err := s.resultOf(ctx, q, true)
	if err != nil {
		return MessageAnswers{}, err
	}
	if preview {
		r.Audiences = previewed(r.Audiences, previewAnswers)
	}
	return MessageAnswers{MessageID: q.MessageID, OutputData: OutputData{Title: q.Text, Type: r.Type,
		Classification: q.Classification, Audiences: r.Audiences}}, nil
}

// byMessage reads the question of a message.
func (s *Service) byMessage(ctx context.Context, study, messageID string) (questionRow, error) {
	it, err := s.d.Records.Get(ctx, messageKey(account.From(ctx).Workspace, study, canonical(messageID)))
	if errors.Is(err, records.ErrNotFound) {
		return questionRow{}, fault.New(fault.NotFound, "No message with this id in this Study.")
	}
	if err != nil {
		return questionRow{}, err
	}
	q, _, err := s.question(ctx, study, it.Fields[fieldQuestion])
	return q, err
}

// Settled is one settled question whole, for documents: figures in every
// Audience and over all Minds, and each Mind's answer once.
type Settled struct {
	QuestionID     string
	MessageID      string
	RunID          string
	Text           string
	Question       simulate.Question
	Classification Classification
	SourcePolicy   string
	HistoryMode    string
	Status         string
	Error          string
	Engine         Engine
	AskedAt        string
	SettledAt      string
	All            Group
	Audiences      []Group
	Minds          []MindAnswer // in the order asked
	// Of an item of a planned run only: its id there, the method that wrote it, and
	// the condition under which it was asked.
	ItemID, MethodID string
	Condition        *Condition
	Varied           bool // Minds see versions that differ
}

// Condition says whom an item was for: who gave one of the answers, or none of
// them, to an earlier item (M-180).
type Condition struct {
	ItemID                string
	AnswerIn, AnswerNotIn []string
}

// Group is the result in one group of Minds. Counts are by label or scale
// point; nil for open questions.
type Group struct {
	ID, Name string // empty for all Minds
	Base     Base
	Counts   map[string]int
	Weighted map[string]float64 // by weight, over Weight; nil where all count alike (M-127)
	Weight   float64
	Evidence EvidenceSummary
	Warnings []simulate.Warning
	// Statistics are those of numbers and rankings: mean, median and
	// standardDeviation, or meanRanks.
	Statistics map[string]any
}

// MindAnswer is one Mind's answer; Answer is nil when none was stored.
type MindAnswer struct {
	MindID, Name, Discipline string
	Audiences                []int     // places in Settled.Audiences
	Weights                  []float64 // in each of Audiences, 1 where all count alike (M-127)
	Answer                   *simulate.Answer
}

// Settled reads settled questions whole, one after the other in the order of
// ids, so that a long Study never stands in memory at once. What is not settled
// is left out.
func (s *Service) Settled(ctx context.Context, studyID string, ids []string, use func(Settled) error) error {
	row, err := s.load(ctx, studyID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		q, _, err := s.question(ctx, row.ID, id)
		if err != nil {
			return err
		}
		if !q.settled() {
			continue
		}
		whole, err := s.whole(ctx, q)
		if err != nil {
			return err
		}
		if err := use(whole); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) whole(ctx context.Context, q questionRow) (Settled, error) {
	ws := account.From(ctx).Workspace
	who, err := s.panel(ctx, ws, q.ID)
	if err != nil {
		return Settled{}, err
	}
	answers, err := s.answersOf(ctx, ws, q, who)
	if err != nil {
		return Settled{}, err
	}
	var r result
	if err := s.unpack(ctx, q.Result, &r); err != nil {
		return Settled{}, err
	}
	out := Settled{QuestionID: q.ID, MessageID: q.MessageID, RunID: q.RunID, Text: q.Text, Question: q.Asked, Classification: q.Classification,
		SourcePolicy: q.SourcePolicy, HistoryMode: q.HistoryMode, Status: q.Status, Error: q.Error, Engine: q.Engine,
		AskedAt: clock.Stamp(q.CreatedAt), SettledAt: clock.Stamp(q.CompletedAt),
		All: r.All.group("", "")}
	out.Minds = make([]MindAnswer, len(who.Minds))
	for i, m := range who.Minds {
		out.Minds[i] = MindAnswer{MindID: m.ID, Name: m.Name, Discipline: m.Discipline, Answer: answers[i]}
	}
	for i, a := range who.Audiences {
		f := r.Audiences[i]
		out.Audiences = append(out.Audiences, f.group(a.ID, a.Name))
		for n, at := range a.Members {
			out.Minds[at].Audiences = append(out.Minds[at].Audiences, i)
			out.Minds[at].Weights = append(out.Minds[at].Weights, a.weight(n))
		}
	}
	return out, nil
}

// Outline is a Study with how far its questions are, oldest first.
type Outline struct {
	Study     Study
	Questions []OutlineQuestion
}

// OutlineQuestion is one question of an Outline. What is settled never changes.
type OutlineQuestion struct {
	ID, MessageID, Status, SettledAt string
	Settled                          bool
	Answered                         int // Minds that answered, once settled
}

// Outline reads a Study and the state of its questions.
func (s *Service) Outline(ctx context.Context, studyID string) (Outline, error) {
	row, err := s.load(ctx, studyID)
	if err != nil {
		return Outline{}, err
	}
	v, err := s.viewOf(ctx, row)
	if err != nil {
		return Outline{}, err
	}
	all, err := s.questions(ctx, row.ID)
	if err != nil {
		return Outline{}, err
	}
	out := Outline{Study: v, Questions: make([]OutlineQuestion, len(all))}
	for i, q := range all {
		o := OutlineQuestion{ID: q.ID, MessageID: q.MessageID, Status: q.Status, Settled: q.settled()}
		if o.Settled {
			o.SettledAt, o.Answered = clock.Stamp(q.CompletedAt), q.Answered
		}
		out.Questions[len(all)-1-i] = o
	}
	return out, nil
}

package study

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/plan"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Inquiry is one question to the Minds of Audiences outside a Study, as a chat
// with Audiences puts it: read into its form, with who is to answer. Figures are
// made of the answers exactly as in a Study.
type Inquiry struct {
	Question       simulate.Question
	Classification Classification

	s   *Service
	who panel
}

// Inquire reads a text as a question and gathers the ready members of the
// Audiences, each once. What is in none of the caller's Audiences is left out.
// NO_RESPONDENTS, or PANEL_MINDS_NOT_READY when no Mind is ready.
func (s *Service) Inquire(ctx context.Context, text string, audienceIDs []string) (*Inquiry, error) {
	row := studyRow{}
	for _, id := range audienceIDs {
		row.Audiences = append(row.Audiences, AudienceRef{ID: id})
	}
	who, known, err := s.panelOf(ctx, row, AskRequest{ReadyOnly: true})
	if err != nil {
		return nil, err
	}
	read := plan.Classify(text, known)
	return &Inquiry{Question: read.Question, Classification: classification(read), s: s, who: who}, nil
}

// MindIDs are who is asked, each once, in the order of Audiences and members.
func (q *Inquiry) MindIDs() []string {
	ids := make([]string, len(q.who.Minds))
	for i, m := range q.who.Minds {
		ids[i] = m.ID
	}
	return ids
}

// Answer asks the Minds, and gives their answers in the order of MindIDs. earlier
// are a Mind's own answers in the same conversation. Where the time of ctx ends
// before all have answered, the rest is nil: they failed, and what was answered
// stands. An error is one that came before any Mind was asked, or, when none
// answered, the first of theirs.
func (q *Inquiry) Answer(ctx context.Context, by simulate.Respondents, knowledgeOnly bool, earlier func(mindID string) []simulate.Earlier) ([]*simulate.Answer, error) {
	free, err := by.Ask(ctx, q.Question, simulate.Policy{KnowledgeOnly: knowledgeOnly})
	if err != nil {
		return nil, err
	}
	strict, err := by.Ask(ctx, q.Question, simulate.Policy{KnowledgeOnly: true})
	if err != nil {
		return nil, err
	}
	out := make([]*simulate.Answer, len(q.who.Minds))
	failed := make([]error, len(q.who.Minds))
	at := 0
	for minds := range slices.Chunk(q.who.Minds, answerers) { // each may bring much knowledge
		if ctx.Err() != nil {
			break
		}
		respondents, err := q.s.respondents(ctx, minds)
		if err != nil {
			return nil, err
		}
		var g errgroup.Group
		for i, r := range respondents {
			if r == nil {
				out[at+i] = &simulate.Answer{Status: Failed, Reason: "mind_unavailable"}
				continue
			}
			r.Earlier = earlier(r.ID)
			asked := free
			if minds[i].KnowledgeOnly {
				asked = strict
			}
			g.Go(func() error {
				a, err := asked.Answer(ctx, *r)
				if err != nil {
					failed[at+i] = err
					out[at+i] = &simulate.Answer{Status: Failed, Reason: "engine_error"}
					return nil
				}
				out[at+i] = &a
				return nil
			})
		}
		_ = g.Wait() // what failed is kept beside its Mind
		at += len(minds)
	}
	if Answered(out) > 0 {
		return out, nil
	}
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return out, ctx.Err()
}

// Answered counts answers.
func Answered(answers []*simulate.Answer) int { return storedCount(answers) }

// Results adds the answers up in each Audience.
func (q *Inquiry) Results(by Engine, answers []*simulate.Answer) OutputData {
	row := questionRow{Asked: q.Question, Engine: by}
	r := settleFigures(q.Question, q.who, answers)
	return OutputData{Title: q.Question.Text, Type: string(q.Question.Type), Classification: q.Classification,
		Audiences: audienceResults(row, q.who, r, answers)}
}

// Told is one Mind's answer to one question of a Study, to go on from in a
// conversation.
type Told struct {
	StudyID, MessageID string
	Question           simulate.Question
	Answer             simulate.Answer
	SourcePolicy       string
	Assets             []Asset // what the question showed
}

// Told reads what a Mind answered to the question of a message. NOT_FOUND for a
// Study, message or Mind that is not there, and for a Mind that was not asked or
// gave no answer.
func (s *Service) Told(ctx context.Context, studyID, messageID, mindID string) (Told, error) {
	row, err := s.load(ctx, studyID)
	if err != nil {
		return Told{}, err
	}
	q, err := s.byMessage(ctx, row.ID, messageID)
	if err != nil {
		return Told{}, err
	}
	who, err := s.panel(ctx, workspace(ctx), q.ID)
	if err != nil {
		return Told{}, err
	}
	none := fault.New(fault.NotFound, "This Mind has no answer to that question. Take messageId and mindId from the answers of the Study.")
	at := slices.IndexFunc(who.Minds, func(m panelMind) bool { return m.ID == mindID })
	if at < 0 {
		return Told{}, none
	}
	answers, err := s.answersOf(ctx, workspace(ctx), q, who)
	if err != nil {
		return Told{}, err
	}
	if a := answers[at]; a != nil && a.Status == simulate.Answered {
		return Told{StudyID: row.ID, MessageID: q.MessageID, Question: q.Asked, Answer: *a, SourcePolicy: q.SourcePolicy, Assets: q.assets()}, nil
	}
	return Told{}, none
}

package study

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// answersBudget is how many bytes of answers one status may carry; with the
// figures it stays below the 4 MiB that every host can send.
const answersBudget = 3 << 20

// Status reads a Study with its questions' results; a questionID limits results
// and answers to that question. Runs are complete. Answers are given newest
// question first while they fit; beyond, answers is empty though base.answered
// is not: read them by questionId, or by the message's answers operation.
func (s *Service) Status(ctx context.Context, studyID, questionID string) (Status, error) {
	row, err := s.load(ctx, studyID)
	if err != nil {
		return Status{}, err
	}
	v, err := s.viewOf(ctx, row)
	if err != nil {
		return Status{}, err
	}
	all, err := s.questions(ctx, row.ID)
	if err != nil {
		return Status{}, err
	}
	st := Status{Study: v, Active: []QuestionResult{}, Recent: []QuestionResult{}, FailedQuestions: []QuestionResult{}, Runs: make([]Run, len(all))}
	for i, q := range all {
		st.Runs[i] = q.run()
	}
	if st.Audiences, err = s.members(ctx, row); err != nil {
		return Status{}, err
	}
	budget, shown := answersBudget, 0
	for _, q := range all {
		if questionID != "" && q.ID != canonical(questionID) {
			continue
		}
		withAnswers := q.Bytes <= budget
		r, err := s.resultOf(ctx, q, withAnswers)
		if err != nil {
			return Status{}, err
		}
		if !withAnswers && r.Error == nil {
			text := s.leftOut(q)
			r.Error = &text
		}
		switch {
		case !q.settled():
			st.Active = append(st.Active, r)
		case q.Status == Failed:
			st.FailedQuestions = append(st.FailedQuestions, r)
		default:
			st.Recent = append(st.Recent, r)
		}
		if withAnswers {
			budget -= q.Bytes
		}
		shown++
	}
	if questionID != "" && shown == 0 {
		return Status{}, fault.New(fault.NotFound, "No question with this id in this Study.")
	}
	return st, nil
}

// leftOut says how to read the answers that a status had no room for.
func (s *Service) leftOut(q questionRow) string {
	way := "GET " + s.URL(q.StudyID) + "/messages/" + q.MessageID + "/answers"
	if q.Bytes <= answersBudget {
		way = "questionId " + q.ID + ", or with " + way
	}
	return "The answers are left out here: with them this reply would be too large. Read them with " + way + "."
}

// resultOf reads what is known of one question.
func (s *Service) resultOf(ctx context.Context, q questionRow, withAnswers bool) (QuestionResult, error) {
	ws := account.From(ctx).Workspace
	v := q.view()
	who, err := s.panel(ctx, ws, q.ID)
	if err != nil {
		return v, err
	}
	var answers []*simulate.Answer
	if withAnswers || !q.settled() {
		if answers, err = s.answersOf(ctx, ws, q, who); err != nil {
			return v, err
		}
	}
	if !q.settled() {
		v.AnsweredCount = storedCount(answers)
		v.Audiences = pendingResults(q, who, answers)
		return v, nil
	}
	var r result
	if err := s.unpack(ctx, q.Result, &r); err != nil {
		return v, err
	}
	v.Audiences = audienceResults(q, who, r, answers)
	return v, nil
}

// members gives the attached Audiences with their Minds as they are now.
func (s *Service) members(ctx context.Context, row studyRow) ([]AudienceRef, error) {
	ids := make([]string, len(row.Audiences))
	for i, a := range row.Audiences {
		ids[i] = a.ID
	}
	found, err := s.d.Audiences.GetMany(ctx, ids)
	if err != nil {
		return nil, err
	}
	var mindIDs []string
	for _, a := range found {
		mindIDs = append(mindIDs, a.MemberIDs...)
	}
	minds, err := s.d.Minds.GetMany(ctx, unique(mindIDs))
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(minds))
	for _, m := range minds {
		names[m.ID] = m.Name
	}
	out := make([]AudienceRef, 0, len(found))
	for _, a := range found {
		ref := AudienceRef{ID: a.ID, Name: a.Name, Minds: make([]MindRef, 0, len(a.MemberIDs))}
		for _, id := range a.MemberIDs {
			if name, ok := names[id]; ok {
				ref.Minds = append(ref.Minds, MindRef{ID: id, Name: name})
			}
		}
		ref.MindCount = len(ref.Minds)
		out = append(out, ref)
	}
	return out, nil
}

// Get reads a Study with its Audiences, their Minds and its transcript.
func (s *Service) Get(ctx context.Context, id string) (Detail, error) {
	row, err := s.load(ctx, id)
	if err != nil {
		return Detail{}, err
	}
	return s.detail(ctx, row)
}

func (s *Service) detail(ctx context.Context, row studyRow) (Detail, error) {
	v, err := s.viewOf(ctx, row)
	if err != nil {
		return Detail{}, err
	}
	if v.Audiences, err = s.members(ctx, row); err != nil {
		return Detail{}, err
	}
	all, err := s.questions(ctx, row.ID)
	if err != nil {
		return Detail{}, err
	}
	d := Detail{Study: v, Messages: make([]Message, len(all))}
	for i, q := range all { // a transcript reads from the oldest on
		d.Messages[len(all)-1-i] = q.message()
	}
	return d, nil
}

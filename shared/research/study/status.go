package study

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// defaultReply is how large a reply may be where the host names no ceiling.
const defaultReply = 3 << 20

// Status reads a Study with its questions' results; a questionID limits results
// and answers to that question. Runs are complete. What a reply has room for is
// given in this order, newest question first: the figures of every question,
// then answers. Where it has none, answers are empty though base.answered is
// not, and the question's error says how to read them.
func (s *Service) Status(ctx context.Context, studyID, questionID string) (Status, error) {
	row, err := s.load(ctx, studyID)
	if err != nil {
		return Status{}, err
	}
	st := Status{Active: []QuestionResult{}, Recent: []QuestionResult{}, FailedQuestions: []QuestionResult{}}
	var all []questionRow
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) { st.Study, err = s.viewOf(gctx, row); return err })
	g.Go(func() (err error) { st.Audiences, err = s.members(asOwner(gctx, row), row); return err })
	g.Go(func() (err error) { all, err = s.questions(gctx, row.ID); return err })
	if err := g.Wait(); err != nil {
		return Status{}, err
	}
	st.Runs = make([]Run, len(all))
	for i, q := range all {
		st.Runs[i] = q.run()
	}
	shown := all
	if questionID != "" {
		shown = slices.DeleteFunc(slices.Clone(all), func(q questionRow) bool { return q.ID != canonical(questionID) })
		if len(shown) == 0 {
			return Status{}, fault.New(fault.NotFound, "No question with this id in this Study.")
		}
	}
	results, err := s.fitted(ctx, &st, shown, questionID != "")
	if err != nil {
		return Status{}, err
	}
	for i, q := range shown {
		switch {
		case !q.settled():
			st.Active = append(st.Active, results[i])
		case q.Status == Failed:
			st.FailedQuestions = append(st.FailedQuestions, results[i])
		default:
			st.Recent = append(st.Recent, results[i])
		}
	}
	return st, nil
}

// readers bounds how many questions are read at once.
const readers = 8

// resultsOf reads some questions at once, in their order.
func (s *Service) resultsOf(ctx context.Context, all []questionRow, withAnswers bool) ([]QuestionResult, error) {
	out := make([]QuestionResult, len(all))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	for i, q := range all {
		g.Go(func() (err error) { out[i], err = s.resultOf(ctx, q, withAnswers); return err })
	}
	return out, g.Wait()
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

// deletedMark stands behind the name of an attached Audience that is there no
// longer; the answers of its Minds stay.
const deletedMark = " (deleted)"

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
	there := make(map[string]audience.Audience, len(found))
	for _, a := range found {
		there[a.ID] = a
	}
	out := make([]AudienceRef, 0, len(row.Audiences))
	for _, was := range row.Audiences {
		a, ok := there[was.ID]
		if !ok {
			out = append(out, AudienceRef{ID: was.ID, Name: was.Name + deletedMark, Minds: []MindRef{}})
			continue
		}
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
	var d Detail
	var members []AudienceRef
	var all []questionRow
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) { d.Study, err = s.viewOf(ctx, row); return err })
	g.Go(func() (err error) { members, err = s.members(asOwner(ctx, row), row); return err })
	g.Go(func() (err error) { all, err = s.questions(ctx, row.ID); return err })
	if err := g.Wait(); err != nil {
		return Detail{}, err
	}
	d.Study.Audiences = members
	d.Messages = make([]Message, len(all))
	for i, q := range all { // a transcript reads from the oldest on
		d.Messages[len(all)-1-i] = q.message()
	}
	return d, nil
}

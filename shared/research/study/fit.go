package study

import (
	"context"
	"encoding/json"
)

// shortText is how much of a question's text a reply shows that has no room for
// all of it, in characters.
const shortText = 200

// frame is what surrounds the results in a reply: names of fields, an export
// job, the envelope.
const frame = 16 << 10

// fitted reads the results of some questions, newest first, so that they and
// what st holds already fit into one reply. It takes members out of st where
// they alone fill it. alone says that the caller asked for one question only.
func (s *Service) fitted(ctx context.Context, st *Status, all []questionRow, alone bool) ([]QuestionResult, error) {
	left := s.replyBytes() - frame - sizeOf(st.Runs) - sizeOf(st.Study)
	results, err := s.resultsOf(ctx, all, false)
	if err != nil {
		return nil, err
	}
	// What stands in any case: who the question is, and how to read the rest.
	for i := range results {
		left -= sizeOf(s.bare(all[i], alone))
	}
	left -= fitMembers(st.Audiences, left/2)
	figures := make([]int, len(results)) // bytes
	whole := make([]bool, len(results))
	for i := range results {
		bare := s.bare(all[i], alone)
		figures[i] = sizeOf(results[i].Audiences)
		more := sizeOf(results[i]) - sizeOf(bare)
		if whole[i] = more <= left; whole[i] {
			left -= max(more, 0)
			continue
		}
		results[i] = bare
	}
	var full []int // places of the questions that come with their answers
	for i, q := range all {
		answers := q.Bytes - figures[i]
		switch {
		case !whole[i] || !q.settled() || q.Bytes == 0:
		case answers <= left:
			left -= max(answers, 0)
			full = append(full, i)
		default:
			text := s.leftOut(q, alone)
			if e := results[i].Error; e != nil {
				text = *e + " " + text
			}
			results[i].Error = &text
		}
	}
	chosen := make([]questionRow, len(full))
	for j, i := range full {
		chosen[j] = all[i]
	}
	read, err := s.resultsOf(ctx, chosen, true)
	if err != nil {
		return nil, err
	}
	for j, i := range full {
		results[i] = read[j]
	}
	return results, nil
}

// bare is a question without figures and with the beginning of its text only.
func (s *Service) bare(q questionRow, alone bool) QuestionResult {
	v := q.view()
	v.Question = shortened(v.Question, shortText)
	text := s.leftOut(q, alone)
	if v.Error != nil {
		text = *v.Error + " " + text
	}
	v.Error = &text
	return v
}

// fitMembers takes out the members of the Audiences that do not fit into room
// bytes, and gives how many bytes are taken.
func fitMembers(all []AudienceRef, room int) (taken int) {
	for i := range all {
		size := sizeOf(all[i])
		if taken+size > room {
			all[i].Minds = nil // mindCount stays; get_audience reads them
			size = sizeOf(all[i])
		}
		taken += size
	}
	return taken
}

func (s *Service) replyBytes() int {
	if s.d.ReplyBytes > 0 {
		return s.d.ReplyBytes
	}
	return defaultReply
}

// leftOut says how to read what a status had no room for.
func (s *Service) leftOut(q questionRow, alone bool) string {
	way := "GET " + s.URL(q.StudyID) + "/messages/" + q.MessageID + "/answers (scope=preview for the first of each Audience), or export the Study as raw_data"
	if !alone && q.Bytes <= s.replyBytes()/2 {
		way = "questionId " + q.ID + ", with " + way
	}
	return "The answers are left out here: with them this reply would be too large. Read them with " + way + "."
}

func sizeOf(v any) int {
	raw, err := json.Marshal(v)
	if err != nil {
		return 0 // plain data always encodes
	}
	return len(raw)
}

package study

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// chunkRow is what the task of one chunk needs, so that it reads its own Minds
// and not everybody: the work grows with the Minds and no faster.
type chunkRow struct {
	Minds  []panelMind `json:"minds"`
	Recall []recalled  `json:"recall,omitempty"` // newest question first
}

// recalled names the chunks of an earlier question that hold answers of these
// Minds.
type recalled struct {
	Question string `json:"question"`
	Text     string `json:"text"`
	Chunks   []int  `json:"chunks"`
}

// chunksAtOnce is how many chunk rows one transaction writes.
const chunksAtOnce = 50

// writeChunks cuts the panel into chunks. Writing them again writes the same.
func (s *Service) writeChunks(ctx context.Context, ws string, q questionRow) error {
	who, err := s.panel(ctx, ws, q.ID)
	if err != nil {
		return err
	}
	rows := make([]chunkRow, 0, q.Chunks)
	for minds := range slices.Chunk(who.Minds, ChunkSize) {
		rows = append(rows, chunkRow{Minds: minds})
	}
	if err := s.placeHistory(ctx, ws, q, rows); err != nil {
		return err
	}
	var actions []records.Action
	for i, r := range rows {
		body, err := json.Marshal(r)
		if err != nil {
			return err
		}
		actions = append(actions, records.PutItem(records.Item{Key: chunkKey(ws, q.ID, i), Body: body}))
	}
	for part := range slices.Chunk(actions, chunksAtOnce) {
		if err := s.d.Records.Transact(ctx, "", part...); err != nil {
			return err
		}
	}
	return nil
}

// placeHistory finds, for each chunk, where the earlier answers of its Minds are.
func (s *Service) placeHistory(ctx context.Context, ws string, q questionRow, rows []chunkRow) error {
	for _, id := range q.History {
		earlier, _, err := s.question(ctx, q.StudyID, id)
		if err != nil {
			return err
		}
		who, err := s.panel(ctx, ws, id)
		if err != nil {
			return err
		}
		place := make(map[string]int, len(who.Minds))
		for i, m := range who.Minds {
			place[m.ID] = i / ChunkSize
		}
		for i := range rows {
			from := recalled{Question: id, Text: shortened(earlier.Text, recallText)}
			for _, m := range rows[i].Minds {
				if at, ok := place[m.ID]; ok && !slices.Contains(from.Chunks, at) {
					from.Chunks = append(from.Chunks, at)
				}
			}
			if len(from.Chunks) > 0 {
				rows[i].Recall = append(rows[i].Recall, from)
			}
		}
	}
	return nil
}

// recallText is how much of an earlier question's text a Mind is reminded of;
// ten of them stand in each chunk row.
const recallText = 2000

func (s *Service) readChunk(ctx context.Context, ws, question string, n int) (chunkRow, error) {
	it, err := s.d.Records.Get(ctx, chunkKey(ws, question, n))
	if err != nil {
		return chunkRow{}, err
	}
	var r chunkRow
	return r, json.Unmarshal(it.Body, &r)
}

// recall gives, by Mind, its own earlier answers of this Study, oldest first, as
// far as the history mode reaches; nothing of others (M-74).
func (s *Service) recall(ctx context.Context, ws string, q questionRow, part chunkRow) (map[string][]simulate.Earlier, error) {
	most := 5
	if q.HistoryMode == historyFollowup {
		most = 1
	}
	mine := make(map[string][]simulate.Earlier, len(part.Minds))
	for _, m := range part.Minds {
		mine[m.ID] = nil
	}
	for _, earlier := range part.Recall { // newest first
		for _, n := range earlier.Chunks {
			if err := s.recallOne(ctx, ws, earlier, n, mine, most); err != nil {
				return nil, err
			}
		}
	}
	for _, list := range mine {
		slices.Reverse(list)
	}
	return mine, nil
}

// recallOne adds the answers of one chunk of an earlier question.
func (s *Service) recallOne(ctx context.Context, ws string, earlier recalled, n int, mine map[string][]simulate.Earlier, most int) error {
	c, err := s.chunk(ctx, ws, earlier.Question, n)
	if err != nil || c == nil {
		return err
	}
	var answers []mindAnswer
	if err := s.unpack(ctx, c.Answers, &answers); err != nil {
		return err
	}
	for _, a := range answers {
		list, asked := mine[a.MindID]
		if !asked || len(list) >= most || a.Answer.Status != simulate.Answered {
			continue
		}
		mine[a.MindID] = append(list, simulate.Earlier{Question: earlier.Text, Option: a.Answer.Option,
			Options: a.Answer.Options, Number: a.Answer.Number, Text: a.Answer.Text})
	}
	return nil
}

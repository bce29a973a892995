package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// verbatim is how many of the last turns are kept word for word (M-280). A turn
// is a message with what was replied to it, or a note.
const verbatim = 8

// turn is one turn of a conversation.
type turn struct {
	place   int // of its first row
	message messageRow
	replies []messageRow // one, several Minds', or none to a note
}

// history is what a conversation has come to before a message.
type history struct {
	told    *study.Told
	summary string
	turns   []turn
}

// history reads the turns of a chat that are kept word for word, up to a place,
// and what stands before them.
func (s *Service) history(ctx context.Context, row chatRow, upTo int) (history, error) {
	h := history{summary: row.Summary.text()}
	if row.Thread != nil {
		it, err := s.d.Records.Get(ctx, toldKey(row.Workspace, row.ID))
		if err != nil {
			return h, err
		}
		h.told = &study.Told{}
		if err := json.Unmarshal(it.Body, h.told); err != nil {
			return h, err
		}
	}
	if len(row.Window) == 0 || upTo <= row.Window[0] {
		return h, nil
	}
	query := records.Query{PK: chatPK(row.Workspace, row.ID), From: placeSK(row.Window[0]), To: placeSK(upTo - 1), Limit: 100}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return h, err
		}
		for _, it := range page.Items {
			m, err := readMessage(it)
			if err != nil {
				return h, err
			}
			if m.Role != roleAssistant {
				h.turns = append(h.turns, turn{place: m.place, message: m})
			} else if n := len(h.turns); n > 0 {
				h.turns[n-1].replies = append(h.turns[n-1].replies, m)
			}
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			return h, nil
		}
	}
}

func readMessage(it records.Item) (messageRow, error) {
	var m messageRow
	if err := json.Unmarshal(it.Body, &m); err != nil {
		return m, err
	}
	_, err := fmt.Sscanf(strings.TrimPrefix(it.SK, prefixMessage), "%d", &m.place)
	return m, err
}

// message reads one message row.
func (s *Service) message(ctx context.Context, row chatRow, place int) (messageRow, error) {
	it, err := s.d.Records.Get(ctx, messageKey(row.Workspace, row.ID, place))
	if err != nil {
		return messageRow{}, err
	}
	return readMessage(it)
}

// others is how much of what other Minds said a Mind is shown, in characters.
const others = 400

// of gives the history as one Mind lived it, oldest first: the Study answer that
// the chat goes on from, a summary, what others said, then its own turns.
func (h history) of(mindID string) []simulate.Earlier {
	var out []simulate.Earlier
	if h.told != nil {
		out = append(out, simulate.Earlier{Question: h.told.Question.Text, Text: toldInWords(h.told.Answer)})
	}
	if h.summary != "" {
		out = append(out, simulate.Earlier{Question: simulate.SummaryQuestion, Text: h.summary})
	}
	var said []string
	var own []simulate.Earlier
	for _, t := range h.turns {
		if t.message.Role == roleSystem {
			continue
		}
		e := simulate.Earlier{Question: t.message.Text}
		for _, r := range t.replies {
			switch {
			case r.Mind == nil:
			case r.Mind.ID == mindID:
				e.Text = r.inWords()
			default:
				said = append(said, fmt.Sprintf("%s, asked “%s”: %s", r.Mind.Name, clip(t.message.Text, 120), clip(r.inWords(), others)))
			}
		}
		own = append(own, e)
	}
	if len(said) > 0 {
		out = append(out, simulate.Earlier{Question: simulate.OthersQuestion, Text: strings.Join(said, "\n")})
	}
	return append(out, own...)
}

// notes are the system notes among the turns, for the prompt of who answers.
func (h history) notes() []string {
	var out []string
	for _, t := range h.turns {
		if t.message.Role == roleSystem {
			out = append(out, t.message.Text)
		}
	}
	return out
}

// toldInWords is a Study answer as its Mind would repeat it.
func toldInWords(a simulate.Answer) string {
	value := a.Text
	switch {
	case a.Number != nil:
		value = fmt.Sprint(*a.Number)
	case a.Option != "":
		value = a.Option
	case len(a.Options) > 0:
		value = strings.Join(a.Options, "; ")
	}
	if a.Message == "" || a.Message == value {
		return value
	}
	return strings.TrimSpace(value + "\n" + a.Message)
}

// earlierOf is a Study answer as the engine knows a Mind's own earlier answers.
func earlierOf(question string, a simulate.Answer) simulate.Earlier {
	return simulate.Earlier{Question: question, Option: a.Option, Options: a.Options, Number: a.Number, Text: a.Text}
}

// prepare adds to a Mind what the conversation brings: its own answer that the
// chat goes on from, notes, and how the person is called.
func (h history) prepare(me *simulate.Respondent, endUserName string) {
	if h.told != nil {
		me.Earlier = append(me.Earlier, earlierOf(h.told.Question.Text, h.told.Answer))
	}
	var more []string
	for _, n := range h.notes() {
		more = append(more, "Note for this conversation: "+n)
	}
	if h.told != nil && len(h.told.Assets) > 0 {
		var shown []string
		for _, a := range h.told.Assets {
			shown = append(shown, strings.TrimSpace(a.Name+" "+a.Type))
		}
		more = append(more, "The question that you answered showed: "+strings.Join(shown, "; ")+".")
	}
	more = append(more, mind.Called(endUserName)...)
	if len(more) > 0 {
		// First, since a long persona may be cut at its end.
		me.SystemPrompt = strings.TrimSpace(strings.Join(more, "\n\n") + "\n\n" + me.SystemPrompt)
	}
}

// mindAnswer is one Mind's answer in a chat with Audiences, as stored.
type mindAnswer struct {
	MindID string          `json:"mindId"`
	Answer simulate.Answer `json:"answer"`
}

// answersDoc holds the answers to one message. It names its message, so that no
// two are the same bytes and each can be removed with its chat.
type answersDoc struct {
	ChatID    string            `json:"chatId"`
	MessageID string            `json:"messageId"`
	Question  simulate.Question `json:"question"`
	Answers   []mindAnswer      `json:"answers"`
}

const maxAnswers = 64 << 20 // bytes of one answersDoc

// answered reads what each Mind of an Audience answered in the turns that are
// kept, oldest first.
func (s *Service) answered(ctx context.Context, h history) (map[string][]simulate.Earlier, error) {
	out := map[string][]simulate.Earlier{}
	for _, t := range h.turns {
		for _, r := range t.replies {
			if r.Answers == nil {
				continue
			}
			doc, err := s.readAnswers(ctx, r)
			if err != nil {
				return nil, err
			}
			for _, a := range doc.Answers {
				if a.Answer.Status == simulate.Answered {
					out[a.MindID] = append(out[a.MindID], earlierOf(doc.Question.Text, a.Answer))
				}
			}
		}
	}
	return out, nil
}

func (s *Service) readAnswers(ctx context.Context, r messageRow) (answersDoc, error) {
	var doc answersDoc
	body, err := s.d.Blobs.Open(ctx, *r.Answers, 0, -1)
	if err != nil {
		return doc, err
	}
	raw, err := io.ReadAll(io.LimitReader(body, maxAnswers))
	if err = errors.Join(err, body.Close()); err != nil {
		return doc, err
	}
	return doc, json.Unmarshal(raw, &doc)
}

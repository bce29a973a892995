package run

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// route decides for each Mind of the roll whether it is asked an item, one letter a
// Mind. shown is the variant that a method chose for it, where one did.
//
// A Mind that was not asked the source item, or gave it no answer, is not asked the
// dependent one, for both operators (M-183).
func (s *Service) route(ctx context.Context, ws string, row runRow, k known, q Item) (asked string, shown []int8, err error) {
	letters := make([]byte, len(k.roll.Minds))
	for i := range letters {
		letters[i] = ask
	}
	if q.AskIf != nil {
		if err := s.byAnswer(ctx, ws, row, k, q, letters); err != nil {
			return "", nil, err
		}
	}
	if q.MethodID != "" {
		if shown, err = s.byMethod(ctx, ws, row, k, q, letters); err != nil {
			return "", nil, err
		}
	}
	return string(letters), shown, nil
}

func (s *Service) byAnswer(ctx context.Context, ws string, row runRow, k known, q Item, letters []byte) error {
	at := slices.IndexFunc(k.exec.Items, func(i Item) bool { return i.ID == q.AskIf.QuestionID })
	if at < 0 || at >= q.Position-1 {
		return records.ErrInvalid // the plan was checked: its conditions name earlier items
	}
	source := k.exec.Items[at]
	before, err := s.itemAt(ctx, ws, row.ID, source.Position)
	if err != nil {
		return err
	}
	answers, err := s.ownOf(ctx, ws, row, source.Position)
	if err != nil {
		return err
	}
	for i := range letters {
		letters[i] = routed(q.AskIf, source.Response.CategoricalOptions, before.Asked[i], answers[i])
	}
	return nil
}

// routed is the letter of a Mind whose source answer is known.
func routed(c *AskIf, options []string, source byte, a own) byte {
	switch {
	case source == bySource:
		return bySource
	case source != ask:
		return byCondition
	case a.S != string(stateAnswered):
		return bySource
	}
	wanted := c.AnswerIn
	if c.AnswerIn == nil {
		wanted = c.AnswerNotIn
	}
	hit := slices.ContainsFunc(a.O, func(o int) bool { return o < len(options) && slices.Contains(wanted, options[o]) })
	if hit == (c.AnswerIn != nil) {
		return ask
	}
	return byCondition
}

// byMethod asks what only a method can tell: the price of the next step for each
// Mind, and the price that a Mind named itself.
func (s *Service) byMethod(ctx context.Context, ws string, row runRow, k known, q Item, letters []byte) ([]int8, error) {
	conf := k.exec.configuration(q.MethodID)
	mine := k.exec.of(q.MethodID)
	n := slices.IndexFunc(mine, func(i Item) bool { return i.ID == q.ID })
	switch q.MethodID {
	case method.VanWestendorp:
		from, _, ok := method.IntentPrice(conf, n)
		if !ok || from < 0 || from >= len(mine) {
			return nil, nil
		}
		answers, err := s.ownOf(ctx, ws, row, mine[from].Position)
		if err != nil {
			return nil, err
		}
		for i := range letters {
			if answers[i].N == nil {
				letters[i] = bySource
			}
		}
	case method.GaborGranger:
		if !sequential(conf) {
			return nil, nil
		}
		steps := make([][]method.Step, len(letters))
		failed := make([]bool, len(letters))
		for _, earlier := range mine[:n] {
			answers, err := s.ownOf(ctx, ws, row, earlier.Position)
			if err != nil {
				return nil, err
			}
			for i, a := range answers {
				switch {
				case a.N != nil:
					steps[i] = append(steps[i], method.Step{Variant: a.V, Point: *a.N})
				case a.S != "":
					failed[i] = true
				}
			}
		}
		shown := make([]int8, len(letters))
		for i := range letters {
			if failed[i] {
				letters[i] = bySource
				continue
			}
			v, due, err := method.NextPrice(conf, row.seed(), k.exec.Slots[i], steps[i])
			if err != nil {
				return nil, err
			}
			if shown[i] = int8(v); !due {
				letters[i] = byMethod
			}
		}
		return shown, nil
	}
	return nil, nil
}

func sequential(conf json.RawMessage) bool {
	var c struct {
		Asking string `json:"asking"`
	}
	return json.Unmarshal(conf, &c) == nil && c.Asking == "sequential"
}

func (x *execution) configuration(methodID string) json.RawMessage {
	for _, m := range x.Methods {
		if m.MethodID == methodID {
			return m.Configuration
		}
	}
	return nil
}

// of gives the items of a method in their order.
func (x *execution) of(methodID string) []Item {
	var out []Item
	for _, q := range x.Items {
		if q.MethodID == methodID {
			out = append(out, q)
		}
	}
	return out
}

// variantOf is which variant of an item the Mind at a place of the roll sees; -1 for
// an item without variants.
func (x *execution) variantOf(q Item, it itemRow, place int) int {
	switch {
	case len(q.Variants) == 0:
		return -1
	case len(it.Shown) > place:
		return int(it.Shown[place])
	}
	return versionOf(x.Slots[place], len(q.Variants))
}

// ownOf reads what everybody answered to an item, in the order of the roll; nothing
// where there is no answer.
func (s *Service) ownOf(ctx context.Context, ws string, row runRow, position int) ([]own, error) {
	out, _, err := s.stored(ctx, ws, row, position)
	return out, err
}

func (s *Service) stored(ctx context.Context, ws string, row runRow, position int) (all []own, bytes int64, err error) {
	keys := make([]records.Key, row.Chunks)
	place := make(map[string]int, row.Chunks)
	for c := range keys {
		keys[c] = key(ws, row.ID, ownSK(c, position))
		place[keys[c].SK] = c
	}
	items, err := s.d.Records.BatchGet(ctx, keys)
	if err != nil {
		return nil, 0, err
	}
	all = make([]own, row.Minds)
	for _, it := range items {
		o, err := decode[ownRow](it.Body)
		if err != nil {
			return nil, 0, err
		}
		part, err := s.owns(ctx, o)
		if err != nil {
			return nil, 0, err
		}
		copy(all[place[it.SK]*ChunkSize:], part)
		bytes += o.Bytes
	}
	return all, bytes, nil
}

// ownRow is what one chunk of Minds answered to one item, in short, aligned to the
// Minds of the chunk. Bytes is the size of the answers as results show them.
type ownRow struct {
	Bytes int64  `json:"bytes"`
	Own   packed `json:"own"`
}

func (s *Service) owns(ctx context.Context, o ownRow) ([]own, error) {
	raw, err := s.open(ctx, o.Own)
	if err != nil {
		return nil, err
	}
	return decode[[]own](raw)
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

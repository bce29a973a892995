package answer

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// The forms that only methods ask for: a number, an order, the best and the
// worst.

// methodForm says what may be answered.
func methodForm(q simulate.Question) string {
	switch q.Type {
	case simulate.Numeric:
		kind := "number"
		if q.Integer {
			kind = "whole number"
		}
		s := "Answer with one " + kind
		if q.Unit != "" {
			s += " in " + quoted(q.Unit)
		}
		if q.Minimum != nil {
			s += ", at least " + plain(*q.Minimum)
		}
		if q.Maximum != nil {
			s += ", at most " + plain(*q.Maximum)
		}
		return s + ".\n"
	case simulate.Ranking:
		if q.TopK > 0 && q.TopK < len(q.Options) {
			return fmt.Sprintf("Answer with your first %d of %s in order, best first.\n", q.TopK, quotedList(q.Options))
		}
		return fmt.Sprintf("Answer with all of %s in order, best first.\n", quotedList(q.Options))
	case simulate.BestWorst:
		return fmt.Sprintf("Answer with the best and the worst of %s; they differ.\n", quotedList(q.Options))
	}
	return ""
}

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// methodAnswer is the schema of the answer itself. Bounds and lengths are
// checked beside it: not every provider's strict mode takes them.
func methodAnswer(q simulate.Question) any {
	label := map[string]any{"type": "string", "enum": distinct(q.Options)}
	switch q.Type {
	case simulate.Numeric:
		if q.Integer {
			return map[string]any{"type": "integer"}
		}
		return map[string]any{"type": "number"}
	case simulate.Ranking:
		return map[string]any{"type": "array", "items": label}
	}
	return map[string]any{"type": "object", "properties": map[string]any{"best": label, "worst": label}, "required": []string{"best", "worst"}, "additionalProperties": false}
}

// twoEnds is an answer of best and worst.
type twoEnds struct {
	Best  string `json:"best"`
	Worst string `json:"worst"`
}

// methodMisfit tells what is wrong with such an answer; "" when it fits.
func methodMisfit(q simulate.Question, doc json.RawMessage) string {
	var c struct {
		Answer json.RawMessage `json:"answer"`
	}
	if json.Unmarshal(doc, &c) != nil {
		return "answer is missing"
	}
	switch q.Type {
	case simulate.Numeric:
		v, err := strconv.ParseFloat(string(c.Answer), 64)
		switch {
		case err != nil || math.IsInf(v, 0) || math.IsNaN(v):
			return "answer is no number"
		case q.Integer && v != math.Trunc(v):
			return "answer must be a whole number"
		case q.Minimum != nil && v < *q.Minimum:
			return "answer must be at least " + plain(*q.Minimum)
		case q.Maximum != nil && v > *q.Maximum:
			return "answer must be at most " + plain(*q.Maximum)
		}
	case simulate.Ranking:
		var order []string
		if json.Unmarshal(c.Answer, &order) != nil {
			return "answer is no list of labels"
		}
		want := len(q.Options)
		if q.TopK > 0 {
			want = q.TopK
		}
		if len(distinct(order)) != len(order) {
			return "answer names a label twice"
		}
		if len(order) != want {
			return fmt.Sprintf("answer must name exactly %d labels", want)
		}
	case simulate.BestWorst:
		var two twoEnds
		if json.Unmarshal(c.Answer, &two) != nil || two.Best == "" || two.Worst == "" {
			return "answer must name best and worst"
		}
		if two.Best == two.Worst {
			return "best and worst must differ"
		}
	}
	return ""
}

// settleMethod writes a checked answer and says it in words.
func settleMethod(q simulate.Question, raw json.RawMessage, out *simulate.Answer) (string, error) {
	switch q.Type {
	case simulate.Numeric:
		v, err := strconv.ParseFloat(string(raw), 64)
		if err != nil {
			return "", fmt.Errorf("answer: a number: %w", err)
		}
		out.Number = &v
		return strings.TrimSpace(plain(v) + " " + q.Unit), nil
	case simulate.Ranking:
		var order []string
		if err := json.Unmarshal(raw, &order); err != nil {
			return "", fmt.Errorf("answer: an order: %w", err)
		}
		out.Ranking = slices.Clone(order)
		return strings.Join(order, " > "), nil
	}
	var two twoEnds
	if err := json.Unmarshal(raw, &two); err != nil {
		return "", fmt.Errorf("answer: best and worst: %w", err)
	}
	out.Best, out.Worst = two.Best, two.Worst
	return "Best: " + two.Best + ". Worst: " + two.Worst, nil
}

package answer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// MaxPoints is how many points one Mind names on a picture.
const MaxPoints = 5

// maxPointReason bounds the reason of a point, in characters.
const maxPointReason = 200

// lookTask is followed by the size of the grid. The grid is in words alone: nothing
// is drawn into the picture.
const lookTask = `You are shown one picture of a survey, alone and once. Say where on it the attention of this persona would go first and most. Imagine a grid over the whole picture of %d columns from left to right and %d rows from top to bottom. Give the JSON form that is asked for:
- points: one to %d points, the strongest first; each with its column, its row, its weight from 1 (a glance) to 5 (holds the attention), and the reason in a few words in your own voice, without ids. Name no cell twice.`

// Looking is a picture with the question that it came with, as every Mind is shown
// it.
type Looking struct {
	Picture       simulate.Picture
	Question      string
	Columns, Rows int // of the grid that points are named on
}

// Point is where a Mind says that its attention would go.
type Point struct {
	Column int    `json:"column"` // from 1, at the left
	Row    int    `json:"row"`    // from 1, at the top
	Weight int    `json:"weight"` // 1 to 5
	Reason string `json:"reason,omitempty"`
}

// Looked are one Mind's points. Without any, Reason says why: ReasonMalformed or
// ReasonDeclined.
type Looked struct {
	Points []Point
	Reason string
}

// Look asks one Mind where its attention on a picture would go. A point off the grid,
// one named twice and a weight that is none do not fit and are asked for once more. A
// reason that claims a life, or a figure or name that nothing given holds, is left out.
func (e *Engine) Look(ctx context.Context, r simulate.Respondent, l Looking) (Looked, error) {
	if err := ctx.Err(); err != nil {
		return Looked{}, err
	}
	known, err := gather(ctx, r, clip(l.Question, maxTurn), simulate.Policy{})
	if err != nil {
		return Looked{}, err
	}
	mark := known.bring("I", brought{name: l.Picture.Name, picture: true})
	text := message(clip(l.Question, maxMessage))
	var said struct {
		Points []Point `json:"points"`
	}
	res, err := model.Structured(ctx, e.client, model.Request{
		System:      system(r, simulate.Policy{}, fmt.Sprintf(lookTask, l.Columns, l.Rows, MaxPoints)+"\n"+pictureTask),
		CacheSystem: true, MaxTokens: 700, Schema: l.schema(), Temperature: new(float64),
		Messages: []model.Message{{Role: model.User, Text: known.block() + known.shown([]string{mark}) + text,
			Images: []model.Image{{MediaType: l.Picture.MediaType, Data: l.Picture.Data}}}},
	}, &said)
	e.count(ctx, res.Usage, err)
	if reason := cannot(err); reason != "" {
		return Looked{Reason: reason}, nil
	}
	if err != nil {
		return Looked{}, err
	}
	j := &judge{sources: known, who: r, asked: text, given: givenBy(known, r, text, nil)}
	for i := range said.Points {
		p := &said.Points[i]
		p.Reason = clip(strings.TrimSpace(unmarked(p.Reason)), maxPointReason)
		if p.Reason == "" {
			continue
		}
		of := j.sentence(p.Reason, []string{mark}, true)
		if human(p.Reason) || biography.MatchString(p.Reason) || of.refused && j.invents(p.Reason, nil) {
			p.Reason = ""
		}
	}
	return Looked{Points: said.Points}, nil
}

// schema keeps to what every provider's strict mode takes; the rest is checked beside
// it.
func (l Looking) schema() *model.Schema {
	upTo := func(n int) map[string]any {
		all := make([]int, n)
		for i := range all {
			all[i] = i + 1
		}
		return map[string]any{"type": "integer", "enum": all}
	}
	point := map[string]any{"type": "object", "additionalProperties": false, "required": []string{"column", "row", "weight", "reason"},
		"properties": map[string]any{"column": upTo(l.Columns), "row": upTo(l.Rows), "weight": upTo(5), "reason": map[string]any{"type": "string"}}}
	s := &model.Schema{Name: "points", Also: wrongPoints}
	s.JSON, _ = json.Marshal(map[string]any{"type": "object", "additionalProperties": false, "required": []string{"points"},
		"properties": map[string]any{"points": map[string]any{"type": "array", "items": point}}}) // plain values
	return s
}

// wrongPoints tells what is wrong with a list of points.
func wrongPoints(doc json.RawMessage) string {
	var c struct {
		Points []Point `json:"points"`
	}
	switch {
	case json.Unmarshal(doc, &c) != nil:
		return "points is no list of points"
	case len(c.Points) == 0:
		return "points must name at least one point"
	case len(c.Points) > MaxPoints:
		return fmt.Sprintf("points must name at most %d points", MaxPoints)
	}
	seen := map[[2]int]bool{}
	for _, p := range c.Points {
		at := [2]int{p.Column, p.Row}
		if seen[at] {
			return fmt.Sprintf("points names column %d, row %d twice", p.Column, p.Row)
		}
		seen[at] = true
	}
	return ""
}

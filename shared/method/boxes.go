package method

import (
	"github.com/mindgate-dev/mindgate/shared/stats"
)

// NPSResult is MethodResult.nps: points, and shares 0..1.
type NPSResult struct {
	NPS        stats.Estimate `json:"nps"`
	Promoters  stats.Estimate `json:"promoters"`
	Passives   stats.Estimate `json:"passives"`
	Detractors stats.Estimate `json:"detractors"`
}

func (c *computing) nps() (any, error) {
	x, w := c.column(0)
	score, err := stats.NPS(x, w)
	if err != nil {
		return nil, err
	}
	var parts [3]float64 // promoters, passives, detractors
	total := 0.0
	for i, v := range x {
		weight := 1.0
		if w != nil {
			weight = w[i]
		}
		total += weight
		switch {
		case v >= 9:
			parts[0] += weight
		case v >= 7:
			parts[1] += weight
		default:
			parts[2] += weight
		}
	}
	share := func(part float64) stats.Estimate { return stats.Share(part, total, len(x), *score.EffectiveN) }
	return NPSResult{score, share(parts[0]), share(parts[1]), share(parts[2])}, nil
}

// TopBoxResult is MethodResult.top-box; shares 0..1, net -1..1.
type TopBoxResult struct {
	Statements []StatementBoxes `json:"statements"`
}

// StatementBoxes are the boxes of one statement.
type StatementBoxes struct {
	ID     string         `json:"id"`
	Top    stats.Estimate `json:"top"`
	Bottom stats.Estimate `json:"bottom"`
	Net    stats.Estimate `json:"net"`
	Boxes  int            `json:"boxes"` // points in a box
}

func (c *computing) topBox() (any, error) {
	cfg, err := decode[topBoxConfig](c.configuration)
	if err != nil {
		return nil, err
	}
	out := TopBoxResult{Statements: []StatementBoxes{}}
	for i, s := range cfg.Statements {
		x, w := c.column(i)
		b, err := stats.TopBox(x, w, cfg.ScaleRange[0], cfg.ScaleRange[1], cfg.Boxes, cfg.ScaleTop == "low")
		if err != nil {
			return nil, err
		}
		out.Statements = append(out.Statements, StatementBoxes{s.ID, fraction(b.Top), fraction(b.Bottom), fraction(b.Net), cfg.Boxes})
	}
	return out, nil
}

// fraction turns a figure in percent into 0..1.
func fraction(e stats.Estimate) stats.Estimate {
	if e.Estimate != nil {
		v := *e.Estimate / 100
		e.Estimate = &v
	}
	if e.SE != nil {
		v := *e.SE / 100
		e.SE = &v
	}
	if e.CI95 != nil {
		e.CI95 = &[2]float64{e.CI95[0] / 100, e.CI95[1] / 100}
	}
	return e
}

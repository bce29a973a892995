package choice

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/stats"
	"github.com/mindgate-dev/mindgate/shared/stats/design"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.8g, want %.8g", what, got, want)
	}
}

func correlation(x, y []float64) float64 {
	mx, _ := stats.Mean(x, nil)
	my, _ := stats.Mean(y, nil)
	var xy, xx, yy float64
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
	}
	return xy / math.Sqrt(xx*yy)
}

// simulation is a study whose members answer by the logit model itself.
type simulation struct {
	levels       []int
	price        []float64 // numbers of the last attribute, which is then linear
	none         bool
	members      int
	tasks        int
	holdouts     int
	versions     int
	alternatives int
	spread       float64 // standard deviation of utilities over members
	seed         uint64
}

// answer gives the study, the planted mean utilities and each member's.
func (s simulation) answer(t testing.TB) (Study, []float64, [][]float64) {
	t.Helper()
	d := design.Conjoint{Levels: s.levels, Alternatives: s.alternatives, Tasks: s.tasks, Holdouts: s.holdouts, Versions: max(1, s.versions), None: s.none, Seed: s.seed}
	made, err := d.Make()
	if err != nil {
		t.Fatal(err)
	}
	study := Study{None: s.none, Members: s.members, Price: -1}
	for _, n := range s.levels {
		study.Attributes = append(study.Attributes, Attribute{Levels: n})
	}
	if s.price != nil {
		study.Price = len(s.levels) - 1
		study.Attributes[study.Price] = Attribute{Levels: len(s.price), Values: s.price, Linear: true}
	}
	coding, err := NewCoding(study.Attributes, s.none)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(s.seed, 77))
	mean := make([]float64, coding.Parameters())
	for i := range mean {
		mean[i] = rng.NormFloat64() * .8
	}
	if s.price != nil {
		mean[coding.first[study.Price]] = -1.2
	}
	each := make([][]float64, s.members)
	for m := range each {
		each[m] = make([]float64, len(mean))
		for i := range mean {
			each[m][i] = mean[i] + s.spread*rng.NormFloat64()
		}
		ask := func(task design.Choice, holdout bool) {
			best, most := 0, math.Inf(-1)
			for j := range len(task) + 1 {
				var row []float64
				switch {
				case j < len(task):
					row, _ = coding.Row(task[j])
				case s.none:
					row = coding.NoneRow()
				default:
					continue
				}
				if u := dot(row, each[m]) - math.Log(-math.Log(rng.Float64())); u > most {
					best, most = j, u
				}
			}
			study.Answers = append(study.Answers, Answer{Member: m, Alternatives: task, Chosen: best, Holdout: holdout})
		}
		for _, task := range made.Versions[m%len(made.Versions)] {
			ask(task, false)
		}
		for _, task := range made.Holdouts {
			ask(task, true)
		}
	}
	return study, mean, each
}

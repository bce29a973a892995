//go:build oracles

package oracles

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/stats/choice"
)

func read(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("../../.tools/oracles-data/" + name)
	if err != nil {
		t.Fatalf("%v: run `make test-oracles`", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.8g, want %.8g", what, got, want)
	}
}

// The figures are those of R's survival::clogit; logitr gives the same.
func TestYogurt(t *testing.T) {
	brands := []string{"yoplait", "dannon", "hiland", "weight"}
	var tasks []choice.Task
	counts := map[string]float64{}
	for _, row := range read(t, "yogurt.csv")[1:] {
		task := choice.Task{Member: int(number(t, row[1])), Chosen: -1}
		for j, brand := range brands {
			x := []float64{number(t, row[6+j]), number(t, row[2+j]), 0, 0, 0} // price, feature, brands against dannon
			switch brand {
			case "hiland":
				x[2] = 1
			case "weight":
				x[3] = 1
			case "yoplait":
				x[4] = 1
			}
			task.X = append(task.X, x)
			if row[10] == brand {
				task.Chosen = j
			}
		}
		counts[row[10]]++
		tasks = append(tasks, task)
	}
	fit, err := choice.MNL(tasks)
	if err != nil {
		t.Fatal(err)
	}
	if fit.Tasks != 2412 || fit.Members != 100 || fit.Separated {
		t.Fatalf("%d choices of %d households, separated %v", fit.Tasks, fit.Members, fit.Separated)
	}
	se := fit.ModelSE()
	for i, w := range []struct{ b, se float64 }{
		{-.366585, .024366}, {.491434, .120063}, {-3.715600, .145419}, {-.641184, .054498}, {.734571, .080644},
	} {
		near(t, fmt.Sprintf("b%d", i), fit.B[i], w.b, 1e-6)
		near(t, fmt.Sprintf("se%d", i), se[i], w.se, 1e-6)
	}
	near(t, "LL", fit.LogLik, -2656.888, 6e-4)
	near(t, "LL0", fit.LogLik0, -3343.742, 6e-4)
	for brand, share := range map[string]float64{"dannon": .40216, "hiland": .02944, "weight": .22927, "yoplait": .33914} {
		near(t, "share of "+brand, counts[brand]/2412, share, 6e-6)
	}
}

// The figures of the aggregate model are those of R's survival::clogit, those of
// people the posterior of bayesm::rhierMnlRwMixture: compared by sign, order and size.
func TestCamera(t *testing.T) {
	rows := read(t, "camera.csv")
	var tasks []choice.Task
	for at := 0; at < len(rows); at += 5 {
		task := choice.Task{Member: int(number(t, rows[at][0])), Chosen: -1}
		for j, row := range rows[at : at+5] {
			x := make([]float64, 10)
			for c := range x {
				x[c] = number(t, row[3+c])
			}
			task.X = append(task.X, x)
			if row[2] == "1" {
				task.Chosen = j
			}
		}
		tasks = append(tasks, task)
	}
	fit, err := choice.MNL(tasks)
	if err != nil {
		t.Fatal(err)
	}
	if fit.Tasks != 332*16 || fit.Members != 332 {
		t.Fatalf("%d choices of %d people", fit.Tasks, fit.Members)
	}
	se := fit.ModelSE()
	for i, w := range []struct{ b, se float64 }{
		{.4650, .0760}, {.2384, .0767}, {.3117, .0766}, {.0227, .0779}, {.7583, .0422},
		{.8194, .0419}, {.6279, .0406}, {.3671, .0402}, {.5778, .0417}, {-1.4856, .0325},
	} {
		near(t, fmt.Sprintf("b%d", i), fit.B[i], w.b, 6e-5)
		near(t, fmt.Sprintf("se%d", i), se[i], w.se, 6e-5)
	}
	near(t, "LL", fit.LogLik, -6503.747, 6e-4)
	near(t, "LL0", fit.LogLik0, -8549.334, 6e-4)

	p := choice.Individuals(tasks, 332, fit)
	posterior := []float64{1.98, 1.58, 1.68, 1.17, 1.39, 1.70, 1.30, .74, 1.15, -3.48}
	for i, want := range posterior {
		if got := p.Mean[i]; got*want <= 0 {
			t.Errorf("the mean of %d is %.2f, that of hierarchical Bayes %.2f", i, got, want)
		}
	}
	// The mode of a member lies nearer to the mean than the posterior's mean does:
	// all is smaller, but in proportion.
	if r := cosine(p.Mean, posterior); r < .99 {
		t.Errorf("the population's mean points elsewhere than that of hierarchical Bayes: cosine %.4f", r)
	}

	// Draws against draws: within 15 percent, for both chains.
	spread := []float64{4.9, 5.1, 5.1, 5.1, 1.5, 1.5, .95, 1, 1.1, 2.2}
	for name, chain := range map[string]choice.Chain{"long": choice.Long(1), "short": choice.Short(1)} {
		h := choice.Hierarchical(tasks, 332, fit, chain)
		for i, want := range posterior {
			near(t, fmt.Sprintf("%s: mean of %d", name, i), h.Mean[i], want, .15*math.Abs(want))
			sum, squares := 0.0, 0.0
			for _, b := range h.B {
				sum, squares = sum+b[i], squares+b[i]*b[i]
			}
			sd := math.Sqrt(squares/332 - sum/332*sum/332)
			near(t, fmt.Sprintf("%s: spread of %d", name, i), sd, spread[i], .15*spread[i])
		}
	}
}

func cosine(x, y []float64) float64 {
	var xy, xx, yy float64
	for i := range x {
		xy, xx, yy = xy+x[i]*y[i], xx+x[i]*x[i], yy+y[i]*y[i]
	}
	return xy / math.Sqrt(xx*yy)
}

package local

import (
	"encoding/json"
	"os"
	"reflect"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
	"github.com/mindgate-dev/mindgate/shared/workflow/local/jsonata"
)

type golden struct {
	Data map[string]any
	Rows []struct {
		Group, Data, Expr string
		Value             json.RawMessage
		Missing           bool
		Error             string
	}
}

func readGolden(t testing.TB) golden {
	raw, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(raw, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// stricter are expressions that ours refuses as they run and the reference does
// not: engines print such numbers differently, or answer a wrong type with
// nothing.
var stricter = map[string]bool{
	"$string($states.input.big)":  true,
	"$string($states.input.half)": true,
	"$substring(1, 2)":            true,
}

// Each allowed expression gives what jsonata.js 2.0.6 gives; where the
// reference refuses, so do we. The golden file also holds what the subset
// refuses, so that a rule that is loosened meets its counter-example here.
func TestGoldenExpressions(t *testing.T) {
	g := readGolden(t)
	ev := newEvaluator(time.Second)
	compared, refused := 0, map[string]int{}
	for _, row := range g.Rows {
		if _, problems := asl.Inspect(row.Expr); len(problems) > 0 {
			refused[row.Group]++
			if os.Getenv("GOLDEN_SHOW") != "" {
				t.Logf("refused %s: %v", row.Expr, problems)
			}
			continue
		}
		if stricter[row.Expr] {
			if _, err := ev.expression(row.Expr, map[string]any{"states": map[string]any{"input": g.Data[row.Data]}}); err == nil {
				t.Errorf("%s: is no longer refused; compare it", row.Expr)
			}
			continue
		}
		compared++
		got, err := ev.expression(row.Expr, map[string]any{"states": map[string]any{"input": g.Data[row.Data]}})
		switch {
		case row.Missing:
			if err != jsonata.ErrNoResult {
				t.Errorf("%s: got %v, %v; the reference has no result", row.Expr, got, err)
			}
		case row.Error != "":
			if err == nil {
				t.Errorf("%s: got %v; the reference fails with %s", row.Expr, got, row.Error)
			}
		default:
			var want any
			if err := json.Unmarshal(row.Value, &want); err != nil {
				t.Fatal(err)
			}
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %v, %v; want %s", row.Expr, got, err, row.Value)
			}
		}
	}
	groups := make([]string, 0, len(refused))
	for k := range refused {
		groups = append(groups, k)
	}
	sort.Strings(groups)
	t.Logf("%d of %d expressions compared; refused in groups %s", compared, len(g.Rows), strings.Join(groups, " "))
	if compared < 200 {
		t.Errorf("only %d expressions compared", compared)
	}
}

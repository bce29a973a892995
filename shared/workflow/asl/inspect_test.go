package asl

import (
	"strings"
	"testing"
)

func TestInspect(t *testing.T) {
	for _, c := range []struct{ expr, refused string }{
		{"$states.input.a", ""},
		{"$states.context.Execution.Name & '-' & $states.context.State.Name", ""},
		{"[$states.input.items[n > 1].id]", ""},
		{"$exists($states.input.n) and $states.input.n > 3", ""},
		{"$exists($states.input.n) ? $states.input.n > 3 : false", ""},
		{"$count($states.input.items) > 0", ""},
		{"$sum([$states.input.items.n]) >= 2", ""},
		{"$n + 1 > 3", ""},
		{"{'a': $states.input.a, 'n': $n}", ""},
		{"$states.input.items.{'id': $.id, 'n': n}", ""},
		{"($f := function($x){ $x * 2 }; $f(3))", ""},
		{"$reduce([1..3], function($a, $b){ $a + $b }, 0)", ""},
		{"$states.input.items^(>n).id", ""},
		{"$states.input.items{kind: $sum(n)}", ""},
		{"$states.input.n / 2", ""},
		{"$partition([1..5], 2)", ""},
		{"$states.input.a = false", ""},
		{"$states.input.n > 3", "may be missing"},
		{"$states.input.n > 3 and $exists($states.input.n)", "may be missing"},
		{"$max($states.input.items.n) > 3", "may be missing"},
		{"$states.input.x = null", "null"},
		{"$map($states.input.a, function($x){$x})", "$map"},
		{"$not(true)", "$not"},
		{"$now()", "resumed job"},
		{"$eval('1')", "never compiled"},
		{"$error('x')", "Fail state"},
		{"$keys($states.input)", "order of keys"},
		{"$states.input.*", "order of keys"},
		{"$states.input.**.x", "order of keys"},
		{"a.b", "bare path"},
		{"[a]", "bare path"},
		{"$.a", "outside a path"},
		{"$$.a", "$$"},
		{"$states", "must be followed"},
		{"$states.inptu", "must be followed"},
		{"$states.result.a", "exists only in"},
		{"$states.errorOutput", "only in Catch"},
		{"$states.context.Execution.RoleArn", "all hosts"},
		{"$states.context.Map.Item.Index", "inside a Map"},
		{"$states.context.Task.Token", "waits for its token"},
		{"$states.input.a / $states.input.b", "possible zero"},
		{"5 % 2", "%"},
		{"$states.input.a ~> $sum()", "~>"},
		{"$contains($states.input.a, /x/)", "regular expression"},
		{"$unknown(1)", "unknown"},
		{"$sum", "as a value"},
		{"($f := function($n){ $f($n) }; $f(1))", "unknown"},
		{"($f := function($g){ $g($g) }; $f($f))", "not a function bound"},
		{"$string()", "all its arguments"},
		{"$string([1])", "$string takes"},
		{"a ??", "does not parse"},
		{"1 +", "does not parse"},
		{"$states.input ? 1 : 2 ?? 3", "does not parse"},
	} {
		t.Run(c.expr, func(t *testing.T) {
			_, problems := Inspect(c.expr)
			got := strings.Join(problems, "; ")
			if c.refused == "" && got != "" || !strings.Contains(got, c.refused) {
				t.Errorf("refused for %q, want %q", got, c.refused)
			}
		})
	}
}

func FuzzInspect(f *testing.F) {
	for _, s := range []string{"$states.input.a[0]", "{'a': [1..3]}", "($x := 1; $x)", "$f(?, 1)", "|a|{}|", "a^(b).c{d:e}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) { Inspect(src) })
}

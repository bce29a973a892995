package jsonata

import (
	"errors"
	"testing"
	"time"
)

// The golden file is compared in package local; here stands what it cannot hold.

func TestEndlessExpressionsEnd(t *testing.T) {
	for _, c := range []struct {
		src   string
		limit time.Duration
		want  error
	}{
		{"($f := function($n){ $f($n) }; $f(1))", time.Minute, errDeep},
		{"$reduce([1..900000], function($a, $b){ $a + $sum([1..$b]) })", 20 * time.Millisecond, ErrTooLong},
	} {
		e, err := Compile(c.src)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Eval(nil, c.limit); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.src, err, c.want)
		}
	}
}

// Bindings are shared between evaluations that run at once.
func TestBindingsAreNotChanged(t *testing.T) {
	list := []any{3.0, 1.0, 2.0}
	for _, src := range []string{"$sort($l)", "$reverse($l)", "$append($l, 4)", "[$l^(>$)]", "$distinct($l)", "$merge([$o, {'b': 2}])"} {
		e, err := Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		o := map[string]any{"a": 1.0}
		if _, err := e.Eval(map[string]any{"l": list, "o": o}, time.Second); err != nil {
			t.Errorf("%s: %v", src, err)
		}
		if list[0] != 3.0 || list[1] != 1.0 || len(o) != 1 {
			t.Fatalf("%s changed what it was given", src)
		}
	}
}

func FuzzEval(f *testing.F) {
	for _, s := range []string{"$i.a[0]", "{'a': [1..3]}", "$i^(b).c{d:e}", "$substring('a', -1, 2)", "$pad('a', 3, '')", "$split('a','',0)", "$zip()", "$sort([1], 2)", "$append()"} {
		f.Add(s)
	}
	in := map[string]any{"i": map[string]any{"a": []any{1.0, "x", map[string]any{"b": true}}}}
	f.Fuzz(func(t *testing.T, src string) {
		if e, err := Compile(src); err == nil {
			e.Eval(in, 100*time.Millisecond)
		}
	})
}

package jsonata

import (
	"errors"
	"fmt"
	"math"
	"sort"
)

func distinct(v any) any {
	in, isList := asList(v)
	if !isList || len(in) <= 1 {
		return v
	}
	out := make(sequence, 0, len(in))
	seen := make(map[any]bool, len(in))
	var composite []any
next:
	for _, x := range in {
		if scalar(x) {
			if seen[x] {
				continue
			}
			seen[x] = true
		} else {
			for _, y := range composite {
				if same(x, y) {
					continue next
				}
			}
			composite = append(composite, x)
		}
		out = append(out, x)
	}
	if _, path := v.(sequence); path {
		return out
	}
	return []any(out)
}

func sorted(vm *machine, a []any) (any, error) {
	out := append([]any{}, items(a[0])...)
	var failed error
	less := func(x, y any) bool {
		c, err := ordered(x, y)
		if err != nil {
			failed = err
		}
		return c < 0
	}
	if len(a) == 2 {
		f, ok := a[1].(*lambda)
		if !ok {
			return nil, errors.New("takes a function as its second argument")
		}
		// The function tells whether its first argument comes after its second.
		less = func(x, y any) bool {
			after, err := vm.apply(f, y, x)
			if err != nil {
				failed = err
			}
			return truth(after)
		}
	} else {
		for _, x := range out {
			if kind(x) != kind(out[0]) || !scalar(x) || kind(x) == "boolean" {
				return nil, errors.New("takes numbers or texts, or a function")
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return failed == nil && less(out[i], out[j]) })
	return out, failed
}

func reduce(vm *machine, a []any) (any, error) {
	f, ok := a[1].(*lambda)
	if !ok || len(f.params) < 2 {
		return nil, errors.New("takes a function of two arguments or more")
	}
	in := items(a[0])
	var acc any
	if len(a) == 3 {
		acc = a[2]
	}
	first := 0
	if acc == nil {
		if len(in) == 0 {
			return nil, nil
		}
		acc, first = in[0], 1
	}
	for i := first; i < len(in); i++ {
		v, err := vm.apply(f, acc, in[i], float64(i), in)
		if err != nil {
			return nil, err
		}
		acc = v
	}
	return acc, nil
}

func merge(_ *machine, a []any) (any, error) {
	out := map[string]any{}
	for _, x := range items(a[0]) {
		m, ok := x.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("takes objects, not %s", kind(x))
		}
		for k, v := range m {
			out[k] = v
		}
	}
	return out, nil
}

// partition is Step Functions' $partition: chunks of a size; the last may be short.
func partition(_ *machine, a []any) (any, error) {
	in := items(a[0])
	size, ok := a[1].(float64)
	n := int(math.Floor(size))
	if !ok || n < 1 {
		return nil, errors.New("takes a size of at least 1")
	}
	chunks := []any{}
	for i := 0; i < len(in); i += n {
		chunks = append(chunks, append([]any{}, in[i:min(i+n, len(in))]...))
	}
	return chunks, nil
}

// span is Step Functions' $range: at most 1,000 numbers, the end included.
func span(_ *machine, a []any) (any, error) {
	first, ok1 := a[0].(float64)
	last, ok2 := a[1].(float64)
	step, ok3 := a[2].(float64)
	if !ok1 || !ok2 || !ok3 || step == 0 {
		return nil, errors.New("takes three numbers, the step not 0")
	}
	out := []any{}
	for x := first; step > 0 && x <= last || step < 0 && x >= last; x += step {
		if len(out) == 1000 {
			return nil, errors.New("gives at most 1,000 numbers")
		}
		out = append(out, x)
	}
	return out, nil
}

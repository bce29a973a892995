package jsonata

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"math"
	"strings"
)

// builtin calls a function of the subset. But for a few, a missing first
// argument gives no result, whatever the others are.
func (vm *machine) builtin(name string, args []any) (any, error) {
	if f := always[name]; f != nil {
		return f(args)
	}
	if len(args) == 0 {
		return nil, errors.New("needs all its arguments")
	}
	switch {
	case args[0] == nil:
		if known(name) {
			return nil, nil
		}
	case aggregates[name] != nil:
		numbers := make([]float64, 0, 8)
		for _, x := range items(args[0]) {
			n, ok := x.(float64)
			if !ok {
				return nil, fmt.Errorf("takes numbers, not %s", kind(x))
			}
			numbers = append(numbers, n)
		}
		return aggregates[name](numbers), nil
	case maths[name] != nil:
		return arithmetic(name, args)
	case texts[name] != nil:
		return onText(name, args)
	case lists[name] != nil:
		return lists[name](vm, args)
	}
	return nil, errors.New("is not a function of the subset")
}

func known(name string) bool {
	return aggregates[name] != nil || maths[name] != nil || texts[name] != nil || lists[name] != nil
}

// always are the functions that look at a missing argument.
var always = map[string]func([]any) (any, error){
	"exists": func(a []any) (any, error) { return len(a) == 1 && a[0] != nil, nil },
	"count":  func(a []any) (any, error) { return float64(len(items(a[0]))), nil },
	"append": func(a []any) (any, error) { return joined(a[0], a[1]), nil },
	"zip": func(a []any) (any, error) {
		n := math.MaxInt
		for _, x := range a {
			n = min(n, len(items(x)))
		}
		out := make([]any, n)
		for i := range n {
			row := make([]any, len(a))
			for j, x := range a {
				row[j] = items(x)[i]
			}
			out[i] = row
		}
		return out, nil
	},
}

var aggregates = map[string]func([]float64) any{
	"sum": func(n []float64) any {
		total := 0.0
		for _, x := range n {
			total += x
		}
		return total
	},
	"max": func(n []float64) any {
		if len(n) == 0 {
			return nil
		}
		best := n[0]
		for _, x := range n {
			best = max(best, x)
		}
		return best
	},
	"min": func(n []float64) any {
		if len(n) == 0 {
			return nil
		}
		best := n[0]
		for _, x := range n {
			best = min(best, x)
		}
		return best
	},
	"average": func(n []float64) any {
		if len(n) == 0 {
			return nil
		}
		total := 0.0
		for _, x := range n {
			total += x
		}
		return total / float64(len(n))
	},
}

// maths take one number and at most one more.
var maths = map[string]func(x float64, more []float64) float64{
	"abs":   func(x float64, _ []float64) float64 { return math.Abs(x) },
	"floor": func(x float64, _ []float64) float64 { return math.Floor(x) },
	"ceil":  func(x float64, _ []float64) float64 { return math.Ceil(x) },
	"sqrt":  func(x float64, _ []float64) float64 { return math.Sqrt(x) },
	"power": func(x float64, more []float64) float64 { return math.Pow(x, more[0]) },
	"round": func(x float64, more []float64) float64 {
		if len(more) == 0 {
			return math.RoundToEven(x)
		}
		return shift(math.RoundToEven(shift(x, more[0])), -more[0])
	},
}

// shift moves the decimal point by text, as the reference does, so that 2.345
// becomes 234.5 and not the next lower number.
func shift(x, places float64) float64 {
	s := fmt.Sprintf("%ve%d", x, int(places))
	if m, e, ok := strings.Cut(fmt.Sprint(x), "e"); ok {
		var exp int
		_, _ = fmt.Sscan(e, &exp) // both texts come from fmt itself
		s = fmt.Sprintf("%se%d", m, exp+int(places))
	}
	var out float64
	_, _ = fmt.Sscan(s, &out)
	return out
}

func arithmetic(name string, args []any) (any, error) {
	n := make([]float64, 0, 2)
	for _, a := range args {
		x, ok := a.(float64)
		if !ok && a != nil {
			return nil, fmt.Errorf("takes numbers, not %s", kind(a))
		}
		if a == nil {
			return nil, nil
		}
		n = append(n, x)
	}
	if name == "power" && len(n) < 2 {
		return nil, errors.New("needs all its arguments")
	}
	r := maths[name](n[0], n[1:])
	if math.IsNaN(r) || math.IsInf(r, 0) {
		return nil, errors.New("gives a number that JSON cannot hold")
	}
	return r, nil
}

// lists are the functions on lists, objects and values of any kind.
var lists map[string]func(*machine, []any) (any, error)

func init() {
	lists = map[string]func(*machine, []any) (any, error){
		"string":  func(_ *machine, a []any) (any, error) { return text(a[0]) },
		"type":    func(_ *machine, a []any) (any, error) { return kind(a[0]), nil },
		"boolean": func(_ *machine, a []any) (any, error) { return truth(a[0]), nil },
		"number": func(_ *machine, a []any) (any, error) {
			switch v := a[0].(type) {
			case float64:
				return v, nil
			case bool:
				if v {
					return 1.0, nil
				}
				return 0.0, nil
			case string:
				return number(v)
			}
			return nil, fmt.Errorf("cannot read %s as a number", kind(a[0]))
		},
		"reverse": func(_ *machine, a []any) (any, error) {
			in := items(a[0])
			out := make([]any, len(in))
			for i, x := range in {
				out[len(in)-1-i] = x
			}
			return out, nil
		},
		"distinct":  func(_ *machine, a []any) (any, error) { return distinct(a[0]), nil },
		"sort":      sorted,
		"reduce":    reduce,
		"merge":     merge,
		"partition": partition,
		"range":     span,
		"join":      join,
		"lookup": func(_ *machine, a []any) (any, error) {
			name, ok := a[1].(string)
			if !ok {
				return nil, errors.New("takes a name as text")
			}
			return field(a[0], name), nil
		},
		"parse": func(_ *machine, a []any) (any, error) { return parse(a[0]) },
		"hash":  func(_ *machine, a []any) (any, error) { return digest(a[0], a[1]) },
	}
}

func parse(v any) (any, error) {
	s, ok := v.(string)
	if !ok {
		return nil, errors.New("takes text")
	}
	var out any
	if err := json.Unmarshal([]byte(s), &out); err != nil {
		return nil, err
	}
	if holdsNull(out) {
		return nil, errors.New("met null; leave the key out")
	}
	return out, nil
}

func holdsNull(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		for _, x := range v {
			if holdsNull(x) {
				return true
			}
		}
	case map[string]any:
		for _, x := range v {
			if holdsNull(x) {
				return true
			}
		}
	}
	return false
}

// digest is Step Functions' $hash, in hexadecimal.
func digest(v, algorithm any) (any, error) {
	s, ok := v.(string)
	if !ok {
		return nil, errors.New("takes text")
	}
	var h hash.Hash
	switch algorithm {
	case "MD5":
		h = md5.New()
	case "SHA-1":
		h = sha1.New()
	case "SHA-256":
		h = sha256.New()
	case "SHA-384":
		h = sha512.New384()
	case "SHA-512":
		h = sha512.New()
	default:
		return nil, fmt.Errorf("does not know the algorithm %v", algorithm)
	}
	h.Write([]byte(s))
	return hex.EncodeToString(h.Sum(nil)), nil
}

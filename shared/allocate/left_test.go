package allocate

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// leaving is a caller who leaves after some looks at the context.
type leaving struct {
	context.Context
	looks, after int
}

func (l *leaving) Err() error {
	if l.looks++; l.looks > l.after {
		return context.Canceled
	}
	return nil
}

// A search ends when its caller leaves, and says so; who stays gets the same bytes
// as without a context.
func TestTheSearchEndsWhenTheCallerLeaves(t *testing.T) {
	in := Input{Members: 300, Config: Config{Seed: "x"}}
	for a := range 12 {
		axis := Axis{Name: fmt.Sprint("axis ", a)}
		for s := range 5 {
			axis.Segments = append(axis.Segments, Segment{Label: fmt.Sprint("s", s), Pct: 20})
		}
		in.Axes = append(in.Axes, axis)
	}
	ctx := &leaving{Context: t.Context(), after: 3}
	if _, err := AllocateContext(ctx, in); !errors.Is(err, context.Canceled) || ctx.looks > 5 {
		t.Errorf("%v after %d looks", err, ctx.looks)
	}
	a, err := AllocateContext(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Allocate(in)
	if err != nil || fmt.Sprint(a.Cells) != fmt.Sprint(b.Cells) {
		t.Errorf("%v; a context changes who stands for what", err)
	}
}

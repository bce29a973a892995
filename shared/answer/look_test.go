package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// A Mind is shown the picture and names points on the grid; what does not fit the
// grid is asked for once more and then counts as no answer (M-231).
func TestLook(t *testing.T) {
	l := Looking{Picture: simulate.Picture{Name: `ad".png`, MediaType: "image/png", Data: []byte("x")}, Question: "What do you see first?", Columns: 24, Rows: 16}
	const good = `{"points":[{"column":3,"row":2,"weight":5,"reason":"The red sign draws me in."},{"column":24,"row":16,"weight":1,"reason":"I was born there in 1962."}]}`
	for name, c := range map[string]struct {
		says   []string
		points int
		reason string
		calls  int
	}{
		"good":       {[]string{good}, 2, "", 1},
		"off":        {[]string{`{"points":[{"column":25,"row":2,"weight":5,"reason":""}]}`, good}, 2, "", 2},
		"none":       {[]string{`{"points":[]}`, `{"points":[]}`}, 0, ReasonMalformed, 2},
		"twice":      {[]string{strings.Replace(good, `"column":24,"row":16`, `"column":3,"row":2`, 1), good}, 2, "", 2},
		"six":        {[]string{`{"points":[` + strings.Repeat(`{"column":3,"row":2,"weight":5,"reason":""},`, 5) + `{"column":4,"row":2,"weight":5,"reason":""}]}`, good}, 2, "", 2},
		"weightless": {[]string{`{"points":[{"column":3,"row":2,"weight":0,"reason":""}]}`, good}, 2, "", 2},
		"words":      {[]string{"The sign.", "Still the sign."}, 0, ReasonMalformed, 2},
	} {
		m := &modeltest.Client{Answer: func(n int, _ model.Request) (model.Response, error) {
			if n >= len(c.says) {
				return model.Response{}, fmt.Errorf("call %d", n)
			}
			return model.Response{Text: c.says[n], Stop: model.StopEnd, Usage: model.Usage{Input: 1, Output: 1}}, nil
		}}
		got, err := New(m, Options{}).Look(t.Context(), nurse(), l)
		if err != nil || len(got.Points) != c.points || got.Reason != c.reason || len(m.Asked()) != c.calls {
			t.Errorf("%s: %+v %v after %d calls", name, got, err, len(m.Asked()))
			continue
		}
		if c.points == 0 {
			continue
		}
		if p := got.Points[0]; p.Column != 3 || p.Row != 2 || p.Weight != 5 || p.Reason == "" {
			t.Errorf("%s: %+v", name, p)
		}
		if r := got.Points[1].Reason; r != "" {
			t.Errorf("%s: a life stands: %q", name, r)
		}
		first := m.Asked()[0]
		if msg := first.Messages[0]; len(msg.Images) != 1 || !strings.Contains(msg.Text, `kind="picture that you are shown"`) || strings.Contains(msg.Text, `ad".png`) || !strings.Contains(first.System, "24 columns") {
			t.Errorf("%s: %+v", name, msg)
		}
	}
}

// What the provider declines is this Mind's; what fails is an error.
func TestLookTellsWhyNot(t *testing.T) {
	l := Looking{Picture: simulate.Picture{Name: "a", MediaType: "image/png", Data: []byte("x")}, Question: "What?", Columns: 24, Rows: 16}
	declined := &modeltest.Client{Answer: func(int, model.Request) (model.Response, error) { return model.Response{Stop: model.StopFiltered}, nil }}
	if got, err := New(declined, Options{}).Look(t.Context(), nurse(), l); err != nil || got.Reason != ReasonDeclined {
		t.Errorf("%+v %v", got, err)
	}
	down := &modeltest.Client{Answer: func(int, model.Request) (model.Response, error) {
		return model.Response{}, &model.Error{Kind: model.KindUnavailable}
	}}
	if got, err := New(down, Options{}).Look(t.Context(), nurse(), l); err == nil {
		t.Errorf("%+v", got)
	}
}

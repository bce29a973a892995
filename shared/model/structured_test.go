package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
)

type pick struct {
	Choice string   `json:"choice"`
	More   []string `json:"more"`
}

func pickSchema() *model.Schema {
	return &model.Schema{
		Name: "pick",
		JSON: json.RawMessage(`{"type":"object","properties":{"choice":{"type":"string","enum":["tea","coffee"]},"more":{"type":"array","items":{"type":"string"}}},"required":["choice","more"],"additionalProperties":false}`),
		Also: func(doc json.RawMessage) string {
			var p pick
			if err := json.Unmarshal(doc, &p); err != nil || len(p.More) > 2 {
				return "more holds at most 2 items"
			}
			return ""
		},
	}
}

func ask(s *model.Schema) model.Request {
	return model.Request{System: "s", Schema: s, Messages: []model.Message{{Role: model.User, Text: "tea or coffee?"}}}
}

// An answer that does not fit gets one repair turn that says what is wrong; then
// the call is malformed. Both turns are paid for.
func TestStructured(t *testing.T) {
	good := `{"choice":"tea","more":[]}`
	for name, c := range map[string]struct {
		says  []string
		calls int
		kind  model.Kind // empty: it fits
		about string     // what the repair turn says
	}{
		"at once":        {[]string{good}, 1, "", ""},
		"in a fence":     {[]string{"Here you are:\n```json\n" + good + "\n```"}, 1, "", ""},
		"after braces":   {[]string{"{tea} " + good}, 1, "", ""},
		"no JSON":        {[]string{"Tea, please.", good}, 2, "", "there is no JSON object"},
		"empty":          {[]string{"", good}, 2, "", "there is no JSON object"},
		"cut JSON":       {[]string{`{"choice":"te`, good}, 2, "", "there is no JSON object"},
		"another label":  {[]string{`{"choice":"milk","more":[]}`, good}, 2, "", "'tea', 'coffee'"},
		"a field more":   {[]string{`{"choice":"tea","more":[],"why":"x"}`, good}, 2, "", "why"},
		"a field less":   {[]string{`{"choice":"tea"}`, good}, 2, "", "more"},
		"a rule of ours": {[]string{`{"choice":"tea","more":["a","b","c"]}`, good}, 2, "", "at most 2"},
		"never":          {[]string{"x"}, 2, model.KindMalformed, "there is no JSON object"},
		"wrong twice":    {[]string{`{"choice":"milk","more":[]}`, `{"choice":"Tea","more":[]}`}, 2, model.KindMalformed, "coffee"},
	} {
		t.Run(name, func(t *testing.T) {
			m := modeltest.Says(c.says...)
			m.Answer = paying(m.Answer)
			var out pick
			res, err := model.Structured(t.Context(), m, ask(pickSchema()), &out)
			if c.kind == "" && (err != nil || out.Choice != "tea" || string(res.JSON) != good) {
				t.Errorf("%+v %s %v", out, res.JSON, err)
			}
			if c.kind != "" && (!model.IsKind(err, c.kind) || out.Choice != "") {
				t.Errorf("%+v %v", out, err)
			}
			asked := m.Asked()
			if len(asked) != c.calls {
				t.Fatalf("%d calls", len(asked))
			}
			if res.Usage.Output != int64(c.calls) {
				t.Errorf("usage %+v", res.Usage)
			}
			var e *model.Error
			if errors.As(err, &e) && e.Usage != res.Usage {
				t.Errorf("the error's usage %+v", e.Usage)
			}
			if c.calls == 2 {
				turns := asked[1].Messages
				if len(turns) != 3 || turns[1].Role != model.Assistant || turns[1].Text == "" || !strings.Contains(turns[2].Text, c.about) || !strings.Contains(turns[2].Text, `"enum":["tea","coffee"]`) {
					t.Errorf("%+v", turns)
				}
				if len(asked[0].Messages) != 1 {
					t.Error("the caller's messages were changed")
				}
			}
		})
	}
}

func paying(answer func(int, model.Request) (model.Response, error)) func(int, model.Request) (model.Response, error) {
	return func(n int, r model.Request) (model.Response, error) {
		res, err := answer(n, r)
		res.Usage = model.Usage{Input: 10, Output: 1}
		return res, err
	}
}

// A refusal of the provider is no misfit, a cut answer is, and a schema that is
// none is the program's mistake.
func TestStructuredEnds(t *testing.T) {
	stop := func(s model.Stop) *modeltest.Client {
		return &modeltest.Client{Answer: func(int, model.Request) (model.Response, error) {
			return model.Response{Text: `{"choice":"tea","more":[]}`, Stop: s}, nil
		}}
	}
	m := stop(model.StopFiltered)
	if _, err := model.Structured(t.Context(), m, ask(pickSchema()), &pick{}); !model.IsKind(err, model.KindFiltered) || len(m.Asked()) != 1 {
		t.Errorf("%v", err)
	}
	m = stop(model.StopLength)
	if _, err := model.Structured(t.Context(), m, ask(pickSchema()), &pick{}); !model.IsKind(err, model.KindMalformed) || len(m.Asked()) != 2 {
		t.Errorf("%v", err)
	}
	failing := modeltest.Fails(&model.Error{Kind: model.KindAuth})
	if _, err := model.Structured(t.Context(), failing, ask(pickSchema()), &pick{}); !model.IsKind(err, model.KindAuth) || len(failing.Asked()) != 1 {
		t.Errorf("%v", err)
	}
	second := modeltest.Says("x")
	first := second.Answer
	second.Answer = func(n int, r model.Request) (model.Response, error) {
		if n == 1 {
			return model.Response{}, &model.Error{Kind: model.KindOverloaded}
		}
		res, err := first(n, r)
		res.Usage = model.Usage{Output: 3}
		return res, err
	}
	_, err := model.Structured(t.Context(), second, ask(pickSchema()), &pick{})
	var e *model.Error
	if !errors.As(err, &e) || e.Kind != model.KindOverloaded || e.Usage.Output != 3 {
		t.Errorf("%+v", e)
	}
	bad := &model.Schema{Name: "bad", JSON: json.RawMessage(`{"type":7}`)}
	if _, err := model.Structured(t.Context(), modeltest.Says("{}"), ask(bad), nil); err == nil || errors.As(err, &e) && e.Kind == model.KindMalformed {
		t.Errorf("%v", err)
	}
	if _, err := model.Structured(context.Background(), modeltest.Says("{}"), model.Request{}, nil); err == nil {
		t.Error("without a schema")
	}
}

func FuzzFindJSON(f *testing.F) {
	for _, s := range []string{"", "{", `{"a":1}`, "x {\"a\":{}} y", "```json\n{}\n```", strings.Repeat(`{"a":`, 100), "{{{{{{{{{{{{{{{{{{{{{}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := model.FindJSON(s)
		if got != nil && (!json.Valid(got) || got[0] != '{' || !strings.Contains(s, string(got))) {
			t.Errorf("%q in %q", got, s)
		}
	})
}

package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCheckValue(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want error
	}{
		{`{"a":[1,true,"null","n\"null"]}`, nil},
		{`{"a":null}`, ErrNull},
		{`[null]`, ErrNull},
		{`null`, ErrNull},
		{`"` + strings.Repeat("x", MaxValue) + `"`, ErrTooLarge},
	} {
		if err := CheckValue(json.RawMessage(c.raw)); !errors.Is(err, c.want) {
			t.Errorf("%.40s: %v, want %v", c.raw, err, c.want)
		}
	}
	if CheckValue(json.RawMessage(`{`)) == nil {
		t.Error("half an object was accepted")
	}
}

// HasNull agrees with decoding, whatever the strings hold.
func TestHasNullAgreesWithDecoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		leaf := rapid.OneOf(rapid.Just[any](nil), rapid.Just[any](true), rapid.Map(rapid.StringMatching(`(null|n|"|\\|[a-z]){0,6}`), func(s string) any { return s }))
		list := rapid.SliceOfN(leaf, 0, 4).Draw(t, "list")
		key := rapid.StringMatching(`(null|n|"|\\){0,3}`).Draw(t, "key")
		raw, err := json.Marshal(map[string]any{key: list})
		if err != nil {
			t.Fatal(err)
		}
		want := false
		for _, x := range list {
			want = want || x == nil
		}
		if HasNull(raw) != want {
			t.Fatalf("%s: %v", raw, !want)
		}
	})
}

func TestRunNamesErrors(t *testing.T) {
	out, failure := Task(func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(" null "), nil }).Run(t.Context(), nil)
	if out != nil || failure != nil {
		t.Errorf("%s, %v", out, failure)
	}
	_, failure = Task(func(context.Context, json.RawMessage) (json.RawMessage, error) { panic(errors.New("x")) }).Run(t.Context(), nil)
	if failure == nil || failure.Name != "errorString" {
		t.Errorf("%v", failure)
	}
}

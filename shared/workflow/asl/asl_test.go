package asl

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each file's Comment says where and why it is refused: "path: part of the reason".
func TestRefusedWithReason(t *testing.T) {
	files, err := filepath.Glob("testdata/refused/*.json")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	comment := regexp.MustCompile(`"Comment": ("(?:[^"\\]|\\.)*")`)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var text string
			if err := json.Unmarshal(comment.FindSubmatch(raw)[1], &text); err != nil {
				t.Fatal(err)
			}
			path, reason, _ := strings.Cut(text, ": ")
			problems := Check(raw, Options{Tasks: []string{"Echo"}})
			for _, p := range problems {
				if p.Path == path && strings.Contains(p.Reason, reason) {
					return
				}
			}
			t.Errorf("want %s at %s, got %v", reason, path, problems)
		})
	}
}

// The machines of the project are inside the subset.
func TestStateMachinesAreInTheSubset(t *testing.T) {
	files, err := filepath.Glob("../../../statemachines/*.asl.json")
	if err != nil {
		t.Fatal(err)
	}
	good, err := filepath.Glob("../local/testdata/machines/*.json")
	if err != nil || len(good) == 0 {
		t.Fatalf("no test machines: %v", err)
	}
	for _, file := range append(files, good...) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range Check(raw, Options{}) {
			t.Errorf("%s: %s", filepath.Base(file), p)
		}
		def, err := Parse(raw)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if len(def.Tasks()) == 0 {
			t.Errorf("%s calls no task", file)
		}
	}
}

func TestExpressionIsTheWholeString(t *testing.T) {
	for s, want := range map[string]string{"{% a %}": " a ", "{%a%}": "a", "{%%}": ""} {
		if got, ok := Expression(s); !ok || got != want {
			t.Errorf("%q gives %q, %v", s, got, ok)
		}
	}
	for _, s := range []string{" {% a %}", "{% a %} ", "x {% a %}", "{%", "{%}", "", "{% a }"} {
		if _, ok := Expression(s); ok {
			t.Errorf("%q is taken for an expression", s)
		}
	}
}

func FuzzCheck(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*.json")
	for _, file := range files {
		raw, _ := os.ReadFile(file)
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if _, err := Parse(raw); err != nil && len(Check(raw, Options{})) == 0 {
			t.Errorf("no problem, yet %v", err)
		}
	})
}

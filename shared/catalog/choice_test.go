package catalog

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func namesOf(defs []*Definition) string {
	out := make([]string, len(defs))
	for i, d := range defs {
		out[i] = d.Name
	}
	return strings.Join(out, " ")
}

// small is a deployment with a few tools of each kind.
func small() *Catalogue {
	return Minds().Only([]string{
		"list_minds", "create_mind", "get_mind_status", "list_audiences", "create_audience", "create_study", "ask_study", "list_studies",
		"get_study_status", "manage_study", "list_model_connections",
	}).WithFinder()
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		what            string
		choice          Choice
		listed, unknown string
	}{
		{"everything", Choice{}, "list_audiences create_study ask_study list_studies get_study_status", ""},
		{"one area", Choice{Areas: []string{"studies"}}, "create_study ask_study list_studies get_study_status", ""},
		{"an area in capitals", Choice{Areas: []string{"Audiences"}}, "list_audiences", ""},
		{"an area with hidden tools only", Choice{Areas: []string{"minds"}}, "", ""},
		{"an area that has no tool here", Choice{Areas: []string{"guided"}}, "", ""},
		{"all areas", Choice{Areas: []string{"all"}}, "list_audiences create_study ask_study list_studies get_study_status", ""},
		{"an unknown area gives nothing", Choice{Areas: []string{"nope"}}, "", "areas=nope"},
		{"an unknown area beside a known one", Choice{Areas: []string{"nope", "audiences"}}, "list_audiences", "areas=nope"},
		{"single tools alone", Choice{Tools: []string{"create_mind", "list_studies"}}, "create_mind list_studies", ""},
		{"a single tool by an old name", Choice{Tools: []string{"create_panel"}}, "create_study", ""},
		{"a single tool by a folded name", Choice{Tools: []string{"create-mind"}}, "create_mind", ""},
		{"single tools on top of an area", Choice{Areas: []string{"audiences"}, Tools: []string{"create_mind"}}, "create_mind list_audiences", ""},
		{"a single tool that is advertised when enabled", Choice{Tools: []string{"list_model_connections"}}, "list_model_connections", ""},
		{"an unknown tool", Choice{Tools: []string{"nope"}}, "", "tools=nope"},
		{"minus a tool by an old name", Choice{Areas: []string{"studies"}, Exclude: []string{"ask_panel"}}, "create_study list_studies get_study_status", ""},
		{"exclusion wins over naming", Choice{Tools: []string{"ask_study", "list_studies"}, Exclude: []string{"ask_study"}}, "list_studies", ""},
		{"read-only", Choice{ReadOnly: true}, "list_audiences list_studies get_study_status", ""},
		{"read-only wins over naming", Choice{ReadOnly: true, Tools: []string{"create_study", "list_minds"}}, "list_minds", ""},
		{"the address bounds", Choice{Within: []string{"audiences"}, Tools: []string{"create_study", "create_audience"}}, "create_audience", ""},
		{"the address bounds areas", Choice{Within: []string{"studies"}, Areas: []string{"audiences", "studies"}, ReadOnly: true}, "list_studies get_study_status", ""},
		{"find_tools switched on", Choice{Areas: []string{"audiences"}, Find: true}, "list_audiences find_tools", ""},
		{"find_tools by name", Choice{Tools: []string{"find_tools"}}, "find_tools", ""},
		{"find_tools with nothing to find", Choice{Areas: []string{"guided"}, Find: true}, "", ""},
		{"find_tools is read-only", Choice{ReadOnly: true, Find: true, Areas: []string{"audiences", "minds"}}, "list_audiences find_tools", ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			v, unknown := small().Choose(c.choice)
			if got := namesOf(v.Listed(nil)); got != c.listed {
				t.Errorf("lists %q, want %q", got, c.listed)
			}
			var left []string
			for _, u := range unknown {
				left = append(left, u.List+"="+u.Name)
			}
			if got := strings.Join(left, " "); got != c.unknown {
				t.Errorf("unknown %q, want %q", got, c.unknown)
			}
		})
	}
}

// What is chosen away cannot be called either, by whatever name.
func TestViewBoundsCalls(t *testing.T) {
	for _, c := range []struct {
		what   string
		choice Choice
		called string
		says   string // empty: may be called
	}{
		{"a hidden tool", Choice{}, "create_mind", ""},
		{"a write, read-only", Choice{ReadOnly: true}, "create_study", "read-only"},
		{"a hidden write, read-only", Choice{ReadOnly: true}, "create_mind", "read-only"},
		{"a write by an old name, read-only", Choice{ReadOnly: true}, "create_group", "read-only"},
		{"a write by a folded name, read-only", Choice{ReadOnly: true}, "create.mind", "read-only"},
		{"a write that is named, read-only", Choice{ReadOnly: true, Tools: []string{"create_mind"}}, "create_mind", "read-only"},
		{"a tool with a read and a write action, read-only", Choice{ReadOnly: true}, "manage_panel", "read-only"},
		{"a hidden read, read-only", Choice{ReadOnly: true}, "list_minds", ""},
		{"find_tools, read-only", Choice{ReadOnly: true}, "find_tools", ""},
		{"another area", Choice{Areas: []string{"studies"}}, "list_minds", "not among the tools"},
		{"a hidden tool of the area", Choice{Areas: []string{"lifecycle"}}, "manage_study", ""},
		{"find_tools with another area", Choice{Areas: []string{"studies"}}, "find_tools", ""},
		{"excluded by an old name", Choice{Exclude: []string{"create_panel"}}, "create_study", "excluded"},
		{"outside the address", Choice{Within: []string{"audiences"}, Tools: []string{"create_mind"}}, "create_mind", "areas of this address"},
		{"an address of no known area", Choice{Within: []string{"nope"}}, "list_audiences", "areas of this address"},
	} {
		t.Run(c.what, func(t *testing.T) {
			all := small()
			d, ok := all.Lookup(c.called)
			if !ok {
				t.Fatal("no tool")
			}
			v, _ := all.Choose(c.choice)
			got := v.Barred(d)
			if (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
				t.Errorf("%q, want %q", got, c.says)
			}
		})
	}
}

// For any choice: what is listed can be called, nothing that writes survives
// read-only, what is excluded or outside the address is gone, the order is the
// contract's, and equal choices have equal keys.
func TestChoiceLaws(t *testing.T) {
	all := small()
	pool := []string{"minds", "audiences", "guided", "studies", "lifecycle", "all", "nope", "create_mind", "create_panel", "list_minds", "ask_study", "find_tools"}
	some := rapid.SliceOfN(rapid.SampledFrom(pool), 0, 3)
	rapid.Check(t, func(t *rapid.T) {
		ch := Choice{Within: some.Draw(t, "within"), Areas: some.Draw(t, "areas"), Tools: some.Draw(t, "tools"), Exclude: some.Draw(t, "exclude"),
			ReadOnly: rapid.Bool().Draw(t, "readonly"), Find: rapid.Bool().Draw(t, "find")}
		v, _ := all.Choose(ch)
		at := -1
		for _, d := range v.Listed(nil) {
			i := slices.Index(all.tools, d)
			if i <= at {
				t.Fatalf("%s is out of order", d.Name)
			}
			at = i
			if why := v.Barred(d); why != "" {
				t.Fatalf("%s is listed and %s", d.Name, why)
			}
		}
		for _, d := range v.Callable(nil) {
			if ch.ReadOnly && !d.Annotations.ReadOnly {
				t.Fatalf("%s writes", d.Name)
			}
			for _, e := range ch.Exclude {
				if x, ok := all.Lookup(e); ok && x == d {
					t.Fatalf("%s is excluded", d.Name)
				}
			}
			if len(ch.Within) > 0 && d.Area != "" && !slices.Contains(ch.Within, d.Area) && !slices.Contains(ch.Within, "all") {
				t.Fatalf("%s is outside the address", d.Name)
			}
		}
		slices.Reverse(ch.Areas)
		slices.Reverse(ch.Tools)
		if again, _ := all.Choose(ch); again.Key() != v.Key() {
			t.Fatalf("%q and %q", again.Key(), v.Key())
		}
	})
}

func TestSwitch(t *testing.T) {
	for v, want := range map[string]bool{"true": true, "1": true, "YES": true, "": false, "false": false, " 0 ": false, "off": false, "no": false, "flase": true} {
		if Switch(v) != want {
			t.Errorf("%q", v)
		}
	}
}

func TestUnderscoreNames(t *testing.T) {
	c, err := New("x", &Definition{Name: "m1nd.activate", Discovery: Advertised}, &Definition{Name: "plain", Discovery: Advertised})
	if err != nil {
		t.Fatal(err)
	}
	for underscore, want := range map[bool]string{true: "m1nd_activate", false: "m1nd.activate"} {
		v, _ := c.Choose(Choice{Underscore: underscore})
		if got := v.Name(v.Listed(nil)[0]); got != want {
			t.Error(got)
		}
		if d, ok := c.Lookup(want); !ok || d.Name != "m1nd.activate" {
			t.Error(want, "is not callable")
		}
	}
}

func TestSearch(t *testing.T) {
	hidden, _ := Minds().WithFinder().Choose(Choice{})
	for query, first := range map[string]string{
		"make a new Mind":                   "create_mind",
		"create persona":                    "create_mind",
		"talk to one Mind":                  "chat_with_mind",
		"delete a study":                    "manage_study",
		"which minds do I have":             "list_minds",
		"statistics mean median of a study": "get_study_analytics",
		"upload knowledge file":             "manage_mind_knowledge",
		"create_group":                      "create_audience",
		"validate against a benchmark":      "validate_audience",
	} {
		hits := Search(hidden.Hidden(nil), query)
		if len(hits) == 0 || hits[0].Name != first {
			t.Errorf("%q: %.200s", query, namesOf(hits))
		}
	}
	for _, nothing := range []string{"", "the of and", "xyzzy", "\u202e"} {
		if hits := Search(hidden.Hidden(nil), nothing); len(hits) != 0 {
			t.Errorf("%q: %s", nothing, namesOf(hits))
		}
	}
}

func FuzzSplitNames(f *testing.F) {
	f.Add("studies,audiences", " a , ,b,")
	f.Add(strings.Repeat("a,b,", 400), "\x00,\u202e,\xff")
	f.Fuzz(func(t *testing.T, one, two string) {
		names := SplitNames(one, two)
		if len(names) > maxChoice {
			t.Fatal(len(names))
		}
		for i, n := range names {
			if n == "" || n != strings.TrimSpace(n) || strings.Contains(n, ",") || slices.Contains(names[:i], n) {
				t.Fatalf("%q", n)
			}
		}
		ch := Choice{Within: names, Areas: names, Tools: names, Exclude: names}
		if _, unknown := small().Choose(ch); len(unknown) > 4*len(names) {
			t.Fatal(len(unknown))
		}
	})
}

// The explicit tools are listed where a connection asks for them, and never
// beyond what it chose away.
func TestExplicitToolsAreListedOnRequest(t *testing.T) {
	c := Minds()
	names := func(ch Choice) map[string]bool {
		v, unknown := c.Choose(ch)
		if len(unknown) > 0 {
			t.Fatal(unknown)
		}
		out := map[string]bool{}
		for _, d := range v.Listed(nil) {
			out[d.Name] = true
		}
		return out
	}
	plain, every := names(Choice{}), names(Choice{Explicit: true})
	if plain["create_mind"] || !every["create_mind"] || !every["list_audiences"] || len(every) != len(c.All())-1 { // but list_model_connections
		t.Errorf("%d tools plain, %d with the explicit ones of %d", len(plain), len(every), len(c.All()))
	}
	if read := names(Choice{Explicit: true, ReadOnly: true}); read["create_mind"] || !read["list_minds"] {
		t.Error("read-only must win")
	}
	if studies := names(Choice{Explicit: true, Areas: []string{"studies"}}); studies["create_mind"] || !studies["get_study_analytics"] {
		t.Error("areas must bound the explicit tools")
	}
	plainView, _ := c.Choose(Choice{})
	everyView, _ := c.Choose(Choice{Explicit: true})
	if plainView.Key() == everyView.Key() {
		t.Error("views that list other tools need other keys")
	}
}

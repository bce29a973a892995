package grounding

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

func ptr[T any](v T) *T { return &v }

const someSHA = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"

func someSnapshot(t testing.TB) Snapshot {
	c, err := Compose(Input{Brief: briefs["german-working-parents"]})
	if err != nil {
		t.Fatal(err)
	}
	return Snapshot{Version: 1, Kind: KindPreview, InputsSHA256: ptr(someSHA), AllocationSHA256: ptr(someSHA), MemberCount: ptr(60),
		Distributions: c.Distributions, ReviewDistributions: c.Review, Sources: c.Sources, HardConstraints: c.HardConstraints,
		Files: []SnapshotFile{{Name: "panel.csv", URL: "/uploads/context/u1/panel.csv", SHA256: someSHA}}}
}

// M-51: the text is canonical JSON, its checksum the SHA-256 of its bytes; reading
// it back and writing it again gives the same bytes.
func TestSnapshotIsCanonicalAndComesBack(t *testing.T) {
	first, err := someSnapshot(t).Canonical()
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseSnapshot(string(first))
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.Canonical()
	if err != nil || string(first) != string(second) {
		t.Errorf("%v\n%s\n%s", err, first, second)
	}
	if Checksum(first) != Checksum(second) || Checksum([]byte("{}")) != someSHA {
		t.Error("checksum")
	}
	if s.Distributions[0].Dimension != DimAge || !s.Distributions[0].Ordered || s.Distributions[1].Distribution[0].Canonical != "woman" {
		t.Errorf("what the shape does not carry was not filled in: %+v", s.Distributions[:2])
	}
	if h := s.HardConstraints; h == nil || *h.MinAge != 25 || *h.MaxAge != 45 || h.Countries[0] != "DE" || len(h.Categorical) != 3 {
		t.Errorf("%+v", h)
	}
	if strings.Contains(string(first), " \n") || !strings.HasPrefix(string(first), `{"allocationSha256":`) {
		t.Errorf("%.80s is not in order", first)
	}
}

func TestAnEmptySnapshotHasAllItsFields(t *testing.T) {
	raw, err := Snapshot{Kind: KindImport}.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"allocationSha256":null,"distributions":[],"files":[],"hardConstraints":null,"inputsSha256":null,"kind":"import","memberCount":null,"reviewDistributions":[],"sources":[],"version":1}`; string(raw) != want {
		t.Errorf("%s", raw)
	}
	if _, err := ParseSnapshot(string(raw)); err != nil {
		t.Error(err)
	}
}

func TestABadSnapshotNamesTheField(t *testing.T) {
	good, err := someSnapshot(t).Canonical()
	if err != nil {
		t.Fatal(err)
	}
	edit := func(change func(map[string]any)) string {
		var m map[string]any
		if err := json.Unmarshal(good, &m); err != nil {
			t.Fatal(err)
		}
		change(m)
		raw, _ := json.Marshal(m)
		return string(raw)
	}
	first := func(m map[string]any) map[string]any { return m["distributions"].([]any)[0].(map[string]any) }
	share := func(m map[string]any) map[string]any { return first(m)["distribution"].([]any)[0].(map[string]any) }
	for name, c := range map[string]struct{ raw, path string }{
		"no JSON":             {"{", ""},
		"two texts":           {string(good) + "{}", ""},
		"an array":            {"[]", ""},
		"not UTF-8":           {"\xff", ""},
		"unknown field":       {edit(func(m map[string]any) { m["extra"] = 1 }), "extra"},
		"version":             {edit(func(m map[string]any) { m["version"] = 2 }), "version"},
		"kind":                {edit(func(m map[string]any) { m["kind"] = "final" }), "kind"},
		"no inputs":           {edit(func(m map[string]any) { m["inputsSha256"] = nil }), "kind"},
		"short hash":          {edit(func(m map[string]any) { m["inputsSha256"] = "ab" }), "inputsSha256"},
		"members":             {edit(func(m map[string]any) { m["memberCount"] = 0 }), "memberCount"},
		"members as text":     {edit(func(m map[string]any) { m["memberCount"] = "60" }), "memberCount"},
		"status":              {edit(func(m map[string]any) { first(m)["status"] = "sure" }), "distributions.0.status"},
		"tier":                {edit(func(m map[string]any) { first(m)["tier"] = "near" }), "distributions.0.tier"},
		"name twice":          {edit(func(m map[string]any) { first(m)["name"] = "Gender" }), "distributions.1.name"},
		"no segments":         {edit(func(m map[string]any) { first(m)["distribution"] = []any{} }), "distributions.0.distribution"},
		"share above":         {edit(func(m map[string]any) { share(m)["pct"] = 101 }), "distributions.0.distribution.0.pct"},
		"label":               {edit(func(m map[string]any) { share(m)["label"] = " " }), "distributions.0.distribution.0.label"},
		"source":              {edit(func(m map[string]any) { share(m)["sourceIdx"] = 99 }), "distributions.0.distribution.0.sourceIdx"},
		"file":                {edit(func(m map[string]any) { m["files"].([]any)[0].(map[string]any)["sha256"] = "" }), "files.0"},
		"source's confidence": {edit(func(m map[string]any) { m["sources"].([]any)[0].(map[string]any)["confidence"] = 2 }), "sources.0.confidence"},
		"constraints":         {edit(func(m map[string]any) { m["hardConstraints"].(map[string]any)["minAge"] = 3 }), "hardConstraints"},
		"too long":            {`"` + strings.Repeat("a", MaxSnapshot) + `"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseSnapshot(c.raw)
			if !fault.Is(err, fault.Validation) {
				t.Fatalf("%v", err)
			}
			if !strings.Contains(err.Error(), c.path) || !strings.Contains(err.Error(), "exactly as the preview returned it") {
				t.Errorf("%v does not name %s", err, c.path)
			}
		})
	}
}

func TestASnapshotThatIsTooLargeIsRefused(t *testing.T) {
	s := Snapshot{Kind: KindImport, Sources: []Source{{Title: strings.Repeat("ä", MaxSnapshot)}}}
	if _, err := s.Canonical(); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
}

// Writing, reading and writing again is the identity on whatever shares there are.
func TestSnapshotRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "segments")
		d := Distribution{Name: rapid.StringMatching(`[A-Za-zäöü]{1,12}`).Draw(t, "name"), Status: Assumed}
		for i := range n {
			d.Distribution = append(d.Distribution, Share{Label: itoa(i) + rapid.String().Draw(t, "label"), Pct: rapid.Float64Range(0, 100).Draw(t, "pct"), SourceIdx: -1})
		}
		first, err := Snapshot{Kind: KindImport, Distributions: []Distribution{d}}.Canonical()
		if err != nil {
			t.Fatal(err)
		}
		s, err := ParseSnapshot(string(first))
		if err != nil {
			t.Skip(err)
		}
		second, err := s.Canonical()
		if err != nil || string(first) != string(second) {
			t.Fatalf("%v: %s and %s", err, first, second)
		}
	})
}

func FuzzParseSnapshot(f *testing.F) {
	good, err := someSnapshot(f).Canonical()
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{string(good), "{}", `{"version":1,"kind":"import"}`, `{"version":1e0,"kind":"import","distributions":[{"name":"A","status":"sourced","distribution":[{"label":"x","pct":1e2,"sourceIdx":-1}]}]}`, "null", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		s, err := ParseSnapshot(raw)
		if err != nil {
			if !fault.Is(err, fault.Validation) {
				t.Fatal(err)
			}
			return
		}
		out, err := s.Canonical()
		if err != nil {
			t.Skip(err)
		}
		again, err := ParseSnapshot(string(out))
		if err != nil {
			t.Fatalf("%v of our own %s", err, out)
		}
		if third, _ := again.Canonical(); string(third) != string(out) {
			t.Fatalf("%s and %s", out, third)
		}
	})
}

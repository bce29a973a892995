package allocate

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

func TestParseConfig(t *testing.T) {
	c, err := ParseConfig([]byte(`{"enabled":true,"seed":"s","distributionNames":["Age"],"maxDistributions":3,"minSegmentCount":2,
		"targetOverrides":[{"distribution":"Age","segments":[{"label":"18-24","pct":12.5}]}],"jointStrategy":"aligned","includeProfilesInResponse":true}`))
	if err != nil || c.Seed != "s" || c.TargetOverrides[0].Segments[0].Pct != 12.5 || !c.enabled() {
		t.Errorf("%+v, %v", c, err)
	}
	for _, nothing := range []string{"", "null", "{}"} {
		if c, err := ParseConfig([]byte(nothing)); err != nil || !c.enabled() {
			t.Errorf("%q: %+v, %v", nothing, c, err)
		}
	}
	for _, bad := range []string{`[]`, `{"seed":1}`, `{"unknown":1}`, `{} {}`, `{"minSegmentCount":21}`, `{"maxDistributions":501}`,
		`{"jointStrategy":"joint"}`, `{"seed":"` + strings.Repeat("ä", 201) + `"}`,
		`{"targetOverrides":[{"distribution":"a","segments":[{"label":"x","pct":101}]}]}`,
		`{"targetOverrides":[{"distribution":"a","segments":[{"label":"x","pct":1},{"label":"x","pct":2}]}]}`} {
		_, err := ParseConfig([]byte(bad))
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.Validation {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Whatever is accepted is within the limits, survives another round, and either
// allocates or is refused in words.
func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(`{"seed":"s","minSegmentCount":2,"jointStrategy":"observed"}`))
	f.Add([]byte(`{"targetOverrides":[{"distribution":"Gender","segments":[{"label":"Woman","pct":50}]}]}`))
	f.Add([]byte(`{"enabled":false,"distributionNames":["Age","Gender"],"maxDistributions":1}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ParseConfig(raw)
		if err != nil {
			return
		}
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseConfig(text); err != nil {
			t.Fatalf("%s is not read again: %v", text, err)
		}
		r, err := Allocate(Input{Axes: []Axis{gender(), age()}, Members: 9, Config: c})
		var refusal *fault.Error
		if err != nil && !errors.As(err, &refusal) {
			t.Fatal(err)
		}
		if err == nil && len(r.Cells) != 9 {
			t.Fatalf("%d members", len(r.Cells))
		}
	})
}

package persona

import (
	"strings"
	"testing"
)

// M-122: who lives in one country is of no other because a part of it bears its name.
func TestPartsOfACountryThatBearTheNameOfAnother(t *testing.T) {
	for _, c := range []struct{ home, axis, segment, canonical, country, region string }{
		{"US", "Region", "Georgia", "", "United States", "Georgia"},
		{"US", "Region", "Georgia", "GE", "United States", "Georgia"},
		{"GB", "Region", "Wales", "GB", "United Kingdom", "Wales"},
		{"US", "State", "DE", "", "United States", "DE"},
		{"BE", "Province", "Luxembourg", "", "Belgium", "Luxembourg"},
		{"US", "Country", "Mexico", "", "Mexico", ""},
		{"US", "Region", "Texas", "", "United States", "Texas"},
	} {
		f := read(Spec{Country: c.home, Cell: []Assigned{{Axis: c.axis, Dimension: "geography", Segment: c.segment, Canonical: c.canonical}}})
		if !strings.EqualFold(countryName(f.country), c.country) && f.countryLabel != c.country || f.region != c.region {
			t.Errorf("%+v: country %q (%s), region %q", c, f.countryLabel, f.country, f.region)
		}
	}
}

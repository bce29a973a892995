package grounding

import (
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/brief"
)

func composedOf(t *testing.T, text string) Composed {
	t.Helper()
	c, err := Compose(Input{Brief: brief.Read(text)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// allocated is an axis as "label=share", "" when it is not allocated.
func allocated(c Composed, axis string) string {
	for _, d := range c.Distributions {
		if d.Name == axis {
			var out []string
			for _, s := range d.Distribution {
				out = append(out, s.Label+"="+trim(s.Pct))
			}
			return d.Status + " " + strings.Join(out, " ")
		}
	}
	return ""
}

// Who is left out is in no segment; where no segment tells them apart, every member
// is asked not to be, and a finding says so (M-121).
func TestLeftOut(t *testing.T) {
	c := composedOf(t, "Men over 40 in Spain except those from Madrid")
	if s := allocated(c, AxisGeography); strings.Contains(s, "Madrid") || !strings.Contains(s, "Catalonia") {
		t.Error(s)
	}
	c = composedOf(t, "Adults in Spain except Barcelona")
	if s := allocated(c, AxisScreening); s != "sourced Not from Barcelona=100" {
		t.Error(s)
	}
	if !slices.ContainsFunc(c.Findings, func(f Finding) bool {
		return strings.Contains(f.Summary, "No segment of Geography is Barcelona alone")
	}) {
		t.Error("no finding tells of it")
	}
	c = composedOf(t, "Anyone but students in Poland")
	if s := allocated(c, AxisScreening); s != "sourced Not students=100" {
		t.Error(s)
	}
	if s := allocated(c, AxisAge); !strings.HasPrefix(s, Proxy) {
		t.Errorf("the ages of all adults are called %s", s)
	}
	c = composedOf(t, "Nurses in Germany, no smokers")
	if s := allocated(c, "Smoking"); s != "sourced Non-smokers=100" {
		t.Error(s)
	}
	c = composedOf(t, "Europeans except the UK")
	if s := allocated(c, AxisGeography); strings.Contains(s, "United Kingdom") || !strings.Contains(s, "France") {
		t.Error(s)
	}
	c = composedOf(t, "Adults in Ireland except 30 to 40 year olds")
	if s := allocated(c, AxisAge); !strings.Contains(s, "25-29=") || !strings.Contains(s, "41-44=") || strings.Contains(s, "35-44") {
		t.Error(s)
	}
	c = composedOf(t, "Not women, in Canada")
	if s := allocated(c, AxisGender); s != "sourced Man=100" || !slices.Contains(c.HardConstraints.Genders, Man) {
		t.Error(s)
	}
	c = composedOf(t, "People in Norway who are not working")
	if s := allocated(c, AxisEmployment); strings.Contains(s, "Employed") {
		t.Error(s)
	}
}

// Figures of everybody are a stand-in for people whom no rule knows, and never called
// sourced for them (M-46).
func TestUnknownPopulationsStandOnProxies_M46(t *testing.T) {
	for _, text := range []string{"Florists in Denmark, 70 % women", "Bakers in Austria", "Beekeepers in Slovenia", "Left-handed adults in Finland", "Adults in Finland with tattoos", "Commuters in Portugal", "Apicultores en Chile"} {
		c := composedOf(t, text)
		for _, axis := range []string{AxisAge, AxisEducation, AxisHousehold} {
			if s := allocated(c, axis); strings.HasPrefix(s, Sourced) {
				t.Errorf("%s: %s is %s", text, axis, s)
			}
		}
		if words := strings.Fields(strings.TrimSuffix(text, ", 70 % women")); !strings.HasPrefix(strings.ToLower(c.Summary), strings.ToLower(words[0])) {
			t.Errorf("%s: the summary begins %.60s", text, c.Summary)
		}
	}
	if s := allocated(composedOf(t, "Florists in Denmark"), AxisEmployment); s != "sourced Employed=100" {
		t.Error(s)
	}
	if s := allocated(composedOf(t, "Beekeepers in Slovenia"), brief.AxisGroup); s != "sourced Beekeepers=100" {
		t.Error(s)
	}
}

// What a study finds out is kept as context (M-53), what a brief reports of others is
// told and not allocated, and what it names without shares is a choice.
func TestFiguresThatAreNoQuotas_M53(t *testing.T) {
	c := composedOf(t, "Bank customers in Spain. 42% intend to switch bank next year")
	if len(c.Flagged) != 1 || c.Flagged[0].Reason != "study_outcome" || allocated(c, c.Flagged[0].Name) != "" || allocated(c, brief.AxisIndustry) != "" {
		t.Errorf("%+v", c.Flagged)
	}
	c = composedOf(t, "Adults in the US. In 2019, 45% of Americans owned a dog.")
	if s := allocated(c, AxisGeography); strings.Contains(s, "Others") {
		t.Error(s)
	}
	if !slices.ContainsFunc(c.Findings, func(f Finding) bool {
		return strings.Contains(f.Summary, "no share of this population") && strings.Contains(f.Quote, "45%")
	}) {
		t.Error("the reported figure is lost")
	}
	if s := allocated(composedOf(t, "Smokers and non-smokers in Portugal"), "Smoking"); s != "assumed Smokers=50 Non-smokers=50" {
		t.Error(s)
	}
}

// Stated age shares that come to the whole bound the other axes too, and groups that a
// brief ties together stay together.
func TestStatedAges(t *testing.T) {
	c := composedOf(t, "Adults in Greece. Age 30-64: 70%, 65+: 30%")
	if h := c.HardConstraints; h == nil || h.MinAge == nil || *h.MinAge != 30 {
		t.Errorf("%+v", h)
	}
	for _, d := range c.Review {
		if strings.Contains(d.Reason, "names no age") {
			t.Error(d.Name, d.Reason)
		}
	}
	c = composedOf(t, "Women aged 30-39 and men aged 40-49 in Spain, 50/50")
	n := 0
	for _, r := range c.Relations {
		if r.Type == "subset" && (r.Segment == Woman && r.TargetSegments[0] == "30-39" || r.Segment == Man && r.TargetSegments[0] == "40-49") {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%+v", c.Relations)
	}
}

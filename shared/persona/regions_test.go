package persona_test

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/persona"
)

// A description is in one language: the region by its name there. The line of the
// profile keeps the label of the axis, which breakdowns go by.
func TestRegionsAreInTheLanguageOfTheBrief(t *testing.T) {
	for _, tt := range []struct{ country, locale, label, want string }{
		{"DE", "de-DE", "North Rhine-Westphalia", "Nordrhein-Westfalen"},
		{"DE", "de", "Bavaria", "Bayern"},
		{"DE", "de", "Hesse", "Hessen"},
		{"DE", "en", "Bavaria", "Bavaria"},
		{"DE", "de", "Berlin", "Berlin"},
		{"AT", "de-AT", "Styria", "Steiermark"},
		{"CH", "fr-CH", "Geneva", "Genève"},
		{"CH", "de-CH", "Geneva", "Genf"},
		{"FR", "fr", "Brittany", "Bretagne"},
		{"ES", "es", "C. Valenciana", "Comunidad Valenciana"},
		{"IT", "it", "Tuscany", "Toscana"},
		{"PL", "pl", "Slaskie", "śląskie"},
		{"NL", "nl", "South Holland", "Zuid-Holland"},
		{"BE", "nl", "East Flanders", "Oost-Vlaanderen"},
		{"BE", "fr", "East Flanders", "Flandre-Orientale"},
		{"ES", "de", "Nowhere", "Nowhere"},
	} {
		p := persona.Write([]persona.Spec{{Seed: "regions", Country: tt.country, Locale: tt.locale,
			Cell: []persona.Assigned{a("Age", "age", "30-34", ""), a("Region", "geography", tt.label, "")}}})[0]
		if !strings.HasSuffix(p.Description, ", "+tt.want) {
			t.Errorf("%s %s: %q does not end with %s", tt.locale, tt.label, p.Description, tt.want)
		}
		if !strings.Contains(p.Context(), "Region: "+tt.label+"\n") {
			t.Errorf("%s %s: the line lost the label of its axis:\n%s", tt.locale, tt.label, p.Context())
		}
	}
}

package simulate

import "testing"

// A place inside a country is of that country, even when its name holds
// another's.
func TestCountryOfPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"New England": "US", "England": "GB", "Region: New Mexico": "US", "Mexico City, Mexico": "MX",
		"New South Wales": "AU", "South Wales": "GB", "Northern Ireland": "GB", "Ireland": "IE",
		"British Columbia, Canada": "CA", "US adults 18+, online panel": "US", "Pacific": "US",
		"ask us anything": "", "France and Germany": "",
	} {
		if got := countryIn(text); got != want {
			t.Errorf("countryIn(%q) = %q, want %q", text, got, want)
		}
	}
}

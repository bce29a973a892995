package grounding

import "strings"

// languages are the languages of a country, the most spoken first; a country that
// is not here takes the language of the brief.
var languages = map[string]string{
	"US": "en es", "GB": "en", "IE": "en", "AU": "en", "NZ": "en", "CA": "en fr", "DE": "de", "AT": "de", "CH": "de fr it", "LI": "de", "LU": "fr de",
	"FR": "fr", "BE": "nl fr de", "NL": "nl", "ES": "es ca", "PT": "pt", "IT": "it", "PL": "pl", "CZ": "cs", "SK": "sk", "HU": "hu", "RO": "ro", "BG": "bg", "GR": "el",
	"SE": "sv", "NO": "nb", "DK": "da", "FI": "fi sv", "IS": "is", "EE": "et", "LV": "lv", "LT": "lt", "HR": "hr", "SI": "sl", "RS": "sr", "UA": "uk", "RU": "ru", "TR": "tr",
	"MX": "es", "AR": "es", "CO": "es", "CL": "es", "PE": "es", "BR": "pt", "JP": "ja", "KR": "ko", "CN": "zh", "TW": "zh", "HK": "zh en", "SG": "en zh",
	"IN": "hi en", "ID": "id", "MY": "ms en", "TH": "th", "VN": "vi", "PH": "en", "PK": "ur en", "BD": "bn", "IL": "he", "EG": "ar", "SA": "ar", "AE": "ar en", "MA": "ar fr",
	"NG": "en", "KE": "en sw", "GH": "en", "ZA": "en",
}

// localeOf gives a BCP 47 tag: the brief's language where the country speaks it,
// else the country's first.
func localeOf(country, language string) string {
	if country == "" {
		return language
	}
	spoken := strings.Fields(languages[country])
	switch {
	case len(spoken) == 0 && language == "":
		return "und-" + country
	case len(spoken) == 0:
		return language + "-" + country
	case contains(spoken, language):
		return language + "-" + country
	}
	return spoken[0] + "-" + country
}

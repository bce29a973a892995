package persona

import (
	"strings"
	"sync"
)

// languages that prose and titles are written in, in the order of the columns of
// the list of occupations.
var languages = []string{"en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv"}

// languageOf is the language to write in; English where the locale's is none of
// them.
func languageOf(locale string) string {
	l, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(locale, "_", "-")), "-")
	for _, k := range languages {
		if k == l {
			return l
		}
	}
	return "en"
}

// country is what is needed of one: its names, its money, the languages people
// read there, and where names come from.
type country struct {
	names    []string // English first
	currency string
	reads    string // languages, first parts of a BCP 47 tag
	mix      []source
}

// source is one part of the mixture of names in a country: lists of first names
// and of surnames, and how many in a hundred have such a name.
type source struct {
	first, last string
	percent     int
}

func only(pool string) []source { return []source{{pool, pool, 100}} }

// countries by ISO 3166-1 alpha-2.
//
//nolint:misspell // other languages
var countries = map[string]country{
	"US": {[]string{"United States", "USA", "United States of America", "US", "America", "Vereinigte Staaten", "États-Unis", "Estados Unidos", "Stati Uniti", "Verenigde Staten", "Stany Zjednoczone"}, "USD", "en", only("us")},
	"GB": {[]string{"United Kingdom", "UK", "Great Britain", "Britain", "England", "Scotland", "Wales", "Northern Ireland", "Vereinigtes Königreich", "Großbritannien", "Royaume-Uni", "Reino Unido", "Regno Unito"}, "GBP", "en", only("gb")},
	"IE": {[]string{"Ireland", "Irland", "Irlande"}, "EUR", "en", only("ie")},
	"CA": {[]string{"Canada", "Kanada"}, "CAD", "en fr", []source{{"us", "gb", 45}, {"us", "us", 35}, {"qc", "qc", 20}}},
	"AU": {[]string{"Australia", "Australien", "Australie"}, "AUD", "en", []source{{"gb", "gb", 60}, {"gb", "nz", 25}, {"gb", "ie", 15}}},
	"NZ": {[]string{"New Zealand", "Neuseeland", "Nouvelle-Zélande"}, "NZD", "en", []source{{"gb", "nz", 100}}},
	"ZA": {[]string{"South Africa", "Südafrika", "Afrique du Sud"}, "ZAR", "en", only("za")},
	"NG": {[]string{"Nigeria"}, "NGN", "en", only("ng")},
	"KE": {[]string{"Kenya", "Kenia"}, "KES", "en sw", only("ke")},
	"IN": {[]string{"India", "Indien", "Inde"}, "INR", "en hi", only("in")},
	"DE": {[]string{"Germany", "Deutschland", "Allemagne", "Alemania", "Germania", "Alemanha", "Duitsland", "Niemcy", "Tyskland"}, "EUR", "de", only("de")},
	"AT": {[]string{"Austria", "Österreich", "Autriche", "Áustria", "Oostenrijk", "Österrike"}, "EUR", "de", []source{{"de", "at", 100}}},
	"CH": {[]string{"Switzerland", "Schweiz", "Suisse", "Suiza", "Svizzera", "Suíça", "Zwitserland", "Szwajcaria"}, "CHF", "de fr it", []source{{"de", "ch", 67}, {"fr", "chfr", 25}, {"it", "it", 8}}},
	"LU": {[]string{"Luxembourg", "Luxemburg"}, "EUR", "fr de", []source{{"fr", "befr", 60}, {"de", "de", 40}}},
	"FR": {[]string{"France", "Frankreich", "Francia", "França", "Frankrijk", "Francja", "Frankrike"}, "EUR", "fr", only("fr")},
	"BE": {[]string{"Belgium", "Belgien", "Belgique", "België", "Bélgica", "Belgio"}, "EUR", "nl fr", []source{{"nl", "benl", 58}, {"fr", "befr", 42}}},
	"NL": {[]string{"Netherlands", "The Netherlands", "Holland", "Niederlande", "Pays-Bas", "Países Bajos", "Paesi Bassi", "Nederland", "Holandia", "Nederländerna"}, "EUR", "nl", only("nl")},
	"ES": {[]string{"Spain", "Spanien", "Espagne", "España", "Spagna", "Espanha", "Spanje", "Hiszpania"}, "EUR", "es", only("es")},
	"MX": {[]string{"Mexico", "México", "Mexiko", "Mexique", "Messico"}, "MXN", "es", []source{{"mx", "mx", 60}, {"es", "mx", 40}}},
	"AR": {[]string{"Argentina", "Argentinien", "Argentine"}, "ARS", "es", []source{{"ar1", "es", 60}, {"es", "mx", 40}}},
	"CO": {[]string{"Colombia", "Kolumbien", "Colombie"}, "COP", "es", only("co")},
	"CL": {[]string{"Chile", "Chili", "Cile"}, "CLP", "es", []source{{"es", "es", 50}, {"co", "mx", 50}}},
	"PE": {[]string{"Peru", "Perú", "Pérou"}, "PEN", "es", []source{{"co", "mx", 60}, {"es", "mx", 40}}},
	"PT": {[]string{"Portugal"}, "EUR", "pt", []source{{"pt", "pt", 100}}},
	"BR": {[]string{"Brazil", "Brasil", "Brasilien", "Brésil", "Brasile"}, "BRL", "pt", only("br")},
	"IT": {[]string{"Italy", "Italien", "Italie", "Italia", "Itália", "Italië", "Włochy"}, "EUR", "it", only("it")},
	"PL": {[]string{"Poland", "Polen", "Pologne", "Polonia", "Polônia", "Polska"}, "PLN", "pl", only("pl")},
	"CZ": {[]string{"Czechia", "Czech Republic", "Tschechien", "Tchéquie", "Česko"}, "CZK", "cs", only("cz")},
	"SK": {[]string{"Slovakia", "Slowakei", "Slovaquie", "Slovensko"}, "EUR", "sk", only("sk")},
	"HU": {[]string{"Hungary", "Ungarn", "Hongrie", "Magyarország"}, "HUF", "hu", only("hu")},
	"RO": {[]string{"Romania", "Rumänien", "Roumanie", "România"}, "RON", "ro", only("ro")},
	"BG": {[]string{"Bulgaria", "Bulgarien", "Bulgarie", "България"}, "BGN", "bg", only("bg")},
	"HR": {[]string{"Croatia", "Kroatien", "Croatie", "Hrvatska"}, "EUR", "hr", only("hr")},
	"SI": {[]string{"Slovenia", "Slowenien", "Slovenija"}, "EUR", "sl", only("si")},
	"SE": {[]string{"Sweden", "Schweden", "Suède", "Suecia", "Svezia", "Suécia", "Zweden", "Szwecja", "Sverige"}, "SEK", "sv", only("se")},
	"NO": {[]string{"Norway", "Norwegen", "Norvège", "Noruega", "Norge"}, "NOK", "no nb nn", only("no")},
	"DK": {[]string{"Denmark", "Dänemark", "Danemark", "Dinamarca", "Danmark"}, "DKK", "da", only("dk")},
	"FI": {[]string{"Finland", "Finnland", "Finlande", "Finlandia", "Suomi"}, "EUR", "fi", only("fi")},
	"EE": {[]string{"Estonia", "Estland", "Eesti"}, "EUR", "et", only("ee")},
	"LV": {[]string{"Latvia", "Lettland", "Latvija"}, "EUR", "lv", only("lv")},
	"GR": {[]string{"Greece", "Griechenland", "Grèce", "Grecia", "Ελλάδα"}, "EUR", "el", only("gr")},
	"RU": {[]string{"Russia", "Russland", "Russie", "Rusia", "Россия"}, "RUB", "ru", only("ru")},
	"UA": {[]string{"Ukraine", "Ucrania", "Україна"}, "UAH", "uk", only("ua")},
	"TR": {[]string{"Turkey", "Türkiye", "Türkei", "Turquie", "Turquía", "Turchia"}, "TRY", "tr", only("tr")},
	"IL": {[]string{"Israel", "ישראל"}, "ILS", "he", only("he")},
	"EG": {[]string{"Egypt", "Ägypten", "Égypte", "مصر"}, "EGP", "ar", only("ar")},
	"SA": {[]string{"Saudi Arabia", "Saudi-Arabien", "Arabie saoudite", "السعودية"}, "SAR", "ar", only("ar")},
	"AE": {[]string{"United Arab Emirates", "UAE", "Vereinigte Arabische Emirate", "الإمارات"}, "AED", "ar", only("ar")},
	"MA": {[]string{"Morocco", "Marokko", "Maroc", "Marruecos", "المغرب"}, "MAD", "ar", only("ar")},
	"JP": {[]string{"Japan", "Japon", "Japón", "日本"}, "JPY", "ja", only("jp")},
	"CN": {[]string{"China", "Chine", "Cina", "中国"}, "CNY", "zh", only("cn")},
	"TW": {[]string{"Taiwan", "台灣", "臺灣"}, "TWD", "zh", only("tw")},
	"KR": {[]string{"South Korea", "Korea", "Republic of Korea", "Südkorea", "Corée du Sud", "Corea del Sur", "대한민국", "한국"}, "KRW", "ko", only("kr")},
	"VN": {[]string{"Vietnam", "Viet Nam", "Việt Nam"}, "VND", "vi", only("vn")},
	"TH": {[]string{"Thailand", "Thaïlande", "Tailandia", "ประเทศไทย", "ไทย"}, "THB", "th", only("th")},
	"ID": {[]string{"Indonesia", "Indonesien", "Indonésie"}, "IDR", "id", only("id")},
}

var countryByName = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for code, c := range countries {
		for _, n := range c.names {
			m[low(n)] = code
		}
	}
	return m
})

// countryCode is the code that a label names by code or name; empty when none.
func countryCode(label string) string {
	t := strings.TrimSpace(label)
	if len(t) == 2 && t == strings.ToUpper(t) {
		if t == "UK" {
			return "GB"
		}
		if t[0] >= 'A' && t[0] <= 'Z' && t[1] >= 'A' && t[1] <= 'Z' {
			return t
		}
	}
	return countryByName()[low(t)]
}

// countryName is its English name, else the code itself.
func countryName(code string) string {
	if c, ok := countries[code]; ok {
		return c.names[0]
	}
	return code
}

// homes are the countries that a language stands for when none is named.
var homes = map[string]string{"en": "US", "de": "DE", "fr": "FR", "es": "ES", "it": "IT", "pt": "PT", "nl": "NL", "pl": "PL", "sv": "SE", "da": "DK", "no": "NO", "nb": "NO", "fi": "FI", "cs": "CZ", "sk": "SK", "hu": "HU", "ro": "RO", "bg": "BG", "hr": "HR",
	"sl": "SI", "et": "EE", "lv": "LV", "el": "GR", "ru": "RU", "uk": "UA", "tr": "TR", "he": "IL", "ar": "EG", "ja": "JP", "zh": "CN", "ko": "KR", "vi": "VN", "th": "TH", "id": "ID", "hi": "IN"}

// home is where the person's name comes from.
func (f *facts) home() string {
	if _, ok := countries[f.country]; ok {
		return f.country
	}
	tag := strings.Split(strings.ReplaceAll(f.s.Locale, "_", "-"), "-")
	if len(tag) > 1 {
		if _, ok := countries[strings.ToUpper(tag[len(tag)-1])]; ok {
			return strings.ToUpper(tag[len(tag)-1])
		}
	}
	if h, ok := homes[strings.ToLower(tag[0])]; ok {
		return h
	}
	return "US"
}

// ownNames are what countries are called where the brief's language is at home.
var ownNames = map[string]string{"DE de": "Deutschland", "AT de": "Österreich", "CH de": "Schweiz", "CH fr": "Suisse", "CH it": "Svizzera", "FR fr": "France", "BE fr": "Belgique", "BE nl": "België", "LU fr": "Luxembourg", "CA fr": "Canada", "NL nl": "Nederland",
	"ES es": "España", "MX es": "México", "AR es": "Argentina", "CO es": "Colombia", "CL es": "Chile", "PE es": "Perú", "IT it": "Italia", "PT pt": "Portugal", "BR pt": "Brasil", "PL pl": "Polska", "SE sv": "Sverige", "FI sv": "Finland"}

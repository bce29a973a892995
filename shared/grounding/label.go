package grounding

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/grounding/reference"
)

// The canonical words of genders, and the labels that charts show.
const (
	Woman     = "Woman"
	Man       = "Man"
	NonBinary = "Non-binary"
)

// genderWords are the words that name a gender of grown people, folded.
var genderWords = map[string]string{
	"woman": Woman, "women": Woman, "female": Woman, "females": Woman, "feminine": Woman, "w": Woman, "f": Woman,
	"frau": Woman, "frauen": Woman, "weiblich": Woman, "femme": Woman, "femmes": Woman, "feminin": Woman, "mujer": Woman, "mujeres": Woman, "femenino": Woman,
	"donna": Woman, "donne": Woman, "femmina": Woman, "femmine": Woman, "mulher": Woman, "mulheres": Woman, "feminino": Woman, "vrouw": Woman, "vrouwen": Woman, "kobieta": Woman, "kobiety": Woman, "kobiet": Woman, "kvinna": Woman, "kvinnor": Woman,
	"女性": Woman, "女": Woman, "여성": Woman, "kadın": Woman, "kadin": Woman, "نساء": Woman,
	"man": Man, "men": Man, "male": Man, "males": Man, "masculine": Man, "m": Man,
	"mann": Man, "manner": Man, "mannlich": Man, "homme": Man, "hommes": Man, "masculin": Man, "hombre": Man, "hombres": Man, "masculino": Man,
	"uomo": Man, "uomini": Man, "maschio": Man, "maschi": Man, "homem": Man, "homens": Man, "mannen": Man, "mezczyzna": Man, "mezczyzni": Man, "mezczyzn": Man, "man sv": Man,
	"男性": Man, "男": Man, "남성": Man, "erkek": Man, "رجال": Man,
	"non binary": NonBinary, "nonbinary": NonBinary, "non binary people": NonBinary, "divers": NonBinary, "diverse": NonBinary, "non binaire": NonBinary, "no binario": NonBinary,
}

// genderOf reads a label as a gender; "" when it is none.
func genderOf(label string) string { return genderWords[fold(label)] }

// The labels of the state of work, as labour statistics divide it.
const (
	Employed   = "Employed"
	Unemployed = "Unemployed"
	Inactive   = "Not in the labour force"
)

var employmentWords = map[string]string{
	"employees": Employed, "employee": Employed, "workers": Employed, "worker": Employed, "wage earners": Employed,
	"employed": Employed, "in work": Employed, "working": Employed, "in employment": Employed, "erwerbstatig": Employed, "beschaftigt": Employed, "berufstatig": Employed, "en emploi": Employed, "ocupado": Employed, "occupato": Employed, "full time or part time": Employed, "in paid work": Employed, //nolint:misspell // Italian and Spanish words
	"unemployed": Unemployed, "jobless": Unemployed, "arbeitslos": Unemployed, "erwerbslos": Unemployed, "au chomage": Unemployed, "desempleado": Unemployed, "disoccupato": Unemployed, "looking for work": Unemployed,
	"not in the labour force": Inactive, "not in labour force": Inactive, "not in labor force": Inactive, "inactive": Inactive, "economically inactive": Inactive, "nichterwerbspersonen": Inactive,
}

// The labels of schooling, as the reference figures divide it.
const (
	EducationLow    = "Below upper secondary"
	EducationMiddle = "Upper secondary or short tertiary"
	EducationHigh   = "Bachelor's degree or higher"
)

// fifths are the income groups that are assumed where no figure is known.
var fifths = []string{"Lowest fifth", "Second fifth", "Middle fifth", "Fourth fifth", "Highest fifth"}

// canonicalOf puts a label into the words of its dimension; "" when there are none.
func canonicalOf(dimension, label string) string {
	switch dimension {
	case DimGender:
		return strings.ToLower(genderOf(label))
	case DimEmployment:
		switch employmentWords[fold(label)] {
		case Employed:
			return "employed"
		case Unemployed:
			return "unemployed"
		case Inactive:
			return "inactive"
		}
		return slug(label)
	case DimAge:
		if b, ok := parseBand(label); ok {
			return b.String()
		}
	case DimGeography:
		if code, ok := countryCode(label); ok {
			return code
		}
	}
	return ""
}

// countriesByName finds codes by folded English names, short ones included.
var countriesByName = sync.OnceValue(func() map[string]string {
	m := map[string]string{
		"usa": "US", "us": "US", "united states of america": "US", "uk": "GB", "great britain": "GB", "britain": "GB",
		"czechia": "CZ", "slovakia": "SK", "deutschland": "DE", "osterreich": "AT", "schweiz": "CH", "the netherlands": "NL", "korea": "KR",
	}
	for code, name := range reference.Names() {
		m[fold(name)] = code
	}
	return m
})

// countryCode finds a country of the reference by its name.
func countryCode(name string) (string, bool) {
	code, ok := countriesByName()[fold(name)]
	return code, ok
}

// band is a range of full years of age, both inside; to is reference.Oldest when open.
type band struct{ from, to int }

func (b band) String() string {
	switch {
	case b.to >= reference.Oldest:
		return strconv.Itoa(b.from) + "+"
	case b.from == b.to:
		return strconv.Itoa(b.from)
	}
	return strconv.Itoa(b.from) + "-" + strconv.Itoa(b.to)
}

var (
	bandRange = regexp.MustCompile(`^(?:aged?|ages|alter|edad|eta|idade|leeftijd|wiek)?\s*:?\s*(\d{1,3})\s*(?:-|–|—|to|bis|a|à|al|t/m|until)\s*(\d{1,3})\s*(?:years?|yrs?|y/?o|jahren?|ans|anos|años|anni|jaar|lat|år)?(?:\s+old)?$`)
	bandOpen  = regexp.MustCompile(`^(?:aged?|ages|alter)?\s*:?\s*(\d{1,3})\s*(?:\+|plus|and over|and older|or older|or over|and above|years and over|years and older|u\. älter|und älter|jahre und älter|ans et plus|y más|anni e più|e mais)\s*$`)
	bandUnder = regexp.MustCompile(`^(?:aged?|ages|alter)?\s*:?\s*(?:under|below|up to|unter|bis|moins de|menos de|meno di|<)\s*(\d{1,3})\s*(?:years?|jahren?|ans|años|anni)?$`)
)

// parseBand reads "18-24", "Age 18 to 24", "65+", "75 and over", "Under 18".
func parseBand(label string) (band, bool) {
	s := strings.ToLower(strings.TrimSpace(label))
	if len(s) > 60 || !strings.ContainsAny(s, "0123456789") {
		return band{}, false
	}
	if m := bandRange.FindStringSubmatch(s); m != nil {
		from, _ := strconv.Atoi(m[1])
		to, _ := strconv.Atoi(m[2])
		if from <= to && to <= 120 {
			return band{from, min(to, reference.Oldest)}, true
		}
		return band{}, false
	}
	if m := bandOpen.FindStringSubmatch(s); m != nil {
		from, _ := strconv.Atoi(m[1])
		return band{from, reference.Oldest}, from <= reference.Oldest
	}
	if m := bandUnder.FindStringSubmatch(s); m != nil {
		to, _ := strconv.Atoi(m[1])
		return band{0, to - 1}, to >= 1 && to <= reference.Oldest
	}
	return band{}, false
}

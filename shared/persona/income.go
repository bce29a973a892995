package persona

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// span is a band of money: both ends 0 when the label holds no figures. rank is
// -1 for a low band, 1 for a high one, 0 otherwise, as far as the label says.
type span struct {
	lo, hi   float64
	currency string
	period   string // year | month | week, as the label says; empty: it does not
	rank     int
}

var (
	moneyNumber = regexp.MustCompile(`(\d[\d.,'’\x{00a0}\x{202f} ]*\d|\d)\s*(k\b|tsd|mio|million|m\b|lakh|万|만)?`)
	groupMark   = regexp.MustCompile(`(\d)[.,'’\x{00a0}\x{202f} ](\d{3})(\D|$)`)
)

var currencies = []cue[string]{
	{"BRL", cues("r$,brl,reais")}, {"CHF", cues("chf,fr.")}, {"CAD", cues("c$,ca$,cad")}, {"AUD", cues("a$,au$,aud")}, {"MXN", cues("mx$,mxn,pesos mex")},
	{"EUR", cues("€,eur")}, {"GBP", cues("£,gbp")}, {"USD", cues("us$,usd,dollar")}, {"JPY", cues("円,jpy,yen")}, {"CNY", cues("元,cny,rmb,yuan")}, {"INR", cues("₹,inr,rupee,lakh, rs")}, {"KRW", cues("₩,krw,원")},
	{"PLN", cues("zł,pln")}, {"SEK", cues("sek")}, {"NOK", cues("nok")}, {"DKK", cues("dkk")}, {"CZK", cues("kč,czk")}, {"HUF", cues("huf, ft")}, {"TRY", cues("₺,try")}, {"ILS", cues("₪,ils")},
}

//nolint:misspell // other languages
var periods = []cue[string]{
	{"month", cues("month,monat,mois,mensuel,mensual, mes,mese,mensil,mês,mensal,maand,miesi,månad,p.m.,月,월")},
	{"week", cues("week,woche,semaine,semana,settimana,tydzień,vecka")},
	{"year", cues("year,annual,jahr,an ,annuel,año,anual,anno,annuo,ano,jaar,rok,år,p.a.,年,연")},
}

// incomeBand reads "€20,000–39,999", "Under $25k", "2.000 bis 2.999 € im Monat".
func incomeBand(label string) span {
	t := " " + low(label) + " "
	s := span{}
	s.period, _ = find(periods, t)
	s.currency, _ = find(currencies, t)
	switch {
	case strings.Contains(t, " low"), strings.Contains(t, "niedrig"), strings.Contains(t, "bottom"), strings.Contains(t, "gering"), strings.Contains(t, "faible"), strings.Contains(t, " baj"):
		s.rank = -1
	case strings.Contains(t, " high"), strings.Contains(t, " hoch"), strings.Contains(t, " top"), strings.Contains(t, "affluent"), strings.Contains(t, "élev"), strings.Contains(t, " alt"):
		s.rank = 1
	}
	if strings.Contains(t, "%") || strings.Contains(t, "quintile") || strings.Contains(t, "decile") || strings.Contains(t, "quartile") || strings.Contains(t, "tercile") {
		return s
	}
	for groupMark.MatchString(t) {
		t = groupMark.ReplaceAllString(t, "$1$2$3")
	}
	var found []float64
	for _, m := range moneyNumber.FindAllStringSubmatch(t, -1) {
		v, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(m[1], "., "), ",", "."), 64)
		if err != nil {
			return s
		}
		switch m[2] {
		case "k", "tsd":
			v *= 1e3
		case "m", "mio", "million":
			v *= 1e6
		case "lakh":
			v *= 1e5
		case "万", "만":
			v *= 1e4
		}
		found = append(found, v)
	}
	if len(found) == 2 && found[0] < 1000 && found[1] >= 1000 && strings.Contains(t, "k") { // "25-50k"
		found[0] *= 1000
	}
	switch {
	case len(found) == 2 && found[0] < found[1] && found[1] >= 100:
		s.lo, s.hi = found[0], found[1]
	case len(found) == 1 && found[0] >= 100:
		if ageUnder.MatchString(t) || ageUpTo.MatchString(t) || strings.Contains(t, "jusqu") || strings.Contains(t, "hasta") {
			s.lo, s.hi = found[0]*.6, found[0]-1
		} else {
			s.lo, s.hi = found[0]+1, found[0]*1.6
		}
	}
	if s.rank == 0 {
		s.rank = s.reach()
	}
	return s
}

// reach says of a band in a currency near the euro whether it is plainly low or
// high; it only keeps occupations from going against it.
func (s span) reach() int {
	year := map[string]float64{"month": 12, "week": 52, "year": 1}[s.period]
	switch s.currency {
	case "EUR", "USD", "GBP", "CHF", "CAD", "AUD":
	default:
		return 0
	}
	if s.hi == 0 || year == 0 && s.hi < 10000 {
		return 0
	}
	if year == 0 {
		year = 1
	}
	switch {
	case s.hi*year <= 26000:
		return -1
	case s.lo*year >= 90000:
		return 1
	}
	return 0
}

// figure is an amount inside the band, rounded as people say it.
func (s span) figure(u float64, country string) string {
	currency := s.currency
	if currency == "" {
		currency = countries[country].currency
	}
	if s.hi == 0 || currency == "" {
		return ""
	}
	v := s.lo + u*(s.hi-s.lo)
	for _, step := range []float64{1e6, 5e5, 1e5, 5e4, 1e4, 5e3, 1e3, 500, 100, 50, 10, 1} {
		r := float64(int64(v/step+.5)) * step
		if step*10 <= s.hi-s.lo+1 && r >= s.lo && r <= s.hi {
			v = r
			break
		}
	}
	text := grouped(int64(v)) + " " + currency
	if s.period != "" {
		text += " a " + s.period
	}
	return text
}

func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

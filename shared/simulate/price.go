package simulate

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Prices. Each Mind has one reservation price for a product, log-normal around
// what is known to be its price; all that it says of prices is a multiple of it.
// So its four prices of the meter stand in order, and whoever buys at a price
// buys at a lower one.
const (
	reservationSpread = .35 // sd of the logarithm
	sensitivityShift  = .15 // of the logarithm, for price-sensitive people
)

// priceMultiples of the reservation price, each Mind's own within the range.
var priceMultiples = map[string][2]float64{
	RoleTooCheap: {.45, .6}, RoleCheap: {.7, .85}, RoleExpensive: {1, 1.15}, RoleTooExpensive: {1.25, 1.6},
}

var priceRoles = []string{RoleTooCheap, RoleCheap, RoleExpensive, RoleTooExpensive}

// pricing answers the items of van-westendorp and gabor-granger.
type pricing struct {
	battery *Battery
	key     seed
	content []string // stems of the product
}

func priceTask(p *prepared) (task, error) {
	b := p.q.Battery
	t := &pricing{battery: b, key: seedOf("reservation", foldLabel(p.q.subject()), strings.ToUpper(b.Currency))}
	_, priced := priceMultiples[b.Role]
	switch {
	case p.q.Type == Numeric && !priced:
		return nil, fault.New(fault.Validation, "battery.role must be too_cheap, cheap, expensive or too_expensive for a price, not %q.", clipped(b.Role)).With("field", "battery.role")
	case p.q.Type != Numeric && p.q.Type != Scale:
		return nil, fault.New(fault.Validation, "an intent of buying is asked on a scale.").With("field", "type")
	case p.q.Type == Scale && (b.Price == nil || !(*b.Price > 0)):
		return nil, fault.New(fault.Validation, "battery.price must be the price that the item names, above 0.").With("field", "battery.price")
	}
	if b.Subject != "" {
		t.content = newBag(b.Subject, nil).stems
	}
	return t, nil
}

func (t *pricing) multiple(role string, r Respondent) float64 {
	m := priceMultiples[role]
	return m[0] + float64((m[1]-m[0])*unit(seedOf("multiple", r.ID, role, t.key.hex()).at(0, 0)))
}

// reservation is the most that the Mind pays; ok is false where nothing gives
// prices a scale, not even the prices that are asked.
func (t *pricing) reservation(p *prepared, r Respondent, passages []Passage) (float64, basis, bool) {
	b := basis{state: Related}
	deviate := own(t.key, r)
	if q, e, ok := p.quantiles(r); ok {
		if v := q(phi(deviate)); v > 0 {
			return v, e, true
		}
	}
	middle := 0.0
	if len(t.battery.Prices) > 0 {
		middle = median(t.battery.Prices)
		b.warnings = append(b.warnings, "the scale of prices is that of known prices of the product")
	} else if v, c, ok := t.priceTold(passages, r.Name); ok {
		middle = v
		b.cites = append(b.cites, c)
		b.warnings = append(b.warnings, "the scale of prices is that of a price in this Mind's sources")
	}
	if middle > 0 {
		lean, names := priceLean(r.Profile)
		b.traits = names
		return float64(middle * math.Exp(float64(reservationSpread*deviate)-float64(sensitivityShift*lean))), b, true
	}
	b = basis{state: Unsupported}
	grid := t.battery.Grid
	if len(grid) == 0 && p.q.Minimum != nil && p.q.Maximum != nil {
		grid = []float64{*p.q.Minimum, *p.q.Maximum}
	}
	if len(grid) < 2 {
		return 0, b, false
	}
	low, high := grid[0], grid[0]
	for _, v := range grid {
		low, high = math.Min(low, v), math.Max(high, v)
	}
	return low + float64((high-low)*phi(float64(.8*deviate))), b, true // somewhere among what is asked: an illustration
}

func (t *pricing) answer(p *prepared, r Respondent, passages []Passage) (Answer, basis) {
	most, b, ok := t.reservation(p, r, passages)
	if !ok || !(most > 0) {
		return nothingKnown, b
	}
	if p.q.Type == Scale {
		v := float64(t.intent(p, r, most))
		return Answer{Status: Answered, Number: &v}, b
	}
	v := t.four(p, r, most)[t.battery.Role]
	return Answer{Status: Answered, Number: &v}, b
}

// intent is a point of the scale: the top while the price is a bargain, the
// second up to the reservation price, then down as it is felt dear and too dear.
func (t *pricing) intent(p *prepared, r Respondent, most float64) int {
	at := nano(*t.battery.Price / most)
	level := 0 // of 4
	switch {
	case at <= t.multiple(RoleCheap, r):
		level = 4
	case at <= 1:
		level = 3
	case at <= t.multiple(RoleExpensive, r):
		level = 2
	case at <= t.multiple(RoleTooExpensive, r):
		level = 1
	}
	span := p.q.Max - p.q.Min
	step := int(math.Round(float64(level) / 4 * float64(span)))
	if p.q.TopLow {
		return p.q.Max - step
	}
	return p.q.Min + step
}

// four are the Mind's four prices, rounded as it rounds and still in strict
// order where the bounds have room for it.
func (t *pricing) four(p *prepared, r Respondent, most float64) map[string]float64 {
	habit := seedOf("rounding", r.ID).at(0, 0)
	exact := make([]float64, len(priceRoles))
	for i, role := range priceRoles {
		exact[i] = float64(most * t.multiple(role, r))
	}
	step := priceStep(most, habit)
	if p.q.Integer {
		step = math.Max(step, 1)
	}
	said := make([]float64, len(exact))
	for range 12 {
		for i, v := range exact {
			said[i] = p.bounded(math.Max(step, nano(math.Round(v/step)*step)))
		}
		if ascends(said) || p.q.Integer && step <= 1 {
			break
		}
		step /= 2
	}
	if !ascends(said) { // the bounds press them together
		for i := len(said) - 2; i >= 0; i-- {
			if said[i] >= said[i+1] {
				said[i] = p.bounded(nano(said[i+1] - step))
			}
		}
		for i := 1; i < len(said); i++ {
			if said[i] <= said[i-1] {
				said[i] = p.bounded(nano(said[i-1] + step))
			}
		}
	}
	out := map[string]float64{}
	for i, role := range priceRoles {
		out[role] = said[i]
	}
	return out
}

func ascends(v []float64) bool {
	for i := 1; i < len(v); i++ {
		if v[i] <= v[i-1] {
			return false
		}
	}
	return true
}

// priceStep is what prices are rounded to around an amount: to a fiftieth or a
// twentieth of its order.
func priceStep(v float64, habit uint64) float64 {
	scale := math.Pow(10, math.Floor(math.Log10(v)))
	return nano(scale * []float64{.1, .05}[habit>>1&1])
}

func median(v []float64) float64 {
	s := append([]float64(nil), v...)
	sort.Float64s(s)
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// moneyIn reads amounts with a currency before or after them.
var moneyIn = expression.Of(`(?i)(EUR|USD|GBP|CHF|JPY|CAD|AUD|€|\$|£|¥)\s?(\d{1,7}(?:[.,]\d{1,2})?)|(\d{1,7}(?:[.,]\d{1,2})?)\s?(EUR|USD|GBP|CHF|JPY|CAD|AUD|€|\$|£|¥|euros?|dollars?|pounds?)`)

var currencyNames = map[string]string{"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "EURO": "EUR", "EUROS": "EUR", "DOLLAR": "USD", "DOLLARS": "USD", "POUND": "GBP", "POUNDS": "GBP"}

// priceTold finds the price of the product in the Mind's sources: the first
// sentence that names the product and one amount in the currency.
func (t *pricing) priceTold(passages []Passage, _ string) (float64, Citation, bool) {
	if len(t.content) == 0 || t.battery.Currency == "" {
		return 0, Citation{}, false
	}
	for _, ps := range passages {
		for _, s := range sentences(ps.Text) {
			have := map[string]bool{}
			for _, w := range words(s) {
				have[w.stem] = true
			}
			named := true
			for _, c := range t.content {
				named = named && have[c]
			}
			if !named {
				continue
			}
			amount, n := 0.0, 0
			for _, m := range moneyIn.FindAllStringSubmatch(s, -1) {
				digits, unit := m[2], strings.ToUpper(m[1])
				if digits == "" {
					digits, unit = m[3], strings.ToUpper(m[4])
				}
				if c, ok := currencyNames[unit]; ok {
					unit = c
				}
				if v, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", "."), 64); err == nil && v > 0 && unit == strings.ToUpper(t.battery.Currency) {
					amount, n = v, n+1
				}
			}
			if n == 1 {
				return amount, Citation{SourceID: ps.ID, Source: ps.Source, Where: ps.Where, URL: ps.URL, Quote: s, Origin: OriginMind}, true
			}
		}
	}
	return 0, Citation{}, false
}

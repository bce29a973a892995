package method

import (
	"encoding/json"
	"slices"
	"strconv"
)

// Step is one price of a sequential Gabor-Granger battery that a Mind has
// answered: the variant it was shown and the point 1..5 that it gave.
type Step struct {
	Variant int
	Point   float64
}

// NextPrice says which variant of the next step a Mind gets after its earlier
// ones, and false when its highest price is decided: it is then not asked, with
// reason `method` (M-187). The first price follows from the seed and the slot; a
// buy leads to the next higher price, a refusal to the next lower.
func NextPrice(configuration json.RawMessage, seed string, slot int64, earlier []Step) (variant int, ask bool, err error) {
	c, err := decode[grangerConfig](configuration)
	if err != nil || len(c.Prices) == 0 {
		return 0, false, err
	}
	n := len(c.Prices)
	if len(earlier) == 0 {
		return int(number(GaborGranger, "start", seedOf(c.Seed, seed), strconv.FormatInt(slot, 10)) % uint64(n)), true, nil
	}
	last := earlier[len(earlier)-1]
	next := last.Variant - 1
	if c.buys(last.Point) {
		next = last.Variant + 1
	}
	asked := slices.ContainsFunc(earlier, func(s Step) bool { return s.Variant == next })
	if next < 0 || next >= n || asked {
		return 0, false, nil
	}
	return next, true, nil
}

// buys reads a point of the five of buying intent.
func (c grangerConfig) buys(point float64) bool {
	if c.BuyRule == "top_box" {
		return point >= 5
	}
	return point >= 4
}

// FillPrice puts a Mind's own price into the text of a purchase intent item of
// van-westendorp; other texts come back as they are.
func FillPrice(text string, price float64, currency, locale string) string {
	before, after, found := cutPlaceholder(text)
	if !found {
		return text
	}
	return before + wordingFor(locale).money(price, currency) + after
}

// IntentPrice says which earlier numeric item holds the price of a purchase
// intent item: item is its number from 0 among the items of van-westendorp. ok
// is false for the price questions themselves.
func IntentPrice(configuration json.RawMessage, item int) (from int, currency string, ok bool) {
	c, err := decode[meterConfig](configuration)
	if err != nil || !c.PurchaseIntent || item < 4 || item > 5 {
		return 0, "", false
	}
	name := []string{"cheap", "expensive"}[item-4]
	return slices.Index(c.QuestionOrder, name), c.Currency, true
}

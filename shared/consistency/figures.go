package consistency

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// battery is the price items of one product.
type battery struct {
	meter  []int // items of the meter from too cheap to too expensive
	intent []int // items of buying intent, by ascending price
}

var meterRoles = []string{simulate.RoleTooCheap, simulate.RoleCheap, simulate.RoleExpensive, simulate.RoleTooExpensive}

func (c *Checker) findPrices() {
	index := map[string]int{}
	for i, it := range c.items {
		b := it.Question.Battery
		if b == nil || b.Method != simulate.MethodWestendorp && b.Method != simulate.MethodGranger {
			continue
		}
		key := strings.ToLower(strings.Join(strings.Fields(b.Subject), " ")) + "\x00" + strings.ToUpper(b.Currency)
		n, ok := index[key]
		if !ok {
			n = len(c.prices)
			index[key] = n
			c.prices = append(c.prices, battery{})
		}
		switch {
		case it.Question.Type == simulate.Numeric:
			c.prices[n].meter = append(c.prices[n].meter, i)
		case it.Question.Type == simulate.Scale && b.Price != nil && b.Method == simulate.MethodGranger: // an intent at the Mind's own price names another price to each
			c.prices[n].intent = append(c.prices[n].intent, i)
		}
	}
	for _, p := range c.prices {
		sort.SliceStable(p.meter, func(x, y int) bool { return c.role(p.meter[x]) < c.role(p.meter[y]) })
		sort.SliceStable(p.intent, func(x, y int) bool {
			return *c.items[p.intent[x]].Question.Battery.Price < *c.items[p.intent[y]].Question.Battery.Price
		})
	}
}

func (c *Checker) role(i int) int {
	return slices.Index(meterRoles, c.items[i].Question.Battery.Role)
}

// priceOrder flags neighbours of the meter that do not ascend, a dearer price
// taken where a cheaper one was refused, and a price taken that is called too
// expensive.
func (c *Checker) priceOrder(set *flags, answers []*simulate.Earlier) {
	for _, p := range c.prices {
		last, most := -1, -1
		for _, i := range p.meter {
			if i >= len(answers) || answers[i] == nil || answers[i].Number == nil {
				continue
			}
			if last >= 0 && *answers[i].Number <= *answers[last].Number {
				c.pair(set, answers, RulePriceOrder, c.words.prices, last, i)
			}
			last = i
			if c.items[i].Question.Battery.Role == simulate.RoleTooExpensive {
				most = i
			}
		}
		refused := -1
		for _, i := range p.intent {
			if i >= len(answers) || answers[i] == nil || answers[i].Number == nil {
				continue
			}
			buys, level := c.buys(i, *answers[i].Number)
			if refused >= 0 && buys {
				if _, low := c.buys(refused, *answers[refused].Number); low < level {
					c.pair(set, answers, RulePriceOrder, c.words.dearer, refused, i)
				}
			}
			if !buys && refused < 0 {
				refused = i
			}
			if most >= 0 && buys && *c.items[i].Question.Battery.Price >= *answers[most].Number {
				c.pair(set, answers, RulePriceOrder, c.words.dearer, most, i)
			}
		}
	}
}

// buys reads an intent: the top two fifths of the scale.
func (c *Checker) buys(i int, v float64) (bool, float64) {
	q := c.items[i].Question
	at := (v - float64(q.Min)) / float64(q.Max-q.Min)
	if q.TopLow {
		at = 1 - at
	}
	return at >= .7, at
}

// pair flags two items, the later first.
func (c *Checker) pair(set *flags, answers []*simulate.Earlier, rule, text string, a, b int) {
	early, late := min(a, b), max(a, b)
	set.add(late, c.items[early].ID, rule, c.words.say(text, c.said(early, answers[early]), c.said(late, answers[late])))
}

var (
	makesWhole = expression.Of(`(?i)\b(?:add(?:s|ing)? up to|sum(?:s|ming)? to|total(?:s|ling)?(?: of)?|distribute|divide|allocate|zusammen|insgesamt|summe|verteilen sie|au total|somme|répartissez|en total|sum(?:en|an|ar)|reparta|distribuya)\b`)
	hundred    = expression.Of(`\b(10|100|1000)\b`)
	household  = expression.Of(`(?i)how many (?:people|persons)\b.*\b(?:live|household|home)|wie viele (?:personen|menschen)\b.*\b(?:leben|wohnen|haushalt)|combien de personnes\b.*\b(?:vivent|foyer|ménage)|cuántas personas\b.*\b(?:viven|hogar)`)
	children   = expression.Of(`(?i)how many (?:children|kids)\b.*\b(?:live|household|home)|wie viele kinder\b.*\b(?:leben|wohnen|haushalt)|combien d'enfants\b.*\b(?:vivent|foyer|ménage)|cuántos (?:niños|hijos)\b.*\b(?:viven|hogar)`)
)

// findSums finds runs of numbers that are to make a whole, and counts of which
// one is part of the other.
func (c *Checker) findSums() {
	var run []int
	total := ""
	end := func() {
		if len(run) > 1 {
			c.sums = append(c.sums, run)
		}
		run, total = nil, ""
	}
	house, kids := -1, -1
	for i, it := range c.items {
		q := it.Question
		number := q.Type == simulate.Numeric || q.Type == simulate.Scale
		if number && household.MatchString(q.Text) && house < 0 {
			house = i
		}
		if number && children.MatchString(q.Text) && kids < 0 {
			kids = i
		}
		whole := ""
		if number && q.Battery == nil && makesWhole.MatchString(q.Text) {
			whole = hundred.FindString(q.Text)
		}
		if whole == "" || total != "" && whole != total {
			end()
		}
		if whole != "" {
			run, total = append(run, i), whole
		}
	}
	end()
	if house >= 0 && kids >= 0 {
		c.house = append(c.house, [2]int{house, kids})
	}
}

// slack is what rounding may add to or take from a whole, as a share of it.
const slack = .01

func (c *Checker) arithmetic(set *flags, answers []*simulate.Earlier) {
	for _, run := range c.sums {
		whole, _ := strconv.ParseFloat(hundred.FindString(c.items[run[0]].Question.Text), 64)
		sum, complete := 0.0, true
		for _, i := range run {
			if i >= len(answers) || answers[i] == nil || answers[i].Number == nil {
				complete = false
				break
			}
			sum += *answers[i].Number
		}
		if complete && diff(sum, whole) > slack*whole {
			set.add(run[len(run)-1], c.items[run[0]].ID, RuleArithmetic, c.words.say(c.words.sum, itoa(len(run)), ftoa(sum), ftoa(whole)))
		}
	}
	for _, h := range c.house {
		if h[0] >= len(answers) || h[1] >= len(answers) {
			continue
		}
		all, kids := answers[h[0]], answers[h[1]]
		if all != nil && kids != nil && all.Number != nil && kids.Number != nil && *kids.Number >= *all.Number && *kids.Number > 0 {
			c.pair(set, answers, RuleArithmetic, c.words.part, h[0], h[1])
		}
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

func ftoa(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

package method

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/stats/design"
)

// Items writes the items of a method from a complete configuration: exact texts
// in the language of locale (en, de, fr, es, it, pt, nl; others English), answer
// formats and design versions (M-206, M-88). Methods without items of their own
// (guided-research, single-question, questionnaire, segment-comparison) give
// none. seed, of the run, draws designs; a seed in the configuration wins.
func Items(id string, configuration json.RawMessage, locale, seed string) ([]Item, error) {
	p, err := Prepare(id, configuration, locale, seed)
	return p.Items, err
}

// Prepare is Items with the versions, diagnostics and warnings of the design.
func Prepare(id string, configuration json.RawMessage, locale, seed string) (Prepared, error) {
	entry, ok := Lookup(id)
	if ok && !entry.Executable {
		return Prepared{}, fault.New(fault.MethodNotExecutable, "%s cannot run as a method of a plan; %s is an alternative to look at.", id, *entry.FallbackMethodID).With("path", "/methodId")
	}
	missing, err := Check(id, configuration)
	if err != nil {
		return Prepared{}, err
	}
	if len(missing) > 0 {
		return Prepared{}, fault.New(fault.InvalidMethodConfiguration, "The configuration of %s still needs %s.", id, strings.Join(missing, ", ")).With("path", missing[0])
	}
	p := &preparing{id: id, w: wordingFor(locale), seed: seed}
	switch id {
	case GuidedExploring:
		err = p.exploration(configuration)
	case RankedPrefs:
		err = p.ranking(configuration)
	case NPS:
		err = p.nps(configuration)
	case TopBox:
		err = p.topBox(configuration)
	case KeyDrivers:
		err = p.drivers(configuration)
	case TURF:
		err = p.turf(configuration)
	case GaborGranger:
		err = p.granger(configuration)
	case VanWestendorp:
		err = p.meter(configuration)
	case Kano:
		err = p.kano(configuration)
	case MaxDiff:
		err = p.maxDiff(configuration)
	case Conjoint:
		err = p.conjoint(configuration)
	}
	if err == nil {
		err = p.fits()
	}
	if err != nil {
		return Prepared{}, err
	}
	return p.Prepared, nil
}

// mostText is the longest text or option of an item, in characters.
const mostText = 2000

// fits refuses texts that labels have made too long to be asked.
func (p *preparing) fits() error {
	for _, it := range p.Items {
		texts := append([]string{it.Text}, it.Response.CategoricalOptions...)
		for _, v := range it.Variants {
			texts = append(append(texts, v.Text), v.Response.CategoricalOptions...)
		}
		for _, t := range texts {
			if n := utf8.RuneCountInString(t); n > mostText {
				return invalid("", "makes a text of %d characters in %s, at most %d can be asked; shorten the labels", n, it.ID, mostText)
			}
		}
	}
	return nil
}

type preparing struct {
	Prepared
	id   string
	w    wording
	seed string
}

func (p *preparing) add(text string, r Response, variants ...Variant) {
	p.Items = append(p.Items, Item{ID: p.id + "-" + strconv.Itoa(len(p.Items)+1), Text: text, Response: r, Variants: variants})
}

// scale is lo..hi with its ends named; top says which end is the top.
func scale(lo, hi int, ends [2]string, top string) Response {
	if top == "low" {
		ends[0], ends[1] = ends[1], ends[0]
	}
	return Response{Type: "scale", ScaleRange: []int{lo, hi}, ScaleTop: top,
		ScaleLabels: map[string]string{strconv.Itoa(lo): ends[0], strconv.Itoa(hi): ends[1]}}
}

// five is a scale 1..5 with every point named.
func five(points [5]string) Response {
	labels := map[string]string{}
	for i, l := range points {
		labels[strconv.Itoa(i+1)] = l
	}
	return Response{Type: "scale", ScaleRange: []int{1, 5}, ScaleTop: "high", ScaleLabels: labels}
}

func labels(items []Labelled) []string {
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = it.Label
	}
	return out
}

func (p *preparing) exploration(raw json.RawMessage) error {
	c, err := decode[explorationConfig](raw)
	p.add(c.Objective, Response{Type: "qualitative"})
	for _, probe := range p.w.probes[:*c.Probes] {
		p.add(probe, Response{Type: "qualitative"})
	}
	return err
}

func (p *preparing) ranking(raw json.RawMessage) error {
	c, err := decode[rankingConfig](raw)
	text, r := p.w.rank, Response{Type: "ranking", CategoricalOptions: labels(c.Items)}
	if c.TopK > 0 && c.TopK < len(c.Items) {
		text, r.TopK = fill(p.w.rankTop, strconv.Itoa(c.TopK)), c.TopK
	}
	p.add(text, r)
	return err
}

func (p *preparing) nps(raw json.RawMessage) error {
	c, err := decode[npsConfig](raw)
	text := c.Question
	if strings.TrimSpace(text) == "" {
		text = fill(p.w.nps, c.Subject)
	}
	p.add(text, scale(0, 10, p.w.npsEnds, "high"))
	return err
}

func (p *preparing) topBox(raw json.RawMessage) error {
	c, err := decode[topBoxConfig](raw)
	for _, s := range c.Statements {
		p.add(fill(p.w.agree, p.w.quote(s.Label)), scale(c.ScaleRange[0], c.ScaleRange[1], p.w.agreeEnds, c.ScaleTop))
	}
	return err
}

func (p *preparing) drivers(raw json.RawMessage) error {
	c, err := decode[driversConfig](raw)
	for _, d := range append([]Labelled{c.Outcome}, c.Drivers...) {
		p.add(fill(p.w.rate, d.Label), scale(c.ScaleRange[0], c.ScaleRange[1], p.w.rateEnds, "high"))
	}
	return err
}

func (p *preparing) turf(raw json.RawMessage) error {
	c, err := decode[turfConfig](raw)
	if c.Reach == "top_2_box" {
		for _, it := range c.Items {
			p.add(fill(p.w.likely, it.Label), five(p.w.likelihood))
		}
		return err
	}
	none := noneOf(p.w.none, labels(c.Items))
	p.add(p.w.pick, Response{Type: "multiselect", CategoricalOptions: append(labels(c.Items), none), ExclusiveOptions: []string{none}})
	return err
}

// noneOf is the way out of a choice, told apart from an item of the same words.
func noneOf(none string, options []string) string {
	for _, o := range options {
		if same(o, none) {
			return none + " *"
		}
	}
	return none
}

func (p *preparing) kano(raw json.RawMessage) error {
	c, err := decode[kanoConfig](raw)
	r := Response{Type: "categorical", CategoricalOptions: p.w.kano[:]}
	for _, f := range c.Features {
		p.add(fill(p.w.with, f.Label), r)
		p.add(fill(p.w.without, f.Label), r)
	}
	return err
}

func (p *preparing) meter(raw json.RawMessage) error {
	c, err := decode[meterConfig](raw)
	lo, hi := c.Range[0], c.Range[1]
	texts := map[string]string{"too_cheap": p.w.tooCheap, "cheap": p.w.cheap, "expensive": p.w.expensive, "too_expensive": p.w.tooExpensive}
	for _, q := range c.QuestionOrder {
		p.add(fill(texts[q], c.Product), Response{Type: "numeric", Minimum: &lo, Maximum: &hi, Unit: c.Currency})
	}
	if c.PurchaseIntent { // at the Mind's own cheap price, then at its expensive one
		for range 2 {
			p.add(fill(p.w.intentAt, c.Product), five(p.w.buying))
		}
	}
	return err
}

func (p *preparing) granger(raw json.RawMessage) error {
	c, err := decode[grangerConfig](raw)
	r := five(p.w.buying)
	text := func(price float64) string { return fill(p.w.buyAt, c.Product, p.w.money(price, c.Currency)) }
	if c.Asking == "all" {
		for _, price := range c.Prices {
			p.add(text(price), r)
		}
		return err
	}
	variants := make([]Variant, len(c.Prices))
	for i, price := range c.Prices {
		variants[i] = Variant{VersionID: "p" + strconv.Itoa(i+1), Text: text(price), Response: r}
	}
	for range c.Prices {
		p.add(variants[0].Text, r, variants...)
	}
	return err
}

// versions names the versions of a design.
func (p *preparing) versions(n int) {
	for v := range n {
		p.Versions = append(p.Versions, fmt.Sprintf("v%d", v+1))
	}
}

// ItemsPerMind is how many items one Mind may see of a method with a complete
// configuration (PlanMethod.estimatedItemsPerMind), without drawing its design;
// 0 for an incomplete one and for methods without items of their own.
func ItemsPerMind(id string, configuration json.RawMessage) int {
	if missing, err := Check(id, configuration); err != nil || len(missing) > 0 {
		return 0
	}
	switch id {
	case MaxDiff:
		c, _ := decode[maxDiffConfig](configuration)
		return design.MaxDiff{Items: len(c.Items), Size: c.SetSize, Seen: c.SeenPerMember}.Sets()
	case Conjoint:
		c, _ := decode[conjointConfig](configuration)
		return c.Tasks + c.Holdouts
	}
	items, _ := Items(id, configuration, "en", "")
	return len(items)
}

package method

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/stats/drivers"
)

// limits holds a complete configuration to what its schema cannot say (M-202).
func limits(id string, raw json.RawMessage) error {
	switch id {
	case RankedPrefs:
		c, err := decode[rankingConfig](raw)
		return first(err, distinct("/items", c.Items), func() error {
			if c.TopK > len(c.Items) {
				return invalid("/topK", "is at most the %d items", len(c.Items))
			}
			return nil
		})
	case TopBox:
		c, err := decode[topBoxConfig](raw)
		return first(err, distinct("/statements", c.Statements), ascends("/scaleRange", c.ScaleRange), func() error {
			if points := c.ScaleRange[1] - c.ScaleRange[0] + 1; c.Boxes > points/2 {
				return invalid("/boxes", "is at most %d, half of the %d points", points/2, points)
			}
			return nil
		})
	case KeyDrivers:
		c, err := decode[driversConfig](raw)
		return first(err, distinct("/drivers", c.Drivers), ascends("/scaleRange", c.ScaleRange), func() error {
			for i, d := range c.Drivers {
				if d.ID == c.Outcome.ID || same(d.Label, c.Outcome.Label) {
					return invalid(fmt.Sprintf("/drivers/%d", i), "is the outcome itself")
				}
			}
			if c.Estimator == "shapley" && len(c.Drivers) > drivers.MaxShapley {
				return invalid("/estimator", "shapley takes at most %d drivers; use relative_weights", drivers.MaxShapley)
			}
			return nil
		})
	case TURF:
		c, err := decode[turfConfig](raw)
		return first(err, distinct("/items", c.Items), func() error {
			largest := 0
			for i, k := range c.SetSizes {
				if largest = max(largest, k); k > len(c.Items) {
					return invalid(fmt.Sprintf("/setSizes/%d", i), "is at most the %d items", len(c.Items))
				}
			}
			if c.Depth > largest {
				return invalid("/depth", "is at most the largest set size, %d", largest)
			}
			return nil
		})
	case GaborGranger:
		c, err := decode[grangerConfig](raw)
		return first(err, rises("/prices", c.Prices))
	case VanWestendorp:
		c, err := decode[meterConfig](raw)
		return first(err, rises("/range", c.Range))
	case Kano:
		c, err := decode[kanoConfig](raw)
		return first(err, distinct("/features", c.Features))
	case MaxDiff:
		c, err := decode[maxDiffConfig](raw)
		return first(err, distinct("/items", c.Items), func() error {
			if half := max(3, len(c.Items)/2); c.SetSize > half {
				return invalid("/setSize", "is at most %d for %d items", half, len(c.Items))
			}
			return nil
		})
	case Conjoint:
		c, err := decode[conjointConfig](raw)
		return first(err, c.check)
	}
	return nil
}

// first gives the error of the first check that finds one.
func first(err error, checks ...func() error) error {
	for _, check := range checks {
		if err != nil {
			return err
		}
		err = check()
	}
	return err
}

func same(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }

// distinct refuses two of the same id or the same label: answers could not be
// told apart.
func distinct(path string, items []Labelled) func() error {
	return func() error {
		ids, labels := map[string]bool{}, map[string]bool{}
		for i, it := range items {
			label := strings.ToLower(strings.TrimSpace(it.Label))
			switch {
			case ids[it.ID]:
				return invalid(fmt.Sprintf("%s/%d/id", path, i), "%q is used twice", it.ID)
			case labels[label]:
				return invalid(fmt.Sprintf("%s/%d/label", path, i), "%q is used twice", it.Label)
			case label == "":
				return invalid(fmt.Sprintf("%s/%d/label", path, i), "is empty")
			}
			ids[it.ID], labels[label] = true, true
		}
		return nil
	}
}

func ascends(path string, r []int) func() error {
	return func() error {
		if len(r) != 2 || r[0] >= r[1] {
			return invalid(path, "is [lowest, highest], the first below the second")
		}
		return nil
	}
}

func rises(path string, p []float64) func() error {
	return func() error {
		for i := 1; i < len(p); i++ {
			if p[i] <= p[i-1] {
				return invalid(fmt.Sprintf("%s/%d", path, i), "must be above the one before, %v", p[i-1])
			}
		}
		return nil
	}
}

// check holds a conjoint to one price with numbers, labels that can be told
// apart and prohibited pairs that exist.
func (c conjointConfig) check() error {
	attributes := make([]Labelled, len(c.Attributes))
	price := -1
	for i, a := range c.Attributes {
		at := fmt.Sprintf("/attributes/%d", i)
		attributes[i] = Labelled{a.ID, a.Label}
		levels := make([]Labelled, len(a.Levels))
		for j, l := range a.Levels {
			levels[j] = Labelled{l.ID, l.Label}
			if a.Kind == "price" && l.Value == nil {
				return invalid(fmt.Sprintf("%s/levels/%d", at, j), "is a price and needs its value as a number")
			}
			if j > 0 && l.Value != nil && a.Levels[j-1].Value != nil && a.Kind != "nominal" && *l.Value <= *a.Levels[j-1].Value {
				return invalid(fmt.Sprintf("%s/levels/%d/value", at, j), "must be above the one before; write levels in order")
			}
		}
		if err := distinct(at+"/levels", levels)(); err != nil {
			return err
		}
		if a.Kind == "price" {
			if price >= 0 {
				return invalid(at+"/kind", "is the second price; a product has one")
			}
			price = i
		}
	}
	if err := distinct("/attributes", attributes)(); err != nil {
		return err
	}
	if c.PriceModel == "linear" && price < 0 {
		return invalid("/priceModel", "linear needs an attribute of kind price")
	}
	for i, pair := range c.ProhibitedPairs {
		at := fmt.Sprintf("/prohibitedPairs/%d", i)
		for k, ref := range pair {
			if _, _, ok := c.find(ref); !ok {
				return invalid(fmt.Sprintf("%s/%d", at, k), "names no level: %s, %s", ref.AttributeID, ref.LevelID)
			}
		}
		if pair[0].AttributeID == pair[1].AttributeID {
			return invalid(at, "names two levels of one attribute, which never meet anyway")
		}
	}
	return nil
}

// find gives the places of an attribute and its level.
func (c conjointConfig) find(ref levelRef) (attribute, level int, ok bool) {
	for i, a := range c.Attributes {
		if a.ID != ref.AttributeID {
			continue
		}
		for j, l := range a.Levels {
			if l.ID == ref.LevelID {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// decode reads a configuration and fills in the defaults of M-202.
func decode[T any](raw json.RawMessage) (T, error) {
	var c T
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &c); err != nil {
			return c, invalid("", "does not fit the schema of the method")
		}
	}
	if d, ok := any(&c).(interface{ defaults() }); ok {
		d.defaults()
	}
	return c, nil
}

func or[T comparable](v *T, otherwise T) {
	var zero T
	if *v == zero {
		*v = otherwise
	}
}

func (c *rankingConfig) defaults() { or(&c.Ties, "reject") }
func (c *segmentConfig) defaults() { or(&c.Alpha, .05) }

func (c *topBoxConfig) defaults() {
	or(&c.Boxes, 2)
	if c.ScaleRange == nil {
		c.ScaleRange = []int{1, 5}
	}
}

func (c *driversConfig) defaults() {
	or(&c.Estimator, "relative_weights")
	if c.ScaleRange == nil {
		c.ScaleRange = []int{1, 7}
	}
}

func (c *turfConfig) defaults() {
	or(&c.Reach, "pick")
	or(&c.Depth, 1)
	if c.SetSizes == nil {
		for k := 1; k <= min(5, len(c.Items)); k++ {
			c.SetSizes = append(c.SetSizes, k)
		}
	}
}

func (c *grangerConfig) defaults() { or(&c.Asking, "all"); or(&c.BuyRule, "top_2_box") }

func (c *meterConfig) defaults() {
	or(&c.TieRule, "min")
	if c.QuestionOrder == nil {
		c.QuestionOrder = []string{"too_cheap", "cheap", "expensive", "too_expensive"}
	}
}

func (c *explorationConfig) defaults() {
	if c.Probes == nil {
		two := 2
		c.Probes = &two
	}
}

func (c *maxDiffConfig) defaults() {
	or(&c.SeenPerMember, 3)
	or(&c.Versions, 4)
	or(&c.Model, "sequential")
	if c.SetSize == 0 {
		c.SetSize = 3
		if len(c.Items) >= 8 {
			c.SetSize = 4
		}
	}
}

func (c *conjointConfig) defaults() {
	or(&c.Alternatives, 3)
	or(&c.Tasks, 10)
	or(&c.Versions, 4)
	or(&c.PriceModel, "part_worth")
	or(&c.Design, "balanced_overlap")
	for i := range c.Attributes {
		or(&c.Attributes[i].Kind, "nominal")
	}
}

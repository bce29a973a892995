package method

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Labelled is a thing that a method asks about.
type Labelled struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// The configurations of M-202, with their defaults filled in by decode.
type (
	explorationConfig struct {
		Objective string `json:"objective"`
		Probes    *int   `json:"probes"`
	}
	rankingConfig struct {
		Items []Labelled `json:"items"`
		TopK  int        `json:"topK"` // 0: all
		Ties  string     `json:"ties"`
	}
	segmentConfig struct {
		Segments struct {
			AudienceIDs []string `json:"audienceIds"`
			FormationID string   `json:"formationId"`
		} `json:"segments"`
		ItemIDs []string `json:"itemIds"`
		Alpha   float64  `json:"alpha"`
	}
	npsConfig struct {
		Subject  string `json:"subject"`
		Question string `json:"question"`
	}
	topBoxConfig struct {
		Statements []Labelled `json:"statements"`
		ScaleRange []int      `json:"scaleRange"`
		ScaleTop   string     `json:"scaleTop"`
		Boxes      int        `json:"boxes"`
	}
	driversConfig struct {
		Outcome    Labelled   `json:"outcome"`
		Drivers    []Labelled `json:"drivers"`
		ScaleRange []int      `json:"scaleRange"`
		Estimator  string     `json:"estimator"`
	}
	turfConfig struct {
		Items    []Labelled `json:"items"`
		SetSizes []int      `json:"setSizes"`
		Reach    string     `json:"reach"`
		Depth    int        `json:"depth"`
	}
	grangerConfig struct {
		Product  string    `json:"product"`
		Currency string    `json:"currency"`
		Prices   []float64 `json:"prices"`
		Asking   string    `json:"asking"`
		BuyRule  string    `json:"buyRule"`
		UnitCost *float64  `json:"unitCost"`
		Seed     string    `json:"seed"`
	}
	meterConfig struct {
		Product        string    `json:"product"`
		Currency       string    `json:"currency"`
		Range          []float64 `json:"range"`
		QuestionOrder  []string  `json:"questionOrder"`
		PurchaseIntent bool      `json:"purchaseIntent"`
		TieRule        string    `json:"tieRule"`
	}
	kanoConfig struct {
		Features []Labelled `json:"features"`
	}
	maxDiffConfig struct {
		Items         []Labelled `json:"items"`
		SetSize       int        `json:"setSize"`
		SeenPerMember int        `json:"seenPerMember"`
		Versions      int        `json:"versions"`
		Model         string     `json:"model"`
		Seed          string     `json:"seed"`
	}
	conjointLevel struct {
		ID    string   `json:"id"`
		Label string   `json:"label"`
		Value *float64 `json:"value"`
	}
	conjointAttribute struct {
		ID     string          `json:"id"`
		Label  string          `json:"label"`
		Levels []conjointLevel `json:"levels"`
		Kind   string          `json:"kind"`
	}
	levelRef struct {
		AttributeID string `json:"attributeId"`
		LevelID     string `json:"levelId"`
	}
	conjointConfig struct {
		Attributes      []conjointAttribute `json:"attributes"`
		Alternatives    int                 `json:"alternatives"`
		None            bool                `json:"none"`
		Tasks           int                 `json:"tasks"`
		Holdouts        int                 `json:"holdouts"`
		Versions        int                 `json:"versions"`
		ProhibitedPairs [][2]levelRef       `json:"prohibitedPairs"`
		PriceModel      string              `json:"priceModel"`
		Design          string              `json:"design"`
		Seed            string              `json:"seed"`
	}
)

var compiled = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	all, err := entries()
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	out := map[string]*jsonschema.Schema{}
	for _, e := range all {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(e.ConfigurationSchema))
		if err != nil {
			return nil, err
		}
		at := "mem:///" + e.ID
		if err := c.AddResource(at, doc); err != nil {
			return nil, err
		}
		if out[e.ID], err = c.Compile(at); err != nil {
			return nil, err
		}
	}
	return out, nil
})

// Check holds a configuration to the schema of its method and to the limits of
// M-202. missing lists JSON pointers of required keys that are not there yet, in
// order: the configuration is then incomplete, not wrong (M-83). err is
// INVALID_METHOD_CONFIGURATION with data.path, a pointer into the configuration,
// or VALIDATION for an unknown method.
func Check(id string, configuration json.RawMessage) (missing []string, err error) {
	if _, known := Lookup(id); !known {
		return nil, fault.New(fault.Validation, "There is no method %q; list_research_methods shows all.", id).With("path", "/methodId")
	}
	schemas, err := compiled()
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(configuration)) == 0 {
		configuration = json.RawMessage("{}")
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(configuration))
	if err != nil {
		return nil, invalid("", "is no JSON")
	}
	var ve *jsonschema.ValidationError
	if err := schemas[id].Validate(doc); errors.As(err, &ve) {
		var wrong error
		walk(ve, func(at []string, k jsonschema.ErrorKind) {
			path := pointer(at)
			switch k := k.(type) {
			case *kind.Required:
				for _, name := range k.Missing {
					missing = append(missing, path+"/"+escape(name))
				}
			default:
				if wrong == nil {
					wrong = invalid(path, "%s", say(k))
				}
			}
		})
		if wrong != nil {
			return nil, wrong
		}
		slices.Sort(missing)
		return slices.Compact(missing), nil
	} else if err != nil {
		return nil, err
	}
	return nil, limits(id, configuration)
}

func invalid(path, format string, args ...any) error {
	name := strings.TrimPrefix(path, "/")
	if name == "" {
		name = "The configuration"
	}
	return fault.New(fault.InvalidMethodConfiguration, "%s: %s.", name, fmt.Sprintf(format, args...)).With("path", path)
}

// walk visits the leaves of a validation error. A oneOf of which no branch fits
// is read as what its first branch lacks.
func walk(ve *jsonschema.ValidationError, visit func([]string, jsonschema.ErrorKind)) {
	if k, ok := ve.ErrorKind.(*kind.OneOf); ok {
		if len(k.Subschemas) > 1 {
			visit(ve.InstanceLocation, k)
		} else if len(ve.Causes) > 0 {
			walk(ve.Causes[0], visit)
		}
		return
	}
	if len(ve.Causes) == 0 {
		visit(ve.InstanceLocation, ve.ErrorKind)
		return
	}
	for _, c := range ve.Causes {
		walk(c, visit)
	}
}

func pointer(at []string) string {
	var b strings.Builder
	for _, p := range at {
		b.WriteString("/" + escape(p))
	}
	return b.String()
}

func escape(p string) string {
	return strings.ReplaceAll(strings.ReplaceAll(p, "~", "~0"), "/", "~1")
}

// say puts a rule of a schema into words.
func say(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.MinItems:
		return fmt.Sprintf("needs at least %d, has %d", k.Want, k.Got)
	case *kind.MaxItems:
		return fmt.Sprintf("takes at most %d, has %d", k.Want, k.Got)
	case *kind.MinLength:
		return fmt.Sprintf("must hold at least %d characters", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("must hold at most %d characters", k.Want)
	case *kind.Minimum:
		return fmt.Sprintf("must be at least %s", k.Want.RatString())
	case *kind.Maximum:
		return fmt.Sprintf("must be at most %s", k.Want.RatString())
	case *kind.ExclusiveMinimum:
		return fmt.Sprintf("must be more than %s", k.Want.RatString())
	case *kind.Enum:
		return fmt.Sprintf("must be one of %v", k.Want)
	case *kind.Type:
		return fmt.Sprintf("must be %s, not %s", strings.Join(k.Want, " or "), k.Got)
	case *kind.UniqueItems:
		return "must not hold the same twice"
	case *kind.Pattern:
		return fmt.Sprintf("must match %s", k.Want)
	case *kind.AdditionalProperties:
		return fmt.Sprintf("knows no %s; leave it out", strings.Join(k.Properties, ", "))
	case *kind.OneOf:
		return "takes exactly one of its forms"
	}
	return "does not fit the schema of the method"
}

// Package method is the catalogue of research methods: what each needs, the
// items it asks, and the figures it computes from the answers. Everything is a
// pure function of its input; nothing here reads a store or a clock.
package method

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

//go:generate go run ./gen

// CatalogueVersion changes whenever an entry, a wording or a formula does.
const CatalogueVersion = "1"

// The ids of the methods.
const (
	GuidedResearch   = "guided-research"
	SingleQuestion   = "single-question"
	Questionnaire    = "questionnaire"
	GuidedExploring  = "guided-qualitative-exploration"
	RankedPrefs      = "ranked-preferences"
	SegmentCompare   = "segment-comparison"
	VisualAsset      = "visual-asset-analysis"
	Recommendation   = "recommendation-synthesis"
	MaxDiff          = "maxdiff"
	Conjoint         = "conjoint"
	NPS              = "nps"
	TopBox           = "top-box"
	KeyDrivers       = "key-drivers"
	TURF             = "turf"
	GaborGranger     = "gabor-granger"
	VanWestendorp    = "van-westendorp"
	Kano             = "kano"
	availableMethod  = "available"
	experimental     = "experimental"
	planned          = "planned"
	complexitySimple = "simple"
	standard         = "standard"
	advanced         = "advanced"
)

// Entry is one method of the catalogue; its JSON is MethodCatalogEntry.
type Entry struct {
	ID                           string          `json:"id"`
	Version                      int             `json:"version"`
	Name                         string          `json:"name"`
	Executable                   bool            `json:"executable"` // only true promises a run (M-200)
	Availability                 string          `json:"availability"`
	Complexity                   string          `json:"complexity"`
	RequiresAdvancedMethodOptIn  bool            `json:"requiresAdvancedMethodOptIn"`
	PreparesQuestionsAtExecution bool            `json:"preparesQuestionsAtExecution"` // M-201
	Requirements                 []string        `json:"requirements"`                 // what the caller must bring, and the limits
	ConfigurationSchema          json.RawMessage `json:"configurationSchema"`
	SemanticOutputs              []string        `json:"semanticOutputs"`  // values of M-206
	FallbackMethodID             *string         `json:"fallbackMethodId"` // to review, never a silent swap
}

//go:embed configurations.gen.json
var rawConfigurations []byte

// row is a line of the table of M-202.
type row struct {
	id, name, complexity string
	prepares             bool
	fallback             string
	needs, outputs       []string
	availability         string // available when empty
}

var table = []row{
	{id: GuidedResearch, name: "Guided research", complexity: complexitySimple, fallback: SingleQuestion,
		needs: []string{"An objective or a question in plain words."}, outputs: []string{"per_item_results", "summary"}},
	{id: SingleQuestion, name: "Single question", complexity: complexitySimple,
		needs: []string{"Exactly 1 question."}, outputs: []string{"per_item_results"}},
	{id: Questionnaire, name: "Questionnaire", complexity: complexitySimple, fallback: SingleQuestion,
		needs: []string{"1 to 200 questions, asked verbatim."}, outputs: []string{"per_item_results", "summary"}},
	{id: GuidedExploring, name: "Guided qualitative exploration", complexity: complexitySimple, fallback: SingleQuestion,
		needs: []string{"objective", "probes: 0 to 10 follow-ups, 2 by default"}, outputs: []string{"themes", "per_item_results"}},
	{id: RankedPrefs, name: "Ranked preferences", complexity: standard, fallback: Questionnaire,
		needs: []string{"items: 3 to 15", "topK: all ranks when left out", "ties: reject or average"}, outputs: []string{"ranking"}},
	{id: SegmentCompare, name: "Segment comparison", complexity: standard, fallback: Questionnaire,
		needs:   []string{"segments: two or more Audiences, or a ready Formation of an attached Audience; no member in two of them", "itemIds to compare", "10 answers a segment, or figures are described and not tested"},
		outputs: []string{"segment_differences"}},
	{id: NPS, name: "Net Promoter Score", complexity: standard, prepares: true, fallback: TopBox,
		needs: []string{"subject", "The scale is 0 to 10 and no other."}, outputs: []string{"nps"}},
	{id: TopBox, name: "Top and bottom box", complexity: standard, prepares: true, fallback: Questionnaire,
		needs: []string{"statements: 1 to 20", "scaleTop: which end of the scale counts as top", "boxes: 1 to 3 and at most half of the points, 2 by default"}, outputs: []string{"top_box"}},
	{id: KeyDrivers, name: "Key drivers", complexity: advanced, prepares: true, fallback: SegmentCompare,
		needs: []string{"outcome", "drivers: 2 to 25 on one scale", "max(30, 5 x drivers) complete answers", "shapley: at most 12 drivers"}, outputs: []string{"driver_weights"}},
	{id: TURF, name: "TURF (reach and frequency)", complexity: advanced, prepares: true, fallback: TopBox,
		needs: []string{"items: 2 to 40", "setSizes: 1 to 5 by default", "reach: pick or top_2_box", "depth: items of a set that must be reached, 1 by default", "Up to 5,000,000 sets of a size are all looked at; beyond, exact is false."}, outputs: []string{"reach"}},
	{id: GaborGranger, name: "Gabor-Granger", complexity: advanced, prepares: true, fallback: VanWestendorp,
		needs: []string{"product", "currency", "prices: 4 to 9, ascending", "asking: all or sequential", "buyRule: top_box or top_2_box", "unitCost for profit"}, outputs: []string{"demand_curve", "price_points"}},
	{id: VanWestendorp, name: "Van Westendorp price sensitivity meter", complexity: advanced, prepares: true, fallback: GaborGranger,
		needs: []string{"product", "currency", "range: lowest and highest accepted answer", "purchaseIntent adds two questions", "tieRule: min, max, mean or median", "10 judgements in the order too cheap < cheap < expensive < too expensive"}, outputs: []string{"price_points"}},
	{id: Kano, name: "Kano", complexity: advanced, prepares: true, fallback: TopBox,
		needs: []string{"features: 1 to 20, two questions each"}, outputs: []string{"kano_categories"}},
	{id: MaxDiff, name: "MaxDiff (best-worst scaling)", complexity: advanced, prepares: true, fallback: RankedPrefs,
		needs: []string{"items: 5 to 60", "setSize: 3 to 5 and at most half of the items", "Each item is seen at least 3 times by each Mind."}, outputs: []string{"preference_scores", "ranking"}},
	{id: Conjoint, name: "Choice-based conjoint", complexity: advanced, prepares: true, fallback: MaxDiff,
		needs: []string{"attributes: 2 to 8 of 2 to 7 levels", "alternatives: 2 to 5", "tasks: 8 to 12", "holdouts: 0 to 2", "versions: 4 or more", "price with a value a level for willingness to pay"}, outputs: []string{"part_worths"}},
	{id: VisualAsset, name: "Visual asset analysis", complexity: advanced, availability: experimental, fallback: GuidedExploring,
		needs: []string{"An asset on a question; heatmaps have their own path."}, outputs: []string{"heatmap"}},
	{id: Recommendation, name: "Recommendation synthesis", complexity: advanced, availability: experimental, fallback: GuidedResearch,
		needs: []string{"Results of a study."}, outputs: []string{"recommendations"}},
}

var entries = sync.OnceValues(func() ([]Entry, error) {
	var schemas map[string]json.RawMessage
	if err := json.Unmarshal(rawConfigurations, &schemas); err != nil {
		return nil, fmt.Errorf("method: configurations: %w", err)
	}
	out := make([]Entry, 0, len(table))
	for _, r := range table {
		e := Entry{
			ID: r.id, Version: 1, Name: r.name, Executable: r.availability == "", Availability: availableMethod,
			Complexity: r.complexity, RequiresAdvancedMethodOptIn: r.complexity == advanced, PreparesQuestionsAtExecution: r.prepares,
			Requirements: r.needs, ConfigurationSchema: schemas[r.id], SemanticOutputs: r.outputs,
		}
		if r.availability != "" {
			e.Availability = r.availability
		}
		if r.fallback != "" {
			e.FallbackMethodID = &r.fallback
		}
		if e.ConfigurationSchema == nil {
			if e.Executable {
				return nil, fmt.Errorf("method: the contract has no configuration of %s", r.id)
			}
			e.ConfigurationSchema = json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)
		}
		out = append(out, e)
	}
	return out, nil
})

// Catalogue lists every method, simple ones first. The slice is the caller's.
func Catalogue() []Entry {
	all, _ := entries()
	return slices.Clone(all)
}

// Listed is the catalogue as a caller sees it: without planned methods when they
// are not asked for; experimental ones stay (M-200). A catalogue that cannot be
// read is an error, never an empty list.
func Listed(includePlanned bool) ([]Entry, error) {
	all, err := entries()
	if err != nil {
		return nil, err
	}
	all = slices.Clone(all)
	if !includePlanned {
		all = slices.DeleteFunc(all, func(e Entry) bool { return e.Availability == planned })
	}
	return all, nil
}

// Lookup finds a method by its id.
func Lookup(id string) (Entry, bool) {
	all, _ := entries()
	i := slices.IndexFunc(all, func(e Entry) bool { return e.ID == id })
	if i < 0 {
		return Entry{}, false
	}
	return all[i], true
}

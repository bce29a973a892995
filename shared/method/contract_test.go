package method

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/method/schemas"
)

const contractFile = "../catalog/contract/minds/schemas.json"

// shape compiles one shape of the contract.
func shape(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	raw, err := os.ReadFile(contractFile)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("mem:///contract", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///contract#/$defs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fits(t *testing.T, s *jsonschema.Schema, name string, v any) {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("%s: %v\n%.600s", name, err, raw)
	}
}

func contractDefs(t *testing.T) map[string]struct {
	Enum     []string          `json:"enum"`
	Examples []json.RawMessage `json:"examples"`
} {
	t.Helper()
	raw, err := os.ReadFile(contractFile)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Defs map[string]struct {
			Enum     []string          `json:"enum"`
			Examples []json.RawMessage `json:"examples"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Defs
}

func TestGeneratedConfigurationsAreFresh(t *testing.T) {
	contract, err := os.ReadFile(contractFile)
	if err != nil {
		t.Fatal(err)
	}
	want, err := schemas.Configurations(contract)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, rawConfigurations) {
		t.Error("configurations.gen.json is stale; run go generate ./shared/method")
	}
}

// M-202, M-200, M-201, M-203: the catalogue is the table, and its rows fit the
// contract.
func TestTheCatalogueIsTheTable(t *testing.T) {
	s := shape(t, "MethodCatalogEntry")
	all, err := Listed(true)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range all {
		ids = append(ids, e.ID)
		fits(t, s, e.ID, e)
		if e.RequiresAdvancedMethodOptIn != (e.Complexity == advanced) || e.Executable != (e.Availability == availableMethod) {
			t.Errorf("%+v", e)
		}
		if e.FallbackMethodID != nil {
			if f, ok := Lookup(*e.FallbackMethodID); !ok || !f.Executable {
				t.Errorf("%s falls back on %s", e.ID, *e.FallbackMethodID)
			}
		}
	}
	want := slices.Clone(contractDefs(t)["MethodId"].Enum)
	slices.Sort(want)
	slices.Sort(ids)
	if !slices.Equal(ids, want) {
		t.Errorf("%v, the contract knows %v", ids, want)
	}
	for _, c := range []struct {
		id, complexity string
		prepares       bool
		fallback       string
	}{
		{GuidedResearch, "simple", false, SingleQuestion}, {SingleQuestion, "simple", false, ""}, {Questionnaire, "simple", false, SingleQuestion},
		{GuidedExploring, "simple", false, SingleQuestion}, {RankedPrefs, "standard", false, Questionnaire}, {SegmentCompare, "standard", false, Questionnaire},
		{NPS, "standard", true, TopBox}, {TopBox, "standard", true, Questionnaire}, {KeyDrivers, "advanced", true, SegmentCompare}, {TURF, "advanced", true, TopBox},
		{GaborGranger, "advanced", true, VanWestendorp}, {VanWestendorp, "advanced", true, GaborGranger}, {Kano, "advanced", true, TopBox},
		{MaxDiff, "advanced", true, RankedPrefs}, {Conjoint, "advanced", true, MaxDiff}, {VisualAsset, "advanced", false, GuidedExploring}, {Recommendation, "advanced", false, GuidedResearch},
	} {
		e, ok := Lookup(c.id)
		got := ""
		if e.FallbackMethodID != nil {
			got = *e.FallbackMethodID
		}
		if !ok || e.Complexity != c.complexity || e.PreparesQuestionsAtExecution != c.prepares || got != c.fallback {
			t.Errorf("%+v, want %+v", e, c)
		}
	}
	hidden, _ := Listed(false)
	for _, id := range []string{VisualAsset, Recommendation} {
		if e, _ := Lookup(id); e.Executable || e.Availability != experimental || !slices.ContainsFunc(hidden, func(h Entry) bool { return h.ID == id }) {
			t.Errorf("%s: %+v", id, e)
		}
		if _, err := Items(id, nil, "en", "s"); !fault.Is(err, fault.MethodNotExecutable) {
			t.Errorf("%s wrote items: %v", id, err)
		}
	}
	if _, ok := Lookup("vote"); ok {
		t.Error("an unknown method was found")
	}
}

// Every example configuration of the contract is complete and right, and loses
// its required keys one by one.
func TestExamplesOfTheContractPass(t *testing.T) {
	for name, def := range contractDefs(t) {
		id, ok := strings.CutPrefix(name, "MethodConfiguration.")
		if !ok {
			continue
		}
		for _, example := range def.Examples {
			if missing, err := Check(id, example); err != nil || len(missing) > 0 {
				t.Errorf("%s: missing %v, %v", id, missing, err)
			}
		}
	}
}

// M-83: required keys that are not there are listed, and not wrong.
func TestMissingKeysArePointers(t *testing.T) {
	for _, c := range []struct {
		id, configuration string
		want              []string
	}{
		{NPS, ``, []string{"/subject"}},
		{GaborGranger, `{"prices":[1,2,3,4]}`, []string{"/currency", "/product"}},
		{KeyDrivers, `{"outcome":{"id":"o"}}`, []string{"/drivers", "/outcome/label"}},
		{TopBox, `{"statements":[{"id":"a","label":"A"},{"label":"B"}]}`, []string{"/scaleTop", "/statements/1/id"}},
		{SegmentCompare, `{"segments":{},"itemIds":["q1"]}`, []string{"/segments/audienceIds"}},
		{Questionnaire, `{}`, nil},
	} {
		got, err := Check(c.id, json.RawMessage(c.configuration))
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %v %v, want %v", c.id, c.configuration, got, err, c.want)
		}
		if c.want != nil {
			if _, err := Items(c.id, json.RawMessage(c.configuration), "en", "s"); !fault.Is(err, fault.InvalidMethodConfiguration) {
				t.Errorf("%s wrote items of an open configuration: %v", c.id, err)
			}
		}
	}
}

// M-202: a limit outside the table is INVALID_METHOD_CONFIGURATION with a path.
func TestLimitsOfConfigurations(t *testing.T) {
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`{"id":"i` + strings.Repeat("x", i) + `","label":"L` + strings.Repeat("x", i) + `"}`)
		}
		return "[" + b.String() + "]"
	}
	attribute := func(id, kind string) string {
		return `{"id":"` + id + `","label":"` + id + `","kind":"` + kind + `","levels":[{"id":"a","label":"A","value":1},{"id":"b","label":"B","value":2}]}`
	}
	for _, c := range []struct{ id, configuration, path string }{
		{NPS, `{"subject":1}`, "/subject"},
		{NPS, `{"subject":"x","scaleRange":[1,5]}`, ""},
		{NPS, `[`, ""},
		{RankedPrefs, `{"items":` + many(2) + `}`, "/items"},
		{RankedPrefs, `{"items":` + many(16) + `}`, "/items"},
		{RankedPrefs, `{"items":` + many(3) + `,"topK":4}`, "/topK"},
		{RankedPrefs, `{"items":[{"id":"a","label":"A"},{"id":"b","label":" a "},{"id":"c","label":"C"}]}`, "/items/1/label"},
		{RankedPrefs, `{"items":[{"id":"a","label":"A"},{"id":"a","label":"B"},{"id":"c","label":"C"}]}`, "/items/1/id"},
		{TopBox, `{"statements":` + many(21) + `,"scaleTop":"high"}`, "/statements"},
		{TopBox, `{"statements":` + many(1) + `,"scaleTop":"high","scaleRange":[1,4],"boxes":3}`, "/boxes"},
		{TopBox, `{"statements":` + many(1) + `,"scaleTop":"high","scaleRange":[5,1]}`, "/scaleRange"},
		{TopBox, `{"statements":` + many(1) + `,"scaleTop":"up"}`, "/scaleTop"},
		{KeyDrivers, `{"outcome":{"id":"o","label":"O"},"drivers":` + many(1) + `}`, "/drivers"},
		{KeyDrivers, `{"outcome":{"id":"o","label":"O"},"drivers":` + many(26) + `}`, "/drivers"},
		{KeyDrivers, `{"outcome":{"id":"o","label":"O"},"drivers":` + many(13) + `,"estimator":"shapley"}`, "/estimator"},
		{KeyDrivers, `{"outcome":{"id":"i","label":"O"},"drivers":` + many(3) + `}`, "/drivers/0"},
		{TURF, `{"items":` + many(41) + `}`, "/items"},
		{TURF, `{"items":` + many(3) + `,"setSizes":[1,4]}`, "/setSizes/1"},
		{TURF, `{"items":` + many(3) + `,"setSizes":[1,2],"depth":3}`, "/depth"},
		{GaborGranger, `{"product":"p","currency":"EUR","prices":[1,2,3]}`, "/prices"},
		{GaborGranger, `{"product":"p","currency":"EUR","prices":[1,2,3,4,5,6,7,8,9,10]}`, "/prices"},
		{GaborGranger, `{"product":"p","currency":"EUR","prices":[1,3,2,4]}`, "/prices/2"},
		{GaborGranger, `{"product":"p","currency":"euro","prices":[1,2,3,4]}`, "/currency"},
		{VanWestendorp, `{"product":"p","currency":"EUR","range":[50,1]}`, "/range/1"},
		{VanWestendorp, `{"product":"p","currency":"EUR","range":[1,50],"tieRule":"first"}`, "/tieRule"},
		{VanWestendorp, `{"product":"p","currency":"EUR","range":[1,50],"questionOrder":["cheap"]}`, "/questionOrder"},
		{Kano, `{"features":` + many(21) + `}`, "/features"},
		{MaxDiff, `{"items":` + many(4) + `}`, "/items"},
		{MaxDiff, `{"items":` + many(61) + `}`, "/items"},
		{MaxDiff, `{"items":` + many(7) + `,"setSize":4}`, "/setSize"},
		{MaxDiff, `{"items":` + many(6) + `,"seenPerMember":2}`, "/seenPerMember"},
		{Conjoint, `{"attributes":[` + attribute("x", "nominal") + `]}`, "/attributes"},
		{Conjoint, `{"attributes":[` + attribute("x", "price") + `,` + attribute("y", "price") + `]}`, "/attributes/1/kind"},
		{Conjoint, `{"attributes":[` + attribute("x", "nominal") + `,` + attribute("y", "nominal") + `],"priceModel":"linear"}`, "/priceModel"},
		{Conjoint, `{"attributes":[` + attribute("x", "nominal") + `,` + attribute("y", "nominal") + `],"tasks":7}`, "/tasks"},
		{Conjoint, `{"attributes":[` + attribute("x", "nominal") + `,` + attribute("y", "nominal") + `],"versions":3}`, "/versions"},
		{Conjoint, `{"attributes":[` + attribute("x", "nominal") + `,` + attribute("y", "nominal") + `],"prohibitedPairs":[[{"attributeId":"x","levelId":"a"},{"attributeId":"y","levelId":"q"}]]}`, "/prohibitedPairs/0/1"},
		{SegmentCompare, `{"segments":{"audienceIds":["7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172","8b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"],"formationId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"},"itemIds":["q"]}`, "/segments"},
		{SegmentCompare, `{"segments":{"formationId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"},"itemIds":["q"],"alpha":0.5}`, "/alpha"},
		{GuidedExploring, `{"objective":"o","probes":11}`, "/probes"},
	} {
		_, err := Check(c.id, json.RawMessage(c.configuration))
		if !fault.Is(err, fault.InvalidMethodConfiguration) {
			t.Errorf("%s %.80s: %v", c.id, c.configuration, err)
			continue
		}
		if got := fault.From(err).Data["path"]; got != c.path {
			t.Errorf("%s %.80s: path %v, want %s (%v)", c.id, c.configuration, got, c.path, err)
		}
	}
	if _, err := Check("vote", nil); !fault.Is(err, fault.Validation) {
		t.Errorf("unknown method: %v", err)
	}
}

func FuzzCheck(f *testing.F) {
	for _, e := range Catalogue() {
		f.Add(e.ID, `{"items":[{"id":"a","label":"A"}]}`)
	}
	f.Add(Conjoint, `{"attributes":[{"levels":[null]}],"prohibitedPairs":[[{},{}]]}`)
	f.Fuzz(func(t *testing.T, id, configuration string) {
		missing, err := Check(id, json.RawMessage(configuration))
		if err == nil && len(missing) == 0 {
			if _, err := Items(id, json.RawMessage(configuration), "en", "s"); err != nil && fault.From(err).Code == fault.Internal {
				t.Fatal(err)
			}
		}
	})
}

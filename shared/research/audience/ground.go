package audience

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// Ground is the blob behind Audience.Grounding: what the population was composed
// of, and how its members were allocated to it. It is never changed: another
// grounding is another blob with another snapshot id.
type Ground struct {
	Composed grounding.Composed
	Config   allocate.Config // controls used, the seed among them
	Audit    *allocate.Audit // nil when nobody was allocated
	Coverage allocate.Coverage
	Mode     string   // audienceCreationMode as applied
	Exclude  []string // axes whose quotas were dropped
	Notes    []string // what was not read or not looked up, in words
	Context  Context  // what persons are written from beside their cell
	Dataset  *DatasetSummary

	CreatedAt time.Time
}

// Context is what all members of a population have in common.
type Context struct {
	Seed       string   `json:"seed"` // of persona; the id of the Audience, so that growth changes nobody
	Population string   `json:"population,omitempty"`
	Roles      []string `json:"roles,omitempty"`
	Required   []string `json:"required,omitempty"`
}

// DatasetSummary says what a data set gave to a cohort.
type DatasetSummary struct {
	SelectedVariableCount int `json:"selectedVariableCount"`
	ObservedProfileCount  int `json:"observedProfileCount"`
	RecommendedMindCount  int `json:"recommendedMindCount"`
	CreatedMindCount      int `json:"createdMindCount"`
}

// groundJSON stores a Ground; axisNote keeps what the contract's shapes of a
// distribution leave out.
type groundJSON struct {
	Composed   grounding.Composed    `json:"composed"`
	Active     []axisNote            `json:"active,omitempty"`
	Review     []axisNote            `json:"review,omitempty"`
	Dimensions []grounding.Dimension `json:"dimensions,omitempty"`
	Config     allocate.Config       `json:"config"`
	Audit      *allocate.Audit       `json:"audit,omitempty"`
	Coverage   allocate.Coverage     `json:"coverage"`
	Mode       string                `json:"mode"`
	Exclude    []string              `json:"exclude,omitempty"`
	Notes      []string              `json:"notes,omitempty"`
	Context    Context               `json:"context"`
	Dataset    *DatasetSummary       `json:"dataset,omitempty"`
	CreatedAt  time.Time             `json:"createdAt"`
}

type axisNote struct {
	Reason    string `json:"reason,omitempty"`
	Dimension string `json:"dimension,omitempty"`
	Ordered   bool   `json:"ordered,omitempty"`
}

func notesOf(list []grounding.Distribution) []axisNote {
	out := make([]axisNote, len(list))
	for i, d := range list {
		out[i] = axisNote{d.Reason, d.Dimension, d.Ordered}
	}
	return out
}

func annotate(list []grounding.Distribution, notes []axisNote) {
	for i := range list {
		list[i].Annotate()
		if i < len(notes) {
			list[i].Reason, list[i].Dimension, list[i].Ordered = notes[i].Reason, notes[i].Dimension, notes[i].Ordered
		}
	}
}

// MarshalJSON keeps all of it.
func (g Ground) MarshalJSON() ([]byte, error) {
	return json.Marshal(groundJSON{g.Composed, notesOf(g.Composed.Distributions), notesOf(g.Composed.Review), g.Composed.Coverage.Dimensions,
		g.Config, g.Audit, g.Coverage, g.Mode, g.Exclude, g.Notes, g.Context, g.Dataset, g.CreatedAt})
}

// UnmarshalJSON gives all of it back.
func (g *Ground) UnmarshalJSON(raw []byte) error {
	var v groundJSON
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	annotate(v.Composed.Distributions, v.Active)
	annotate(v.Composed.Review, v.Review)
	v.Composed.Coverage.Dimensions = v.Dimensions
	*g = Ground{v.Composed, v.Config, v.Audit, v.Coverage, v.Mode, v.Exclude, v.Notes, v.Context, v.Dataset, v.CreatedAt}
	return nil
}

// Ground reads the grounding of an Audience; nil when it has none.
func (s *Service) Ground(ctx context.Context, a Audience) (*Ground, error) {
	if a.Grounding == nil {
		return nil, nil
	}
	var g Ground
	if err := s.getJSON(ctx, a.Grounding.Body, &g); err != nil {
		return nil, err
	}
	return &g, nil
}

// PutGround keeps a grounding of an Audience of the workspace and gives the
// reference for its record, with a new snapshot id.
func (s *Service) PutGround(ctx context.Context, workspace string, g Ground) (*GroundingRef, error) {
	body, err := s.putJSON(ctx, workspace, g)
	if err != nil {
		return nil, err
	}
	c := g.Composed.Coverage
	return &GroundingRef{SnapshotID: s.d.IDs.NewID(), Body: body, CreatedAt: g.CreatedAt,
		Coverage: Coverage{Sourced: c.Sourced, Proxy: c.Proxy, Assumed: c.Assumed, Missing: c.Missing}}, nil
}

// CohortOf reads which segment each member of an Audience stands for; nil when
// it was never allocated.
func (s *Service) CohortOf(ctx context.Context, a Audience) (*Cohort, error) {
	if a.Cohort == nil {
		return nil, nil
	}
	var c Cohort
	if err := s.getJSON(ctx, *a.Cohort, &c); err != nil {
		return nil, err
	}
	return &c, nil
}

// PutCohort keeps a cohort of an Audience of the workspace.
func (s *Service) PutCohort(ctx context.Context, workspace string, c Cohort) (*blobs.Ref, error) {
	ref, err := s.putJSON(ctx, workspace, c)
	return &ref, err
}

package study

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Roll is who a planned run asks: the ready members of the selected Audiences of a
// Study, each once, in the order of Audiences and members.
type Roll struct {
	Minds     []RollMind     `json:"minds"`
	Audiences []RollAudience `json:"audiences"`
}

// RollMind is one of them. KnowledgeOnly is its own saved policy (M-27).
type RollMind struct {
	ID            string `json:"id"`
	Name          string `json:"name"`
	KnowledgeOnly bool   `json:"knowledgeOnly,omitempty"`
}

// RollAudience is an Audience with the places of its members in Roll.Minds, and
// their weights where they do not all count alike (M-127).
type RollAudience struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Members []int     `json:"members"`
	Weights []float64 `json:"weights,omitempty"`
}

// Enrol gathers who a run of a Study asks. NO_RESPONDENTS without an Audience, for
// an id that is not attached, or when no Mind is left; PANEL_MINDS_NOT_READY when a
// member cannot answer yet (M-47).
func (s *Service) Enrol(ctx context.Context, studyID string, audienceIDs []string) (Roll, error) {
	row, err := s.load(ctx, studyID)
	if err != nil {
		return Roll{}, err
	}
	attached := make(map[string]bool, len(row.Audiences))
	for _, a := range row.Audiences {
		attached[a.ID] = true
	}
	only := unique(audienceIDs)
	for i, id := range only {
		if only[i] = canonical(id); !attached[only[i]] {
			return Roll{}, fault.New(fault.NoRespondents, "audienceIds[%d] is no Audience of this Study. Take the ids from the Study's audiences, or leave the field out to ask all.", i)
		}
	}
	who, _, err := s.panelOf(asOwner(ctx, row), row, AskRequest{AudienceIDs: only})
	if err != nil {
		return Roll{}, err
	}
	out := Roll{Minds: make([]RollMind, len(who.Minds)), Audiences: make([]RollAudience, len(who.Audiences))}
	for i, m := range who.Minds {
		out.Minds[i] = RollMind{ID: m.ID, Name: m.Name, KnowledgeOnly: m.KnowledgeOnly}
	}
	for i, a := range who.Audiences {
		out.Audiences[i] = RollAudience{ID: a.ID, Name: a.Name, Members: a.Members, Weights: a.Weights}
	}
	return out, nil
}

// Weights are those of all Minds, each once: as it counts in the first of the
// Audiences that it is in.
func (r Roll) Weights() []float64 {
	var p panel
	p.Minds = make([]panelMind, len(r.Minds))
	for _, a := range r.Audiences {
		p.Audiences = append(p.Audiences, panelAudience{Members: a.Members, Weights: a.Weights})
	}
	return p.weights()
}

// Visible refuses a Study that is not there for the caller, or not the caller's.
func (s *Service) Visible(ctx context.Context, studyID string) (id string, err error) {
	row, err := s.load(ctx, studyID)
	return row.ID, err
}

// Answerer gives who answers: the pinned revision of a connection and nobody else
// in its place (M-301), or the engine of the installation.
func (s *Service) Answerer(ctx context.Context, pinned *ModelConnection) (simulate.Respondents, error) {
	return s.by(ctx, pinned)
}

// Shown is a picture that was read once, before anybody was asked.
type Shown struct {
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Key  string    `json:"key,omitempty"` // names it among the assets (AssetKey)
	Ref  blobs.Ref `json:"ref"`
}

// Look reads the pictures of a run, once, and keeps them. STIMULUS_UNAVAILABLE or
// UNSAFE_URL for what cannot be shown (M-77).
func (s *Service) Look(ctx context.Context, assets []Asset) ([]Shown, error) {
	var out []Shown
	for at := 0; at < len(assets); at += stimuliAtOnce {
		part := assets[at:min(at+stimuliAtOnce, len(assets))]
		if err := s.stimuli(ctx, AskRequest{Attachments: part}); err != nil {
			return nil, err
		}
		found, err := s.look(ctx, workspace(ctx), part)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			out = append(out, Shown(f))
		}
	}
	return out, nil
}

// Show gives a question with its pictures, where who answers was seen to see.
func (s *Service) Show(ctx context.Context, by simulate.Respondents, q simulate.Question, pictures []Shown) (simulate.Question, error) {
	if len(pictures) == 0 {
		return q, nil
	}
	row := questionRow{Asked: q}
	row.Asked.StimulusKinds = []string{simulate.StimulusImage}
	for _, p := range pictures {
		row.Stimuli = append(row.Stimuli, stimulus{ID: p.ID, Name: p.Name, Ref: p.Ref})
	}
	return s.shown(ctx, by, row)
}

// Stands is the condition that a Study is there; it goes into the transaction that
// starts a run of it.
func Stands(workspace, study string) records.Action {
	return records.Check(studyKey(workspace, study), records.Exists())
}

// ErrNoStudy is what the refusal of Stands means.
func ErrNoStudy() error { return noStudy() }

package study

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// panelOf gives who is to be asked: the ready members of the selected
// Audiences, each once, in the order of Audiences and members; and the
// published questions within their reach. NO_RESPONDENTS, VALIDATION,
// PANEL_MINDS_NOT_READY when a member is not ready, or with ReadyOnly when none
// is (M-47).
func (s *Service) panelOf(ctx context.Context, row studyRow, r AskRequest) (panel, []*simulate.Evidence, error) {
	audiences, err := s.selected(ctx, row, r.AudienceIDs)
	if err != nil {
		return panel{}, nil, err
	}
	var ids []string
	for _, a := range audiences {
		ids = append(ids, a.MemberIDs...)
	}
	ids = unique(ids)
	for _, a := range audiences {
		if a.State == audience.Creating {
			return panel{}, nil, fault.New(fault.AudienceBuilding, "The Audience %q is still being made; nobody was asked. Wait until get_audience shows it ready, which takes seconds.", a.Name).
				With("audienceId", a.ID).With("state", a.State)
		}
	}
	if len(ids) == 0 {
		return panel{}, nil, fault.New(fault.NoRespondents, "The selected Audiences have no Minds. Ask an Audience that has members.")
	}
	minds, err := s.d.Minds.GetMany(ctx, ids)
	if err != nil {
		return panel{}, nil, err
	}
	if len(minds) == 0 {
		return panel{}, nil, fault.New(fault.NoRespondents, "None of the Minds of the selected Audiences exists any more. Make a new Study with Minds that do.")
	}
	who := assemble(audiences, minds)
	if len(who.Minds) == 0 || len(who.Minds) < len(minds) && !r.ReadyOnly {
		return panel{}, nil, notReady(audiences, minds)
	}
	if err := s.weigh(ctx, audiences, &who); err != nil {
		return panel{}, nil, err
	}
	known, err := s.knownTo(ctx, minds)
	return who, known, err
}

// weigh gives the members of a disproportionate cohort their weights (M-127).
func (s *Service) weigh(ctx context.Context, audiences []audience.Audience, who *panel) error {
	for i, a := range audiences {
		of, err := s.d.Audiences.Weights(ctx, a)
		if err != nil {
			return err
		}
		if of == nil {
			continue
		}
		in := &who.Audiences[i]
		in.Weights = make([]float64, len(in.Members))
		for k, at := range in.Members {
			in.Weights[k] = 1 // who joined by hand stands for itself
			if w, ok := of[who.Minds[at].ID]; ok && w > 0 {
				in.Weights[k] = w
			}
		}
	}
	return nil
}

// selected gives the Audiences to ask, in the Study's order.
func (s *Service) selected(ctx context.Context, row studyRow, only []string) ([]audience.Audience, error) {
	if len(row.Audiences) == 0 {
		return nil, fault.New(fault.NoRespondents, "This Study has no Audience. Make a Study with an Audience by create_study and ask there.")
	}
	attached := make(map[string]bool, len(row.Audiences))
	for _, a := range row.Audiences {
		attached[a.ID] = true
	}
	wanted := map[string]bool{}
	for i, id := range only {
		if !attached[id] {
			return nil, fault.New(fault.Validation, "audienceIds[%d] is no Audience of this Study. Take the ids from the Study's audiences, or leave the field out to ask all.", i)
		}
		wanted[id] = true
	}
	var ids []string
	for _, a := range row.Audiences {
		if len(only) == 0 || wanted[a.ID] {
			ids = append(ids, a.ID)
		}
	}
	found, err := s.d.Audiences.GetMany(ctx, ids)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fault.New(fault.NoRespondents, "The selected Audiences do not exist any more. Make a new Study with Audiences that do.")
	}
	return found, nil
}

// assemble places every ready Mind once and every Audience's members among them.
func assemble(audiences []audience.Audience, minds []mind.Mind) panel {
	byID := make(map[string]*mind.Mind, len(minds))
	for i := range minds {
		byID[minds[i].ID] = &minds[i]
	}
	var p panel
	place := make(map[string]int, len(minds))
	for _, a := range audiences {
		in := panelAudience{ID: a.ID, Name: a.Name, Members: make([]int, 0, len(a.MemberIDs))}
		for _, id := range a.MemberIDs {
			m := byID[id]
			switch {
			case m == nil: // deleted since: no longer a member
				continue
			case !m.ReadyToChat():
				in.NotReady++
				continue
			}
			at, ok := place[id]
			if !ok {
				at = len(p.Minds)
				place[id] = at
				p.Minds = append(p.Minds, panelMind{ID: m.ID, Name: m.Name, Discipline: m.Discipline,
					KnowledgeOnly: m.SourcePolicy == mind.PolicyKnowledgeOnly})
			}
			in.Members = append(in.Members, at)
		}
		p.Audiences = append(p.Audiences, in)
	}
	return p
}

// notReady refuses a question to Minds without a working prompt, naming them.
func notReady(audiences []audience.Audience, minds []mind.Mind) error {
	byID := make(map[string]mind.Mind, len(minds))
	for _, m := range minds {
		byID[m.ID] = m
	}
	var rows []map[string]any
	for _, a := range audiences {
		for _, id := range a.MemberIDs {
			if m, ok := byID[id]; ok && !m.ReadyToChat() {
				rows = append(rows, map[string]any{"mindId": m.ID, "name": m.Name, "audienceId": a.ID, "trainingStatus": m.Training.Status})
			}
		}
	}
	return fault.New(fault.PanelMindsNotReady,
		"%d of the %d Minds cannot answer yet; data.notReady names them. Wait until get_mind_status shows readyToChat (a manual Mind needs its prompt generated), or ask Audiences without them.", len(rows), len(minds)).
		With("notReady", rows)
}

// knownTo gives the published questions that the ready Minds know. Minds share
// files: one Mind for each file is enough to know them all.
func (s *Service) knownTo(ctx context.Context, minds []mind.Mind) ([]*simulate.Evidence, error) {
	seen := map[string]bool{}
	var ids []string
	for _, m := range minds {
		if !m.ReadyToChat() {
			continue
		}
		fresh := false
		for _, ref := range m.Knowledge {
			if !seen[ref.Digest] {
				seen[ref.Digest], fresh = true, true
			}
		}
		if e := m.Evidence; e != nil && !seen[e.SHA256] {
			seen[e.SHA256], fresh = true, true
		}
		if fresh {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	respondents, err := s.d.Minds.Respondents(ctx, ids)
	if err != nil {
		return nil, err
	}
	var known []*simulate.Evidence
	have := map[string]bool{}
	for _, r := range respondents {
		for _, e := range r.Evidence {
			if !have[e.Digest] {
				have[e.Digest] = true
				known = append(known, e)
			}
		}
	}
	return known, nil
}

// model gives who is to answer. A connection goes without model and provider, and
// those alone choose nothing here.
func (s *Service) model(ctx context.Context, r AskRequest) (simulate.Respondents, error) {
	switch named := r.Model != "" || r.Provider != ""; {
	case named && r.ModelConnection != nil:
		return nil, fault.New(fault.Validation, "modelConnection goes without model and provider; leave those out.").With("field", "modelConnection")
	case named:
		return nil, fault.New(fault.FeatureDisabled, "No model of a provider is connected here. Leave model and provider out, or name a verified modelConnection.")
	}
	return s.by(ctx, r.ModelConnection)
}

func (s *Service) address(ctx context.Context, field string, i int, url string) error {
	if url == "" {
		return nil
	}
	if s.d.Guard == nil {
		return fault.New(fault.UnsafeURL, "%s[%d].url cannot be checked here, so it is refused.", field, i)
	}
	return s.d.Guard.CheckAddress(ctx, url)
}

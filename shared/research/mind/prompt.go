package mind

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// minPrompt is the shortest prompt, in characters, that a Mind can work with (M-24).
const minPrompt = 50

// Bounds of what a prompt quotes from the knowledge, in characters. The whole
// knowledge is searched at every question; the prompt only names it.
const (
	maxExtract  = 300
	maxExtracts = 5
	maxSources  = 40
)

// errTooLittle refuses a prompt that says next to nothing (M-24).
var errTooLittle = errors.New("mind: prompt shorter than 50 characters")

// promptOf writes the system prompt from what the Mind was given; the same Mind
// and knowledge give the same text. A Mind that has nothing but its name gets a
// prompt that says so: it can be asked, and its answers are unsupported.
func promptOf(m Mind, known Known) (string, error) {
	var facts strings.Builder
	line := func(label, text string) {
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(&facts, "%s: %s\n", label, text)
		}
	}
	line("Field", m.Discipline)
	line("About", m.Description)
	line("Topics", strings.Join(m.Keywords, ", "))
	if m.Mode == ModeLink {
		line("Modelled on the page (not read)", m.ContextLink)
	}
	if persona := strings.TrimSpace(m.PersonaContext); persona != "" {
		facts.WriteString("Profile:\n" + persona + "\n")
	}
	knowledgeOf(&facts, m.Knowledge, known)
	if facts.Len() == 0 {
		facts.WriteString("Nothing but the name is recorded.\n")
	}
	prompt := fmt.Sprintf("You are %s, a synthetic %s. You answer in the first person, as this profile would.\n%s%s",
		m.Name, archetype(m.Type), facts.String(), rules(m.SourcePolicy))
	if utf8.RuneCountInString(prompt) < minPrompt {
		return "", errTooLittle
	}
	return prompt, nil
}

// knowledgeOf names the sources, the published questions and the beginnings of
// the first passages.
func knowledgeOf(b *strings.Builder, refs []KnowledgeRef, known Known) {
	if len(refs) == 0 {
		return
	}
	b.WriteString("Knowledge:\n")
	for i, r := range refs {
		if i == maxSources {
			fmt.Fprintf(b, "- and %d more\n", len(refs)-i)
			break
		}
		fmt.Fprintf(b, "- %s\n", r.Name)
	}
	for i, e := range known.Evidence {
		if i == maxSources {
			break
		}
		fmt.Fprintf(b, "- published answers to: %s\n", cut(e.Question, maxExtract))
	}
	for i, p := range known.Passages {
		if i == maxExtracts {
			break
		}
		fmt.Fprintf(b, "- from the knowledge: %s\n", cut(p.Text, maxExtract))
	}
}

func archetype(kind string) string {
	switch kind {
	case "creative":
		return "creative"
	case "user":
		return "consumer"
	}
	return "expert"
}

func rules(policy string) string {
	s := "Say so when nothing you were given supports an answer; do not invent facts, figures or a life story."
	if policy == PolicyKnowledgeOnly {
		s += " Use nothing but the knowledge above."
	}
	return s
}

func cut(s string, limit int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= limit {
		return string(r)
	}
	return string(r[:limit]) + "…"
}

// RegeneratePrompt writes the system prompt anew from the profile and the
// knowledge, and makes the Mind ready. An override that is not blank becomes the
// Mind's persona context, so that its answers and its prompt speak of the same
// person. PROMPT_GENERATION_FAILED when there is too little to write from;
// RETRAIN_IN_FLIGHT while a training runs.
func (s *Service) RegeneratePrompt(ctx context.Context, id, personaContextOverride string) (Prompted, error) {
	if err := checkLength("personaContextOverride", personaContextOverride, maxPersona); err != nil {
		return Prompted{}, err
	}
	m, err := s.Change(ctx, id, func(m *Mind) error {
		if m.Training.Status == Queued || m.Training.Status == Running {
			return fault.New(fault.RetrainInFlight, "This Mind is being trained. Wait until get_mind_status shows completed or failed, then regenerate its prompt.").
				With("trainingStatus", m.Training.Status)
		}
		if strings.TrimSpace(personaContextOverride) != "" && personaContextOverride != m.PersonaContext {
			m.PersonaContext = personaContextOverride
			m.KnowledgeVersion++ // answers are drawn from the profile
		}
		known, err := s.d.Library.Load(ctx, m.Workspace, m.Knowledge)
		if err != nil {
			return err
		}
		return s.Reprompt(m, known)
	}, nil)
	if err != nil {
		return Prompted{}, err
	}
	return Prompted{ID: m.ID, Name: m.Name, SystemPrompt: m.SystemPrompt, PromptLength: utf8.RuneCountInString(m.SystemPrompt)}, nil
}

// Reprompt writes the prompt of a Mind that is being changed, from its profile
// and this knowledge.
func (s *Service) Reprompt(m *Mind, known Known) error {
	prompt, err := promptOf(*m, known)
	if err != nil {
		return fault.New(fault.PromptGenerationFailed,
			"There is too little to write a prompt from. Add knowledge, or send personaContextOverride, and try again.").Because(err)
	}
	m.install(prompt)
	now := s.d.Clock.Now()
	if m.Training.StartedAt.IsZero() {
		m.Training.StartedAt = now
	}
	m.Training.CompletedAt = now
	m.Training.Message = trainedOn(*m)
	return nil
}

// respondent is the Mind as the engine needs it.
func (m Mind) respondent(known Known) simulate.Respondent {
	profile := simulate.ParseProfile(m.PersonaContext)
	passages := known.Passages
	if own := simulate.PersonaPassages(profile, m.Description); len(own) > 0 {
		passages = append(own, passages...) // a copy: what is known is shared
	}
	return simulate.Respondent{
		ID: m.ID, Name: m.Name, Slot: m.Slot, Profile: profile,
		Passages: passages, Evidence: known.Evidence,
		SystemPrompt: m.SystemPrompt, Recall: known.Recall,
	}
}

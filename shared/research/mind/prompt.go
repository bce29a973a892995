package mind

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
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
	maxPatterns = 20
)

// errTooLittle refuses a prompt that says next to nothing (M-24).
var errTooLittle = errors.New("mind: too little to write a prompt from")

// written is Write for a Mind of which more is recorded than its name: from a name
// alone neither rules nor a model can write a prompt that says anything.
func (s *Service) written(ctx context.Context, m Mind) (Written, error) {
	if m.bare() {
		return Written{}, errTooLittle
	}
	return s.Write(ctx, m)
}

// bare reports that a Mind made by hand was given nothing yet. The other modes
// bring their source along.
func (m Mind) bare() bool {
	return m.Mode == ModeManual && m.Identity == nil && len(m.Knowledge) == 0 && len(m.Keywords) == 0 &&
		strings.TrimSpace(m.Description+m.Discipline+m.PersonaContext) == ""
}

// promptOf writes the system prompt from what the Mind was given, by rules; the
// same Mind and knowledge give the same text.
func promptOf(m Mind, known Known, patterns []Pattern) (string, error) {
	prompt := assemble(m, m.Identity.Hold(factsOf(m, known, patterns)))
	if utf8.RuneCountInString(prompt) < minPrompt {
		return "", errTooLittle
	}
	return prompt, nil
}

// factsOf is all that a prompt can be written from, a line a fact.
func factsOf(m Mind, known Known, patterns []Pattern) string {
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
		line("Modelled on the page", m.ContextLink)
	}
	if persona := strings.TrimSpace(m.PersonaContext); persona != "" {
		facts.WriteString("Profile:\n" + persona + "\n")
	}
	knowledgeOf(&facts, m.Knowledge, known)
	patternsOf(&facts, patterns)
	if facts.Len() == 0 { // of a member of a cohort, whose identity stands above
		facts.WriteString("Nothing but the name is recorded.\n")
	}
	return facts.String()
}

// patternsOf says what the sources say, each aspect with its quotes.
func patternsOf(b *strings.Builder, patterns []Pattern) {
	for i, p := range patterns {
		if i == 0 {
			b.WriteString("What the sources show, in their own words:\n")
		}
		if i == maxPatterns {
			break
		}
		aspect := p.Aspect
		if p.SubAspect != "" {
			aspect += " (" + p.SubAspect + ")"
		}
		fmt.Fprintf(b, "- %s: %s\n", aspect, cut(p.Quote, maxExtract))
	}
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
// person; of a member of a cohort it changes no age, gender or representation
// (M-26). PROMPT_GENERATION_FAILED when there is too little to write from, or the
// model that writes prompts here fails: the old prompt stays. RETRAIN_IN_FLIGHT
// while a training runs.
func (s *Service) RegeneratePrompt(ctx context.Context, id, personaContextOverride string) (Prompted, error) {
	if err := checkLength("personaContextOverride", personaContextOverride, maxPersona); err != nil {
		return Prompted{}, err
	}
	override := strings.TrimSpace(personaContextOverride) != ""
	free := func(m Mind) error {
		if m.InTraining() {
			return fault.New(fault.RetrainInFlight, "This Mind is being trained. Wait until get_mind_status shows completed or failed, then regenerate its prompt.").
				With("trainingStatus", m.Training.Status)
		}
		return nil
	}
	// The prompt is written outside the transaction, since a model takes its
	// time, and counts only for the Mind that it was written from.
	for range rewrites {
		m, err := s.Get(ctx, id)
		if err != nil {
			return Prompted{}, err
		}
		if err := free(m); err != nil {
			return Prompted{}, err
		}
		from := m.material()
		if override {
			m.PersonaContext = m.Identity.Hold(personaContextOverride)
		}
		w, err := s.written(ctx, m)
		if err != nil {
			return Prompted{}, noPrompt(err)
		}
		persona := m.PersonaContext
		m, err = s.Change(ctx, id, func(m *Mind) error {
			if err := free(*m); err != nil {
				return err
			}
			if m.material() != from {
				return errStale
			}
			if persona != m.PersonaContext {
				m.PersonaContext = persona
				m.KnowledgeVersion++ // answers are drawn from the profile
			}
			s.complete(m, w)
			return nil
		}, nil)
		if errors.Is(err, errStale) {
			continue
		}
		if err != nil {
			return Prompted{}, err
		}
		return Prompted{ID: m.ID, Name: m.Name, SystemPrompt: m.SystemPrompt, PromptLength: utf8.RuneCountInString(m.SystemPrompt)}, nil
	}
	return Prompted{}, records.ErrConflict
}

// rewrites bounds how often a prompt is written anew because the Mind changed
// under it.
const rewrites = 4

// errStale says that the Mind is no longer what a prompt was written from.
var errStale = errors.New("mind: the Mind changed while its prompt was written")

// material names all that a prompt is written from; two Minds with the same have
// the same prompt.
func (m Mind) material() string {
	raw, _ := json.Marshal([]any{m.Name, m.Type, m.Discipline, m.Description, m.Keywords, m.PersonaContext, m.ContextLink,
		m.SourcePolicy, m.KnowledgeVersion, m.Identity, m.Pending})
	return string(raw)
}

func noPrompt(err error) error {
	switch {
	case errors.Is(err, errTooLittle):
		return fault.New(fault.PromptGenerationFailed,
			"There is too little to write a prompt from: nothing but the name is recorded. Add knowledge, a description or a discipline, or send personaContextOverride, and try again.").Because(err)
	case errors.Is(err, errNoModel):
		return fault.New(fault.PromptGenerationFailed,
			"The language model that writes prompts failed or gave nothing usable; the Mind keeps the prompt it has. Try again later.").Because(err)
	}
	return err
}

// complete installs a prompt outside a training.
func (s *Service) complete(m *Mind, w Written) {
	m.install(w.Prompt)
	now := s.d.Clock.Now()
	if m.Training.StartedAt.IsZero() {
		m.Training.StartedAt = now
	}
	m.Training.CompletedAt = now
	m.Training.Message = strings.TrimSpace(trainedOn(*m) + " " + w.Note)
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

package mind

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// maxPrompt bounds a system prompt that an owner writes, in characters.
const maxPrompt = 200_000

// maxPromptBytes keeps the record of a Mind below the store's ceiling, whatever
// the script that the prompt is written in.
const maxPromptBytes = 250_000

// Patch changes what is not nil. SystemPrompt is kept verbatim; an empty
// Discipline clears the field; Tags replace those there are.
type Patch struct {
	Name            *string
	Description     *string
	Type            *string // REST only; one that is not known becomes creative
	Discipline      *string
	SystemPrompt    *string
	SourcePolicy    *string
	Tags            *[]string
	LinkSharing     *bool
	ProfileImageURL *string // REST only; empty takes the given picture away
}

// problem is one field of a request that does not fit.
type problem struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// checked trims a patch and gathers everything that is wrong with it, so that a
// caller mends it in one go.
func (s *Service) checked(p Patch) (Patch, error) {
	if p == (Patch{}) {
		return p, fault.New(fault.Validation, "There is nothing to change: send at least one of name, description, discipline, systemPrompt, sourcePolicy, tags and isLinkSharingEnabled.")
	}
	var problems []problem
	var unsafe *fault.Error
	bad := func(field string, err error) {
		if f := fault.From(err); err != nil {
			problems = append(problems, problem{"/" + field, f.Message})
			if f.Code != fault.Validation {
				unsafe = f
			}
		}
	}
	text := func(field string, of **string, limit int) {
		if *of == nil {
			return
		}
		trimmed := strings.TrimSpace(**of)
		bad(field, checkLength(field, trimmed, limit))
		*of = &trimmed
	}
	if p.Name != nil {
		name, err := CheckName(*p.Name)
		bad("name", err)
		p.Name = &name
	}
	text("description", &p.Description, maxDescription)
	text("discipline", &p.Discipline, maxDiscipline)
	if p.Type != nil && !slices.Contains([]string{"creative", "expert", "user"}, *p.Type) {
		creative := "creative"
		p.Type = &creative
	}
	if p.SystemPrompt != nil {
		switch n := utf8.RuneCountInString(*p.SystemPrompt); {
		case strings.TrimSpace(*p.SystemPrompt) == "":
			bad("systemPrompt", invalid("systemPrompt", "systemPrompt is blank. Send the whole prompt, or use regenerate_prompt to have one written."))
		case n > maxPrompt:
			bad("systemPrompt", invalid("systemPrompt", "systemPrompt has %d characters; at most %d are taken.", n, maxPrompt))
		case len(*p.SystemPrompt) > maxPromptBytes:
			bad("systemPrompt", invalid("systemPrompt", "systemPrompt takes %d bytes; at most %d are taken. Give what the Mind should know as knowledge instead.", len(*p.SystemPrompt), maxPromptBytes))
		}
	}
	if p.SourcePolicy != nil && !slices.Contains([]string{PolicyAuto, PolicyKnowledgeOnly}, *p.SourcePolicy) {
		bad("sourcePolicy", invalid("sourcePolicy", "sourcePolicy is %q; it must be auto or knowledge_only.", clip(*p.SourcePolicy)))
	}
	if p.Tags != nil {
		tags, err := checkTags(*p.Tags)
		bad("tags", err)
		p.Tags = &tags
	}
	if p.ProfileImageURL != nil {
		url := strings.TrimSpace(*p.ProfileImageURL)
		if url != "" {
			bad("profileImageUrl", lookup.About("profileImageUrl", s.d.Guard.CheckAddress(url, fetch.Asset)))
		}
		p.ProfileImageURL = &url
	}
	if len(problems) == 0 {
		return p, nil
	}
	texts := make([]string, len(problems))
	for i, x := range problems {
		texts[i] = x.Message
	}
	f := fault.New(fault.Validation, "%s", strings.Join(texts, " "))
	if unsafe != nil && len(problems) == 1 {
		f = unsafe
	}
	return p, f.With("field", problems[0].Path[1:]).With("path", problems[0].Path).With("problems", problems)
}

// Update changes a Mind. VALIDATION names every field that does not fit;
// UNSAFE_URL for a picture's address.
func (s *Service) Update(ctx context.Context, id string, p Patch) (Mind, error) {
	if _, err := s.Get(ctx, id); err != nil {
		return Mind{}, err // whether there is such a Mind comes before what is wrong with the body
	}
	p, err := s.checked(p)
	if err != nil {
		return Mind{}, err
	}
	share := "" // made by this call
	return s.Change(ctx, id, func(m *Mind) error {
		share = ""
		before := m.material()
		set(&m.Name, p.Name)
		set(&m.Description, p.Description)
		set(&m.Type, p.Type)
		set(&m.Discipline, p.Discipline)
		set(&m.SourcePolicy, p.SourcePolicy)
		set(&m.ProfileImageURL, p.ProfileImageURL)
		if p.Tags != nil {
			m.Tags = *p.Tags
		}
		if p.LinkSharing != nil {
			if *p.LinkSharing && !m.LinkSharing {
				// A link that was taken back stays dead: a new one is made (M-4).
				share = s.d.IDs.NewID()
				m.PublicShareID = share
			}
			m.LinkSharing = *p.LinkSharing
		}
		if m.material() != before {
			m.KnowledgeVersion++ // answers are drawn from these (M-344)
		}
		if p.SystemPrompt != nil && *p.SystemPrompt != m.SystemPrompt {
			m.KnowledgeVersion++
			s.own(m, *p.SystemPrompt)
		}
		return nil
	}, func(m Mind) ([]records.Action, error) {
		if share == "" {
			return nil, nil
		}
		return []records.Action{shareRow(m)}, nil
	})
}

// own installs a prompt that the owner wrote. While a training runs, it stands
// and the training keeps it.
func (s *Service) own(m *Mind, prompt string) {
	if m.InTraining() {
		m.SystemPrompt, m.OwnPrompt = prompt, true
		m.PromptVersion++
		m.Training.KeepPrompt = true
		return
	}
	m.install(prompt)
	m.OwnPrompt = true
	now := s.d.Clock.Now()
	if m.Training.StartedAt.IsZero() {
		m.Training.StartedAt = now
	}
	m.Training.CompletedAt = now
	m.Training.Message = "Its owner wrote the prompt."
}

func set(to *string, from *string) {
	if from != nil {
		*to = *from
	}
}

// shareRow is what a link finds its Mind by.
func shareRow(m Mind) records.Action {
	body, _ := json.Marshal(sharedMind{Workspace: m.Workspace, Mind: m.ID})
	return records.PutItem(records.Item{Key: shareKey(m.PublicShareID), Body: body}, records.NotExists())
}

// sharedMind is the row behind a share id.
type sharedMind struct {
	Workspace string `json:"workspace"`
	Mind      string `json:"mind"`
}

// Public is a Mind as a link shows it: no prompt, nothing of its owner.
type Public struct {
	ID              string   `json:"id"`
	Name            string   `json:"name"`
	Description     string   `json:"description"`
	Type            string   `json:"type"`
	Discipline      *string  `json:"discipline"`
	Tags            []string `json:"tags"`
	ProfileImageURL *string  `json:"profileImageUrl"`
	ProfileImageAlt *string  `json:"profileImageAlt"`
	ReadyToChat     bool     `json:"readyToChat"`
	CreatedAt       string   `json:"createdAt"` // RFC 3339, UTC, milliseconds
	UpdatedAt       string   `json:"updatedAt"`
}

// Shared reads a link-shared Mind without a credential. NOT_FOUND once sharing
// is off, whatever share id was left behind (M-4).
func (s *Service) Shared(ctx context.Context, shareID string) (Public, error) {
	m, err := s.behind(ctx, shareID)
	if err != nil {
		return Public{}, err
	}
	sum := s.Summary(m)
	out := Public{
		ID: sum.ID, Name: sum.Name, Description: sum.Description, Type: sum.Type, Discipline: sum.Discipline, Tags: sum.Tags,
		ProfileImageURL: sum.ProfileImageURL, ProfileImageAlt: m.alt(), ReadyToChat: sum.ReadyToChat, CreatedAt: sum.CreatedAt, UpdatedAt: sum.UpdatedAt,
	}
	if m.ProfileImageURL == "" && m.Portrait != nil {
		url := fmt.Sprintf("%s&share=%s", s.portraitURL(m.ID, *m.Portrait), m.PublicShareID)
		out.ProfileImageURL = &url
	}
	return out, nil
}

// Behind reads a Mind that a share id shows, without a credential: what of it may
// be shown is for the caller to choose. NOT_FOUND for another Mind's share id, and
// once sharing is off.
func (s *Service) Behind(ctx context.Context, id, shareID string) (Mind, error) {
	m, err := s.behind(ctx, shareID)
	if err == nil && m.ID != strings.ToLower(id) {
		return Mind{}, notShared()
	}
	return m, err
}

func notShared() *fault.Error {
	return fault.New(fault.NotFound, "Nothing is shared under this link.")
}

// behind reads the Mind that a share id shows.
func (s *Service) behind(ctx context.Context, shareID string) (Mind, error) {
	shareID = strings.ToLower(strings.TrimSpace(shareID))
	none := notShared()
	it, err := s.d.Records.Get(ctx, shareKey(shareID))
	if isGone(err) {
		return Mind{}, none
	}
	if err != nil {
		return Mind{}, err
	}
	var of sharedMind
	if err := json.Unmarshal(it.Body, &of); err != nil {
		return Mind{}, err
	}
	it, err = s.d.Records.Get(ctx, recordKey(of.Workspace, of.Mind))
	if isGone(err) {
		return Mind{}, none
	}
	if err != nil {
		return Mind{}, err
	}
	m, err := decode(it)
	if err != nil {
		return Mind{}, err
	}
	if !m.LinkSharing || m.PublicShareID != shareID {
		return Mind{}, none
	}
	return m, nil
}

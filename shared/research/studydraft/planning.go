package studydraft

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"

	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// Planning is the closed set of inputs that a tool saves: the state of the planner
// in its Custom mode. What is empty is not planned yet.
type Planning struct {
	Objective   string
	Notes       string
	Website     string
	AudienceIDs []string
	MethodID    string
	Questions   []string
	SourceURLs  []string
}

// Over puts the inputs into the state of a payload; members of the state that are
// none of them stay. A nil payload is an empty one.
func (p Planning) Over(payload json.RawMessage) (json.RawMessage, error) {
	var now struct {
		State map[string]json.RawMessage `json:"state"`
	}
	if payload != nil {
		if err := json.Unmarshal(payload, &now); err != nil {
			return nil, fmt.Errorf("studydraft: a stored payload: %w", err)
		}
	}
	ids := make([]string, len(p.AudienceIDs))
	for i, raw := range p.AudienceIDs {
		id, err := lookup.ID(fmt.Sprintf("audienceIds[%d]", i), raw)
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	for i, link := range append([]string{p.Website}, p.SourceURLs...) {
		field := "website"
		if i > 0 {
			field = fmt.Sprintf("sourceUrls[%d]", i-1)
		}
		if u, err := url.Parse(link); link != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
			return nil, invalid(field, "%s must be an address of the web, such as https://example.com/page.", field)
		}
	}
	state := make(map[string]any, len(now.State))
	for name, v := range maps.All(now.State) {
		state[name] = v
	}
	for name, v := range map[string]any{
		"objective": p.Objective, "notes": p.Notes, "website": p.Website, "methodId": p.MethodID,
		"audienceIds": ids, "questions": orEmpty(p.Questions), "sourceUrls": orEmpty(p.SourceURLs),
	} {
		state[name] = v
	}
	return json.Marshal(map[string]any{"version": 1, "state": state})
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

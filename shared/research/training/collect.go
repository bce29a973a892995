package training

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// maxQueries is how many topics a training looks up (section 23: knowledge
// keywords; extras are dropped, and the message says so).
const maxQueries = 15

// Collected is what a training has to do.
type Collected struct {
	Items   []string `json:"items"`   // knowledge items to read, never nil
	Rebuild bool     `json:"rebuild"` // every vector is to be made anew
}

// Collect is the first step: it finds the sources and makes the items to read.
// What was left out is noted in words. The first result stands.
func (s *Service) Collect(ctx context.Context, mindID, jobID string) (Collected, error) {
	none := Collected{Items: []string{}}
	m, mine, err := s.d.Minds.Begin(ctx, mindID, jobID)
	if err != nil || !mine {
		return none, err
	}
	if !m.Training.Collected {
		found, err := s.find(ctx, m)
		if fault.Is(err, fault.NotFound) {
			return none, nil // deleted in the middle
		}
		if err != nil {
			return none, err
		}
		if m, err = s.d.Minds.Gathered(ctx, mindID, jobID, found); err != nil {
			return none, err
		}
	}
	if !m.Owns(jobID) {
		return none, nil
	}
	out := Collected{
		Items:   append([]string{}, m.Training.Items...),
		Rebuild: m.Training.Kind != mind.FirstTraining && len(m.Knowledge) > 0,
	}
	return out, nil
}

// find collects by the mode of the Mind.
func (s *Service) find(ctx context.Context, m mind.Mind) (mind.Found, error) {
	if p := m.Pending; p != nil && p.Keywords != nil {
		m.Keywords = *p.Keywords
	}
	var found mind.Found
	var sources []knowledge.Source
	if m.ContextLink != "" {
		sources = append(sources, knowledge.Source{Link: m.ContextLink})
	}
	if m.Mode != mind.ModeManual {
		searched, notes, err := s.research(ctx, m)
		if err != nil {
			return found, err
		}
		sources, found.Notes = append(sources, searched...), notes
	}
	if len(sources) == 0 {
		return found, nil
	}
	items, err := s.d.Knowledge.Gather(ctx, m.ID, sources)
	if err != nil {
		return found, err
	}
	found.Items = items
	if m.Mode == mind.ModeLink && len(items) > 0 {
		found.Required = items[0]
	}
	return found, nil
}

// research looks topics up on the web, if that is wanted and there is an engine.
func (s *Service) research(ctx context.Context, m mind.Mind) (found []knowledge.Source, notes []string, err error) {
	queries := queriesOf(m)
	switch {
	case m.Mode == mind.ModeLink && len(queries) == 0:
		return nil, nil, nil // the page is the source
	case !m.IncludeWebSearch:
		return nil, []string{"Web research was left out, as asked."}, nil
	case !s.d.Searches && m.Mode == mind.ModeKeywords:
		return nil, []string{"The topics were not researched: no search provider is set up."}, nil
	case !s.d.Searches:
		return nil, []string{"Nothing was researched on the web: no search provider is set up."}, nil
	case len(queries) == 0:
		return nil, []string{"Nothing was researched on the web: the profile names no field and no topic."}, nil
	}
	if n := len(queries); n > maxQueries {
		queries = queries[:maxQueries]
		notes = append(notes, fmt.Sprintf("The first %d of %d topics were researched.", maxQueries, n))
	}
	bounded, cancel := context.WithTimeout(ctx, s.d.ResearchTime)
	defer cancel()
	found, said, err := s.search(bounded, queries)
	switch {
	case err != nil && ctx.Err() == nil && bounded.Err() != nil:
		s.d.Log.WarnContext(ctx, "web research took too long", "workspace", m.Workspace, "mind", m.ID, "error", err)
		return nil, append(notes, "Nothing was researched on the web: the search provider did not answer in time."), nil
	case err != nil && ctx.Err() == nil:
		// Research makes a Mind better; without it the Mind is still one.
		s.d.Log.WarnContext(ctx, "web research failed", "workspace", m.Workspace, "mind", m.ID, "error", err)
		return nil, append(notes, "Nothing was researched on the web: the search provider could not be reached."), nil
	}
	return found, append(notes, said...), err
}

// search asks again when the engine is busy.
func (s *Service) search(ctx context.Context, queries []string) (found []knowledge.Source, notes []string, err error) {
	for wait := time.Second; ; wait *= 2 {
		found, notes, err = s.d.Knowledge.Search(ctx, queries)
		if err == nil || wait > searchPatience {
			return found, notes, err
		}
		if err := s.d.Clock.Sleep(ctx, wait); err != nil {
			return nil, nil, err
		}
	}
}

// searchPatience is the longest pause before a search is given up.
const searchPatience = 4 * time.Second

// queriesOf are what a search engine is asked: the topics; for a real person its
// name, for another profile its field. A synthetic persona's name is nobody's.
func queriesOf(m mind.Mind) []string {
	queries := append([]string{}, m.Keywords...)
	switch {
	case m.Mode == mind.ModeClone && m.IsRealPerson:
		queries = append([]string{strings.TrimSpace(m.Name + " " + m.Discipline)}, queries...)
	case m.Mode == mind.ModeClone && len(queries) == 0 && m.Discipline != "":
		queries = append(queries, m.Discipline)
	}
	return queries
}

// Ingest reads one item of the collection. A source that cannot be read ends its
// item, not the training. done is false when the time was not enough: call
// again, and it goes on.
func (s *Service) Ingest(ctx context.Context, mindID, jobID, itemID string, index, of int) (done bool, err error) {
	_, mine, err := s.d.Minds.Owned(ctx, mindID, jobID)
	if err != nil || !mine {
		return true, err
	}
	if err := s.d.Minds.Progress(ctx, mindID, jobID, index+1, fmt.Sprintf("Reading source %d of %d.", index+1, of)); err != nil {
		return false, err
	}
	err = s.d.Knowledge.IngestNow(ctx, mindID, itemID, jobID)
	switch {
	case errors.Is(err, knowledge.ErrUnfinished):
		return false, nil
	case fault.Is(err, fault.NotFound):
		return true, nil // deleted in the middle
	}
	return err == nil, err
}

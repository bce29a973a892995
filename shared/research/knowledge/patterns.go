package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/pattern"
)

// Pattern is one thing that a Mind's sources say of it or of its subject, with
// the words that say it.
type Pattern struct {
	ID        int64   `json:"id"`
	Aspect    string  `json:"aspect"`
	SubAspect *string `json:"subAspect"`
	Mind      string  `json:"mind"`  // the Mind's id
	Quote     string  `json:"quote"` // as it stands in the source
	ItemID    *string `json:"portfolioItemId"`
	Where     string  `json:"where,omitempty"` // in the source, such as "page 3"
	CreatedAt string  `json:"createdAt"`       // RFC 3339, UTC, milliseconds
}

// Grouped are the patterns of a Mind by framework, aspect and sub-aspect.
type Grouped struct {
	MindID     string              `json:"mindId"`
	MindName   string              `json:"mindName"`
	Total      int                 `json:"totalPatterns"`
	Frameworks []pattern.Framework `json:"frameworks"`
}

// maxPatterns bounds the patterns of one item: the most telling ones.
const maxPatterns = 60

// patternRow holds the patterns of one item. Ids count through a Mind and are
// never given twice.
type patternRow struct {
	ItemID    string            `json:"itemId"`
	First     int64             `json:"first"` // id of the first
	Patterns  []pattern.Pattern `json:"patterns"`
	CreatedAt time.Time         `json:"createdAt"`
}

// count is the row "next" of a Mind.
type count struct {
	Next  int64 `json:"next"` // id of the next pattern
	Total int   `json:"total"`
}

// patternsOf finds the patterns of a content, once for all Minds that know it.
func (s *Service) patternsOf(ctx context.Context, m making, of meta) ([]pattern.Pattern, error) {
	it, err := s.d.Records.Get(ctx, m.key("patterns"))
	if err == nil {
		var found []pattern.Pattern
		err = json.Unmarshal(it.Body, &found)
		return found, err
	}
	if !errors.Is(err, records.ErrNotFound) {
		return nil, err
	}
	all, err := readPassages(ctx, s.d.Records, m)
	if err != nil {
		return nil, err
	}
	texts := make([]pattern.Text, len(all))
	for i, p := range all {
		texts[i] = pattern.Text{Text: p.Text, Where: p.Where, Heading: p.Heading}
	}
	found, err := s.findPatterns(ctx, texts)
	if err != nil {
		return nil, err
	}
	if of.Distributions > 0 {
		known, err := readEvidence(ctx, s.d.Records, m)
		if err != nil {
			return nil, err
		}
		found = append(found, pattern.FromDistribution(known.Question, known.Source))
	}
	if err := s.putMade(ctx, m, m.key("patterns"), found); err != nil {
		return nil, err
	}
	return found, nil
}

// findPatterns asks the platform's model when there is one; when that fails, the
// rules do it, which need nobody.
func (s *Service) findPatterns(ctx context.Context, texts []pattern.Text) ([]pattern.Pattern, error) {
	if s.d.Model != nil && len(texts) > 0 {
		found, err := pattern.ByModel(ctx, s.d.Model, texts, maxPatterns)
		if err == nil {
			return found, nil
		}
		if ctx.Err() != nil {
			return nil, err
		}
		s.d.Log.WarnContext(ctx, "patterns were found by rules: the model gave none", "error", err)
	}
	return pattern.Find(texts, maxPatterns), nil
}

// putPatterns are the actions that give a Mind the patterns of an item in place
// of those it had by it. They belong into a transaction that changes the Mind's
// record, which keeps them in order.
func (s *Service) putPatterns(ctx context.Context, r row, found []pattern.Pattern) ([]records.Action, error) {
	c, old, err := s.counted(ctx, r)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 && old == 0 {
		return nil, nil
	}
	p := patternRow{ItemID: r.ID, First: max(c.Next, 1), Patterns: found, CreatedAt: s.d.Clock.Now()}
	c.Next, c.Total = p.First+int64(len(found)), max(c.Total-old+len(found), 0)
	next, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	actions := []records.Action{records.PutItem(records.Item{Key: nextKey(r.Workspace, r.MindID), Body: next})}
	if len(found) == 0 {
		return append(actions, records.DeleteItem(patternsKey(r))), nil
	}
	body, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return append(actions, records.PutItem(records.Item{Key: patternsKey(r), Body: body})), nil
}

// counted reads how many patterns a Mind has, and how many of them by this item.
func (s *Service) counted(ctx context.Context, r row) (c count, byItem int, err error) {
	items, err := s.d.Records.BatchGet(ctx, []records.Key{nextKey(r.Workspace, r.MindID), patternsKey(r)})
	if err != nil {
		return c, 0, err
	}
	for _, it := range items {
		if it.SK == "next" {
			if err := json.Unmarshal(it.Body, &c); err != nil {
				return c, 0, err
			}
			continue
		}
		var p patternRow
		if err := json.Unmarshal(it.Body, &p); err != nil {
			return c, 0, err
		}
		byItem = len(p.Patterns)
	}
	return c, byItem, nil
}

// eachPatternRow gives the patterns of a Mind item by item, newest first.
func (s *Service) eachPatternRow(ctx context.Context, workspace, mindID string, do func(patternRow) error) error {
	q := records.Query{PK: patternsPK(workspace, mindID), Prefix: patternPrefix}
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return err
		}
		for _, it := range page.Items {
			var p patternRow
			if err := json.Unmarshal(it.Body, &p); err != nil {
				return err
			}
			if err := do(p); err != nil {
				return err
			}
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return nil
		}
	}
}

// Patterns pages through the patterns of a Mind, newest first, with the total.
func (s *Service) Patterns(ctx context.Context, mindID string, limit, offset int) ([]Pattern, int, error) {
	m, err := s.d.Minds.Get(ctx, mindID)
	if err != nil {
		return nil, 0, err
	}
	out := []Pattern{}
	total := 0
	err = s.eachPatternRow(ctx, m.Workspace, m.ID, func(p patternRow) error {
		at := clock.Stamp(p.CreatedAt)
		for i := len(p.Patterns) - 1; i >= 0; i-- { // the later id is the newer
			if total >= offset && len(out) < limit {
				f := p.Patterns[i]
				out = append(out, Pattern{ID: p.First + int64(i), Aspect: f.Aspect, SubAspect: optional(f.SubAspect),
					Mind: m.ID, Quote: f.Quote, ItemID: &p.ItemID, Where: f.Where, CreatedAt: at})
			}
			total++
		}
		return nil
	})
	return out, total, err
}

// GroupedPatterns gives all patterns of a Mind by framework and aspect.
func (s *Service) GroupedPatterns(ctx context.Context, mindID string) (Grouped, error) {
	m, err := s.d.Minds.Get(ctx, mindID)
	if err != nil {
		return Grouped{}, err
	}
	sources := map[string]string{}
	for _, k := range m.Knowledge {
		sources[k.ItemID] = k.Name
	}
	var all []pattern.Found
	err = s.eachPatternRow(ctx, m.Workspace, m.ID, func(p patternRow) error {
		for i, f := range p.Patterns {
			all = append(all, pattern.Found{Pattern: f, ID: p.First + int64(i), ItemID: p.ItemID, Source: sources[p.ItemID]})
		}
		return nil
	})
	if err != nil {
		return Grouped{}, err
	}
	return Grouped{MindID: m.ID, MindName: m.Name, Total: len(all), Frameworks: pattern.Group(all)}, nil
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

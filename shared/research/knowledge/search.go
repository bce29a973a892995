package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/websearch"
)

// Bounds of a keyword search.
const (
	maxKeywords = 15  // extras are dropped (section 23)
	maxKeyword  = 200 // characters
	perKeyword  = 4   // pages that are read
	maxPages    = 30  // pages of one search
	patience    = 2   // time-outs of the engine, before no more is asked
)

// Source is one thing that a training or a search collects for a Mind.
type Source struct {
	Link    string // http or https
	Title   string // names the item; empty: host and path of the link (M-272)
	Keyword string // what it was found by; empty: the caller named the link
}

// Search is what a keyword search answers: what is queued, never that anything
// was found (M-281).
type Search struct {
	MindID           string   `json:"mindId"`
	Keywords         []string `json:"keywords"` // that are queued
	Queued           bool     `json:"queued"`
	RegeneratePrompt bool     `json:"regeneratePrompt"`
	Message          string   `json:"message"`
}

// NotResearched is what is said of keywords where there is no search engine.
const NotResearched = "Nothing was researched and nothing is queued: this gateway has no search engine set up. Add links, files or text instead."

// searching is the stored search.
type searching struct {
	JobID            string    `json:"jobId"`
	Keywords         []string  `json:"keywords"`
	RegeneratePrompt bool      `json:"regeneratePrompt"`
	Items            []string  `json:"items,omitempty"`
	Found            bool      `json:"found"` // Items is what was found
	QueuedAt         time.Time `json:"queuedAt"`
}

// Enrich queues a search for the keywords; what it finds becomes items. Blank and
// repeated keywords, and those after the fifteenth, are dropped. Without a search
// engine nothing is queued, and the answer says so. regenerate nil is true
// (M-271). VALIDATION when no keyword is left.
func (s *Service) Enrich(ctx context.Context, mindID string, keywords []string, regenerate *bool) (Search, error) {
	m, err := s.d.Minds.Get(ctx, mindID)
	if err != nil {
		return Search{}, err
	}
	words, err := cleanKeywords(keywords)
	if err != nil {
		return Search{}, err
	}
	out := Search{MindID: m.ID, Keywords: words, RegeneratePrompt: regenerate == nil || *regenerate}
	if s.d.Search == nil {
		out.Keywords, out.RegeneratePrompt, out.Message = []string{}, false, NotResearched
		return out, nil
	}
	now := s.d.Clock.Now()
	id := s.d.IDs.NewID()
	input, err := json.Marshal(map[string]string{"job": id, "workspace": m.Workspace, "account": m.Owner, "mind": m.ID})
	if err != nil {
		return Search{}, err
	}
	job := jobs.Job{ID: id, Machine: SearchMachine, Workspace: m.Workspace, Account: m.Owner, Input: input, QueuedAt: now, Deadline: now.Add(SearchTime)}
	row := searching{JobID: id, Keywords: words, RegeneratePrompt: out.RegeneratePrompt, QueuedAt: now}
	_, err = s.d.Minds.Change(ctx, m.ID, func(*mind.Mind) error { return nil }, func(mind.Mind) ([]records.Action, error) {
		body, err := json.Marshal(row)
		return []records.Action{records.PutItem(records.Item{Key: searchKey(m.Workspace, m.ID, id), Body: body}), s.d.Jobs.Open(job)}, err
	})
	if err != nil {
		return Search{}, err
	}
	_ = s.d.Jobs.Start(ctx, job) // committed: a failed start is logged, and the sweeper starts it
	out.Queued = true
	out.Message = fmt.Sprintf("A web search for %s is queued. What it finds is added as items: list the knowledge to see them.", plural(len(words), "keyword", "keywords"))
	return out, nil
}

func cleanKeywords(keywords []string) ([]string, error) {
	words := []string{}
	seen := map[string]bool{}
	for _, k := range keywords {
		k = strings.Join(strings.Fields(k), " ")
		if k == "" || seen[strings.ToLower(k)] || len(words) == maxKeywords {
			continue
		}
		if n := utf8.RuneCountInString(k); n > maxKeyword {
			return nil, fault.New(fault.Validation, "A keyword has %d characters; at most %d are taken.", n, maxKeyword).With("field", "keywords").With("path", "/keywords")
		}
		seen[strings.ToLower(k)] = true
		words = append(words, k)
	}
	if len(words) == 0 {
		return nil, fault.New(fault.Validation, "keywords must hold at least one topic that is not blank.").With("field", "keywords").With("path", "/keywords")
	}
	return words, nil
}

// Search looks the keywords up with the search engine and gives what it found,
// each page once, and in words what could not be looked up. Without an engine
// it finds nothing and says so. It stops asking after two time-outs, and when the
// time of ctx is over, with what it has found by then. An error is one that
// another try may mend.
func (s *Service) Search(ctx context.Context, keywords []string) (found []Source, notes []string, err error) {
	if s.d.Search == nil {
		return nil, []string{"The topics were not researched: no search provider is set up."}, nil
	}
	words, err := cleanKeywords(keywords)
	if err != nil {
		return nil, nil, nil // nothing to look for
	}
	results := make([][]websearch.Result, len(words))
	var trouble error
	failed, slow, some := 0, 0, false
	for i, w := range words {
		results[i], err = s.d.Search.Search(ctx, w, perKeyword)
		if err == nil {
			some = some || len(results[i]) > 0
			continue
		}
		over := ctx.Err() != nil
		if over && !(some && errors.Is(ctx.Err(), context.DeadlineExceeded)) {
			return nil, nil, err
		}
		failed++
		trouble = err
		var of *websearch.Error
		known := errors.As(err, &of)
		if known && of.Kind == websearch.Timeout {
			slow++
		}
		if over || slow == patience || known && !of.Retryable() {
			failed += len(words) - i - 1 // the next word would meet the same
			break
		}
	}
	seen := map[string]bool{}
	for turn := range perKeyword { // the best of every keyword first
		for i, list := range results {
			if turn >= len(list) || len(found) == maxPages {
				continue
			}
			r := list[turn]
			if same := sameAddress(r.URL); !seen[same] && s.check(r.URL, false) == nil {
				seen[same] = true
				found = append(found, Source{Link: r.URL, Title: strings.TrimSpace(r.Title), Keyword: words[i]})
			}
		}
	}
	if trouble != nil {
		reason := "the search engine failed"
		if ctx.Err() != nil {
			reason = "the search engine took too long"
		}
		var of *websearch.Error
		if errors.As(trouble, &of) {
			reason = of.Message
		}
		notes = append(notes, fmt.Sprintf("%s could not be researched: %s", plural(failed, "topic", "topics"), sentence(reason)))
		s.d.Log.WarnContext(ctx, "a web search failed", "error", trouble)
	}
	return found, notes, nil
}

// Gather makes the items of what a training collects, or finds those that are
// there, in the order of sources; equal links are one item, and addresses that
// will never be asked for, as well as what is beyond the Mind's room, are left
// out. The items wait for IngestNow: they have no job of their own.
func (s *Service) Gather(ctx context.Context, mindID string, sources []Source) ([]string, error) {
	m, err := s.d.Minds.Get(ctx, mindID)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, from := range sources {
		title, err := checkDescription(strings.ToValidUTF8(clip(from.Title, 300), ""))
		if err != nil {
			return nil, err
		}
		r, err := s.linkRow(m, from.Link, title)
		if f := fault.From(err); err != nil {
			if f.Code == fault.UnsafeURL || f.Code == fault.Validation {
				continue
			}
			return nil, err
		}
		r.Keyword, r.Watched, r.Named = from.Keyword, from.Keyword == "", false
		if slices.Contains(ids, r.ID) {
			continue
		}
		there, err := s.gather(ctx, r)
		if err != nil {
			return nil, err
		}
		if there {
			ids = append(ids, r.ID)
		}
	}
	return ids, nil
}

// gather commits one waiting item unless it is there; false when there is no room.
func (s *Service) gather(ctx context.Context, r row) (bool, error) {
	full := false
	_, err := s.d.Minds.Change(ctx, r.MindID, func(m *mind.Mind) error {
		full = false
		_, _, err := s.find(ctx, r.Workspace, r.MindID, r.ID)
		switch {
		case err == nil:
			return errUnchanged
		case !errors.Is(err, records.ErrNotFound):
			return err
		case m.KnowledgeItems >= maxItems:
			full = true
			return errUnchanged
		}
		m.KnowledgeItems++
		return nil
	}, func(mind.Mind) ([]records.Action, error) { return r.actions() })
	if err != nil && !errors.Is(err, errUnchanged) {
		return false, err
	}
	return !full, nil
}

// SearchNow is the first step of the search machine: it searches, makes the items
// and gives their ids, the same ones each time. None for a search that is gone.
func (s *Service) SearchNow(ctx context.Context, mindID, jobID string) ([]string, error) {
	p := account.From(ctx)
	key := searchKey(p.Workspace, mindID, jobID)
	it, err := s.d.Records.Get(ctx, key)
	if err != nil {
		return nil, quiet(err)
	}
	var row searching
	if err := json.Unmarshal(it.Body, &row); err != nil {
		return nil, err
	}
	if row.Found {
		return row.Items, nil
	}
	found, _, err := s.Search(ctx, row.Keywords)
	if err != nil {
		return nil, err
	}
	if row.Items, err = s.Gather(ctx, mindID, found); err != nil {
		return nil, quiet(err)
	}
	row.Found = true
	body, err := json.Marshal(row)
	if err != nil {
		return nil, err
	}
	_, err = s.d.Records.Put(ctx, records.Item{Key: key, Body: body}, records.VersionIs(it.Version))
	var lost *records.ConditionError
	if errors.As(err, &lost) {
		return nil, records.ErrConflict // the same task ran twice
	}
	return row.Items, err
}

// EndSearch is the last step: the prompt, if it was asked for and something was
// learnt, and the end of the job. Items that the machine did not come to are
// failed.
func (s *Service) EndSearch(ctx context.Context, mindID, jobID string) error {
	return s.endSearch(ctx, mindID, jobID, true)
}

// endSearch is EndSearch, with the prompt or without.
func (s *Service) endSearch(ctx context.Context, mindID, jobID string, prompt bool) error {
	p := account.From(ctx)
	key := searchKey(p.Workspace, mindID, jobID)
	it, err := s.d.Records.Get(ctx, key)
	if errors.Is(err, records.ErrNotFound) {
		return s.closeJob(ctx, p.Workspace, jobID)
	}
	if err != nil {
		return err
	}
	var row searching
	if err := json.Unmarshal(it.Body, &row); err != nil {
		return err
	}
	learnt := false
	for _, id := range row.Items {
		r, _, err := s.find(ctx, p.Workspace, mindID, id)
		if errors.Is(err, records.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if r.owned(jobID) || r.Status == Queued && r.JobID == "" {
			if err := s.abandon(ctx, r, jobID); err != nil {
				return err
			}
		}
		learnt = learnt || r.Content != ""
	}
	if prompt && learnt && row.RegeneratePrompt {
		_, err := s.d.Minds.RegeneratePrompt(ctx, mindID, "")
		switch f := fault.From(err); {
		case err == nil, f.Code == fault.RetrainInFlight, f.Code == fault.PromptGenerationFailed, f.Code == fault.NotFound:
			// A training writes the prompt itself; with too little there is none.
		default:
			return err
		}
	}
	err = s.d.Records.Transact(ctx, "", records.DeleteItem(key), s.d.Jobs.Close(jobs.Job{ID: jobID, Workspace: p.Workspace}))
	if refusedAt(err, 1) {
		return s.d.Records.Delete(ctx, key)
	}
	return err
}

// abandon fails an item that its job did not come to.
func (s *Service) abandon(ctx context.Context, r row, jobID string) error {
	const reason = "The search that found it was ended before it was read. Add the link to read it."
	if r.JobID == "" {
		w, err := s.claim(ctx, r.MindID, r.ID, jobID)
		if err != nil || w == nil {
			return quiet(err)
		}
	}
	return s.fail(ctx, r.MindID, r.ID, jobID, reason)
}

// ExpireSearch settles a search that is past its deadline. It writes no prompt:
// that may take a model, which the sweep of jobs neither has nor has the time
// for. What was read is known all the same, and the prompt can be asked for.
func (s *Service) ExpireSearch(ctx context.Context, j jobs.Job) error {
	p, err := s.d.Accounts.Internal(ctx, j.Workspace, j.Account)
	if err != nil {
		return err
	}
	var in struct{ Mind string }
	if err := jobs.Input(j, &in); err != nil {
		return err
	}
	return s.endSearch(account.With(ctx, p), in.Mind, j.ID, false)
}

package summary

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// writer is part of what a summary is of: other sentences are another summary.
const writer = "study-summary-2"

// row is a stored summary.
type row struct {
	Length      string                `json:"length"`
	Version     string                `json:"version"` // of what it covers
	Covered     []string              `json:"covered"` // message ids, oldest first
	GeneratedAt time.Time             `json:"generatedAt"`
	Language    string                `json:"language"`
	Worded      string                `json:"worded"`
	Evidence    study.EvidenceSummary `json:"evidence"`
	Body        *body                 `json:"body,omitempty"` // exactly one of the two is set
	Blob        *blobs.Ref            `json:"blob,omitempty"`
}

// body is what may grow with the Study.
type body struct {
	Text   string            `json:"text"`
	Blocks []json.RawMessage `json:"blocks"`
}

const (
	inlineLimit = 300 << 10 // leaves room for the rest of a row of 400 KB
	bodyLimit   = 16 << 20
	readers     = 4
)

// part is one thing that may be covered.
type part struct {
	study.OutlineQuestion
	planned bool
}

// content reads what there is to summarise, in the order in which it was settled
// into the transcript; Studies refuses who may not open the Study.
func (s *Service) content(ctx context.Context, studyID string) (study.Study, []part, error) {
	o, err := s.d.Studies.Outline(ctx, studyID)
	if err != nil {
		return study.Study{}, nil, err
	}
	var parts []part
	for _, q := range o.Questions {
		if q.Settled {
			parts = append(parts, part{q, false})
		}
	}
	if s.d.Planned != nil {
		items, err := s.d.Planned.Items(ctx, o.Study.ID)
		if err != nil {
			return study.Study{}, nil, err
		}
		for _, q := range items {
			if q.Settled {
				parts = append(parts, part{q, true})
			}
		}
	}
	return o.Study, parts, nil
}

// version names what a summary of these parts covers. What is settled never changes.
func version(parts []part) string {
	h := sha256.New()
	h.Write([]byte(writer))
	for _, p := range parts {
		h.Write([]byte("\x00" + p.ID + "\x01" + p.SettledAt))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Get reads the summary that was written last. Reading writes nothing.
func (s *Service) Get(ctx context.Context, studyID string) (Summary, error) {
	of, parts, err := s.content(ctx, studyID)
	if err != nil {
		return Summary{}, err
	}
	ws := account.From(ctx).Workspace
	it, err := s.d.Records.Get(ctx, latestKey(ws, of.ID))
	if errors.Is(err, records.ErrNotFound) {
		return Summary{StudyID: of.ID, Blocks: []json.RawMessage{}, WorkspaceURL: of.WorkspaceURL,
			Metadata: Metadata{IsStale: len(parts) > 0, CoveredMessageIDs: []string{}}}, nil
	}
	if err != nil {
		return Summary{}, err
	}
	r, err := s.stored(ctx, ws, of.ID, it.Fields[fieldLength])
	if err != nil {
		return Summary{}, err
	}
	return r.view(of, version(parts), false), nil
}

// Refresh writes the summary, or gives the stored one of this length while it covers
// all there is (M-324); with Force it is written anew. NOT_ENOUGH_CONTENT without a
// settled answer, VALIDATION for an unknown length.
func (s *Service) Refresh(ctx context.Context, r Request) (Summary, error) {
	length, err := lengthOf(r.Length)
	if err != nil {
		return Summary{}, err
	}
	of, parts, err := s.content(ctx, r.StudyID)
	if err != nil {
		return Summary{}, err
	}
	answered := 0
	for _, p := range parts {
		answered += p.Answered
	}
	if answered == 0 {
		return Summary{}, fault.New(fault.NotEnoughContent, "No question of this Study has a settled answer yet, so there is nothing to summarise. Ask a question, wait until get_study_status shows it as completed, then refresh.")
	}
	ws, covers := account.From(ctx).Workspace, version(parts)
	was, err := s.stored(ctx, ws, of.ID, length)
	switch {
	case err != nil && !errors.Is(err, records.ErrNotFound):
		return Summary{}, err
	case err == nil && was.Version == covers && !r.Force:
		return was.view(of, covers, false), s.point(ctx, ws, of.ID, length)
	}
	made, err := s.write(ctx, of, parts, length)
	if err != nil {
		return Summary{}, err
	}
	made.keepHeatmaps(was)
	if made, err = s.store(ctx, ws, of.ID, made); err != nil {
		return Summary{}, err
	}
	return made.view(of, covers, true), nil
}

func lengthOf(length string) (string, error) {
	switch length {
	case "", Standard:
		return Standard, nil
	case Brief, Short:
		return Brief, nil
	case Detailed:
		return Detailed, nil
	}
	return "", fault.New(fault.Validation, "length is %q; it must be brief, short, standard or detailed.", length).With("field", "length")
}

// view is the summary as callers see it.
func (r row) view(of study.Study, now string, refreshed bool) Summary {
	at := clock.Stamp(r.GeneratedAt)
	return Summary{StudyID: of.ID, Text: &r.Body.Text, Blocks: r.Body.Blocks, WorkspaceURL: of.WorkspaceURL,
		Metadata: Metadata{IsStale: r.Version != now, GeneratedAt: &at, Length: r.Length, Refreshed: refreshed,
			CoveredMessageIDs: r.Covered, Evidence: &r.Evidence}}
}

// keepHeatmaps carries over what an earlier summary holds of pictures (M-324).
func (r *row) keepHeatmaps(was row) {
	if was.Body == nil {
		return
	}
	for _, raw := range was.Body.Blocks {
		var b struct {
			Kind string `json:"kind"`
		}
		if json.Unmarshal(raw, &b) == nil && strings.Contains(b.Kind, "heatmap") {
			r.Body.Blocks = append(r.Body.Blocks, raw)
		}
	}
}

// stored reads a summary whole. records.ErrNotFound.
func (s *Service) stored(ctx context.Context, ws, studyID, length string) (row, error) {
	it, err := s.d.Records.Get(ctx, rowKey(ws, studyID, length))
	if err != nil {
		return row{}, err
	}
	var r row
	if err := json.Unmarshal(it.Body, &r); err != nil || r.Blob == nil {
		return r, err
	}
	in, err := s.d.Blobs.Open(ctx, *r.Blob, 0, -1)
	if err != nil {
		return row{}, err
	}
	defer in.Close()
	raw, err := io.ReadAll(io.LimitReader(in, bodyLimit))
	if err != nil {
		return row{}, err
	}
	r.Body = new(body)
	return r, json.Unmarshal(raw, r.Body)
}

// store keeps a summary: the row and which is the latest, both or neither. One that
// covers more and was written meanwhile stays, and is what is given.
func (s *Service) store(ctx context.Context, ws, studyID string, r row) (row, error) {
	raw, err := json.Marshal(r.Body)
	if err != nil {
		return row{}, err
	}
	kept := r
	if len(raw) > inlineLimit {
		ref, err := s.d.Blobs.Put(ctx, "w/"+ws, "application/json", bytes.NewReader(raw), bodyLimit)
		if err != nil {
			return row{}, err
		}
		kept.Blob, kept.Body = &ref, nil
	}
	encoded, err := json.Marshal(kept)
	if err != nil {
		return row{}, err
	}
	key := rowKey(ws, studyID, r.Length)
	for {
		condition := records.NotExists()
		before, err := s.d.Records.Get(ctx, key)
		switch {
		case errors.Is(err, records.ErrNotFound):
		case err != nil:
			return row{}, err
		default:
			condition = records.VersionIs(before.Version)
			var old row
			if err := json.Unmarshal(before.Body, &old); err != nil {
				return row{}, err
			}
			if len(old.Covered) > len(r.Covered) {
				return s.stored(ctx, ws, studyID, r.Length)
			}
		}
		err = s.d.Records.Transact(ctx, "", records.PutItem(records.Item{Key: key, Body: encoded}, condition),
			records.PutItem(latest(ws, studyID, r.Length)), study.Stands(ws, studyID))
		var refused *records.CanceledError
		switch {
		case err == nil:
			return r, nil
		case !errors.As(err, &refused) || ctx.Err() != nil:
			return row{}, err
		case !refused.Failed(0):
			return row{}, study.ErrNoStudy()
		}
	}
}

func latest(ws, studyID, length string) records.Item {
	return records.Item{Key: latestKey(ws, studyID), Fields: map[string]string{fieldLength: length}}
}

// point makes the summary of a length the one that is read.
func (s *Service) point(ctx context.Context, ws, studyID, length string) error {
	return s.d.Records.Transact(ctx, "", records.PutItem(latest(ws, studyID, length)), study.Stands(ws, studyID))
}

// write makes a summary of parts. Questions are read a few at a time, and of each
// only its figures are kept.
func (s *Service) write(ctx context.Context, of study.Study, parts []part, length string) (row, error) {
	found := make([]finding, len(parts))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	for i, p := range parts {
		g.Go(func() error {
			from := s.d.Studies.Settled
			if p.planned {
				from = s.d.Planned.Settled
			}
			return from(gctx, of.ID, []string{p.ID}, func(q study.Settled) error {
				found[i] = findingOf(q)
				return nil
			})
		})
	}
	if err := g.Wait(); err != nil {
		return row{}, err
	}
	r := row{Length: length, Version: version(parts), Covered: []string{}, GeneratedAt: s.d.Clock.Now().Truncate(time.Millisecond), Worded: fixedSentences}
	for _, p := range parts {
		if p.MessageID != "" && !slices.Contains(r.Covered[max(0, len(r.Covered)-1):], p.MessageID) {
			r.Covered = append(r.Covered, p.MessageID)
		}
	}
	found = slices.DeleteFunc(found, func(f finding) bool { return f.q.QuestionID == "" })
	whole := digest{words: wordsFor(found), length: length}
	for _, f := range found {
		if ofMethod(f.q) {
			whole.behind = append(whole.behind, f)
		} else {
			whole.findings = append(whole.findings, f)
		}
	}
	if s.d.Planned != nil {
		var err error
		if whole.outcomes, err = s.d.Planned.Outcomes(ctx, of.ID); err != nil {
			return row{}, err
		}
	}
	whole.roll()
	r.Language, r.Evidence = whole.words.lang, whole.evidence
	told, by := s.reworded(ctx, &whole)
	if by != "" {
		r.Worded = by
	}
	origin, _ := json.Marshal(provenanceBlock{kindProvenance, r.Language, r.Worded, r.Version})
	r.Body = &body{Text: whole.text(told), Blocks: append(whole.blocks(), origin)}
	return r, nil
}

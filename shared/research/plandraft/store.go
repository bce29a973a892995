package plandraft

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/planner"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// planLimit bounds one stored plan: 200 items of 100 labels of 2,000 characters are
// larger than any request that a front lets in.
const planLimit = 64 << 20

func put(k records.Key, v any, cond records.Cond) records.Action {
	raw, err := json.Marshal(v)
	if err != nil { // rows are plain structs
		panic(err)
	}
	return records.PutItem(records.Item{Key: k, Body: raw}, cond)
}

// keep stores a plan; it stands before any row refers to it.
func (s *Service) keep(ctx context.Context, p planner.Plan, n int) (revisionRow, error) {
	raw, err := json.Marshal(p)
	if err != nil {
		return revisionRow{}, err
	}
	ref, err := s.d.Blobs.Put(ctx, "w/"+account.From(ctx).Workspace, "application/json", bytes.NewReader(raw), planLimit)
	return revisionRow{N: n, Plan: ref, At: s.d.Clock.Now().Truncate(time.Millisecond)}, err
}

func (s *Service) plan(ctx context.Context, r revisionRow) (planner.Plan, error) {
	body, err := s.d.Blobs.Open(ctx, r.Plan, 0, -1)
	if err != nil {
		return planner.Plan{}, err
	}
	defer body.Close()
	raw, err := io.ReadAll(io.LimitReader(body, planLimit))
	if err != nil {
		return planner.Plan{}, err
	}
	var p planner.Plan
	return p, json.Unmarshal(raw, &p)
}

func (s *Service) index(ctx context.Context, ws, studyID string) (indexRow, int64, error) {
	it, err := s.d.Records.Get(ctx, indexKey(ws, studyID))
	if errors.Is(err, records.ErrNotFound) {
		return indexRow{}, 0, nil
	}
	if err != nil {
		return indexRow{}, 0, err
	}
	var r indexRow
	return r, it.Version, json.Unmarshal(it.Body, &r)
}

// load reads a draft of a Study that the caller has opened.
func (s *Service) load(ctx context.Context, studyID, draft string) (draftRow, error) {
	it, err := s.d.Records.Get(ctx, draftKey(account.From(ctx).Workspace, studyID, strings.ToLower(strings.TrimSpace(draft))))
	if errors.Is(err, records.ErrNotFound) {
		return draftRow{}, fault.New(fault.NotFound, "No plan draft with this id in this Study. Of a Study the newest %d drafts are kept.", KeptDrafts)
	}
	if err != nil {
		return draftRow{}, err
	}
	var r draftRow
	if err := json.Unmarshal(it.Body, &r); err != nil {
		return draftRow{}, err
	}
	if len(r.Revisions) == 0 {
		return draftRow{}, fmt.Errorf("plandraft: draft %s has no revision", r.ID)
	}
	r.version = it.Version
	return r, nil
}

func (s *Service) show(ctx context.Context, st study.Study, row draftRow, rev revisionRow) (Draft, error) {
	p, err := s.plan(ctx, rev)
	if err != nil {
		return Draft{}, err
	}
	return s.view(st, row, rev, p), nil
}

func (s *Service) view(st study.Study, row draftRow, rev revisionRow, p planner.Plan) Draft {
	d := Draft{StudyID: st.ID, DraftPlanID: row.ID, Revision: rev.N, Status: row.Status, DraftReview: p, WorkspaceURL: st.WorkspaceURL}
	open := len(p.Open(true))
	switch {
	case row.Status == Confirmed:
		run := row.RunID
		d.ConfirmedRunID = &run
		d.NextAction = "This draft was confirmed; read the run with get_study_run. Changes need a new draft."
	case rev.N != row.current().N:
		d.NextAction = fmt.Sprintf("This is what the same call saved before. The draft now stands at revision %d: read it with loadLatest.", row.current().N)
	case open > 0:
		d.NextAction = fmt.Sprintf("Show the whole draft with its framing warnings, have its %d required confirmation questions answered (answers, with draftPlanId and revision %d), then wait for an explicit yes. Nobody has been asked.", open, rev.N)
	default:
		d.NextAction = fmt.Sprintf("Show the whole draft and its confirmation questions, then wait for an explicit yes to revision %d. Nobody has been asked.", rev.N)
	}
	return d
}

// Confirmation is a draft that is ready to be confirmed for a run.
type Confirmation struct {
	Plan    planner.Plan
	Actions []records.Action // mark the draft as confirmed; they belong into the run's transaction
}

// Confirm reads the plan of exactly the latest revision, with the actions that close
// the draft for the run (M-79, M-89). It writes nothing; the actions are refused when
// the draft changed meanwhile. NOT_FOUND, STALE_REVISION, DRAFT_ALREADY_CONFIRMED
// with data.runId. The caller judges what the plan still leaves open (Plan.Open).
func (s *Service) Confirm(ctx context.Context, studyID, draft string, revision int, runID string) (Confirmation, error) {
	row, err := s.load(ctx, studyID, draft)
	if err != nil {
		return Confirmation{}, err
	}
	if err := changeable(row, revision); err != nil {
		return Confirmation{}, err
	}
	p, err := s.plan(ctx, row.current())
	if err != nil {
		return Confirmation{}, err
	}
	next := row
	next.Status, next.RunID = Confirmed, runID
	return Confirmation{Plan: p, Actions: []records.Action{put(draftKey(account.From(ctx).Workspace, studyID, row.ID), next, records.VersionIs(row.version))}}, nil
}

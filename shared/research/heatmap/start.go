package heatmap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/saliency"
)

// shownNames bounds how many assets a refusal lists.
const shownNames = 5

// attempts bounds how often a start meets another one.
const attempts = 8

// Start analyses one picture of a question: assetKey's, or the only one that there is.
// What is completed is given and what runs is joined, both free; what failed is started
// anew. A new analysis takes one response a Mind (M-230).
// ASSET_NOT_ASSIGNED, VALIDATION when several pictures are there and none is named,
// PLAN_LIMIT (heatmaps or responses), NOT_FOUND, MODEL_CONNECTION_STALE.
func (s *Service) Start(ctx context.Context, studyID, messageID, assetKey string) (View, error) {
	p, err := s.d.Studies.Pictured(ctx, studyID, messageID)
	if err != nil {
		return View{}, err
	}
	names, by := s.assets(p)
	name, err := s.chosen(names, assetKey)
	if err != nil {
		return View{}, err
	}
	ws := account.From(ctx).Workspace
	for range attempts {
		used, err := s.begin(ctx, ws, p, name, by[name])
		if errors.Is(err, errMet) && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return View{}, err
		}
		v, err := s.view(ctx, p, names, name)
		v.ResponsesUsed = &used
		return v, err
	}
	return View{}, records.ErrConflict
}

// errMet says that somebody else wrote the row at the same moment.
var errMet = errors.New("heatmap: somebody else started it")

// begin makes sure that there is an analysis, and tells what that took.
func (s *Service) begin(ctx context.Context, ws string, p study.Pictured, name string, picture study.Shown) (used int, err error) {
	key := rowKey(ws, p.StudyID, p.MessageID, name)
	was, err := s.read(ctx, key)
	switch {
	case err == nil && was.Status != Failed:
		return 0, nil
	case err != nil && !errors.Is(err, records.ErrNotFound):
		return 0, err
	}
	limits, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return 0, err
	}
	if !limits.Heatmaps {
		return 0, s.d.Accounts.PlanLimit(ctx, account.Heatmaps, 0)
	}
	now := s.d.Clock.Now().Truncate(time.Millisecond)
	r := row{ID: s.d.IDs.NewID(), StudyID: p.StudyID, MessageID: p.MessageID, AssetKey: name, Owner: p.Owner, Picture: picture,
		Model: saliency.Model, Minds: len(p.Minds), ReservedAt: now, Status: Queued, CreatedAt: now}
	if p.Model != nil {
		who, err := s.d.Studies.Answerer(ctx, p.Model)
		if err != nil {
			return 0, err
		}
		if sees, ok := who.(seer); ok && sees.Can().Vision {
			r.By, r.Connection = identity(who.Info()), p.Model
			r.Model = "vision:" + r.By
		}
	}
	reserve, err := s.d.Accounts.ReserveResponses(ctx, int64(r.Minds), now)
	if err != nil {
		return 0, err
	}
	cond := records.NotExists()
	if was.version > 0 {
		cond = records.VersionIs(was.version)
	}
	job := r.job(ws)
	err = s.d.Records.Transact(ctx, r.ID,
		records.PutItem(r.item(ws), cond), reserve, study.Stands(ws, p.StudyID), s.d.Jobs.Open(job))
	var refused *records.CanceledError
	switch {
	case !errors.As(err, &refused):
	case refused.Failed(0):
		return 0, errMet
	case refused.Failed(1):
		return 0, s.d.Accounts.PlanLimit(ctx, account.Responses, int64(r.Minds))
	case refused.Failed(2):
		return 0, study.ErrNoStudy()
	}
	if err != nil {
		return 0, err
	}
	_ = s.d.Jobs.Start(ctx, job) // what could not be started is started by the sweeper
	return r.Minds, nil
}

// chosen finds the picture that is meant.
func (s *Service) chosen(names []string, assetKey string) (string, error) {
	if strings.TrimSpace(assetKey) == "" {
		switch len(names) {
		case 1:
			return names[0], nil
		case 0:
			return "", notAssigned(names)
		}
		return "", fault.New(fault.Validation, "This question shows %d pictures; name one of them as assetKey: %s.", len(names), listed(names)).With("field", "assetKey")
	}
	if name := s.named(assetKey); slices.Contains(names, name) {
		return name, nil
	}
	return "", notAssigned(names)
}

func notAssigned(names []string) error {
	return fault.New(fault.AssetNotAssigned, "%s", which(names)).With("field", "assetKey")
}

// unknown is notAssigned to who only reads.
func unknown(names []string) error {
	return fault.New(fault.NotFound, "%s", which(names)).With("field", "assetKey")
}

func which(names []string) string {
	if len(names) == 0 {
		return "This question shows no picture. Only a PNG, JPEG, GIF or WebP picture that was attached to it can be analysed; videos and websites are not shown here, so ask with a picture of them."
	}
	return "assetKey names no picture of this question. It shows " + listed(names) + "."
}

func listed(names []string) string {
	cut := make([]string, 0, shownNames)
	for _, n := range names[:min(len(names), shownNames)] {
		if r := []rune(n); len(r) > 120 {
			n = string(r[:119]) + "…"
		}
		cut = append(cut, n)
	}
	out := strings.Join(cut, ", ")
	if more := len(names) - len(cut); more > 0 {
		out += fmt.Sprintf(" and %d more", more)
	}
	return out
}

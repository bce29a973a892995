package audience_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// M-53: a name of an axis that is not there is a slip, and leaves an axis in that
// its owner does not want: it is refused, and the names that are there are told.
func TestUnknownExclusionsAreRefused_M53(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	r := audience.BriefRequest{Text: parents, MemberCount: 12, Preview: true, Exclude: []string{"Gendr"}}
	out := finish(t, w, ctx, fromBrief(t, w, ctx, r).Operation.JobID)
	if e := out.Operation.Error; e == nil || e.Code != string(fault.Validation) || !strings.Contains(e.Message, `"Gendr"`) || !strings.Contains(e.Message, "Gender") {
		t.Errorf("%+v", e)
	}
	r.Exclude = []string{"Gender", "Household income"}
	if out := finish(t, w, ctx, fromBrief(t, w, ctx, r).Operation.JobID); out.Preview == nil {
		t.Errorf("%+v", out.Operation.Error)
	}
}

// M-46: a preview says how each dimension is covered, and why. M-51: the checksum is
// in lower case.
func TestPreviewSaysHowItIsCovered_M46_M51(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	r := audience.BriefRequest{Text: parents, MemberCount: 12, Preview: true}
	p := finish(t, w, ctx, fromBrief(t, w, ctx, r).Operation.JobID).Preview
	raw, err := json.Marshal(p.Grounding.Research)
	if err != nil || !strings.Contains(string(raw), `"dimension":"representation"`) || !strings.Contains(string(raw), `"notes":[`) || strings.Contains(string(raw), `"reason":""`) {
		t.Errorf("%s, %v", raw, err)
	}
	if n := strings.Count(string(raw), `"status":"missing"`); n != p.Coverage.Missing {
		t.Errorf("%d missing are told, %d counted", n, p.Coverage.Missing)
	}
	r.Preview, r.ReviewedJSON, r.ReviewedSHA256 = false, p.ReviewedJSON, strings.ToUpper(p.ReviewedSHA256)
	if _, err := w.Audiences.FromBrief(ctx, r); !fault.Is(err, fault.GroundingChecksumMismatch) {
		t.Errorf("a checksum in capitals: %v", err)
	}
	a := audience.AllocationRequest{MemberCount: 5, ReviewedJSON: p.ReviewedJSON, ReviewedSHA256: strings.ToUpper(p.ReviewedSHA256)}
	if _, err := w.Audiences.PreviewAllocation(ctx, a); !fault.Is(err, fault.GroundingChecksumMismatch) {
		t.Errorf("a checksum in capitals: %v", err)
	}
}

// A preview of an allocation ends with its caller.
func TestPreviewOfAnAllocationEndsWithItsCaller(t *testing.T) {
	w := researchtest.New(t)
	ctx, leave := context.WithCancel(w.As(t, "lab", account.Team))
	leave()
	var axes []grounding.Distribution
	for i := range 4 {
		axes = append(axes, grounding.Distribution{Name: fmt.Sprint("Axis ", i), Distribution: []grounding.Share{{Label: "a", Pct: 50, SourceIdx: -1}, {Label: "b", Pct: 50, SourceIdx: -1}}})
	}
	if _, err := w.Audiences.PreviewAllocation(ctx, audience.AllocationRequest{MemberCount: 200, Distributions: axes}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What is not there is refused with one text, and is not taken out of a list either.
func TestWhatIsNotThereIsToldAlike_M2(t *testing.T) {
	w := researchtest.New(t)
	ctx, other := w.As(t, "lab", account.Team), w.As(t, "other", account.Team)
	mine := must[audience.Created](t)(w.Audiences.Create(ctx, audience.CreateRequest{Name: "Mine", MindIDs: minds(t, w, ctx, "x")})).Audience
	name := "Other"
	texts := map[string]bool{}
	for what, err := range map[string]error{
		"read":     second(w.Audiences.Detail(other, mine.ID)),
		"change":   second(w.Audiences.Update(other, mine.ID, audience.Patch{Name: &name})),
		"follow":   w.Audiences.Follow(other, mine.ID),
		"unfollow": w.Audiences.Unfollow(other, mine.ID),
		"missing":  w.Audiences.Unfollow(ctx, missing),
		"grounds":  second(w.Audiences.Recalibrate(other, audience.RecalibrateRequest{AudienceID: mine.ID}, 0)),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", what, err)
			continue
		}
		texts[fault.From(err).Message] = true
	}
	if len(texts) != 1 {
		t.Errorf("%v", texts)
	}
	for range 2 { // one's own can be taken out again and again
		if err := w.Audiences.Unfollow(ctx, mine.ID); err != nil {
			t.Error(err)
		}
	}
	if l := must[audience.Limits](t)(w.Audiences.Limits(ctx)); l.WorkspaceLocked {
		t.Errorf("%+v", l)
	}
}

func second[T any](_ T, err error) error { return err }

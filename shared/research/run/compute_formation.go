package run

import (
	"context"
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
)

// Formations gives Formations of Audiences, as the owner of a run sees them.
type Formations interface {
	// Get reads a Formation of an Audience with its members; NOT_FOUND for what the
	// caller may not see.
	Get(ctx context.Context, audienceID, id string) (formation.Detail, error)
}

// buckets are the members of the run by the buckets of a Formation of one of its
// Audiences, as they are when the run is computed. Who stands in no bucket, or only
// in the one for all others, is in no segment: a group of whoever is left is no group
// to compare with; left counts them. Buckets without a member in the run are none.
func (t *answersOf) buckets(ctx context.Context, id string) (out []method.Segment, left int, reason string, err error) {
	if t.s.d.Formations == nil {
		return nil, 0, "Formations are not compared here; name Audiences as segments.", nil
	}
	for _, a := range t.roll.Audiences {
		split, err := t.s.d.Formations.Get(ctx, a.ID, id)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, 0, "", err
		}
		if split.Status != formation.Ready {
			return nil, 0, fmt.Sprintf("The Formation %s is %s, and only a ready one is compared. Build it anew, and run the comparison again.", split.Name, split.Status), nil
		}
		place := make(map[string]int, len(a.Members))
		for _, at := range a.Members {
			place[t.roll.Minds[at].ID] = at
		}
		left = len(a.Members)
		for _, b := range split.Subgroups {
			if b.IsAuxiliary {
				continue
			}
			one := method.Segment{ID: b.ID, Label: b.Label}
			for _, m := range b.Memberships {
				if at, ok := place[m.MindID]; ok {
					one.Members = append(one.Members, at)
				}
			}
			if left -= len(one.Members); len(one.Members) > 0 {
				out = append(out, one)
			}
		}
		return out, left, "", nil
	}
	return nil, 0, "The Formation is of none of the Audiences that were asked, or it was deleted.", nil
}

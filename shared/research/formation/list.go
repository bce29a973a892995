package formation

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// List pages through the Formations of an Audience that the caller may see,
// newest first (M-152). The first page of a collaborator makes the defaults
// (M-150), and every first page takes up builds that have stalled (M-151).
func (s *Service) List(ctx context.Context, audienceID string, limit, offset int) (Page, error) {
	if err := mind.CheckPage(limit, offset); err != nil {
		return Page{}, err
	}
	a, err := s.audience(ctx, audienceID)
	if err != nil {
		return Page{}, err
	}
	if offset == 0 {
		if a.collaborates() {
			if err := s.seed(ctx, a); err != nil {
				return Page{}, err
			}
		}
		s.recover(ctx, a)
	}
	rows, err := s.rows(ctx, a)
	if err != nil {
		return Page{}, err
	}
	rows = visible(rows, a)
	out := Page{AudienceID: a.ID, Rows: []Summary{}, Total: len(rows), Limit: limit, Offset: offset}
	for i := offset; i < min(len(rows), offset+limit); i++ {
		out.Rows = append(out.Rows, summary(rows[i], a))
	}
	return out, out.check()
}

// Visible are the Formations of an Audience that the caller sees, newest first;
// looking makes no defaults and takes up nothing.
func (s *Service) Visible(ctx context.Context, audienceID string) ([]Summary, error) {
	a, err := s.audience(ctx, audienceID)
	if err != nil {
		return nil, err
	}
	rows, err := s.rows(ctx, a)
	if err != nil {
		return nil, err
	}
	out := []Summary{}
	for _, r := range visible(rows, a) {
		out = append(out, summary(r, a))
	}
	return out, nil
}

// rows reads the list of an Audience whole; it has one row a Formation.
func (s *Service) rows(ctx context.Context, a seen) ([]row, error) {
	q := records.Query{PK: audiencePK(a.Workspace, a.ID, "formations"), Limit: records.MaxPage}
	var out []row
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			var r row
			if err := json.Unmarshal(it.Body, &r); err != nil || r.ID == "" {
				return nil, malformed().Because(err)
			}
			out = append(out, r)
		}
		if q.Cursor = page.Cursor; q.Cursor == "" || len(page.Items) == 0 {
			return out, nil
		}
	}
}

// visible leaves what the caller may see, and one row a default dimension: the
// ready one over one that builds over one that failed.
func visible(rows []row, a seen) []row {
	rank := map[string]int{Ready: 2, Building: 1}
	best := map[string]int{}
	out := rows[:0:0]
	for _, r := range rows {
		if !a.sees(r.Visibility, r.CreatedBy) {
			continue
		}
		if r.Source != Auto || r.DimensionKey == "" {
			out = append(out, r)
			continue
		}
		key := splitBySame(r.DimensionKey)
		at, known := best[key]
		switch {
		case !known:
			best[key] = len(out)
			out = append(out, r)
		case rank[r.Status] > rank[out[at].Status]:
			out = slices.Delete(out, at, at+1)
			for k, i := range best {
				if i > at {
					best[k] = i - 1
				}
			}
			best[key] = len(out)
			out = append(out, r)
		}
	}
	return out
}

// splitBySame is the dimension that a default split is by: that of the axis Age is
// the one that is called age.
func splitBySame(key string) string {
	if axis, ok := strings.CutPrefix(key, "grounding:"); ok {
		if d := grounding.DimensionOf(axis); d == grounding.DimAge || d == grounding.DimGender {
			return d
		}
	}
	return key
}

// seed makes the default splits of an Audience, each once and never again, even
// if it was deleted: age, gender, and one for each other active axis.
func (s *Service) seed(ctx context.Context, a seen) error {
	if len(a.MemberIDs) == 0 || len(a.MemberIDs) > MaxMembers {
		return nil
	}
	done, err := s.seeded(ctx, a)
	if err != nil {
		return err
	}
	c, err := s.d.Audiences.CohortOf(ctx, a.Audience)
	if err != nil {
		return err
	}
	var axes []axis
	if c != nil {
		axes = cohortAxes(*c, a.MemberIDs)
	}
	now := s.d.Clock.Now()
	for i, d := range defaults(axes) {
		if done[d.key] {
			continue
		}
		// The list is newest first: each is dated a little before the one ahead of it.
		if err := s.seedOne(ctx, a, d, now.Add(-time.Duration(i)*time.Millisecond)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) seeded(ctx context.Context, a seen) (map[string]bool, error) {
	out := map[string]bool{}
	q := records.Query{PK: audiencePK(a.Workspace, a.ID, "dimensions"), Limit: records.MaxPage, KeysOnly: true}
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			out[it.SK] = true
		}
		if q.Cursor = page.Cursor; q.Cursor == "" || len(page.Items) == 0 {
			return out, nil
		}
	}
}

// preset is a default split.
type preset struct {
	key, name string
	split     Hypothesis
}

func defaults(axes []axis) []preset {
	taken := map[string]bool{} // axes that age and gender are split by already
	of := func(dim, name string, labels []string) axis {
		for _, ax := range axes {
			if ax.dim == dim && len(ax.segments) >= minBuckets {
				taken[ax.name] = true
				return ax
			}
		}
		ax := axis{name: name, dim: dim}
		for _, l := range labels {
			ax.segments = append(ax.segments, part{label: l})
		}
		return ax
	}
	out := []preset{
		{"age", "Age", splitBy(of(grounding.DimAge, grounding.AxisAge, ageBands))},
		{"gender", "Gender", splitBy(of(grounding.DimGender, grounding.AxisGender, genders))},
	}
	for _, ax := range axes {
		key := short("grounding:"+ax.name, maxName)
		if len(ax.segments) < minBuckets || taken[ax.name] || slices.ContainsFunc(out, func(p preset) bool { return p.key == key }) {
			continue // all members are the same there, or the split stands
		}
		out = append(out, preset{key, short(ax.name, maxName), splitBy(ax)})
	}
	return out
}

// seedOne makes one default. Two callers who open the page at once make one.
func (s *Service) seedOne(ctx context.Context, a seen, d preset, at time.Time) error {
	r := s.fresh(a, d.name, Auto, d.key, d.split)
	r.CreatedAt = at
	actions, err := s.saved(r, record{})
	if err != nil {
		return err
	}
	mark, err := json.Marshal(map[string]string{"formation": r.ID})
	if err != nil {
		return err
	}
	actions = append(actions, records.PutItem(records.Item{Key: dimensionKey(a.Workspace, a.ID, d.key), Body: mark}, records.NotExists()))
	err = s.d.Records.Transact(ctx, "", actions...)
	var c *records.CanceledError
	if errors.As(err, &c) && c.Failed(len(actions)-1) {
		return nil // made meanwhile
	}
	if err == nil {
		_ = s.d.Jobs.Start(ctx, *r.Job)
	}
	return err
}

// recover takes up builds that nobody has worked on for ten minutes, the oldest
// 100. Each is on its own: whatever befalls one keeps neither the others nor the
// list from going on.
func (s *Service) recover(ctx context.Context, a seen) {
	page, err := s.d.Records.Query(ctx, records.Query{PK: audiencePK(a.Workspace, a.ID, "building"), Limit: recovered})
	if err != nil {
		s.d.Log.WarnContext(ctx, "builds of Formations not looked at", "audience", a.ID, "error", err)
		return
	}
	for _, it := range page.Items {
		id := it.SK[max(0, len(it.SK)-36):]
		if err := s.takeUp(ctx, a.Workspace, id); err != nil {
			s.d.Log.WarnContext(ctx, "build of a Formation not taken up", "formation", id, "error", err)
		}
	}
}

// takeUp gives a silent build another execution, which goes on where the last one
// was, or ends it when its time is over.
func (s *Service) takeUp(ctx context.Context, workspace, id string) error {
	r, err := s.get(ctx, workspace, id)
	if err != nil {
		return err
	}
	now := s.d.Clock.Now()
	if r.Status != Building || !r.DeletedAt.IsZero() || now.Sub(r.BeatAt) < silence {
		return nil
	}
	if now.Sub(r.StartedAt) >= buildTime {
		return s.fail(ctx, r, tookTooLong)
	}
	was := r
	r.BeatAt = now
	r.Job = s.job(r)
	actions, err := s.saved(r, was)
	if err != nil {
		return err
	}
	if err := s.d.Records.Transact(ctx, "", actions...); err != nil {
		return err
	}
	return s.d.Jobs.Start(ctx, *r.Job)
}

func malformed() *fault.Error {
	return fault.New(fault.MalformedResponse, "The Formations could not be read whole, so nothing can be said about what is there. Load the first page again.")
}

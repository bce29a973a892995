package audience

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// reviewed is the row that leads from the checksum of a snapshot to all that was
// composed for it, which the snapshot's closed shape has no room for.
type reviewed struct {
	Ground Ground `json:"ground"` // before exclusions
}

// Compose is the second step: it composes the population, sizes and allocates it.
// A preview is settled by it. Of a creation it writes the people and makes the
// Audience's row (M-40), and gives KindCreation back: then WriteMembers.
// Repeating it changes nothing more.
func (s *Service) Compose(ctx context.Context, j CreationJob) (kind string, err error) {
	o, mine, err := s.running(ctx, j)
	if err != nil || !mine {
		return "", err
	}
	if o.HasRow {
		return KindCreation, nil
	}
	var in admitted
	if err := s.getJSON(ctx, o.Request, &in); err != nil {
		return "", err
	}
	w := &composing{s: s, o: o, in: in, said: brief.Read(in.Request.Text)}
	err = w.run(ctx)
	if f := fault.From(err); err != nil && f.Code != fault.Internal && !f.Retryable() && ctx.Err() == nil {
		return "", s.fail(ctx, o, f)
	}
	if err != nil {
		return "", err
	}
	if o.Kind == KindPreview {
		return "", moved(w.preview(ctx))
	}
	if err := w.create(ctx); err != nil {
		if f := fault.From(err); f.Code == fault.PlanLimit {
			return "", s.fail(ctx, o, f)
		}
		if errors.Is(err, errMoved) {
			return s.Compose(ctx, j) // somebody else took this step: go by what is stored
		}
		return "", err
	}
	return KindCreation, nil
}

// composing is one composition under way.
type composing struct {
	s    *Service
	o    operation
	in   admitted
	said brief.Brief

	whole    grounding.Composed // before exclusions
	ground   Ground
	pairs    []grounding.Pair
	evidence []simulate.Evidence
	result   allocate.Result
	members  int
	least    int // suggested minimum
}

func (w *composing) run(ctx context.Context) error {
	if err := w.compose(ctx); err != nil {
		return err
	}
	r := w.in.Request
	if err := knownExclusions(w.whole, r.Exclude); err != nil {
		return err
	}
	active := w.whole
	active.Distributions = without(w.whole.Distributions, r.Exclude)
	if len(active.Distributions) == 0 && len(r.Exclude) == 0 && !strings.ContainsFunc(r.Text, isLetter) {
		return fault.New(fault.NoPersonas, "No person could be derived from the brief. Describe who is meant, for example \"Nurses in Spain aged 25 to 45\".")
	}
	axes := AxesOf(active)
	if err := w.size(ctx, axes); err != nil {
		return err
	}
	config := r.Allocation
	if config.Seed == "" {
		config.Seed = w.in.Inputs
	}
	input := allocate.Input{Axes: axes, Members: w.members, Config: config, Mode: w.o.Mode,
		Relations: RelationsOf(active), Pairs: PairsOf(append(slices.Clone(active.Pairs), w.pairs...))}
	if d := r.Dataset; d != nil {
		input.Dependencies, input.Discovery = dependenciesOf(d), d.discovery()
	}
	var err error
	if w.result, err = allocate.Allocate(input); err != nil {
		return err
	}
	w.ground = Ground{Composed: active, Config: config, Audit: &w.result.Audit, Coverage: w.result.Coverage, Mode: w.o.Mode,
		Exclude: r.Exclude, Notes: w.notes(), CreatedAt: w.s.d.Clock.Now(),
		Context: Context{Population: w.said.Population, Roles: labels(w.said.Roles), Required: required(w.said.Traits, axes)}}
	if d := r.Dataset; d != nil {
		w.ground.Dataset = &DatasetSummary{len(d.SegmentationColumns), len(d.Combinations), d.RecommendedMindCount, w.members}
	}
	return nil
}

func isLetter(r rune) bool { return r > ' ' && (r < '0' || r > '9') }

// notes says in words what was not read.
func (w *composing) notes() []string {
	out := slices.Clone(w.o.Notes)
	for _, r := range w.o.Readings {
		if r.Failed == "" {
			continue
		}
		name := r.Name
		if name == "" {
			name = r.URL
		}
		out = append(out, fmt.Sprintf("%s was not read: %s", name, r.Failed))
	}
	return out
}

// compose makes the whole composition, or takes the one that was accepted.
func (w *composing) compose(ctx context.Context) error {
	r := w.in.Request
	var snap *grounding.Snapshot
	if r.ReviewedJSON != "" {
		read, err := grounding.ParseSnapshot(r.ReviewedJSON)
		if err != nil {
			return err
		}
		snap = &read
		kept, found, err := w.s.accepted(ctx, w.o, r.ReviewedSHA256)
		if err != nil {
			return err
		}
		if found {
			w.whole = kept.Ground.Composed
			if err := w.observe(ctx); err != nil {
				return err
			}
			w.pairs = nil // they are the composition's
			return nil
		}
	}
	in := grounding.Input{Brief: w.said, Topics: labels(w.said.Topics), Model: w.s.d.Model}
	for i, read := range w.o.Readings {
		blocks, err := w.s.texts(ctx, read)
		if err != nil {
			return err
		}
		if len(blocks) == 0 {
			continue
		}
		var text strings.Builder
		for _, b := range blocks {
			text.WriteString(b.Text)
			text.WriteByte('\n')
		}
		m := grounding.Material{Title: read.Title, URL: read.URL, Text: text.String(), UserProvided: read.Kind != SourceKeyword, SourceIdx: i}
		if read.Kind == SourceFile {
			m.URL = fileURL(read)
		}
		if read.Kind == SourceKeyword {
			in.Web = append(in.Web, m)
		} else {
			in.Material = append(in.Material, m)
		}
	}
	given := given{}
	if snap != nil {
		given.add(snap.Distributions, snap.Sources)
	}
	if r.Dataset != nil {
		checked := w.datasetChecked()
		given.add(r.Dataset.distributions(checked), []grounding.Source{w.datasetSource(checked)})
	}
	in.Reviewed, in.ReviewedSources = given.axes, given.sources
	if err := w.observe(ctx); err != nil {
		return err
	}
	in.Pairs = w.pairs
	var err error
	w.whole, err = grounding.ComposeContext(ctx, in)
	if err != nil { // of the model alone: what the rules read stands
		if ctx.Err() != nil {
			return err
		}
		w.s.d.Log.WarnContext(ctx, "the model read nothing for a brief", "workspace", w.o.Workspace, "operation", w.o.ID, "error", err)
		w.o.Notes = append(w.o.Notes, "The language model could not be reached; the material was read by rules alone.")
	}
	w.pairs = nil // they are the composition's now
	return nil
}

// accepted finds what was composed for a snapshot that this account was shown.
func (s *Service) accepted(ctx context.Context, o operation, checksum string) (reviewed, bool, error) {
	it, err := s.d.Records.Get(ctx, reviewedKey(o.Workspace, o.Owner, strings.ToLower(checksum)))
	if errors.Is(err, records.ErrNotFound) {
		return reviewed{}, false, nil
	}
	if err != nil {
		return reviewed{}, false, err
	}
	var row reviewedRow
	if err := json.Unmarshal(it.Body, &row); err != nil {
		return reviewed{}, false, err
	}
	var kept reviewed
	err = s.getJSON(ctx, row.Kept, &kept)
	return kept, err == nil, err
}

// observe reads what the data set has beyond its margins.
func (w *composing) observe(ctx context.Context) error {
	d := w.in.Request.Dataset
	if d == nil {
		return nil
	}
	w.pairs = d.pairs()
	if w.s.d.Datasets == nil {
		return nil
	}
	at := slices.IndexFunc(w.in.Request.Files, func(f FileArg) bool { return f.Name == d.FileName })
	if at < 0 {
		return nil // the margins alone were handed over
	}
	raw, err := json.Marshal(d)
	if err != nil {
		return err
	}
	f := w.in.Request.Files[at]
	seen, err := w.s.d.Datasets.Observed(ctx, DatasetRequest{Name: f.Name, URL: f.URL, Sheet: d.SheetName, Columns: d.SegmentationColumns, Reviewed: raw})
	if err != nil {
		return err
	}
	if len(w.pairs) == 0 {
		w.pairs = seen.Pairs
	}
	w.evidence = seen.Evidence
	return nil
}

// size decides how many members there will be (M-60, M-61).
func (w *composing) size(ctx context.Context, axes []allocate.Axis) error {
	limits, err := w.s.d.Accounts.Limits(ctx)
	if err != nil {
		return err
	}
	ceiling := memberCeiling(limits)
	if ceiling == 0 {
		return w.s.d.Accounts.PlanLimit(ctx, account.AudienceMembers, 1)
	}
	n, least := allocate.Size(axes, w.o.Mode, ceiling)
	w.least = least
	switch {
	case w.o.Stated > 0:
		n = w.o.Stated
	case w.in.Request.ReviewedJSON != "":
		if snap, err := grounding.ParseSnapshot(w.in.Request.ReviewedJSON); err == nil && snap.MemberCount != nil && !w.in.Request.Preview {
			n = *snap.MemberCount
		}
	}
	if d := w.in.Request.Dataset; d != nil && d.RecommendedMindCount > 0 && w.o.Stated == 0 {
		n = min(d.RecommendedMindCount, ceiling)
	}
	if n > ceiling { // the plan became smaller meanwhile
		return w.s.d.Accounts.PlanLimit(ctx, account.AudienceMembers, int64(n))
	}
	w.members = max(n, 1)
	return nil
}

func labels(terms []brief.Term) []string {
	var out []string
	for _, t := range terms {
		out = append(out, t.Label)
	}
	return out
}

// required are what every member is and no axis says already.
func required(traits []brief.Trait, axes []allocate.Axis) []string {
	var out []string
	for _, t := range traits {
		if t.Required && !slices.ContainsFunc(axes, func(a allocate.Axis) bool { return a.Name == t.Axis }) {
			out = append(out, t.Label)
		}
	}
	return out
}

// knownExclusions refuses names of axes that nothing was composed for, so that a
// slip leaves no axis in that its owner does not want.
func knownExclusions(c grounding.Composed, names []string) error {
	var known []string
	for _, list := range [][]grounding.Distribution{c.Distributions, c.Review} {
		for _, d := range list {
			if !slices.Contains(known, d.Name) {
				known = append(known, d.Name)
			}
		}
	}
	for _, name := range names {
		dimension := slices.ContainsFunc(c.Coverage.Dimensions, func(d grounding.Dimension) bool { return d.Name == name })
		if !dimension && !slices.Contains(known, name) {
			return invalid("excludeDistributions", "excludeDistributions names %q, and this grounding has no such axis. It has: %s.", clip(name, 120), few(known)).With("known", known)
		}
	}
	return nil
}

// without leaves out the axes of these exact names (M-53).
func without(list []grounding.Distribution, names []string) []grounding.Distribution {
	out := make([]grounding.Distribution, 0, len(list))
	for _, d := range list {
		if !slices.Contains(names, d.Name) {
			out = append(out, d)
		}
	}
	return out
}

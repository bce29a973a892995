package run

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// prepare writes every item in asking order: those of the plan as they stand, and
// those that a method writes when it is run (M-83, M-88). The same seed gives the
// same items.
func (p Plan) prepare(seed string) ([]Item, []design, []methodVersion, error) {
	var items []Item
	var designs []design
	var versions []methodVersion
	for _, m := range p.Modules {
		if len(m.Questions) > 0 || m.MethodID == "" {
			items = append(items, m.Questions...)
			continue
		}
		at := slices.IndexFunc(p.Methods, func(x Method) bool { return x.MethodID == m.MethodID })
		if at < 0 {
			continue
		}
		made, err := method.Prepare(m.MethodID, p.Methods[at].Configuration, p.StudyLocale, seed)
		if err != nil {
			return nil, nil, nil, err
		}
		for _, q := range made.Items {
			items = append(items, Item{ID: q.ID, ModuleID: m.ID, Text: q.Text, Response: q.Response, AttachmentIDs: []string{},
				Origin: "method", MethodID: m.MethodID, ReadOnly: true, Variants: q.Variants})
		}
		if made.Diagnostics != nil {
			designs = append(designs, design{MethodID: m.MethodID, Diagnostics: made.Diagnostics})
		}
		for _, v := range made.Versions {
			versions = append(versions, methodVersion{MethodID: m.MethodID, VersionID: v, MindIDs: []string{}})
		}
	}
	for i := range items {
		items[i].Position = i + 1
		if items[i].AttachmentIDs == nil {
			items[i].AttachmentIDs = []string{}
		}
	}
	return items, designs, versions, nil
}

// chunkRow is one chunk of Minds as they were at the start of the run. Live says of
// each which state of it that was; Minds holds them whole, for when it has changed.
type chunkRow struct {
	Live  []pinned `json:"live"`
	Minds packed   `json:"minds"` // []mind.Mind
}

// pinned is the state of a Mind that a run answers from: a digest of all that an
// answer may rest on.
type pinned struct {
	ID     string `json:"id"`
	Digest string `json:"digest"`
}

func pin(m mind.Mind) pinned {
	h := sha256.New()
	part := func(s string) {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		_, _ = io.WriteString(h, s)
	}
	for _, s := range []string{m.Name, m.Description, m.PersonaContext, m.SystemPrompt, m.SourcePolicy, strconv.FormatInt(m.KnowledgeVersion, 10)} {
		part(s)
	}
	for _, k := range m.Knowledge {
		part(k.ItemID)
		part(k.Digest)
	}
	if m.Evidence != nil {
		part(m.Evidence.SHA256)
	}
	return pinned{ID: m.ID, Digest: hex.EncodeToString(h.Sum(nil)[:16])}
}

// Prepare takes the Audiences and freezes what the run asks and of whom. waiting is
// true while one of its Audiences is being changed: the run stays queued, and the
// machine asks again (M-45). Running it again changes nothing.
func (s *Service) Prepare(ctx context.Context, in JobInput) (waiting bool, err error) {
	row, _, err := s.job(ctx, in)
	if err != nil || row.closed() || row.Status == Running {
		return false, err
	}
	roll, err := s.roll(ctx, in.Workspace, row.ID)
	if err != nil {
		return false, err
	}
	if s.d.Leases != nil {
		ok, err := s.d.Leases.ShareAll(ctx, audienceIDs(roll), row.ID)
		if err != nil || !ok {
			return !ok, err
		}
	}
	slots, err := s.freeze(ctx, in.Workspace, row, roll)
	if err != nil {
		return false, err
	}
	if err := s.writeExecution(ctx, in.Workspace, row, roll, slots); err != nil {
		return false, err
	}
	return false, s.change(ctx, in, func(r *runRow, now time.Time) ([]records.Action, error) {
		if r.Status != Queued || r.closed() {
			return nil, errUnchanged
		}
		r.Status, r.StartedAt = Running, now
		*r.stage(stagePrepare) = r.stage(stagePrepare).ended("completed", "", now)
		*r.stage(stageAsk) = r.stage(stageAsk).begun(now)
		return []records.Action{r.note(in.Workspace, "run.started", now, EventPayload{Status: Running})}, nil
	})
}

// freeze writes the Minds of each chunk down and gives their home slots.
func (s *Service) freeze(ctx context.Context, ws string, row runRow, roll *study.Roll) ([]int64, error) {
	slots := make([]int64, len(roll.Minds))
	at := 0
	for part := range slices.Chunk(roll.Minds, ChunkSize) {
		ids := make([]string, len(part))
		place := make(map[string]int, len(part))
		for i, m := range part {
			ids[i], place[m.ID] = m.ID, at+i
		}
		minds, err := s.d.Minds.GetMany(ctx, ids)
		if err != nil {
			return nil, err
		}
		c := chunkRow{Live: make([]pinned, len(minds))}
		for i, m := range minds {
			c.Live[i] = pin(m)
			slots[place[m.ID]] = m.Slot
		}
		raw, err := encode(minds)
		if err != nil {
			return nil, err
		}
		if c.Minds, err = s.pack(ctx, ws, raw, 0); err != nil {
			return nil, err
		}
		body, err := encode(c)
		if err != nil {
			return nil, err
		}
		// The first to write wins: a repeated task meets the same Minds.
		_, err = s.d.Records.Put(ctx, records.Item{Key: key(ws, row.ID, chunkSK(at/ChunkSize)), Body: body}, records.NotExists())
		var there *records.ConditionError
		if err != nil && !errors.As(err, &there) {
			return nil, err
		}
		at += len(part)
	}
	return slots, nil
}

func (s *Service) writeExecution(ctx context.Context, ws string, row runRow, roll *study.Roll, slots []int64) error {
	p, err := s.plan(ctx, ws, row.ID)
	if err != nil {
		return err
	}
	x := execution{PreparedAt: clock.Stamp(s.d.Clock.Now()), Slots: slots, Locale: p.StudyLocale, Methods: p.Methods}
	if x.Items, x.Designs, x.Versions, err = p.prepare(row.seed()); err != nil {
		return err
	}
	if p.Source != nil && strings.TrimSpace(p.Source.Content) != "" {
		x.Source = p.Source
	}
	count := map[string]int{}
	for _, v := range x.Versions {
		count[v.MethodID]++
	}
	first := map[string]int{}
	for i, v := range x.Versions {
		if _, ok := first[v.MethodID]; !ok {
			first[v.MethodID] = i
		}
	}
	for methodID, n := range count {
		for i, m := range roll.Minds {
			v := &x.Versions[first[methodID]+versionOf(slots[i], n)]
			v.MindIDs = append(v.MindIDs, m.ID)
		}
	}
	doc, err := s.document(ctx, ws, row.ID, skExecution, x)
	if err != nil {
		return err
	}
	_, err = s.d.Records.Put(ctx, doc, records.NotExists())
	var there *records.ConditionError
	if errors.As(err, &there) {
		return nil
	}
	return err
}

// versionOf is the design version of the Mind at a slot (M-88).
func versionOf(slot int64, n int) int {
	return int(((slot % int64(n)) + int64(n)) % int64(n))
}

func audienceIDs(r *study.Roll) []string {
	ids := make([]string, len(r.Audiences))
	for i, a := range r.Audiences {
		ids[i] = a.ID
	}
	return ids
}

func (s *Service) plan(ctx context.Context, ws, run string) (Plan, error) {
	var p Plan
	found, err := s.read(ctx, ws, run, skPlan, &p)
	if err == nil && !found {
		err = records.ErrNotFound
	}
	return p, err
}

func (s *Service) roll(ctx context.Context, ws, run string) (*study.Roll, error) {
	var r study.Roll
	found, err := s.read(ctx, ws, run, skRoll, &r)
	if err == nil && !found {
		err = records.ErrNotFound
	}
	return &r, err
}

// fixed reads what never changes of a prepared run; a process reads it once.
func (s *Service) fixed(ctx context.Context, ws, run string) (known, error) {
	id := ws + "/" + run
	if k, ok := s.kept.get(id); ok {
		return k, nil
	}
	roll, err := s.roll(ctx, ws, run)
	if err != nil {
		return known{}, err
	}
	var x execution
	found, err := s.read(ctx, ws, run, skExecution, &x)
	if err == nil && !found {
		err = records.ErrNotFound
	}
	if err != nil {
		return known{}, err
	}
	k := known{exec: &x, roll: roll, recent: &recent{}}
	s.kept.put(id, k)
	return k, nil
}

func (st Stage) begun(at time.Time) Stage {
	if st.StartedAt == nil {
		st.Status, st.StartedAt = "running", stamp(at)
	}
	return st
}

func (st Stage) ended(status, reason string, at time.Time) Stage {
	if st.StartedAt == nil && status != "skipped" {
		st.StartedAt = stamp(at)
	}
	st.Status, st.Reason, st.CompletedAt = status, reason, stamp(at)
	return st
}

// decode reads JSON that this package wrote.
func decode[T any](raw []byte) (T, error) {
	var v T
	err := json.Unmarshal(raw, &v)
	return v, err
}

package mind

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// maxShared is how many Audiences' evidence one process keeps at hand, and
// maxSharedBytes how much one may have.
const (
	maxShared      = 64
	maxSharedBytes = 16 << 20
)

// shared keeps the evidence of Audiences by what it is, so that all members of one
// answer from the same pointers, however many they are.
type shared struct {
	mu   sync.Mutex
	kept map[blobs.Ref][]*simulate.Evidence
}

// know is all that a Mind knows: its own knowledge, then what its Audience was
// given.
func (s *Service) know(ctx context.Context, m Mind) (Known, error) {
	known, err := s.d.Library.Load(ctx, m.Workspace, m.Knowledge)
	if err != nil || m.Evidence == nil || s.d.Blobs == nil {
		return known, err
	}
	given, err := s.evidence(ctx, *m.Evidence)
	if err != nil || len(given) == 0 {
		return known, err
	}
	if len(known.Evidence) == 0 {
		known.Evidence = given
		return known, nil
	}
	// A new slice: the library shares its own with other Minds.
	known.Evidence = append(append(make([]*simulate.Evidence, 0, len(known.Evidence)+len(given)), known.Evidence...), given...)
	return known, nil
}

// evidence reads one Audience's, once.
func (s *Service) evidence(ctx context.Context, ref blobs.Ref) ([]*simulate.Evidence, error) {
	s.given.mu.Lock()
	found, ok := s.given.kept[ref]
	s.given.mu.Unlock()
	if ok {
		return found, nil
	}
	in, err := s.d.Blobs.Open(ctx, ref, 0, -1)
	if err != nil {
		return nil, fmt.Errorf("mind: the evidence of an Audience: %w", err)
	}
	defer in.Close()
	if err := json.NewDecoder(io.LimitReader(in, maxSharedBytes)).Decode(&found); err != nil {
		return nil, fmt.Errorf("mind: the evidence of an Audience: %w", err)
	}
	s.given.mu.Lock()
	defer s.given.mu.Unlock()
	if again, ok := s.given.kept[ref]; ok {
		return again, nil
	}
	if s.given.kept == nil {
		s.given.kept = map[blobs.Ref][]*simulate.Evidence{}
	}
	for old := range s.given.kept { // any one goes: it is read again when it is asked for
		if len(s.given.kept) < maxShared {
			break
		}
		delete(s.given.kept, old)
	}
	s.given.kept[ref] = found
	return found, nil
}

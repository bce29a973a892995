// Package studydraft keeps what a person has planned of a Study and not launched
// yet: a versioned state of the planner with a name and the step to reopen (M-260).
// Drafts start no research.
package studydraft

import (
	"encoding/json"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// What a draft may hold (section 23).
const (
	MaxPayload = 512 << 10 // bytes of the payload
	MaxBody    = 1 << 20   // bytes of a request that creates or updates
	MaxConsume = 4 << 10   // bytes of a request that consumes

	maxName = 200
	maxStep = 100
	maxKey  = 200

	// LaunchLease is how long a launch may take before its draft can be changed
	// again.
	LaunchLease = 10 * time.Minute
)

// The states of a draft.
const (
	Open     = "draft"
	Starting = "starting" // a launch holds it, until its lease ends
	Consumed = "consumed" // a closed tombstone
)

// Modes of the planner.
const (
	Quick  = "quick"
	Custom = "custom"
)

const (
	defaultName = "Untitled study"
	defaultStep = "context"
)

// Draft is one draft as REST shows it; rows of lists may come without payload.
type Draft struct {
	ID                  string          `json:"id"`
	UserID              string          `json:"userId"`
	Name                string          `json:"name"`
	Mode                string          `json:"mode"`
	CurrentStep         string          `json:"currentStep"`
	Revision            int             `json:"revision"`
	Status              string          `json:"status"`
	Payload             json.RawMessage `json:"payload,omitempty"` // {"version":1,"state":{…}}
	StudyID             *string         `json:"studyId"`
	StartRequestID      *string         `json:"startRequestId"`
	StartLeaseExpiresAt *string         `json:"startLeaseExpiresAt"`
	CreatedAt           string          `json:"createdAt"`
	UpdatedAt           string          `json:"updatedAt"`
}

// Saved is what came of saving.
type Saved struct {
	Draft     Draft
	Key       string // the creation key used; empty: none
	Replayed  bool   // the key had made this draft before; nothing was changed
	Unchanged bool   // the same was saved already: revision and time stay
}

// row is the stored form of a draft.
type row struct {
	ID          string    `json:"id"`
	Owner       string    `json:"owner"`
	Workspace   string    `json:"workspace"`
	Name        string    `json:"name"`
	Mode        string    `json:"mode"`
	CurrentStep string    `json:"currentStep"`
	Revision    int       `json:"revision"`
	Payload     blobs.Ref `json:"payload"`
	Key         string    `json:"key,omitempty"` // creation key
	StudyID     string    `json:"studyId,omitempty"`
	Launch      *launch   `json:"launch,omitempty"`
	Consumed    bool      `json:"consumed,omitempty"`
	CreatedAt   time.Time `json:"createdAt"`
	UpdatedAt   time.Time `json:"updatedAt"`

	version int64 // of the stored record
}

// launch is who is making a Study of a draft.
type launch struct {
	RequestID string    `json:"requestId"`
	Until     time.Time `json:"until"`
}

func (r row) key() records.Key {
	if r.Consumed {
		return consumedKey(r.Workspace, r.Owner, r.ID)
	}
	return activeKey(r.Workspace, r.Owner, r.ID)
}

func (r row) item() records.Item {
	body, _ := json.Marshal(r) // plain data always encodes
	return records.Item{Key: r.key(), Body: body}
}

func decode(it records.Item) (row, error) {
	var r row
	err := json.Unmarshal(it.Body, &r)
	r.version = it.Version
	return r, err
}

// status tells the state at a time: a launch whose lease has ended holds nothing.
func (r row) status(now time.Time) string {
	switch {
	case r.Consumed:
		return Consumed
	case r.Launch != nil && now.Before(r.Launch.Until):
		return Starting
	}
	return Open
}

func (r row) view(now time.Time, payload []byte) Draft {
	d := Draft{ID: r.ID, UserID: r.Owner, Name: r.Name, Mode: r.Mode, CurrentStep: r.CurrentStep, Revision: r.Revision,
		Status: r.status(now), Payload: payload, CreatedAt: clock.Stamp(r.CreatedAt), UpdatedAt: clock.Stamp(r.UpdatedAt)}
	if r.StudyID != "" {
		d.StudyID = &r.StudyID
	}
	if d.Status == Starting {
		until := clock.Stamp(r.Launch.Until)
		d.StartRequestID, d.StartLeaseExpiresAt = &r.Launch.RequestID, &until
	}
	return d
}

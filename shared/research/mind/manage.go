package mind

import (
	"context"
	"errors"
)

var errNotBuilt = errors.New("mind: not built yet")

// Patch changes what is not nil. SystemPrompt is kept verbatim; an empty
// Discipline clears the field; Tags replace those there are.
type Patch struct {
	Name            *string
	Description     *string
	Type            *string // REST only; one that is not known becomes creative
	Discipline      *string
	SystemPrompt    *string
	SourcePolicy    *string
	Tags            *[]string
	LinkSharing     *bool
	ProfileImageURL *string // REST only; empty takes the picture away
}

// Outcome is what came of one id of DeleteMany. Error is empty when the Mind is
// gone by this call.
type Outcome struct {
	MindID  string `json:"mindId"`
	Deleted bool   `json:"deleted"`
	Error   string `json:"error,omitempty"` // not_found, or what may be shown of another reason
}

// Revision is a new version of a Mind that Refresh trains while the present one
// goes on answering. What is nil stays.
type Revision struct {
	Description    *string
	Discipline     *string
	PersonaContext *string
	Keywords       *[]string
	// Forget drops the knowledge of the present version with the commit of the
	// new one: only what this training gathers is kept.
	Forget bool
	// Redraw makes a new portrait.
	Redraw bool
}

// Identity is what a member of a cohort was assigned; no regeneration of its
// prompt changes it (M-26).
type Identity struct {
	Age            int    `json:"age,omitempty"` // years; 0: not assigned
	Gender         string `json:"gender,omitempty"`
	Representation string `json:"representation,omitempty"`
}

// Pattern is something that a source says of a Mind, as a prompt is written from it.
type Pattern struct {
	Aspect, SubAspect, Quote, ItemID string
}

// Portrait points to the generated picture of a Mind.
type Portrait struct {
	PNG     []byte
	SVG     []byte
	Alt     string
	Version string
}

// Update changes a Mind. VALIDATION names every field that does not fit.
func (s *Service) Update(ctx context.Context, id string, p Patch) (Mind, error) {
	return Mind{}, errNotBuilt
}

// Delete takes a Mind away and queues the clean-up of all that was its own.
// NOT_FOUND also for a Mind of somebody else.
func (s *Service) Delete(ctx context.Context, id string) error { return errNotBuilt }

// DeleteMany deletes 1 to 100 Minds, each with an outcome of its own, in the
// order of ids.
func (s *Service) DeleteMany(ctx context.Context, ids []string) ([]Outcome, error) {
	return nil, errNotBuilt
}

// Retrain queues a training that collects anew and rebuilds prompt and index;
// until it ends the Mind does not answer. RETRAIN_IN_FLIGHT (M-22).
func (s *Service) Retrain(ctx context.Context, id string) (Training, error) {
	return Training{}, errNotBuilt
}

// Refresh queues a training of a new version while the present one answers
// (M-23). RETRAIN_IN_FLIGHT.
func (s *Service) Refresh(ctx context.Context, id string, r Revision) (Training, error) {
	return Training{}, errNotBuilt
}

// RegenerateImage queues a portrait, or says why it was not queued.
func (s *Service) RegenerateImage(ctx context.Context, id string, force bool, personaContext string) (enqueued bool, skippedReason string, err error) {
	return false, "", errNotBuilt
}

// RegenerateEmbeddings queues a rebuild of every vector and gives the number of
// items. QUEUE_UNAVAILABLE.
func (s *Service) RegenerateEmbeddings(ctx context.Context, id string) (queuedItems int, err error) {
	return 0, errNotBuilt
}

// Package connection keeps the model connections of a team: which model of which
// provider answers for its Minds, under which revision, and whether that
// revision was seen to work. A secret goes to the vault and never comes out
// again but to the provider.
//
// A connection is chosen by id and exact revision. What fails, fails: no other
// model ever answers in its place (M-301).
package connection

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// Connection is one connection as lists, tools and REST show it; nothing else of
// it leaves the service (M-300).
type Connection struct {
	ID           string             `json:"id"`
	Name         string             `json:"name"`
	Provider     string             `json:"provider"`
	Model        string             `json:"model"`
	Revision     int                `json:"revision"`
	IsActive     bool               `json:"isActive"`
	VerifiedAt   *string            `json:"verifiedAt"` // null: this revision was not seen to work
	Capabilities model.Capabilities `json:"capabilities"`
	CreatedAt    string             `json:"createdAt"`
	UpdatedAt    string             `json:"updatedAt"`
}

// Page is one page of a team's active connections, oldest first. NextCursor is
// the id to go on after; null on the last page.
type Page struct {
	Connections []Connection
	NextCursor  *string
}

// Create asks for a new connection. It is active and not verified.
type Create struct {
	Name     string // 1..100 characters, trimmed
	Provider string // openai | openai_compatible | anthropic | bedrock
	Model    string // 1..200 characters, the provider's own id
	Endpoint string // base address; needed with openai_compatible, refused with bedrock
	Region   string // needed with bedrock, refused else
	Secret   string // key of the provider, 1..8,192 bytes; none with bedrock, may be empty with openai_compatible
}

// Change asks for another state of a connection; nil keeps a field. Every change
// makes the next revision, which is not verified.
type Change struct {
	Revision                      int // the revision that the caller has seen; STALE_REVISION when it is another now
	Name, Model, Endpoint, Region *string
	Secret                        *string
	IsActive                      *bool
}

// Verification is what came of probing one revision.
type Verification struct {
	Verified bool   `json:"verified"`
	Code     string `json:"code,omitempty"`    // kind of the failure, such as auth or unknown_model
	Message  string `json:"message,omitempty"` // the same for a person
}

// The states of a connection.
const (
	active   = "active"
	disabled = "disabled"
	revoked  = "revoked"
)

// row is the stored form.
type row struct {
	ID           string             `json:"id"`
	Name         string             `json:"name"`
	Settings     model.Settings     `json:"settings"`
	SecretRef    string             `json:"secretRef,omitempty"` // name in the vault
	State        string             `json:"state"`
	Revision     int                `json:"revision"`
	VerifiedAt   time.Time          `json:"verifiedAt,omitzero"`
	Capabilities model.Capabilities `json:"capabilities"`
	CreatedAt    time.Time          `json:"createdAt"`
	UpdatedAt    time.Time          `json:"updatedAt"`

	version int64 // of the stored record
}

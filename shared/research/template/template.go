// Package template keeps instruments of Studies to use again: a goal, a language, a
// method and exact questions with what they show (M-250). A template asks nobody
// anything; using it makes an independent draft.
package template

import (
	"encoding/json"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// What a template may hold (section 23).
const (
	MaxBody          = 1 << 20   // bytes of a request that saves or updates
	MaxConfiguration = 512 << 10 // bytes of the stored configuration
	MaxUse           = 4 << 10   // bytes of a request that uses one

	maxName      = 200
	maxText      = 20000
	maxQuestions = 200
	maxOptions   = 100
	maxOption    = 2000
	maxShown     = 30  // attachments of one question
	maxFiles     = 100 // attachments of a template
	maxBytes     = 256 << 20
)

// Template is one template as tools and REST show it.
type Template struct {
	ID               string          `json:"id"`
	Name             string          `json:"name"`
	Revision         int             `json:"revision"`
	IsSharedWithTeam bool            `json:"isSharedWithTeam"`
	CanManage        bool            `json:"canManage"`        // the caller owns it
	CanShareWithTeam bool            `json:"canShareWithTeam"` // and their plan shares with teams
	Configuration    json.RawMessage `json:"configuration"`    // a Configuration
	CreatedAt        string          `json:"createdAt"`
	UpdatedAt        string          `json:"updatedAt"`
}

// Configuration is the stored instrument.
type Configuration struct {
	Version     int        `json:"version"` // 1
	Goal        string     `json:"goal"`
	StudyLocale string     `json:"studyLocale"`
	MethodID    string     `json:"methodId"`
	Questions   []Question `json:"questions"`
}

// Question is one question as it is put, word for word.
type Question struct {
	Text        string       `json:"text"`
	Response    Response     `json:"response"`
	Attachments []Attachment `json:"attachments,omitempty"`
}

// Response is the form of its answers.
type Response struct {
	Type               string   `json:"type"` // qualitative | categorical | multiselect | scale
	ScaleRange         []int    `json:"scaleRange,omitempty"`
	CategoricalOptions []string `json:"categoricalOptions,omitempty"`
	MaxSelections      int      `json:"maxSelections,omitempty"`
}

// Attachment is what a question shows: a file that was brought here, or an address
// of the web.
type Attachment struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	URL       string   `json:"url"`
	Path      string   `json:"path,omitempty"`
	Kind      string   `json:"kind,omitempty"`      // link
	MimeType  string   `json:"mimeType,omitempty"`  // at most 200 characters
	SizeBytes *float64 `json:"sizeBytes,omitempty"` // 0 or more
	MediaType string   `json:"mediaType,omitempty"` // video
}

// row is the stored form.
type row struct {
	ID            string               `json:"id"`
	Owner         string               `json:"owner"`
	Workspace     string               `json:"workspace"`
	Name          string               `json:"name"`
	Revision      int                  `json:"revision"`
	Shared        bool                 `json:"shared,omitempty"`
	Configuration blobs.Ref            `json:"configuration"`
	Files         map[string]blobs.Ref `json:"files,omitempty"` // copies, by the address of the attachment
	CreatedAt     time.Time            `json:"createdAt"`
	UpdatedAt     time.Time            `json:"updatedAt"`

	version int64 // of the stored record
}

func (r row) item() records.Item {
	body, _ := json.Marshal(r) // plain data always encodes
	return records.Item{Key: templateKey(r.Workspace, r.ID), Body: body}
}

func decode(it records.Item) (row, error) {
	var r row
	err := json.Unmarshal(it.Body, &r)
	r.version = it.Version
	return r, err
}

func (r row) view(account string, sharing bool, configuration []byte) Template {
	mine := r.Owner == account
	return Template{ID: r.ID, Name: r.Name, Revision: r.Revision, IsSharedWithTeam: r.Shared, CanManage: mine, CanShareWithTeam: mine && sharing,
		Configuration: configuration, CreatedAt: clock.Stamp(r.CreatedAt), UpdatedAt: clock.Stamp(r.UpdatedAt)}
}

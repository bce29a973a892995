// Package dataset reviews the spreadsheets of respondents that an Audience can be
// built from: it finds the file, has it read and analysed by a job, and gives the
// review back. Nothing is made of it here; creation asks for what the respondents
// of a reviewed file have in common.
package dataset

import (
	"context"
	"io"
	"log/slog"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/webpage"
)

const (
	// Machine is the state machine of a review.
	Machine = "audience-dataset"
	// MaxBytes is the most of a file that is read (section 23), DownloadTime the
	// longest that getting it may take.
	MaxBytes     = 50 << 20
	DownloadTime = 30 * time.Second
	// MaxRequest is the most JSON of a request.
	MaxRequest = 256 << 10

	// kept is how long a review and what was seen in a file are kept, fresh how
	// long the review of an address of the web is given again: what stands there may
	// be another file by then.
	kept  = 24 * time.Hour
	fresh = 10 * time.Minute
	// deadline is when a review that did not end is given up.
	deadline = 10 * time.Minute

	maxName    = 300
	maxURL     = 4000
	maxColumns = 200
	maxColumn  = 200
)

// Files gives files that the caller keeps here. stored is false for an address of
// the web.
type Files interface {
	Open(ctx context.Context, address string) (in io.ReadCloser, mediaType string, stored bool, err error)
}

// Pages gets files of the web through the guard.
type Pages interface {
	File(ctx context.Context, rawURL string) (webpage.Fetched, error)
}

// Deps is what a Service works with. Pages and Check may be nil: then nothing is
// got from the web.
type Deps struct {
	Records  records.Store
	Blobs    blobs.Store
	Clock    clock.Clock
	IDs      clock.IDs
	Accounts *account.Service
	Jobs     *jobs.Service
	Files    Files
	Pages    Pages                                // gets a file in at most DownloadTime
	Check    func(rawURL string, file bool) error // refuses addresses that are never asked for
	Log      *slog.Logger
}

// Service is the domain of data sets. Every method acts for the principal of its
// context.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d}
}

// Request asks for the review of a file.
type Request struct {
	Name    string   // as the caller calls it, with its ending
	URL     string   // of an upload of the caller's, or of the web
	Sheet   string   // of a workbook; empty: the first visible one that holds a table
	Columns []string // keys that shape the cohort; none: the usual ones
}

// checked puts a request in order. VALIDATION.
func (r Request) checked() (Request, error) {
	r.Name, r.URL = strings.TrimSpace(r.Name), strings.TrimSpace(r.URL)
	bad := func(field, format string, args ...any) (Request, error) {
		return r, fault.New(fault.Validation, format, args...).With("path", field)
	}
	ending := strings.ToLower(path.Ext(r.Name))
	switch {
	case r.Name == "" || utf8.RuneCountInString(r.Name) > maxName || !utf8.ValidString(r.Name) || strings.ContainsFunc(r.Name, unicode.IsControl):
		return bad("/file/name", "file.name must be a file name of 1 to %d characters, such as wave3.xlsx.", maxName)
	case !slices.Contains([]string{".csv", ".xls", ".xlsx"}, ending):
		return bad("/file/name", "file.name must end in .csv, .xls or .xlsx: only spreadsheets of respondents are reviewed.")
	case r.URL == "" || utf8.RuneCountInString(r.URL) > maxURL:
		return bad("/file/url", "file.url must be an address of 1 to %d characters: of an upload of yours, or a public https link.", maxURL)
	case len(r.Columns) > maxColumns:
		return bad("/segmentationColumns", "segmentationColumns has %d keys; it may have at most %d.", len(r.Columns), maxColumns)
	}
	seen := map[string]bool{}
	for _, c := range r.Columns {
		switch {
		case c == "" || utf8.RuneCountInString(c) > maxColumn:
			return bad("/segmentationColumns", "segmentationColumns must hold keys of 1 to %d characters, as an earlier review gave them.", maxColumn)
		case seen[c]:
			return bad("/segmentationColumns", "segmentationColumns names %q twice. Name each key once.", c)
		}
		seen[c] = true
	}
	return r, nil
}

// JobInput is what the machine is started with; ids only.
type JobInput struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Review    string `json:"review"`
}

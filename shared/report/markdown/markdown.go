// Package markdown renders a report as Markdown (CommonMark with GFM tables).
package markdown

import (
	"io"

	"github.com/mindgate-dev/mindgate/shared/report"
)

// Write renders the report. Equal reports give equal bytes (M-224).
func Write(w io.Writer, r report.Report, length report.Length) error { return nil }

package export

import (
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/report"
)

// The formats of the contract, and those that are made now.
var (
	reportFormats = []string{"pdf", "docx", "pptx", "md"}
	dataFormats   = []string{"csv", "xls", "sav"}
	made          = []string{"md", "csv"}
)

// form is a checked request: what file is wanted.
type form struct {
	kind, format, length string
}

// checked gives the form of a request with its defaults, or the rule that it
// breaks (M-220).
func (r Request) checked() (form, error) {
	f := form{kind: r.Kind, format: strings.ToLower(r.Format), length: r.Length}
	if f.format == "" {
		f.format = "md"
	}
	if f.format == "markdown" {
		f.format = "md"
	}
	isReport, isData := slices.Contains(reportFormats, f.format), slices.Contains(dataFormats, f.format)
	if !isReport && !isData {
		return f, fault.New(fault.Validation, "format is %q; it must be one of %s.", f.format, strings.Join(append(slices.Clone(reportFormats), dataFormats...), ", "))
	}
	if f.kind == "" {
		f.kind = FullReport
		if isData {
			f.kind = RawData
		}
	}
	switch f.kind {
	case ExecutiveBrief, FullReport:
		if !isReport {
			return f, fault.New(fault.UnsupportedExportCombination, "kind %s does not come as %s; reports come as %s, raw data as %s.",
				f.kind, f.format, strings.Join(reportFormats, ", "), strings.Join(dataFormats, ", ")).With("path", "/format")
		}
	case RawData:
		if !isData {
			return f, fault.New(fault.UnsupportedExportCombination, "kind raw_data does not come as %s; raw data comes as %s, reports as %s.",
				f.format, strings.Join(dataFormats, ", "), strings.Join(reportFormats, ", ")).With("path", "/format")
		}
	default:
		return f, fault.New(fault.Validation, "kind is %q; it must be executive_brief, full_report or raw_data.", f.kind)
	}
	if !slices.Contains(made, f.format) {
		now := "md"
		if isData {
			now = "csv"
		}
		return f, fault.New(fault.UnsupportedExportCombination, "%s files are not made yet. Ask for format %s: it holds the same figures.", f.format, now).
			With("path", "/format").With("available", made)
	}
	err := f.lengthChecked()
	return f, err
}

func (f *form) lengthChecked() error {
	switch f.length {
	case "", "standard":
		f.length = "standard"
	case "brief", "short": // one value under two names
		f.length = "brief"
	case "detailed":
	default:
		return fault.New(fault.Validation, "length is %q; it must be brief, short, standard or detailed.", f.length)
	}
	if f.kind == RawData {
		f.length = "" // ignored for raw data
	}
	return nil
}

func (f form) reportLength() report.Length {
	switch f.length {
	case "brief":
		return report.Brief
	case "detailed":
		return report.Detailed
	}
	return report.Standard
}

func (f form) mimeType() string {
	if f.format == "csv" {
		return "text/csv; charset=utf-8"
	}
	return "text/markdown; charset=utf-8"
}

// filename is the name of the file: the Study's name with what it is.
func (f form) filename(study string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`\/:*?"<>|`, r) || r < ' ' {
			return '-'
		}
		return r
	}, study)
	return strings.TrimSpace(name) + " - " + strings.ReplaceAll(f.kind, "_", " ") + "." + f.format
}

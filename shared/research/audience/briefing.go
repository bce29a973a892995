package audience

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// Limits of a brief (section 23).
const (
	maxBrief       = 200_000 // characters
	maxLinks       = 10
	maxLink        = 2_000
	maxKeywords    = 10
	maxKeyword     = 200
	maxFiles       = 20
	maxFileName    = 300
	maxFileURL     = 4_000
	maxExcluded    = 200
	maxGrounding   = 2_000_000
	maxStatedSize  = 6_000
	systemLimit    = 1_000 // members of one Audience, whatever the plan
	balancedLimit  = 20    // stated members in mode balanced
	maxBriefKey    = 200   // characters of Idempotency-Key
	maxDatasetVars = 200
)

// FileArg is a file by its name and where it can be read: an upload of the
// caller's, or a public address.
type FileArg struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// BriefRequest asks for a preview of an Audience, or for one, from a description
// of its population.
type BriefRequest struct {
	Text             string          `json:"brief"`
	Name             string          `json:"name,omitempty"` // empty: from the brief
	Links            []string        `json:"links,omitempty"`
	Keywords         []string        `json:"keywords,omitempty"`
	Files            []FileArg       `json:"files,omitempty"`
	IncludeWebSearch *bool           `json:"includeWebSearch,omitempty"` // nil is true
	MemberCount      int             `json:"memberCount,omitempty"`      // 0: by the brief, or automatic
	Mode             string          `json:"audienceCreationMode,omitempty"`
	Dataset          *Dataset        `json:"datasetSegmentation,omitempty"`
	Allocation       allocate.Config `json:"cohortAllocation,omitzero"`
	Preview          bool            `json:"groundingPreview,omitempty"`
	ReviewedJSON     string          `json:"reviewedGroundingJson,omitempty"`
	ReviewedSHA256   string          `json:"reviewedGroundingSha256,omitempty"`
	Exclude          []string        `json:"excludeDistributions,omitempty"`
	LinkSharing      bool            `json:"isLinkSharingEnabled,omitempty"`
	GenerateImages   *bool           `json:"generateImages,omitempty"` // REST; nil is true

	Key string `json:"-"` // REST: Idempotency-Key; empty: equal arguments are one call
}

// Dataset is the reviewed output of the preview of a file of respondents.
type Dataset struct {
	FileName               string            `json:"fileName"`
	SheetName              string            `json:"sheetName,omitempty"`
	RespondentCount        int               `json:"respondentCount,omitempty"`
	RecommendedMindCount   int               `json:"recommendedMindCount,omitempty"`
	Variables              []DatasetVariable `json:"variables,omitempty"`
	Columns                []DatasetVariable `json:"columns,omitempty"`
	SegmentationColumns    []string          `json:"segmentationColumns"`
	Combinations           []DatasetProfile  `json:"combinations"`
	RetainedCombinationIDs []string          `json:"retainedCombinationIds,omitempty"`
	FunctionalDependencies []json.RawMessage `json:"functionalDependencies,omitempty"`
	DependencyDiscovery    map[string]any    `json:"dependencyDiscovery,omitempty"`
}

// DatasetVariable is one column with the shares of its values.
type DatasetVariable struct {
	Key                  string         `json:"key"`
	Label                string         `json:"label"`
	Distribution         []DatasetShare `json:"distribution"`
	ValidRespondentCount *int           `json:"validRespondentCount,omitempty"`
	OtherRespondentCount *int           `json:"otherRespondentCount,omitempty"`
}

// DatasetShare is one value.
type DatasetShare struct {
	Value           string  `json:"value"`
	RespondentCount int     `json:"respondentCount"`
	SharePct        float64 `json:"sharePct"`
}

// DatasetProfile is one observed joint profile.
type DatasetProfile struct {
	ID              string  `json:"id"`
	RespondentCount int     `json:"respondentCount"`
	SharePct        float64 `json:"sharePct"`
}

// checked gives the request with trimmed texts and defaults, and what its brief
// says, or the refusal of its first mistake.
func (r BriefRequest) checked() (BriefRequest, brief.Brief, error) {
	none := brief.Brief{}
	if n := utf8.RuneCountInString(r.Text); n > maxBrief {
		return r, none, invalid("brief", "brief has %d characters; at most %d are taken. Give what is longer as a file.", n, maxBrief)
	}
	if strings.TrimSpace(r.Text) == "" {
		return r, none, invalid("brief", "brief is blank. Describe the population to represent, for example \"Nurses in Spain aged 25 to 45\".")
	}
	if !utf8.ValidString(r.Text) {
		return r, none, invalid("brief", "brief is not valid UTF-8.")
	}
	var err error
	if strings.TrimSpace(r.Name) != "" {
		if r.Name, err = CheckName(r.Name); err != nil {
			return r, none, err
		}
	} else {
		r.Name = ""
	}
	if r.IncludeWebSearch == nil {
		yes := true
		r.IncludeWebSearch = &yes
	}
	if r.Mode == "" {
		r.Mode = allocate.Balanced
	}
	if !slices.Contains([]string{allocate.Balanced, allocate.SegmentCoverage, allocate.BenchmarkDepth}, r.Mode) {
		return r, none, invalid("audienceCreationMode", "audienceCreationMode must be balanced, segment_coverage or benchmark_depth.")
	}
	if r.MemberCount < 0 || r.MemberCount > maxStatedSize {
		return r, none, invalid("memberCount", "memberCount is %d; it must be from 1 to %d, and within your plan's ceiling (get_audience_limits).", r.MemberCount, maxStatedSize)
	}
	for _, l := range []struct {
		field         string
		have, limit   int
		longest, most int
	}{
		{"links", len(r.Links), maxLinks, longest(r.Links), maxLink},
		{"keywords", len(r.Keywords), maxKeywords, longest(r.Keywords), maxKeyword},
		{"excludeDistributions", len(r.Exclude), maxExcluded, longest(r.Exclude), maxKeyword},
		{"files", len(r.Files), maxFiles, 0, 0},
	} {
		if l.have > l.limit {
			return r, none, invalid(l.field, "%s has %d entries; at most %d are taken.", l.field, l.have, l.limit)
		}
		if l.longest > l.most {
			return r, none, invalid(l.field, "an entry of %s has %d characters; at most %d are taken.", l.field, l.longest, l.most)
		}
	}
	for _, blank := range []struct {
		field string
		in    []string
	}{{"links", r.Links}, {"keywords", r.Keywords}, {"excludeDistributions", r.Exclude}} {
		for i, v := range blank.in {
			if strings.TrimSpace(v) == "" {
				return r, none, invalid(blank.field, "%s[%d] is blank; leave it out.", blank.field, i)
			}
		}
	}
	for i, f := range r.Files {
		field := fmt.Sprintf("files[%d]", i)
		switch {
		case strings.TrimSpace(f.Name) == "" || utf8.RuneCountInString(f.Name) > maxFileName:
			return r, none, invalid("files", "%s.name must be a file name of 1 to %d characters.", field, maxFileName)
		case strings.TrimSpace(f.URL) == "" || utf8.RuneCountInString(f.URL) > maxFileURL:
			return r, none, invalid("files", "%s.url must be an address of 1 to %d characters: that of an upload, or a public one.", field, maxFileURL)
		}
		if err := lookup.OneLine(field+".name", f.Name); err != nil {
			return r, none, err
		}
	}
	if err := r.Allocation.Check(); err != nil {
		return r, none, err
	}
	if (r.ReviewedJSON == "") != (r.ReviewedSHA256 == "") {
		return r, none, invalid("reviewedGroundingSha256", "reviewedGroundingJson and reviewedGroundingSha256 belong together: send both exactly as the preview returned them, or neither.")
	}
	if n := utf8.RuneCountInString(r.ReviewedJSON); n > maxGrounding {
		return r, none, invalid("reviewedGroundingJson", "reviewedGroundingJson has %d characters; at most %d are taken.", n, maxGrounding)
	}
	if err := r.Dataset.checked(r); err != nil {
		return r, none, err
	}
	said := brief.Read(r.Text)
	if len(said.Contradictions) > 0 {
		p := said.Contradictions[0]
		return r, none, fault.New(fault.Validation, "brief: %s", p.Message).With("field", "brief").With("path", "/brief").With("quotes", p.Quotes)
	}
	if said.Name == "" {
		return r, none, fault.New(fault.NoPersonas, "The brief names nobody: no population can be read from it. Describe who is meant in words, for example \"Nurses in Spain aged 25 to 45\".").With("field", "brief")
	}
	return r, said, nil
}

// checked holds a reviewed data set to what it needs.
func (d *Dataset) checked(r BriefRequest) error {
	if d == nil {
		return nil
	}
	const field = "datasetSegmentation"
	switch {
	case r.Mode != allocate.BenchmarkDepth:
		return invalid(field, "datasetSegmentation needs audienceCreationMode benchmark_depth.")
	case strings.TrimSpace(d.FileName) == "":
		return invalid(field, "datasetSegmentation.fileName is missing: copy it from the preview.")
	case len(d.SegmentationColumns) == 0:
		return invalid(field, "datasetSegmentation.segmentationColumns is empty: name at least one column that shapes the cohort.")
	case len(d.variables()) > maxDatasetVars:
		return invalid(field, "datasetSegmentation has %d variables; at most %d are taken.", len(d.variables()), maxDatasetVars)
	case d.RespondentCount > 0 && r.MemberCount >= d.RespondentCount:
		return invalid("memberCount", "memberCount is %d, and the data set has %d respondents: a Mind stands for a group of them, never for one. Ask for fewer.", r.MemberCount, d.RespondentCount)
	}
	known := map[string]bool{}
	for _, v := range d.variables() {
		known[v.Key] = true
	}
	for _, key := range d.SegmentationColumns {
		if !known[key] {
			return invalid(field, "datasetSegmentation.segmentationColumns names %q, which is no key of its variables. Keep the keys of the preview.", key)
		}
	}
	return nil
}

// variables are the reviewed distributions; columns is their older name.
func (d *Dataset) variables() []DatasetVariable {
	if len(d.Variables) > 0 {
		return d.Variables
	}
	return d.Columns
}

func longest(list []string) int {
	n := 0
	for _, s := range list {
		n = max(n, utf8.RuneCountInString(s))
	}
	return n
}

func invalid(field, format string, args ...any) *fault.Error {
	return fault.New(fault.Validation, format, args...).With("field", field).With("path", "/"+field)
}

// statedSize is the size that was asked for, in memberCount or else in the brief
// (M-60); 0: none.
func (r BriefRequest) statedSize(said brief.Brief) int {
	if r.MemberCount > 0 {
		return r.MemberCount
	}
	if said.Size != nil {
		return said.Size.N
	}
	return 0
}

// hashes are what a preview and its creation must agree in (M-58).
func (r BriefRequest) hashes() (inputs, allocation string, err error) {
	files := r.Files
	if files == nil {
		files = []FileArg{}
	}
	inputs, err = idempotency.Fingerprint(map[string]any{
		"brief": r.Text, "links": append([]string{}, r.Links...), "keywords": append([]string{}, r.Keywords...), "files": files,
		"includeWebSearch": *r.IncludeWebSearch, "audienceCreationMode": r.Mode, "datasetSegmentation": r.Dataset,
	})
	if err != nil {
		return "", "", err
	}
	config := r.Allocation
	config.IncludeProfilesInResponse = false // shows more, changes nothing
	allocation, err = idempotency.Fingerprint(map[string]any{
		"cohortAllocation": config, "excludeDistributions": append([]string{}, r.Exclude...),
	})
	return inputs, allocation, err
}

// safe refuses addresses that will never be asked for, and files that are not the
// caller's (M-110, M-3), before anything is admitted.
func (s *Service) safe(ctx context.Context, r BriefRequest) error {
	for i, l := range r.Links {
		if s.d.Check != nil {
			if err := lookup.About(fmt.Sprintf("links[%d]", i), s.d.Check(l, false)); err != nil {
				return err
			}
		}
	}
	for i, f := range r.Files {
		field := fmt.Sprintf("files[%d]", i)
		if s.d.Files != nil {
			in, _, stored, err := s.d.Files.Open(ctx, f.URL)
			if err != nil {
				return lookup.About(field, err)
			}
			if stored {
				_ = in.Close()
				continue
			}
		}
		if s.d.Check != nil {
			if err := lookup.About(field, s.d.Check(f.URL, true)); err != nil {
				return err
			}
		}
	}
	return nil
}

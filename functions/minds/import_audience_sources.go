package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/sourceimport"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ImportAudienceSources stores files that an Audience can be grounded on, and
// binds figures read from them. It makes no Audience and no Mind.
var ImportAudienceSources = tool.New("import_audience_sources",
	func(ctx context.Context, in ImportAudienceSourcesInput) (ImportedSources, error) {
		r := sourceimport.Request{GroundingJSON: in.GroundingJSON}
		for _, f := range in.ExistingFiles {
			r.Existing = append(r.Existing, sourceimport.Existing(f))
		}
		for _, f := range in.Files {
			r.Files = append(r.Files, sourceimport.File(f))
		}
		done, err := research.From(ctx).Sources.Import(ctx, r)
		if err != nil {
			return ImportedSources{}, err
		}
		if !bound(r, done) {
			return ImportedSources{}, fault.New(fault.MalformedResponse, "The acknowledgement of the import does not fit what was sent. Repeat the same import: files that are stored stay, and are counted once.")
		}
		return importedSources(done), nil
	})

// bound holds an acknowledgement to the request: files and their order, the rule
// of the sources, the checksum, and that every figure names a file that is there
// (M-320).
func bound(r sourceimport.Request, done sourceimport.Imported) bool {
	if len(done.Files) != len(r.Existing)+len(r.Files) || done.Policy != sourceimport.Policy {
		return false
	}
	for i, f := range done.Files {
		name := ""
		if i < len(r.Existing) {
			name = r.Existing[i].Name
		} else {
			name = r.Files[i-len(r.Existing)].Name
		}
		if f.Name != name || f.Index != i || len(f.SHA256) != 64 || f.URL == "" {
			return false
		}
	}
	if r.GroundingJSON == "" {
		return done.Snapshot == ""
	}
	if grounding.Checksum([]byte(done.Snapshot)) != done.SnapshotSHA256 {
		return false
	}
	s, err := grounding.ParseSnapshot(done.Snapshot)
	if err != nil || len(s.Distributions) != done.Distributions || len(s.Files) != len(done.Files) {
		return false
	}
	for _, d := range s.Distributions {
		for _, share := range d.Distribution {
			if share.SourceIdx < -1 || share.SourceIdx >= len(s.Sources) {
				return false
			}
		}
	}
	return true
}

// ImportAudienceSourcesInput is one import; sourceIdx of the figures counts
// existingFiles and then files.
type ImportAudienceSourcesInput struct {
	Files         []SourceFile   `json:"files"`
	ExistingFiles []ExistingFile `json:"existingFiles"`
	GroundingJSON string         `json:"groundingJson"`
}

// SourceFile is a new file as text.
type SourceFile struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// ExistingFile names a stored one.
type ExistingFile struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// ImportedSources is what stands after an import.
type ImportedSources struct {
	Files                   []ImportedFile `json:"files"`
	SourcePolicy            string         `json:"sourcePolicy,omitempty"`
	ReviewedGroundingJSON   string         `json:"reviewedGroundingJson,omitempty"`
	ReviewedGroundingSHA256 string         `json:"reviewedGroundingSha256,omitempty"`
	DistributionCount       *int           `json:"distributionCount,omitempty"`
}

// ImportedFile is one source in its order.
type ImportedFile struct {
	Name      string `json:"name"`
	URL       string `json:"url"`
	SourceIdx int    `json:"sourceIdx"`
	SHA256    string `json:"sha256"`
	SizeBytes int64  `json:"sizeBytes"`
	Replayed  bool   `json:"replayed"`
}

func importedSources(done sourceimport.Imported) ImportedSources {
	out := ImportedSources{SourcePolicy: done.Policy, ReviewedGroundingJSON: done.Snapshot, ReviewedGroundingSHA256: done.SnapshotSHA256}
	for _, f := range done.Files {
		out.Files = append(out.Files, ImportedFile{Name: f.Name, URL: f.URL, SourceIdx: f.Index, SHA256: f.SHA256, SizeBytes: f.Size, Replayed: f.Replayed})
	}
	if !done.WithoutSnapshot {
		out.DistributionCount = &done.Distributions
	}
	return out
}

package restapi

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research/sourceimport"
)

func getAudienceLimits(ctx context.Context, c *call) (reply, error) {
	limits, err := c.Audiences.Limits(ctx)
	if err != nil {
		return reply{}, err
	}
	return ok(data(limits))
}

func importAudienceSources(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Files []struct {
			Name    string `json:"name"`
			Content string `json:"content"`
		} `json:"files"`
		ExistingFiles []struct {
			Name string `json:"name"`
			URL  string `json:"url"`
		} `json:"existingFiles"`
		GroundingJSON string `json:"groundingJson"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	r := sourceimport.Request{GroundingJSON: in.GroundingJSON}
	for _, f := range in.ExistingFiles {
		r.Existing = append(r.Existing, sourceimport.Existing(f))
	}
	for _, f := range in.Files {
		r.Files = append(r.Files, sourceimport.File(f))
	}
	done, err := c.Sources.Import(ctx, r)
	if err != nil {
		return reply{}, err
	}
	return ok(data(importedSources(done)))
}

// importedSources is the body of an import; without figures it has no snapshot.
func importedSources(done sourceimport.Imported) map[string]any {
	files := make([]map[string]any, len(done.Files))
	for i, f := range done.Files {
		files[i] = map[string]any{"name": f.Name, "url": f.URL, "sourceIdx": f.Index, "sha256": f.SHA256, "sizeBytes": f.Size, "replayed": f.Replayed}
	}
	out := map[string]any{"files": files, "sourcePolicy": done.Policy}
	if !done.WithoutSnapshot {
		out["reviewedGroundingJson"], out["reviewedGroundingSha256"], out["distributionCount"] = done.Snapshot, done.SnapshotSHA256, done.Distributions
	}
	return out
}

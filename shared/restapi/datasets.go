package restapi

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research/dataset"
	"github.com/mindgate-dev/mindgate/shared/segment"
)

// describeDatasetReview says what the contract leaves to us: a review that takes
// longer than a call may.
func describeDatasetReview(a *agreed) {
	a.StatusCodes["504"] = "DEADLINE_EXCEEDED: the file is still being reviewed; the same call again takes the review up"
}

func previewAudienceDatasetSegmentation(ctx context.Context, c *call) (reply, error) {
	var in struct {
		File struct {
			Name string `json:"name"`
			URL  string `json:"url"`
		} `json:"file"`
		SegmentationColumns []string `json:"segmentationColumns"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	p, err := c.Datasets.Preview(ctx, dataset.Request{Name: in.File.Name, URL: in.File.URL, Columns: in.SegmentationColumns})
	if err != nil {
		return reply{}, err
	}
	return ok(data(review{p, p.SheetName}))
}

// review leaves the sheet out where there is none: over REST it is a text.
type review struct {
	*segment.Preview
	SheetName *string `json:"sheetName,omitempty"`
}

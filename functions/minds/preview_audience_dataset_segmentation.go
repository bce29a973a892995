package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/dataset"
	"github.com/mindgate-dev/mindgate/shared/segment"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// PreviewAudienceDatasetSegmentation reviews a spreadsheet of completed
// respondents. It makes no cohort and checks none.
var PreviewAudienceDatasetSegmentation = tool.New("preview_audience_dataset_segmentation",
	func(ctx context.Context, in PreviewAudienceDatasetSegmentationInput) (*segment.Preview, error) {
		p, err := research.From(ctx).Datasets.Preview(ctx, dataset.Request{Name: in.File.Name, URL: in.File.URL, Columns: in.SegmentationColumns})
		if err != nil {
			return nil, err
		}
		// The whole answer adds up, or nothing of it is told (M-131, M-320).
		if err := p.Check(in.SegmentationColumns); err != nil {
			return nil, err
		}
		if p.FileName != in.File.Name {
			return nil, fault.New(fault.MalformedResponse, "The review is of another file than the one that was asked for, so nothing of it is shown. Try again.")
		}
		return p, nil
	})

// PreviewAudienceDatasetSegmentationInput names the file, and the columns of an
// earlier review that are to shape the cohort.
type PreviewAudienceDatasetSegmentationInput struct {
	File                DatasetFile `json:"file"`
	SegmentationColumns []string    `json:"segmentationColumns"` // default: population and segmentation variables
}

// DatasetFile is a spreadsheet of the caller's uploads or of the web.
type DatasetFile struct {
	Name string `json:"name"` // with its ending
	URL  string `json:"url"`
}

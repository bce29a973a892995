// Package heatmap tells where on a picture of a question attention would go. With a
// connection that sees, each Mind that was asked the question says where on the picture
// its own would; without one the picture alone is estimated, and the result says so. An
// analysis is a job; a picture of a question is analysed once and kept for ever (M-230,
// M-231, M-232).
package heatmap

import (
	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/saliency"
)

// The states of an analysis; None means that none was started.
const (
	None       = "none"
	Queued     = "queued"
	Processing = "processing"
	Completed  = "completed"
	Failed     = "failed"
)

// What a result rests on.
const (
	// BasisPicture is an estimate from the pixels alone: nobody was asked.
	BasisPicture = "picture"
	// BasisMinds is what a model said for each Mind.
	BasisMinds = "minds"
)

// The words that stand in every result, by its basis (M-340).
const (
	notePicture = "An estimate from the picture's pixels alone, by the image signature of Hou, Harel and Koch (2012). No synthetic Mind was asked and no person has looked at it."
	noteMinds   = "Simulated: a language model that sees said for each synthetic Mind where on the picture its attention would go. No person has looked at it."
)

// Result is a finished analysis. Grid[row][column] is from the upper left and sums to
// 1; areas are in pixels.
type Result struct {
	AssetKey  string          `json:"assetKey"`
	Width     int             `json:"width"`
	Height    int             `json:"height"`
	Grid      saliency.Grid   `json:"grid"`
	Areas     []saliency.Area `json:"areas"`
	PerMind   []MindPoints    `json:"perMind"` // empty where the picture was estimated
	Model     string          `json:"model"`   // saliency:<name>@<version> or vision:<name>@<version>
	Basis     string          `json:"basis"`
	Simulated bool            `json:"simulated"` // always: nobody has looked
	Base      Base            `json:"base"`
	Note      string          `json:"note"`
}

// Base counts the Minds behind a result; of an estimate nobody answered.
type Base struct {
	Minds    int `json:"minds"`
	Answered int `json:"answered"`
	Failed   int `json:"failed"`
}

// MindPoints is where one Mind's attention would go, the strongest point first.
type MindPoints struct {
	MindID string         `json:"mindId"`
	Name   string         `json:"name"`
	Points []answer.Point `json:"points"`
}

// Heatmap is the state of one picture of a question.
type Heatmap struct {
	AssetKey string  `json:"assetKey"`
	Status   string  `json:"status"`
	Model    string  `json:"model"`
	Result   *Result `json:"result,omitempty"` // once completed; of others than the selected without perMind
	Error    string  `json:"error,omitempty"`  // safe text, once failed
}

// View is what a caller is shown of a question's heatmaps. REST and the tool give the
// same fields.
type View struct {
	Status           string             `json:"status"`
	Heatmap          *Result            `json:"heatmap"`
	AssetHeatmaps    map[string]Heatmap `json:"assetHeatmaps"`
	SelectedAssetKey *string            `json:"selectedAssetKey"`
	ResponsesUsed    *int               `json:"responsesUsed"` // by this start; null when nothing was started
}

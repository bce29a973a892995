// Package saliency estimates from the pixels of a picture alone where it draws the
// eye. It knows no viewer, no task and no text: what it gives is a guess about the
// picture, and nobody has looked at anything.
//
// The algorithm is the image signature of X. Hou, J. Harel and C. Koch, "Image
// Signature: Highlighting Sparse Salient Regions", IEEE Transactions on Pattern
// Analysis and Machine Intelligence 34(1):194-201, 2012: of the cosine transform of
// each colour channel only the signs are kept; what they transform back to, squared
// and blurred, stands out where something sparse lies on a ground that repeats
// itself. It was chosen because it needs no training and no data, has a proof for
// that case, and is reported by its authors to predict fixations best among the
// untrained models they compared on the data of Bruce and Tsotsos. Trained models
// know faces and writing; this one does not.
package saliency

// The size of a grid, in cells.
const (
	Columns = 24
	Rows    = 16
)

// Name and Version name the algorithm with everything that fixes its figures; a
// change of one of those is a new Version.
const (
	Name    = "image-signature"
	Version = "1"
)

// Model is what stands beside an estimate.
const Model = "saliency:" + Name + "@" + Version

// Grid holds the share of attention of each cell, row by row from the upper left.
// The shares are 0 to 1 in steps of a millionth and sum to 1.
type Grid [Rows][Columns]float64

// Area is a connected part of a picture that holds more than its share. X, Y, W and H
// are its bounds in pixels; Share is what its own cells hold, 0 to 1.
type Area struct {
	X     int     `json:"x"`
	Y     int     `json:"y"`
	W     int     `json:"w"`
	H     int     `json:"h"`
	Label string  `json:"label"` // where it lies: "upper left"
	Share float64 `json:"share"`
}

// Map is where a picture of Width by Height pixels draws the eye. Pixels are as the
// file holds them: a turn that a camera noted beside them is not made.
type Map struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Grid   Grid   `json:"grid"`
	Areas  []Area `json:"areas"` // the largest share first, at most MaxAreas
}

// Estimate reads a PNG, JPEG, GIF (its first frame) or WebP picture and estimates.
// Equal bytes give equal figures. *Unreadable for what is no such picture or too
// large.
func Estimate(raw []byte) (Map, error) {
	p, err := decode(raw)
	if err != nil {
		return Map{}, err
	}
	weights := signature(p.channels)
	m := Map{Width: p.width, Height: p.height, Grid: Shares(weights)}
	m.Areas = Areas(m.Grid, p.width, p.height)
	return m, nil
}

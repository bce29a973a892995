// Package portrait draws a picture of a persona without a model: an
// illustrated bust that is made up from a seed, the same on every machine. It
// shows nobody; its alternative text says that it is generated.
package portrait

import "errors"

// Version names this way of drawing; it changes with every change of a picture.
// Pictures of one version and Spec are the same, byte for byte, as far as one
// release of Go compresses them alike.
const Version = "portrait-1"

// Size is the width and height of the picture, in pixels.
const Size = 512

// Spec is what a picture is drawn from.
type Spec struct {
	Seed         string // decides all that the rest leaves open, such as a Mind's id
	Name         string // for the alternative text only; a name never steers how somebody looks
	Age          int    // in years; 0 is unknown
	Presentation string // feminine, masculine, or "" for neither
	Context      string // words that may choose what stands behind, such as "garden" or "by the sea"
}

// Picture is one portrait in two forms.
type Picture struct {
	SVG, PNG []byte
	Alt      string // for people who do not see it, at most 200 characters
	Version  string
}

// Draw makes the picture. It refuses only a Spec without a seed.
func Draw(s Spec) (Picture, error) {
	if s.Seed == "" {
		return Picture{}, errors.New("portrait: a picture needs a seed")
	}
	l := lookOf(s)
	shapes := l.scene()
	alt := l.describe(s.Name)
	vector, err := svg(shapes, alt, Version)
	if err != nil {
		return Picture{}, err
	}
	c := newCanvas()
	for _, shape := range shapes {
		c.paint(shape)
	}
	pixels, err := c.encode(Version)
	if err != nil {
		return Picture{}, err
	}
	return Picture{SVG: vector, PNG: pixels, Alt: alt, Version: Version}, nil
}

package choice

import (
	"fmt"
	"math"
)

// Attribute of a product. A linear attribute has one slope over the numbers of
// its levels; any other has a part-worth a level.
type Attribute struct {
	Levels int       // 2 or more
	Values []float64 // a number a level; needed when Linear
	Linear bool
}

// Coding turns levels into columns. Part-worth attributes are effects coded: the
// last level is minus the sum of the others, so an attribute's part-worths sum
// to zero. A linear attribute is centred between its lowest and highest number
// and divided by half of their range, so that it runs from -1 to 1. The none
// option is all zeros but for a constant of its own, the last column.
type Coding struct {
	attributes []Attribute
	first      []int // column where an attribute begins
	middle     []float64
	half       []float64
	none       bool
	k          int
}

// NewCoding checks the attributes and lays out the columns.
func NewCoding(attributes []Attribute, none bool) (*Coding, error) {
	c := &Coding{attributes: attributes, none: none,
		first: make([]int, len(attributes)), middle: make([]float64, len(attributes)), half: make([]float64, len(attributes))}
	for a, at := range attributes {
		c.first[a] = c.k
		if at.Levels < 2 {
			return nil, fmt.Errorf("choice: attribute %d has %d levels; it takes 2 or more", a, at.Levels)
		}
		if !at.Linear {
			c.k += at.Levels - 1
			continue
		}
		if len(at.Values) != at.Levels {
			return nil, fmt.Errorf("choice: attribute %d is linear and has %d numbers for %d levels", a, len(at.Values), at.Levels)
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range at.Values {
			low, high = math.Min(low, v), math.Max(high, v)
		}
		if !(high > low) || math.IsInf(high-low, 0) {
			return nil, fmt.Errorf("choice: attribute %d is linear and its numbers do not differ", a)
		}
		c.middle[a], c.half[a] = (low+high)/2, (high-low)/2
		c.k++
	}
	if none {
		c.k++
	}
	return c, nil
}

// Parameters is the number of columns.
func (c *Coding) Parameters() int { return c.k }

// Row codes one alternative, a level an attribute.
func (c *Coding) Row(levels []int) ([]float64, error) {
	if len(levels) != len(c.attributes) {
		return nil, fmt.Errorf("choice: an alternative has %d levels for %d attributes", len(levels), len(c.attributes))
	}
	row := make([]float64, c.k)
	for a, l := range levels {
		if l < 0 || l >= c.attributes[a].Levels {
			return nil, fmt.Errorf("choice: attribute %d has no level %d", a, l)
		}
		c.code(row, a, l)
	}
	return row, nil
}

// NoneRow codes the none option.
func (c *Coding) NoneRow() []float64 {
	row := make([]float64, c.k)
	row[c.k-1] = 1
	return row
}

func (c *Coding) code(row []float64, a, l int) {
	at := c.attributes[a]
	switch {
	case at.Linear:
		row[c.first[a]] = (at.Values[l] - c.middle[a]) / c.half[a]
	case l == at.Levels-1:
		for i := range at.Levels - 1 {
			row[c.first[a]+i] = -1
		}
	default:
		row[c.first[a]+l] = 1
	}
}

// Contrast is the vector whose product with the coefficients is a level's part-worth.
func (c *Coding) Contrast(a, l int) []float64 {
	row := make([]float64, c.k)
	c.code(row, a, l)
	return row
}

// PartWorths are the utilities of all levels by attribute under b.
func (c *Coding) PartWorths(b []float64) [][]float64 {
	out := make([][]float64, len(c.attributes))
	for a, at := range c.attributes {
		out[a] = make([]float64, at.Levels)
		f := c.first[a]
		if at.Linear {
			for l, v := range at.Values {
				out[a][l] = b[f] * (v - c.middle[a]) / c.half[a]
			}
			continue
		}
		for l := range at.Levels - 1 {
			out[a][l] = b[f+l]
			out[a][at.Levels-1] -= b[f+l]
		}
	}
	return out
}

// Slope is what one unit of a linear attribute is worth under b.
func (c *Coding) Slope(a int, b []float64) float64 { return b[c.first[a]] / c.half[a] }

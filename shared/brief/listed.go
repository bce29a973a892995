package brief

// statedFigure is a figure and where it stands.
type statedFigure struct{ lo, hi int }

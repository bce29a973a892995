//go:build race

package parsers

// The race detector maps far more memory than it uses.
const raceDetector = true

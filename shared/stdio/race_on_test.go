//go:build race

package stdio

// Tens of megabytes through the race detector take a minute.
const underRace = true

//go:build race

package mcpserver

// Tens of megabytes through the race detector take a minute.
const underRace = true

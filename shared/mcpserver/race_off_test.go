//go:build !race

package mcpserver

const underRace = false

package main

import (
	"os"
	"strings"
)

// program is this program as a shell finds it from anywhere, so that commands
// which are printed run as pasted.
func program() string {
	path, err := os.Executable()
	if err != nil {
		return "mindgate"
	}
	return quoted(path)
}

// quoted is a path as one word of a shell.
func quoted(path string) string {
	if !strings.ContainsAny(path, " \t\n'\"\\$`&|;<>()*?[]{}#~!") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

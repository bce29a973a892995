package extract

import (
	"fmt"
	"path"
	"strings"
)

// problem words a refusal: the name as the caller gave it, then what is wrong
// and what to do.
func problem(code, filename, format string, args ...any) *Problem {
	return &Problem{Code: code, Message: called(filename) + " " + fmt.Sprintf(format, args...)}
}

// NewProblem is for the readers of single kinds: the message goes on after the
// name of the file.
func NewProblem(code string, o Options, format string, args ...any) *Problem {
	return problem(code, o.Filename, format, args...)
}

// called is how a message names a file: the last part of its name, shortened.
func called(filename string) string {
	name := strings.TrimSpace(path.Base(strings.ReplaceAll(filename, `\`, "/")))
	if name == "" || name == "." || name == "/" {
		return "The file"
	}
	if r := []rune(name); len(r) > 120 {
		name = string(r[:119]) + "…"
	}
	return fmt.Sprintf("The file %q", name)
}

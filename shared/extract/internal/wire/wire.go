// Package wire is what a program and the process that reads a file for it say to
// each other: the request in an environment variable, the file as standard
// input, messages in JSON on standard output.
package wire

import "time"

// Env names the variable that makes a program read a file instead of starting.
const Env = "MINDGATE_EXTRACT"

// ExitMemory is the exit status of a reader that would have needed more memory
// than it was given.
const ExitMemory = 83

// Request is what is to be read and how much it may cost.
type Request struct {
	Kind, Filename, MediaType, PageURL string
	Size, MaxText, Memory              int64
	Time                               time.Duration
	CacheDir                           string
}

// Message is one of: the first sign of life, a block, the end.
type Message struct {
	Ready   bool   `json:"r,omitempty"`
	Text    string `json:"t,omitempty"`
	Where   string `json:"w,omitempty"`
	Heading string `json:"h,omitempty"`
	End     *End   `json:"e,omitempty"`
}

// End closes the conversation: with a Code the file is to blame, with a Failure
// something else is.
type End struct {
	Title, Author, Language string
	Pages                   int
	Notes                   []string
	Enough                  bool // the text went on
	Code, Problem, Failure  string
}

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
	Kind, Filename, MediaType, PageURL, Sheet string
	Size, MaxText, Memory                     int64
	Time                                      time.Duration
	CacheDir                                  string
}

// Between stands between the cells of a row, which hold none of it.
const Between = "\t"

// Message is one of: the first sign of life, a block, what a workbook says before
// its rows, a row, the end.
type Message struct {
	Ready   bool   `json:"r,omitempty"`
	Text    string `json:"t,omitempty"`
	Where   string `json:"w,omitempty"`
	Heading string `json:"h,omitempty"`
	End     *End   `json:"e,omitempty"`

	Workbook *Workbook `json:"b,omitempty"`
	Cells    string    `json:"c,omitempty"` // of a row, with Between in between
}

// Workbook names the sheets there are, in their order, and the one that is read.
type Workbook struct {
	Sheets []string `json:"sheets"`
	Sheet  string   `json:"sheet"`
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

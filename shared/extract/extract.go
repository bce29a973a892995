// Package extract reads the text of a document, whatever its kind, as a stream
// of blocks that know where they stand: the page, the slide, the rows, the
// heading above them.
//
// Files come from strangers. A file that cannot be read gives a *Problem, whose
// message says what is wrong and what to do about it; it never costs more than
// the time and memory of Options.
package extract

import "time"

// Kind is what a file is. The names are those of the usual endings.
type Kind string

// The kinds of files that can be read. Of an Image only the size is told.
const (
	PDF   Kind = "pdf"
	DOCX  Kind = "docx"
	PPTX  Kind = "pptx"
	DOC   Kind = "doc"
	RTF   Kind = "rtf"
	CSV   Kind = "csv"
	JSON  Kind = "json"
	XML   Kind = "xml"
	HTML  Kind = "html"
	Text  Kind = "txt"
	MD    Kind = "md"
	Image Kind = "image"
)

// Workbooks, of which Rows gives the rows of one sheet; Read reads none.
const (
	XLSX Kind = "xlsx"
	XLS  Kind = "xls"
)

// Block is a run of text in reading order: a paragraph, a list, a table row, or a
// heading, which has the same Text and Heading.
type Block struct {
	// Text is in NFC, without control characters; a line break inside it
	// separates paragraphs, list items or verses. At most maxBlock bytes.
	Text string
	// Where says where in the file it stands, in words that can follow a title:
	// "page 12", "slide 3", "row 40"; empty where a file has no such places.
	Where string
	// Heading is the nearest heading above the text, empty if there is none.
	Heading string
}

// Options bounds one reading.
type Options struct {
	Kind     Kind
	Filename string // as the caller named it, for messages
	// MediaType is what the file was sent with, if anything; its charset counts
	// for HTML and XML that name none.
	MediaType string
	Size      int64 // bytes, if known; 0 or less: unknown
	// MaxText bounds the characters that are handed out. More of a file is not
	// read; Info.Notes says so. 0: DefaultMaxText.
	MaxText int64
	// Time bounds the reading, waiting for the input included, waiting for a turn
	// not. 0: DefaultTime.
	Time time.Duration
	// Memory bounds what the reading holds, in bytes. 0: DefaultMemory.
	Memory int64
	// Sheet is the sheet of a workbook to read. Empty: see Rows.
	Sheet string
	// PageURL is the address of an HTML page. When it is set the page's main
	// content is read, without menus, adverts and the like; when not, the whole.
	PageURL string
}

// Info tells about the whole of a file. What a file does not say is empty.
type Info struct {
	Title, Author string
	Language      string // BCP 47, as the file states it
	Pages         int    // pages of a PDF, slides of a presentation
	Width, Height int    // of an image, in pixels
	// Notes say what was left out, in words for the user.
	Notes []string
}

// Problem says why a file cannot be read.
type Problem struct {
	Code    string // one of the Code constants
	Message string // for the caller: what, why, and the way out
}

// The codes of a Problem.
const (
	CodePassword    = "password"    // the file is encrypted
	CodeDamaged     = "damaged"     // the file is cut short or not built as its kind demands
	CodeTooLarge    = "too_large"   // reading it would take more memory, or unpack to more, than is allowed
	CodeTimeout     = "timeout"     // reading it takes longer than is allowed
	CodeNoText      = "no_text"     // the file is sound and holds no text
	CodeMislabelled = "mislabelled" // the content is of another kind than the name says
	CodeUnsupported = "unsupported" // no reader for this kind
	CodeNoSheet     = "no_sheet"    // the workbook has no sheet of the name that was asked for
)

func (p *Problem) Error() string { return p.Message }

// What Options leaves at zero.
const (
	DefaultMaxText = 20_000_000
	DefaultTime    = 20 * time.Second
	DefaultMemory  = 256 << 20
)

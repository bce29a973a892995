// Package parsers reads the kinds of files whose formats are made for trees and
// tables, in a process of their own. A program that is to read files imports it
// for its effect alone; the program then also serves as that process: started
// with the variable of package wire it reads one file from its standard input
// and ends. See docs/decisions/0019-contained-parsers.md.
package parsers

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/extract/internal/wire"
)

func init() {
	asked, child := os.LookupEnv(wire.Env)
	if !child {
		extract.Carry()
		return
	}
	os.Exit(serve(asked))
}

// file is what a reader gets: the bytes, what is asked, and where text goes.
type file struct {
	extract.Options
	in       input
	size     int64
	sink     *extract.Sink
	table    func(wire.Message) error // takes what workbooks give
	cacheDir string
}

// input is a file that can be read in any order.
type input interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// put hands on text. Its error ends the reading.
func (f *file) put(text, where, heading string) error { return f.sink.Put(text, where, heading) }

// problem refuses the file.
func (f *file) problem(code, format string, args ...any) *extract.Problem {
	return extract.NewProblem(code, f.Options, format, args...)
}

// damaged refuses a file that is not built as its kind demands.
func (f *file) damaged(what string) *extract.Problem {
	return extract.Damaged(f.Options, what)
}

type reader func(ctx context.Context, f *file) (extract.Info, error)

var readers = map[extract.Kind]reader{
	extract.PDF: readPDF, extract.DOCX: readDOCX, extract.PPTX: readPPTX, extract.DOC: readDOC,
	extract.RTF: readRTF, extract.CSV: readCSV, extract.JSON: readJSON, extract.XML: readXML,
	extract.HTML: readHTML, extract.XLSX: readXLSX, extract.XLS: readXLS, "warm-up": warm,
}

// serve reads one file and answers on standard output.
func serve(asked string) int {
	var r wire.Request
	if err := json.Unmarshal([]byte(asked), &r); err != nil {
		fmt.Fprintln(os.Stderr, "mindgate: "+wire.Env+" is set for another program's readers; unset it")
		return 2
	}
	// A reader whose parent is gone, or that does not hear its signals, still ends.
	time.AfterFunc(r.Time+2*time.Second, func() { os.Exit(1) })
	// What ends the program that asked is not for this process to judge a file by.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	runtime.GOMAXPROCS(min(2, runtime.GOMAXPROCS(0)))
	bound(r.Memory, r.Time)

	out := bufio.NewWriterSize(os.Stdout, 32<<10)
	answers := json.NewEncoder(out)
	answers.SetEscapeHTML(false)
	if answers.Encode(wire.Message{Ready: true}) != nil || out.Flush() != nil {
		return 1
	}
	f := &file{
		Options: extract.Options{
			Kind: extract.Kind(r.Kind), Filename: r.Filename, MediaType: r.MediaType, PageURL: r.PageURL, Sheet: r.Sheet,
			Size: r.Size, MaxText: r.MaxText, Memory: r.Memory, Time: r.Time,
		},
		in: os.Stdin, size: r.Size, cacheDir: r.CacheDir,
		table: func(m wire.Message) error { return answers.Encode(m) },
		sink: extract.NewSink(r.MaxText, func(b extract.Block) error {
			return answers.Encode(wire.Message{Text: b.Text, Where: b.Where, Heading: b.Heading})
		}),
	}
	info, err := run(context.Background(), f)
	if answers.Encode(wire.Message{End: ending(f, info, err)}) != nil || out.Flush() != nil {
		return 1
	}
	return 0
}

// run reads a file and turns a panic of a reader into the file's fault.
func run(ctx context.Context, f *file) (info extract.Info, err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "panic of the %s reader: %v\n%s", f.Kind, p, debug.Stack())
			err = f.damaged("it is not built as its kind demands")
		}
	}()
	read := readers[f.Kind]
	if read == nil {
		return info, f.problem(extract.CodeUnsupported, "is of a kind that cannot be read.")
	}
	return read(ctx, f)
}

func ending(f *file, info extract.Info, err error) *wire.End {
	end := &wire.End{
		Title: tidy(info.Title), Author: tidy(info.Author), Language: tidy(info.Language),
		Pages: info.Pages, Notes: info.Notes,
	}
	var p *extract.Problem
	switch {
	case err == nil:
	case errors.Is(err, extract.ErrEnough):
		end.Enough = true
	case errors.As(err, &p):
		end.Code, end.Problem = p.Code, p.Message
	case errors.Is(err, io.ErrUnexpectedEOF):
		p = f.damaged("it ends too early")
		end.Code, end.Problem = p.Code, p.Message
	default:
		end.Failure = err.Error()
	}
	return end
}

// tidy shortens what a file says about itself.
func tidy(s string) string {
	s = extract.Clean(s)
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300])
	}
	switch strings.ToLower(strings.Trim(s, "()")) { // what programs write where nobody said anything
	case "untitled", "anonymous", "unspecified", "unknown":
		return ""
	}
	return s
}

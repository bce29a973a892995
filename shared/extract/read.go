package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// maxInput is the most that is read of a file whose end is not known: more than
// any caller lets through, less than endless.
const maxInput = 64 << 20

var (
	errTime   = errors.New("extract: out of time")
	errEnough = errors.New("extract: enough text")
)

// Read hands the text of a file to emit, block by block in reading order, and
// stops with emit's error if that returns one. The error is a *Problem if the
// file is to blame, else the input's, the context's or emit's own.
//
// Plain text is read as it comes. Every other kind is read by a process of its
// own: this program, started anew, in which shared/extract/parsers does the work
// within the memory that Options allows and is killed when the time is over.
func Read(ctx context.Context, in io.Reader, o Options, emit func(Block) error) (Info, error) {
	if o.MaxText <= 0 {
		o.MaxText = DefaultMaxText
	}
	if o.Time <= 0 {
		o.Time = DefaultTime
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	timed, cancel := context.WithTimeoutCause(ctx, o.Time, errTime)
	defer cancel()
	var info Info
	var err error
	blocks := 0
	counted := func(b Block) error {
		blocks++
		if err := timed.Err(); err != nil {
			return context.Cause(timed)
		}
		return emit(b)
	}
	in = &source{ctx: timed, in: in, left: maxInput}
	switch o.Kind {
	case Text, MD:
		info, err = readText(in, o, counted)
	case Image:
		info, err = readImage(in, o)
		blocks++ // none are expected
	case PDF, DOCX, PPTX, DOC, RTF, CSV, JSON, XML, HTML:
		info, err = readContained(timed, in, o, counted)
	default:
		return Info{}, problem(CodeUnsupported, o.Filename, "is of a kind that cannot be read.")
	}
	switch {
	case errors.Is(err, errEnough):
		info.Notes = append(info.Notes, fmt.Sprintf("Only the first %d characters were read; the file goes on.", o.MaxText))
		err = nil
	case errors.Is(err, errTime), err != nil && errors.Is(context.Cause(timed), errTime) && ctx.Err() == nil && !isProblem(err):
		err = problem(CodeTimeout, o.Filename, "takes longer than %s to read. Split it into smaller files, or save it anew as PDF or plain text.", o.Time.Round(time.Second))
	case errors.Is(err, errInput):
		err = problem(CodeTooLarge, o.Filename, "is larger than 64 MB or never ends. Split it into smaller files.")
	case err == nil && blocks == 0:
		err = problem(CodeNoText, o.Filename, "%s", silence(o.Kind))
	}
	return info, err
}

func isProblem(err error) bool { return errors.As(err, new(*Problem)) }

// silence says what it means that a file of a kind holds no text.
func silence(k Kind) string {
	switch k {
	case PDF:
		return "holds no text, only pictures of it, as scans do. Run text recognition (OCR) over it and send the result."
	case HTML:
		return "holds no text: the page may be made by scripts or be behind a login. Save the text that you see, or print the page as PDF, and send that."
	}
	return "holds no text. Check that it was saved with its content and send it again."
}

var errInput = errors.New("extract: too much input")

// source reads an input up to a limit and no longer than its context lives: a
// read that hangs is left behind, and its goroutine ends with it.
type source struct {
	ctx   context.Context
	in    io.Reader
	left  int64
	ready chan chunk
	rest  []byte
	err   error
}

type chunk struct {
	data []byte
	err  error
}

func (s *source) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		if s.ready == nil {
			s.ready = make(chan chunk)
			go pump(s.ctx, s.in, s.ready)
		}
		select {
		case c := <-s.ready:
			s.rest, s.err = c.data, c.err
			if s.left -= int64(len(c.data)); s.left < 0 {
				s.rest, s.err = nil, errInput
			}
		case <-s.ctx.Done():
			s.err = context.Cause(s.ctx)
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// pump reads ahead by one piece, into one of two buffers in turn.
func pump(ctx context.Context, in io.Reader, out chan<- chunk) {
	var buffers [2][]byte
	for i := 0; ; i ^= 1 {
		if buffers[i] == nil {
			buffers[i] = make([]byte, 64<<10)
		}
		n, err := in.Read(buffers[i])
		select {
		case out <- chunk{buffers[i][:n], err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

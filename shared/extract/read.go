package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mindgate-dev/mindgate/shared/extract/internal/wire"
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
//
// Only so many files are read at once (see slots); waiting for a turn does not
// count as time of the file.
func Read(ctx context.Context, in io.Reader, o Options, emit func(Block) error) (Info, error) {
	o = o.filled()
	r := &reading{ctx: ctx, in: in, o: o, left: o.Time, emit: emit}
	var err error
	switch o.Kind {
	case Text, MD:
		err = r.timed(func(ctx context.Context) (err error) {
			r.info, err = readText(r.input(ctx), o, r.counted(ctx))
			return err
		})
	case Image:
		r.blocks = 1 // none are expected
		err = r.timed(func(ctx context.Context) (err error) {
			r.info, err = readImage(r.input(ctx), o)
			return err
		})
	case PDF, DOCX, PPTX, DOC, RTF, CSV, JSON, XML, HTML:
		err = r.contained()
	default:
		return Info{}, problem(CodeUnsupported, o.Filename, "is of a kind that cannot be read.")
	}
	err = r.explain(err)
	return r.info, err
}

// filled puts the defaults where nothing is said.
func (o Options) filled() Options {
	if o.MaxText <= 0 {
		o.MaxText = DefaultMaxText
	}
	if o.Time <= 0 {
		o.Time = DefaultTime
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	return o
}

// reading is a file on its way.
type reading struct {
	ctx    context.Context
	in     io.Reader
	o      Options
	left   time.Duration // of Options.Time
	emit   func(Block) error
	hand   func(wire.Message) error // what a workbook gives, which are no blocks
	blocks int
	info   Info
}

// timed does a part of the work within the time that is left.
func (r *reading) timed(work func(context.Context) error) error {
	start := time.Now()
	ctx, cancel := context.WithTimeoutCause(r.ctx, r.left, errTime)
	defer cancel()
	err := work(ctx)
	r.left -= time.Since(start)
	if err != nil && !isProblem(err) && r.ctx.Err() == nil && errors.Is(context.Cause(ctx), errTime) {
		return errTime // whatever broke because of it
	}
	return err
}

func (r *reading) input(ctx context.Context) io.Reader {
	return &source{ctx: ctx, in: r.in, left: maxInput}
}

func (r *reading) counted(ctx context.Context) func(Block) error {
	return func(b Block) error {
		r.blocks++
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return r.emit(b)
	}
}

// handed takes what the process that reads says of the content.
func (r *reading) handed(ctx context.Context) func(wire.Message) error {
	counted := r.counted(ctx)
	return func(m wire.Message) error {
		if r.hand == nil {
			return counted(Block{Text: m.Text, Where: m.Where, Heading: m.Heading})
		}
		if m.Cells != "" {
			r.blocks++
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return r.hand(m)
	}
}

// contained has the file read by a process of its own, when it is its turn: what
// waits takes no room on the disk either.
func (r *reading) contained() error {
	if !carried.Load() {
		return ErrNotCarried
	}
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
	var file *os.File
	var size int64
	err := r.timed(func(ctx context.Context) (err error) {
		file, size, err = spool(r.input(ctx))
		return err
	})
	if err != nil {
		return err
	}
	defer file.Close()
	return r.timed(func(ctx context.Context) (err error) {
		r.info, err = converse(ctx, file, size, r.o, r.handed(ctx))
		return err
	})
}

// explain turns what ended a reading into what the caller is told.
func (r *reading) explain(err error) error {
	o := r.o
	switch {
	case errors.Is(err, errEnough):
		r.info.Notes = append(r.info.Notes, fmt.Sprintf("Only the first %d characters were read; the file goes on.", o.MaxText))
		return nil
	case errors.Is(err, errTime):
		return problem(CodeTimeout, o.Filename, "takes longer than %s to read. Split it into smaller files, or save it anew as %s.", o.Time.Round(time.Millisecond), plainer(o.Kind))
	case errors.Is(err, errInput):
		return problem(CodeTooLarge, o.Filename, "is larger than 64 MB or never ends. Split it into smaller files.")
	case err == nil && r.blocks == 0:
		return problem(CodeNoText, o.Filename, "%s", silence(o.Kind))
	}
	return err
}

func isProblem(err error) bool { return errors.As(err, new(*Problem)) }

// silence says what it means that a file of a kind holds no text.
func silence(k Kind) string {
	switch k {
	case XLSX, XLS:
		return "holds no rows. Check that it was saved with its content, and which of its sheets was asked for."
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

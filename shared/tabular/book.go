package tabular

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// bookSource is a sheet of a workbook. Its rows are kept on the disk as they come,
// so that a second pass takes a fraction of the first.
type bookSource struct {
	ctx  context.Context
	in   io.ReaderAt
	size int64
	o    extract.Options

	book extract.Workbook
	info extract.Info
	pull func() ([]string, error, bool)
	stop func()
	copy *rowFile // nil when there is no room for it
}

func openBook(ctx context.Context, in io.ReaderAt, size int64, kind Kind, o Options) (*bookSource, error) {
	s := &bookSource{ctx: ctx, in: in, size: size, o: extract.Options{
		Kind: extract.Kind(kind), Filename: o.Name, Size: size, Time: o.Time, Memory: o.Memory, Sheet: o.Sheet,
	}}
	return s, s.rewind()
}

func (s *bookSource) rewind() error {
	if s.stop != nil {
		s.stop()
	}
	if s.copy != nil && s.copy.whole {
		s.pull, s.stop = iter.Pull2(s.copy.rows(s.ctx))
		return nil
	}
	s.copy.close()
	s.copy = newRowFile()
	s.pull, s.stop = iter.Pull2(s.all)
	return nil
}

var errStopped = errors.New("tabular: no more rows wanted")

// all reads the workbook.
func (s *bookSource) all(yield func([]string, error) bool) {
	info, err := extract.Rows(s.ctx, io.NewSectionReader(s.in, 0, s.size), s.o,
		func(b extract.Workbook) error {
			s.book = b
			return nil
		},
		func(cells []string) error {
			s.copy.add(cells)
			if !yield(cells, nil) {
				return errStopped
			}
			return nil
		})
	switch {
	case errors.Is(err, errStopped):
	case err != nil:
		yield(nil, err)
	default:
		s.info = info
		s.copy.end()
	}
}

func (s *bookSource) next() ([]string, error) {
	cells, err, ok := s.pull()
	if !ok {
		return nil, io.EOF
	}
	return cells, err
}

func (s *bookSource) notes() []string {
	var out []string
	var others []string
	for _, name := range s.book.Sheets {
		if name != s.book.Sheet {
			others = append(others, fmt.Sprintf("%q", name))
		}
	}
	if len(others) > 0 {
		list := strings.Join(others[:min(len(others), 10)], ", ")
		out = append(out, fmt.Sprintf("Only the sheet %q is read; not %s.", s.book.Sheet, list))
	}
	return append(out, s.info.Notes...)
}

func (s *bookSource) close() {
	if s.stop != nil {
		s.stop()
	}
	s.copy.close()
}

// maxCopy bounds the rows that are kept on the disk; of a larger sheet the
// workbook is read again.
const maxCopy = 256 << 20

// rowFile keeps rows in a file without a name: cells hold neither tabs nor line
// breaks. What cannot be kept is no error, only slower. A nil one keeps nothing.
type rowFile struct {
	file  *os.File
	to    *bufio.Writer
	size  int
	whole bool
}

func newRowFile() *rowFile {
	file, err := os.CreateTemp("", "mindgate-rows-*")
	if err != nil {
		return nil
	}
	_ = os.Remove(file.Name())
	return &rowFile{file: file, to: bufio.NewWriterSize(file, 64<<10)}
}

func (f *rowFile) add(cells []string) {
	if f == nil || f.size > maxCopy {
		return
	}
	for i, c := range cells {
		if i > 0 {
			_ = f.to.WriteByte('\t')
		}
		n, _ := f.to.WriteString(c) // an error stays, and shows at the end
		f.size += n + 1
	}
	_ = f.to.WriteByte('\n')
}

func (f *rowFile) end() {
	if f != nil {
		f.whole = f.size <= maxCopy && f.to.Flush() == nil
	}
}

// rows gives the rows that were kept.
func (f *rowFile) rows(ctx context.Context) func(func([]string, error) bool) {
	return func(yield func([]string, error) bool) {
		if _, err := f.file.Seek(0, io.SeekStart); err != nil {
			yield(nil, err)
			return
		}
		in := bufio.NewReaderSize(f.file, 64<<10)
		var cells []string
		for n := 0; ; n++ {
			line, err := in.ReadString('\n')
			switch {
			case errors.Is(err, io.EOF):
				return
			case err == nil && n%1024 == 0 && ctx.Err() != nil:
				err = context.Cause(ctx)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			cells = cells[:0]
			for c := range strings.SplitSeq(line[:len(line)-1], "\t") {
				cells = append(cells, c)
			}
			if !yield(cells, nil) {
				return
			}
		}
	}
}

func (f *rowFile) close() {
	if f != nil {
		_ = f.file.Close()
	}
}

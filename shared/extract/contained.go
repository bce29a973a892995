package extract

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mindgate-dev/mindgate/shared/extract/internal/wire"
)

// carried says that this program contains the readers of shared/extract/parsers.
var carried atomic.Bool

// Carry is called by shared/extract/parsers when a program is linked with it.
func Carry() { carried.Store(true) }

// ErrNotCarried is what Read returns in a program without the readers.
var ErrNotCarried = errors.New("extract: this program was built without shared/extract/parsers and reads plain text only")

// slots bounds how many files are read at once in this process, and with that
// the memory of all of them together.
var slots = make(chan struct{}, max(1, min(4, runtime.NumCPU())))

// Warm prepares the reading of PDFs, which takes two seconds of one core the
// first time on a machine. It is never needed.
func Warm(ctx context.Context) error {
	r := &reading{ctx: ctx, in: bytes.NewReader(nil), o: Options{Kind: warmUp, Memory: DefaultMemory, Time: time.Minute}, left: time.Minute}
	return r.contained()
}

const warmUp Kind = "warm-up"

// spool writes the input to a file without a name, so that a reader can go back
// and forth in it.
func spool(in io.Reader) (*os.File, int64, error) {
	file, err := os.CreateTemp("", "mindgate-extract-*")
	if err != nil {
		return nil, 0, fmt.Errorf("extract: %w", err)
	}
	// Where an open file cannot be removed it stays in the folder for temporary
	// files, readable by its owner only.
	_ = os.Remove(file.Name())
	size, err := io.Copy(file, in)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, size, nil
}

// converse starts the reader, listens to it and judges its end.
func converse(outer context.Context, file *os.File, size int64, o Options, hand func(wire.Message) error) (Info, error) {
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	exe, err := os.Executable()
	if err != nil {
		return Info{}, fmt.Errorf("extract: %w", err)
	}
	asked, err := json.Marshal(wire.Request{
		Kind: string(o.Kind), Filename: o.Filename, MediaType: o.MediaType, PageURL: o.PageURL, Sheet: o.Sheet,
		Size: size, MaxText: o.MaxText, Memory: o.Memory, Time: o.Time, CacheDir: cacheDir(),
	})
	if err != nil {
		return Info{}, err
	}
	cmd := exec.CommandContext(ctx, exe)
	// Nothing of this process's environment, where keys are, goes along.
	cmd.Env = []string{wire.Env + "=" + string(asked), "TMPDIR=" + os.TempDir(), "GOTRACEBACK=none", "GOCOVERDIR=" + os.Getenv("GOCOVERDIR")}
	cmd.Stdin = file
	var complaints head
	cmd.Stderr = &complaints
	cmd.WaitDelay = time.Second
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return Info{}, fmt.Errorf("extract: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return Info{}, fmt.Errorf("extract: start the reader: %w", err)
	}
	ready, end, err := listen(answers, hand)
	if err != nil {
		cancel()
	} else {
		_, _ = io.Copy(io.Discard, answers)
	}
	exit := cmd.Wait()
	switch {
	case end != nil:
		return judge(end, o)
	case err != nil:
		return Info{}, err
	case outer.Err() != nil: // it was killed from here
		return Info{}, context.Cause(outer)
	}
	return Info{}, post(ready, exit, complaints.String(), o)
}

// listen hands on what is read until the reader has said how it ended.
func listen(answers io.Reader, hand func(wire.Message) error) (ready bool, end *wire.End, err error) {
	in := json.NewDecoder(bufio.NewReaderSize(answers, 64<<10))
	for {
		var m wire.Message
		if in.Decode(&m) != nil {
			return ready, nil, nil // the reader is gone; post says why
		}
		switch {
		case m.End != nil:
			return ready, m.End, nil
		case m.Ready:
			ready = true
		default:
			if err := hand(m); err != nil {
				return ready, nil, err
			}
		}
	}
}

func judge(end *wire.End, o Options) (Info, error) {
	info := Info{Title: end.Title, Author: end.Author, Language: end.Language, Pages: end.Pages, Notes: end.Notes}
	switch {
	case end.Code != "":
		return info, &Problem{Code: end.Code, Message: end.Problem}
	case end.Failure != "":
		return info, fmt.Errorf("extract: %s", end.Failure)
	case end.Enough:
		return info, errEnough
	}
	return info, nil
}

// post says why a reader ended without a word.
func post(ready bool, exit error, complaints string, o Options) error {
	if !ready {
		return fmt.Errorf("extract: the reader did not start: %w: %.200s", cmp.Or(exit, errSilent), complaints)
	}
	if status := new(exec.ExitError); errors.As(exit, &status) {
		killed := false // from outside, as the kernel does when memory runs out
		if s, ok := status.Sys().(syscall.WaitStatus); ok && s.Signaled() {
			switch s.Signal() {
			case syscall.SIGKILL:
				killed = true
			case syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP:
				return fmt.Errorf("extract: the reader was ended: %w", exit)
			}
		}
		if killed || status.ExitCode() == wire.ExitMemory ||
			strings.Contains(complaints, "out of memory") || strings.Contains(complaints, "cannot allocate memory") {
			return TooLarge(o)
		}
	}
	return Damaged(o, "reading it failed half-way")
}

var errSilent = errors.New("it ended without a word")

// TooLarge is the refusal of a file that would take more memory than allowed.
func TooLarge(o Options) *Problem {
	return problem(CodeTooLarge, o.Filename, "takes more memory to read than is allowed: it unpacks to very much more than its size, or one of its parts is huge. Split it into smaller files, or send it as %s.", plainer(o.Kind))
}

// Damaged is the refusal of a file that is not built as its kind demands.
func Damaged(o Options, what string) *Problem {
	return problem(CodeDamaged, o.Filename, "is damaged: %s. Open it, save it anew and send it again, or send it as %s.", what, plainer(o.Kind))
}

// plainer is what a file can be sent as that is simpler to read.
func plainer(k Kind) string {
	if k == XLSX || k == XLS {
		return "CSV"
	}
	return "PDF or plain text"
}

// head keeps the beginning of what is written to it.
type head struct{ bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	if room := 4<<10 - h.Len(); room > 0 {
		h.Buffer.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

// cacheDir is a folder of this user's own for compiled code, empty if there is
// none that only this user can write to.
func cacheDir() string {
	var bases []string
	if dir, err := os.UserCacheDir(); err == nil {
		bases = append(bases, filepath.Join(dir, "mindgate"))
	}
	bases = append(bases, filepath.Join(os.TempDir(), fmt.Sprintf("mindgate-%d", os.Getuid())))
	for _, base := range bases {
		dir := filepath.Join(base, "pdfium")
		if os.MkdirAll(dir, 0o700) == nil && ours(base) && ours(dir) {
			return dir
		}
	}
	return ""
}

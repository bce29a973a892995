// Package pdfium gives the characters of a PDF with their places, by PDFium, the
// engine of Chromium, as a WebAssembly module. The module has no files, no
// network and no clock; the only memory that it can touch is its own, and that
// has a ceiling. What it cannot be made to do from here is stop: a caller that
// has to bound the time runs it in a process of its own.
package pdfium

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf16"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

//go:embed pdfium.wasm.gz
var module []byte

// Errors of Open and of reading.
var (
	ErrPassword = errors.New("pdfium: the file is encrypted and its password is not empty")
	ErrFormat   = errors.New("pdfium: this is no PDF, or a damaged one")
	ErrMemory   = errors.New("pdfium: the file needs more memory than the module has")
)

const pageBytes = 64 << 10

// Options of an Engine.
type Options struct {
	// CacheDir keeps the compiled module between processes: compiling takes two
	// seconds of one core, loading a tenth of one. Code is run from it, so nobody
	// else may be able to write there. Empty: nothing is kept.
	CacheDir string
	// Memory is the ceiling of the module's memory in bytes, at least 24 MiB.
	Memory int64
}

// Engine is PDFium, ready to read one file after the other. It is not safe for
// concurrent use.
type Engine struct {
	runtime wazero.Runtime
	cache   wazero.CompilationCache
	mod     api.Module
	file    *source // what the module reads through the call-back
	scratch uint32
	funcs   map[string]api.Function
	limit   int64 // of the module's memory, in bytes
	broken  bool
}

// source is the file that is open; the module reads it block by block.
type source struct {
	r    io.ReaderAt
	size int64
	err  error
}

// New starts an engine.
func New(ctx context.Context, o Options) (*Engine, error) {
	plain, err := gzip.NewReader(bytes.NewReader(module))
	if err != nil {
		return nil, err
	}
	code, err := io.ReadAll(plain)
	if err != nil {
		return nil, err
	}
	pages := uint32(min(max(o.Memory, 24<<20), math.MaxUint32) / pageBytes)
	config := wazero.NewRuntimeConfig().
		WithMemoryLimitPages(pages).
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling)
	e := &Engine{funcs: map[string]api.Function{}, limit: int64(pages) * pageBytes}
	if o.CacheDir != "" {
		if e.cache, err = wazero.NewCompilationCacheWithDir(o.CacheDir); err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(e.cache)
	}
	ctx = experimental.WithMemoryAllocator(ctx, ceiling(e.limit))
	e.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if err := e.start(ctx, code); err != nil {
		e.Close(ctx)
		return nil, err
	}
	return e, nil
}

// ceiling allots a module the address space of all the memory that it may have,
// so that growing copies nothing and memory is taken as it is used.
type ceiling uint64

func (c ceiling) Allocate(_, _ uint64) experimental.LinearMemory {
	return &memory{buf: make([]byte, 0, c)}
}

type memory struct{ buf []byte }

func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(cap(m.buf)) {
		return nil
	}
	m.buf = m.buf[:size]
	return m.buf
}

func (m *memory) Free() { m.buf = nil }

func (e *Engine) start(ctx context.Context, code []byte) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, e.runtime); err != nil {
		return err
	}
	compiled, err := e.runtime.CompileModule(experimental.WithCompilationWorkers(ctx, 2), code)
	if err != nil {
		return err
	}
	host := e.runtime.NewHostModuleBuilder("env")
	for _, f := range compiled.ImportedFunctions() {
		from, name, _ := f.Import()
		if from != "env" {
			continue
		}
		call := ignore
		if name == "FPDF_FILEACCESS_CB" {
			call = e.readBlock
		}
		host.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(call), f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	if _, err := host.Instantiate(ctx); err != nil {
		return err
	}
	e.mod, err = e.runtime.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return err
	}
	if _, err := e.call(ctx, "FPDF_InitLibrary"); err != nil {
		return err
	}
	at, err := e.call(ctx, "malloc", scratchBytes)
	e.scratch = uint32(at)
	return err
}

// ignore answers 0 to what a form, a script or a progress bar would be asked.
func ignore(_ context.Context, _ api.Module, stack []uint64) {
	if len(stack) > 0 {
		stack[0] = 0
	}
}

// readBlock hands the module a piece of the file: parameter, position, where
// to, how much; 1 says that it is there.
func (e *Engine) readBlock(_ context.Context, mod api.Module, stack []uint64) {
	at, to, n := uint32(stack[1]), uint32(stack[2]), uint32(stack[3])
	stack[0] = 0
	into, ok := mod.Memory().Read(to, n)
	if !ok || e.file == nil || int64(at)+int64(n) > e.file.size {
		return
	}
	if _, err := e.file.r.ReadAt(into, int64(at)); err != nil && !errors.Is(err, io.EOF) {
		e.file.err = err
		return
	}
	stack[0] = 1
}

// Broken says that a file has crashed the module. It must not be used again.
func (e *Engine) Broken() bool { return e.broken }

// Close frees everything.
func (e *Engine) Close(ctx context.Context) {
	_ = e.runtime.Close(ctx)
	if e.cache != nil {
		_ = e.cache.Close(ctx)
	}
}

const scratchBytes = 64 << 10

// call calls a function of the module that returns at most one value.
func (e *Engine) call(ctx context.Context, name string, args ...uint64) (uint64, error) {
	f := e.funcs[name]
	if f == nil {
		if f = e.mod.ExportedFunction(name); f == nil {
			return 0, fmt.Errorf("pdfium: the module has no %s", name)
		}
		e.funcs[name] = f
	}
	var stack [6]uint64
	copy(stack[:], args)
	if err := f.CallWithStack(ctx, stack[:]); err != nil {
		return 0, e.trap(err)
	}
	return stack[0], nil
}

// trap says what a crash of the module means. PDFium ends itself when it gets no
// more memory, so a crash close to the ceiling is that.
func (e *Engine) trap(err error) error {
	e.broken = true
	var exit *sys.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == sys.ExitCodeContextCanceled || exit.ExitCode() == sys.ExitCodeDeadlineExceeded) {
		return err
	}
	if int64(e.mod.Memory().Size())*2 > e.limit {
		return ErrMemory
	}
	return fmt.Errorf("%w: %s", ErrFormat, strings.SplitN(err.Error(), "\n", 2)[0])
}

// Document is an open file.
type Document struct {
	e      *Engine
	handle uint64
	access uint64
	Pages  int
}

// Open opens a file. Only one can be open at a time. A file that is encrypted
// with an empty password, so that it can be read but not printed or changed,
// opens like any other.
func (e *Engine) Open(ctx context.Context, r io.ReaderAt, size int64) (*Document, error) {
	if size <= 0 || size > math.MaxInt32 {
		return nil, ErrFormat
	}
	e.file = &source{r: r, size: size}
	access, err := e.call(ctx, "FPDF_FILEACCESS_Create", uint64(size), 0)
	if err != nil {
		return nil, err
	}
	handle, err := e.call(ctx, "FPDF_LoadCustomDocument", access, 0)
	if err != nil {
		return nil, err
	}
	if uint32(handle) == 0 {
		if e.file.err != nil {
			return nil, e.file.err
		}
		code, err := e.call(ctx, "FPDF_GetLastError")
		if err != nil {
			return nil, err
		}
		switch uint32(code) { // FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY
		case 4, 5:
			return nil, ErrPassword
		}
		return nil, ErrFormat
	}
	pages, err := e.call(ctx, "FPDF_GetPageCount", handle)
	if err != nil {
		return nil, err
	}
	return &Document{e: e, handle: handle, access: access, Pages: max(0, int(int32(pages)))}, nil
}

// Close closes the file, so that the engine can open another.
func (d *Document) Close(ctx context.Context) error {
	_, err := d.e.call(ctx, "FPDF_CloseDocument", d.handle)
	if err == nil {
		_, err = d.e.call(ctx, "free", d.access)
	}
	d.e.file = nil
	return err
}

// Meta is an entry of the file's information, such as "Title" or "Author".
func (d *Document) Meta(ctx context.Context, tag string) (string, error) {
	if !d.e.mod.Memory().Write(d.e.scratch, append([]byte(tag), 0)) {
		return "", ErrMemory
	}
	return d.utf16(ctx, "FPDF_GetMetaText", d.handle, uint64(d.e.scratch))
}

// Language is the language that the file states, if any.
func (d *Document) Language(ctx context.Context) (string, error) {
	return d.utf16(ctx, "FPDFCatalog_GetLanguage", d.handle)
}

// utf16 calls a function that fills a buffer with UTF-16LE and returns how many
// bytes that takes with the closing zero.
func (d *Document) utf16(ctx context.Context, name string, args ...uint64) (string, error) {
	const room = scratchBytes / 2
	buf := uint64(d.e.scratch) + scratchBytes - room
	n, err := d.e.call(ctx, name, append(args, buf, room)...)
	if err != nil || uint32(n) < 2 || uint32(n) > room {
		return "", err
	}
	raw, ok := d.e.mod.Memory().Read(uint32(buf), uint32(n)-2)
	if !ok {
		return "", ErrMemory
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	return string(utf16.Decode(units)), nil
}

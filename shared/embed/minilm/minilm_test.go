package minilm

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/viterin/vek/vek32"

	"github.com/mindgate-dev/mindgate/shared/embed"
)

const weights = "../../../models/" + File

func open(t testing.TB) *model {
	t.Helper()
	m, err := load(weights)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the weights are not there: `make models` fetches them")
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

type golden struct {
	Text         string
	Tokens       []int32
	Full, Packed []byte
}

func (golden) vector(b []byte) []float32 {
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func goldens(t *testing.T) []golden {
	t.Helper()
	b, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var out []golden
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// The reference implementations are named in testdata/README.md.
func TestVectorsAreThoseOfTheReference(t *testing.T) {
	m := open(t)
	for name, dot := range map[string]kernel{"fastest": fastest(), "plain": plain} {
		if name == "plain" && testing.Short() {
			continue // the race detector takes minutes for it
		}
		s := newScratch()
		for _, g := range goldens(t) {
			ids := m.vocabulary.tokens(g.Text)
			if !slices.Equal(ids, g.Tokens) {
				t.Errorf("%q: tokens %v, not %v", g.Text, ids, g.Tokens)
			}
			if name == "plain" && len(ids) > 60 || testing.Short() && len(ids) > 20 {
				continue // seconds, for what the short ones show
			}
			v := m.embed(ids, s, dot)
			embed.Normalise(v)
			if cos := embed.Dot(v, g.vector(g.Packed)); cos < .9999 {
				t.Errorf("%s, %q: cosine %.6f to the same weights elsewhere", name, g.Text, cos)
			}
			if cos := embed.Dot(v, g.vector(g.Full)); cos < .998 {
				t.Errorf("%s, %q: cosine %.6f to the weights before packing", name, g.Text, cos)
			}
		}
	}
}

func TestKernelsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 7, 8, 9, 31, 32, 33, 100, hidden, inner} {
		a, b := make([]float32, n), make([]float32, n)
		for i := range a {
			a[i], b[i] = random.Float32()-.5, random.Float32()-.5
		}
		if x, y := vek32.Dot(a, b), plain(a, b); math.Abs(float64(x-y)) > 1e-4 {
			t.Errorf("%d numbers: %v and %v", n, x, y)
		}
	}
}

func TestTableOfGELU(t *testing.T) {
	for x := -10.0; x < 10; x += 0.00037 {
		y := []float32{float32(x)}
		gelu(y)
		if want := x * .5 * (1 + math.Erf(x/math.Sqrt2)); math.Abs(float64(y[0])-want) > 2e-6 {
			t.Fatalf("gelu(%v) = %v, not %v", x, y[0], want)
		}
	}
	nan := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}
	gelu(nan)
	if nan[0] == nan[0] || !math.IsInf(float64(nan[1]), 1) || nan[2] != 0 {
		t.Errorf("outside the numbers: %v", nan)
	}
}

func TestTextsComeBackInOrder(t *testing.T) {
	open(t)
	e, err := Open(weights)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"A cat sat on the mat.", "", "Interest rates rose.", "A kitten rested on the rug."}
	vs, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if err := embed.Check(e.Space(), len(texts), vs); err != nil {
		t.Fatal(err)
	}
	if embed.Dot(vs[1], vs[1]) != 0 {
		t.Error("a text of nothing has a vector")
	}
	if near, far := embed.Dot(vs[0], vs[3]), embed.Dot(vs[0], vs[2]); near < far+.3 {
		t.Errorf("cosine %.3f to the like, %.3f to the unlike", near, far)
	}
	for i, text := range texts {
		alone, err := e.Embed(t.Context(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(alone[0], vs[i]) {
			t.Errorf("%q alone has another vector than among others", text)
		}
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	whole := packedOf(t)
	cut := filepath.Join(t.TempDir(), File)
	for name, b := range map[string][]byte{
		"empty": {}, "cut short": whole[:len(whole)-1], "another file": []byte(strings.Repeat("x", 100)),
		"longer": append(slices.Clone(whole), 0), "another version": append([]byte("MGML\x09\x00"), whole[6:]...),
	} {
		if err := os.WriteFile(cut, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(cut); !errors.Is(err, ErrFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
	whole[len(whole)-100]++
	if err := os.WriteFile(cut, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := Open(cut)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"text"}); !errors.Is(err, ErrFile) {
		t.Errorf("a changed byte: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// packedOf is a model without sense, so that the file is tested without weights.
func packedOf(t *testing.T) []byte {
	t.Helper()
	if testing.Short() {
		t.Skip("22 million numbers are written")
	}
	vocab := make([]string, pieces)
	for i := range vocab {
		vocab[i] = "##" + base64.RawURLEncoding.EncodeToString([]byte{byte(i), byte(i >> 8)})
	}
	sizes := map[string]int{}
	for _, o := range order() {
		sizes[o.name] = max(o.rows, 1) * o.cols
	}
	var b strings.Builder
	err := Write(&b, "test-1", vocab, func(name string) ([]float32, error) {
		out := make([]float32, sizes[name])
		for i := range out {
			out[i] = float32(i%13-6) / 100
		}
		return out, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}

func TestFileReadsBackWhatWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	if err := os.WriteFile(path, packedOf(t), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range m.layers[5].down.weight {
		if want := float32(i%13-6) / 100; math.Abs(float64(x-want)) > .0003 {
			t.Fatalf("number %d is %v, not %v", i, x, want)
		}
	}
	if len(m.vocabulary.ids) != pieces || len(m.layers[0].qkv.bias) != 3*hidden {
		t.Errorf("%d pieces, %d biases", len(m.vocabulary.ids), len(m.layers[0].qkv.bias))
	}
}

func FuzzTokens(f *testing.F) {
	v := newVocabulary([]string{"a", "##b", "ab", "ü", "##東", "[SEP]", "."})
	for _, s := range []string{"ab ab.", "\xffa\u0301b", "東京", strings.Repeat("a", 300), strings.Repeat("a ", 300), "[SEP]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ids := v.tokens(s)
		if len(ids) < 2 || len(ids) > maxTokens || ids[0] != tokenStart || ids[len(ids)-1] != tokenEnd {
			t.Fatalf("%q: %v", s, ids)
		}
	})
}

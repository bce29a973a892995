package embed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"
)

var space = Space{Model: "test", Revision: "1", Dim: 8}

func unitVectors(seed uint64, n, dim int) [][]float32 {
	random := rand.New(rand.NewPCG(seed, 0))
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, dim)
		for j := range out[i] {
			out[i][j] = float32(random.NormFloat64())
		}
		Normalise(out[i])
	}
	return out
}

func TestPackedReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Space{Model: rapid.StringN(1, 20, 200).Draw(t, "model"), Revision: rapid.StringN(0, 20, 200).Draw(t, "revision"), Dim: rapid.IntRange(1, 300).Draw(t, "dim")}
		vs := unitVectors(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 5).Draw(t, "count"), s.Dim)
		p, err := Pack(s, vs)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(p.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if back.Space() != s || back.Len() != len(vs) || !bytes.Equal(back.Encode(), p.Encode()) {
			t.Fatalf("%s with %d vectors came back as %s with %d", s, len(vs), back.Space(), back.Len())
		}
		for i, v := range vs {
			for j, x := range back.At(i) {
				if math.Abs(float64(x-v[j])) > float64(p.scales[i])*.501 {
					t.Fatalf("vector %d, number %d: %v, not %v", i, j, x, v[j])
				}
			}
		}
	})
}

func TestOneChangedBitIsSeen(t *testing.T) {
	p, err := Pack(space, unitVectors(1, 3, space.Dim))
	if err != nil {
		t.Fatal(err)
	}
	whole := p.Encode()
	for i := range whole {
		for bit := range 8 {
			b := slices.Clone(whole)
			b[i] ^= 1 << bit
			if _, err := Decode(b); !errors.Is(err, ErrPacked) {
				t.Fatalf("byte %d, bit %d: %v", i, bit, err)
			}
		}
		if _, err := Decode(whole[:i]); !errors.Is(err, ErrPacked) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
	}
}

func TestPackRefusesWhatCannotBeKept(t *testing.T) {
	for name, c := range map[string]struct {
		space   Space
		vectors [][]float32
	}{
		"another length": {space, [][]float32{make([]float32, 7)}},
		"not a number":   {space, [][]float32{{float32(math.NaN()), 0, 0, 0, 0, 0, 0, 0}}},
		"infinite":       {space, [][]float32{{float32(math.Inf(1)), 0, 0, 0, 0, 0, 0, 0}}},
		"no name":        {Space{Dim: 8}, nil},
		"too wide":       {Space{Model: "m", Dim: MaxDim + 1}, nil},
	} {
		if _, err := Pack(c.space, c.vectors); err == nil {
			t.Errorf("%s is packed", name)
		}
	}
}

func TestCosinesOfPackedVectors(t *testing.T) {
	for _, dim := range []int{1, 5, 384, 2048, 3072, MaxDim} {
		s := Space{Model: "m", Revision: "1", Dim: dim}
		vs := unitVectors(uint64(dim), 20, dim)
		flat := make([]float32, dim)
		for i := range flat {
			flat[i] = 1
		}
		Normalise(flat) // every number at its most: the sums must not run over
		vs = append(vs, flat, make([]float32, dim))
		p, err := Pack(s, vs)
		if err != nil {
			t.Fatal(err)
		}
		few := make([]float32, dim)
		few[0], few[dim/2] = .6, .8
		Normalise(few)
		for _, q := range [][]float32{vs[0], flat, few, make([]float32, dim)} {
			got := make([]float32, len(vs))
			if err := p.Cosines(Vector{s, q}, got); err != nil {
				t.Fatal(err)
			}
			for i, v := range vs {
				if want := Dot(q, v); math.Abs(float64(got[i])-want) > .01 {
					t.Errorf("%d dimensions, vector %d: %.5f, not %.5f", dim, i, got[i], want)
				}
			}
		}
	}
}

func TestSpacesNeverMix(t *testing.T) {
	p, err := Pack(space, unitVectors(1, 3, space.Dim))
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []Space{
		{"other", space.Revision, space.Dim}, {space.Model, "2", space.Dim}, {space.Model, space.Revision, 4}, {},
	} {
		if err := p.Cosines(Vector{other, make([]float32, other.Dim)}, make([]float32, 3)); !errors.Is(err, ErrSpace) {
			t.Errorf("a vector of %s among those of %s: %v", other, space, err)
		}
	}
}

type counting struct {
	mu    sync.Mutex
	calls int
	wrong bool
}

func (*counting) Space() Space { return space }

func (c *counting) Embed(_ context.Context, texts []string) ([][]float32, error) {
	c.mu.Lock()
	c.calls += len(texts)
	c.mu.Unlock()
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, space.Dim)
		out[i][len(text)%space.Dim] = 1
	}
	if c.wrong {
		out[0] = nil
	}
	return out, nil
}

func TestCachedAsksOnce(t *testing.T) {
	inner := &counting{}
	e := Cached(inner, 2)
	ask := func(texts ...string) {
		t.Helper()
		vs, err := ask(t.Context(), e, texts)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := (&counting{}).Embed(t.Context(), texts)
		if fmt.Sprint(vs) != fmt.Sprint(want) {
			t.Errorf("%q: %v", texts, vs)
		}
	}
	ask("a", "bb")
	ask("bb", "a")
	if inner.calls != 2 {
		t.Errorf("%d texts embedded, not 2", inner.calls)
	}
	ask("a", "ccc") // bb was used longest ago
	ask("a")
	if inner.calls != 3 {
		t.Errorf("%d texts embedded, not 3", inner.calls)
	}
	ask("bb")
	if inner.calls != 4 {
		t.Errorf("%d texts embedded, not 4", inner.calls)
	}
	inner.wrong = true
	if _, err := Query(t.Context(), e, "dddd"); err == nil {
		t.Error("a vector that is missing goes through")
	}
}

// slow waits for its caller to give up or for open.
type slow struct {
	counting
	asked, open chan struct{}
}

func (s *slow) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	s.asked <- struct{}{}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.open:
	}
	return s.counting.Embed(ctx, texts)
}

func TestOneWhoGivesUpFailsNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := &slow{asked: make(chan struct{}, 10), open: make(chan struct{})}
		e := Cached(inner, 2)
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error, 3)
		go func() {
			_, err := Query(ctx, e, "same")
			results <- err
		}()
		<-inner.asked
		for range 2 {
			go func() {
				_, err := Query(t.Context(), e, "same")
				results <- err
			}()
		}
		synctest.Wait()
		cancel()
		if err := <-results; !errors.Is(err, context.Canceled) {
			t.Errorf("who gave up: %v", err)
		}
		close(inner.open)
		for range 2 {
			if err := <-results; err != nil {
				t.Errorf("who waited: %v", err)
			}
		}
	})
}

func TestOneQuestionOfManyIsEmbeddedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := &slow{asked: make(chan struct{}, 10), open: make(chan struct{})}
		e := Cached(inner, 2)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if _, err := Query(t.Context(), e, "same"); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		close(inner.open)
		wg.Wait()
		if inner.calls != 1 {
			t.Errorf("embedded %d times", inner.calls)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, n := range []int{0, 1, 3} {
		p, err := Pack(space, unitVectors(1, n, space.Dim))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p.Encode())
	}
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := Decode(b)
		if err != nil {
			return
		}
		if !bytes.Equal(p.Encode(), b) {
			t.Fatal("what was read is written in another way")
		}
	})
}

func BenchmarkCosines(b *testing.B) {
	for _, dim := range []int{384, 2048} {
		b.Run(fmt.Sprint(dim), func(b *testing.B) {
			s := Space{Model: "m", Revision: "1", Dim: dim}
			vs := unitVectors(1, 5000, dim)
			p, err := Pack(s, vs)
			if err != nil {
				b.Fatal(err)
			}
			dst := make([]float32, len(vs))
			for b.Loop() {
				_ = p.Cosines(Vector{s, vs[7]}, dst)
			}
		})
	}
}
